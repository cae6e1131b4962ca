# lit configuration of nm's tests: what each test may call, and which
# capabilities of this machine it may ask for with REQUIRES.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Capabilities (docs/Testing.md):
#   ptxas              an assembler was found; %ptxas is its path
#   numpy              %python can import numpy
#   torch-mlir-opt     the PyPI wheel's tool was found; %torch-mlir-opt is its path
# Parameters:
#   nm_tools_dir=FOLDER      the tools under test, those of the build if not given
# Environment:
#   NM_PTXAS=FILE            the ptxas to use
#   NM_REQUIRE_PTXAS=1       no ptxas is an error, not a skip (CI)
#   NM_VERIFY_ROUNDTRIP=1    every nm-opt also checks that its output round-trips

import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "nm"
# The internal shell fails a pipeline when any of its commands fails.
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt"]
config.test_source_root = config.nm_source_dir + "/test"
config.test_exec_root = config.nm_binary_dir + "/test"

# Tools of another folder, such as one that has an error planted (tools/scripts/mutation).
config.nm_tools_dir = lit_config.params.get("nm_tools_dir", config.nm_tools_dir)

# The tools under test come before those of LLVM, and both before the system's.
config.environment["PATH"] = os.pathsep.join(
    [config.nm_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]


def runs(command):
    """Returns the command's standard output, or None when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def find_ptxas():
    wheel = "/.venv/lib/python3*/site-packages/nvidia/cu*/bin/ptxas"
    candidates = [os.environ.get("NM_PTXAS"), shutil.which("ptxas")]
    candidates += sorted(glob.glob(config.nm_source_dir + wheel))
    candidates += sorted(glob.glob("/usr/local/cuda*/bin/ptxas"), reverse=True)
    for path in candidates:
        if path and runs([path, "--version"]) is not None:
            return path
    return None


def find_torch_mlir_opt():
    candidates = [os.environ.get("NM_TORCH_MLIR_OPT"), shutil.which("torch-mlir-opt")]
    candidates += [config.nm_source_dir + "/.venv/bin/torch-mlir-opt"]
    for path in candidates:
        if path and runs([path, "--version"]) is not None:
            return path
    return None


ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.environment["NM_PTXAS"] = ptxas
    config.substitutions.append(("%ptxas", ptxas))
elif os.environ.get("NM_REQUIRE_PTXAS", "0") not in ("", "0"):
    lit_config.fatal("ptxas not found and NM_REQUIRE_PTXAS is set")
else:
    lit_config.warning("ptxas not found: tests that assemble PTX are SKIPPED")

if runs([config.nm_python, "-c", "import numpy"]) is not None:
    config.available_features.add("numpy")
else:
    lit_config.warning(
        "no numpy for %s: tests that require it are SKIPPED" % config.nm_python
    )
config.substitutions.append(("%python", config.nm_python))
config.substitutions.append(("%nm_src", config.nm_source_dir))
config.substitutions.append(("%nm_tools", config.nm_tools_dir))
config.substitutions.append(("%nm_lib", config.nm_lib_dir))
# Programs that tests build link nm's libraries as they were compiled.
sanitize = " -fsanitize=" + config.nm_sanitize if config.nm_sanitize else ""
config.substitutions.append(("%cxx", config.nm_cxx + sanitize))
# AddressSanitizer ends the process where memory runs out or has an odd alignment.
if "address" in config.nm_sanitize:
    config.available_features.add("asan")

torch_mlir_opt = find_torch_mlir_opt()
if torch_mlir_opt:
    config.available_features.add("torch-mlir-opt")
    config.substitutions.append(("%torch-mlir-opt", torch_mlir_opt))
else:
    lit_config.note("no torch-mlir-opt: tests that compare with it are skipped")

if os.environ.get("NM_VERIFY_ROUNDTRIP", "0") not in ("", "0"):
    # Only the bare word, never a part of a path.
    config.substitutions.append(
        (r"(?<![\w./-])nm-opt(?![\w./-])", "nm-opt --verify-roundtrip")
    )
