#!/usr/bin/env python3
# torch_mlir_suite.py - Runs torch-mlir's end-to-end suite through nm-run.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: torch_mlir_suite.py SUITE [MODULE...] [--jobs N] [--out FILE] ...   (README.md)

import argparse
import collections
import datetime
import json
import logging
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import types
import warnings

import ml_dtypes
import numpy as np
import torch

DEVICES = ("cpu", "emulator")
# What torch-mlir's modules import and the ones that are compared do not use.
ABSENT = ("torchvision", "torchvision.models", "torchvision.ops", "torchvision.transforms")
# Tolerances, relative and absolute, by the type of a result: those of the run of 2026-11-22
# (docs/results), as sums are in another order than PyTorch's.
TOLERANCES = {torch.float16: (3e-3, 3e-3), torch.bfloat16: (3e-2, 3e-2)}
OTHER_TOLERANCE = (1e-3, 1e-5)


def load_suite(folder):
    """The tests of a copy of torch-mlir's projects/pt1/python/torch_mlir_e2e_test."""
    sys.path.insert(0, str(folder))
    for name in ABSENT:
        sys.modules[name] = types.ModuleType(name)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, sys.modules[name])
    # The suite asks the version of torch_mlir's own build, which its wheel does not have.
    from packaging import version

    made = types.ModuleType("torch_mlir._version")
    made.torch_version_for_comparison = lambda: version.parse(torch.__version__.split("+")[0])
    made.version = version
    sys.modules["torch_mlir._version"] = made
    from torch_mlir_e2e_test.registry import GLOBAL_TEST_REGISTRY
    from torch_mlir_e2e_test.test_suite import register_all_tests

    register_all_tests()
    return {test.unique_name: test for test in GLOBAL_TEST_REGISTRY}


def export(test, path):
    """Writes the file of a test's module; its inputs and PyTorch's results, as tensors."""
    from torch_mlir import fx
    from torch_mlir_e2e_test.framework import generate_golden_trace

    (item, *_) = generate_golden_trace(test)
    program = torch.export.export(test.program_factory(), tuple(item.inputs), strict=True)
    module = fx.export_and_import(
        program, output_type="linalg-on-tensors", func_name="main",
        backend_legal_ops=["aten.adaptive_max_pool2d"],
    )
    path.write_text(module.operation.get_asm())
    inputs = [one for one in flatten(item.inputs) if isinstance(one, torch.Tensor)]
    return inputs, [torch.as_tensor(one) for one in flatten(item.output)]


def load_exporter():
    """Exports a module here once: what PyTorch and torch-mlir import at the first export takes
    ten times as long as an export, and a forked process has it from this one."""
    from torch_mlir import fx

    fx.export_and_import(torch.nn.ReLU(), torch.ones(1), output_type="linalg-on-tensors")


def flatten(values):
    if isinstance(values, (tuple, list)):
        return [leaf for one in values for leaf in flatten(one)]
    return [values]


def to_array(tensor):
    tensor = tensor.detach().contiguous()
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def describe_difference(found, tensor):
    """What is wrong with an array; "" if nothing is."""
    expected = to_array(tensor)
    if found.dtype.kind == "V":
        found = found.view(ml_dtypes.bfloat16)
    if found.shape != expected.shape:
        return f"a result of {list(found.shape)}, expected {list(expected.shape)}"
    if found.dtype != expected.dtype and found.dtype.itemsize == expected.dtype.itemsize:
        found = found.view(expected.dtype)  # a file says of no integer whether it has a sign
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    one, other = found.astype(wide), expected.astype(wide)
    relative, absolute = TOLERANCES.get(tensor.dtype, OTHER_TOLERANCE)
    if np.allclose(one, other, rtol=relative, atol=absolute, equal_nan=True):
        return ""
    return f"wrong by at most {np.nanmax(np.abs(one - other)):.3g}"


def run(folder, device, inputs, expected, limit):
    """What is wrong with what nm-run gives on a device; "" if nothing is."""
    results = folder / device
    tool = pathlib.Path(os.environ.get("NM_BIN", ""), "nm-run")
    command = [tool, folder / "m.mlir", "--entry=main", f"--device={device}",
               f"--output-dir={results}", *(f"--input={path}" for path in inputs)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"more than {limit} s"
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "error" in line]
        return f"nm-run ended with {done.returncode}: {(said or [done.stderr[-200:]])[0]}"
    files = sorted(results.glob("*.npy"), key=lambda path: int(path.stem))
    if len(files) < len(expected):
        return f"{len(files)} results of {len(expected)}"
    # State, such as the seed of random numbers, comes before the results.
    found = [np.load(path) for path in files[-len(expected):]]
    return next(filter(None, map(describe_difference, found, expected)), "")


def describe_error(text):
    """The first line of what torch or torch-mlir said, without addresses and stack traces."""
    line = (text.strip().splitlines() or [""])[0]
    return re.sub(r" at 0x[0-9a-f]+|, \{.*", "", line)[:200]


def export_to(folder, test):
    """Writes a test's module, inputs and results to a folder that does not have them. Gives the
    paths of the inputs, and the results."""
    results = folder / "expected.pt"
    if not results.exists():
        inputs, expected = export(test, folder / "m.mlir")
        for i, tensor in enumerate(inputs):
            np.save(folder / f"x{i}.npy", to_array(tensor))
        torch.save(expected, results)
    paths = sorted(folder.glob("x*.npy"), key=lambda path: int(path.stem[1:]))
    return paths, torch.load(results)


def try_module(test, options, connection):
    """Sends the outcome on each device, or why the module is not exported."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.keep:
            folder = options.keep / test.unique_name
            folder.mkdir(parents=True, exist_ok=True)
        refused = folder / "refused"
        if not refused.exists():
            signal.alarm(options.limit)  # it ends the process
            try:
                paths, expected = export_to(folder, test)
                signal.alarm(0)
            except BaseException as error:  # torch-mlir ends some exports by SystemExit
                refused.write_text(describe_error(str(error)))
        if refused.exists():
            connection.send({"not exported": refused.read_text()})
            return
        connection.send(
            {one: run(folder, one, paths, expected, options.limit) for one in DEVICES})


def try_all(tests, options):
    """(name, outcome) of each test, in the order in which they end; each has a process of its
    own, as torch-mlir ends some."""
    context, waiting, running = multiprocessing.get_context("fork"), list(tests.items()), []
    while waiting or running:
        while waiting and len(running) < options.jobs:
            name, test = waiting.pop(0)
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=try_module, args=(test, options, sender))
            process.start()
            sender.close()
            running.append((name, process, receiver))
        ready = multiprocessing.connection.wait([receiver for *_, receiver in running])
        for entry in [one for one in running if one[2] in ready]:
            running.remove(entry)
            name, process, receiver = entry
            try:
                outcome = receiver.recv()
            except EOFError:
                said = f"torch-mlir ended the process, or took more than {options.limit} s"
                outcome = {"not exported": said}
            process.join()
            yield name, outcome


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Compares torch-mlir's suite with PyTorch; tools/fuzz/README.md.")
    add = parser.add_argument
    add("suite", type=pathlib.Path, help="the folder that has torch_mlir_e2e_test: projects/pt1/python of a checkout of torch-mlir, without its torch_mlir")
    add("modules", nargs="*", metavar="MODULE", help="names of tests (default: all)")
    add("--jobs", type=int, default=2, metavar="N", help="modules at a time (default: 2)")
    add("--limit", type=int, default=120, metavar="SECONDS", help="of an export, and of a run on a device (default: 120)")
    add("--keep", type=pathlib.Path, metavar="FOLDER", help="keep exported modules in this folder, and take those that it has")
    add("--out", type=pathlib.Path, metavar="FILE", help="the log, as JSON, for docs/results")
    return parser.parse_args()


def describe_run():
    root = pathlib.Path(__file__).parent
    commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True,
                            text=True, cwd=root, check=False)
    return {
        "what": "torch-mlir's end-to-end suite, exported through fx, by nm-run, against PyTorch",
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip(),
        "command": " ".join(["tools/fuzz/torch_mlir_suite.py",
                             *(re.sub(r"[^=]*/", "", one) for one in sys.argv[1:])]),
        "torch": torch.__version__,
    }


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    tests = load_suite(options.suite)
    if unknown := sorted(set(options.modules) - set(tests)):
        sys.exit(f"torch_mlir_suite.py: expected names of the suite's tests, got {unknown}")
    if options.modules:
        tests = {name: tests[name] for name in options.modules}
    load_exporter()
    log = describe_run()
    begin = time.time()
    right, findings, left = collections.Counter(), {}, {}
    for number, (name, outcome) in enumerate(try_all(tests, options), 1):
        if number % 100 == 0:
            print(f"{number} of {len(tests)}, {time.time() - begin:.0f} s", flush=True)
        if "not exported" in outcome:
            left[name] = outcome["not exported"]
            continue
        right.update(device for device, said in outcome.items() if not said)
        wrong = {device: said for device, said in outcome.items() if said}
        if wrong:
            findings[name] = wrong
            print(f"{name}: {wrong}", flush=True)
    log |= {"seconds": round(time.time() - begin), "modules": len(tests),
            "exported": len(tests) - len(left), "right": dict(right),
            "findings": findings, "not_exported": left}
    print(f"{log['exported']} of {len(tests)} exported, right: {dict(right)}")
    if options.out:
        options.out.write_text(json.dumps(log, indent=1) + "\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
