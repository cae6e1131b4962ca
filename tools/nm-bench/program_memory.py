#!/usr/bin/env python3
"""Peak memory of compiling large weights to a program, and the time to load it.

Needs no GPU, but PyTorch, torch-mlir and ptxas. Prints JSON: for each model the bytes
of its weights, the compiler's peak resident memory as a multiple of them, its seconds
of CPU, and milliseconds of nm.load (the median of some, with the file in memory).

    tools/nm-bench/program_memory.py > docs/results/DATE-program_memory.json

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import nm  # noqa: E402
import torch  # noqa: E402
from nm.module import module_file  # noqa: E402
from nm.runtime.tools import find_tool  # noqa: E402

LOADS = 21

# Runs a command in a small process: a child's peak begins with that of its parent.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
"""


def make_models():
    """Models of 420 MB by name, with f32 weights."""
    for sparse in (False, True):
        kind = "2:4" if sparse else "dense"
        for count, size in ((1, 10240), (25, 2048)):
            layers = [torch.nn.Linear(size, size, bias=False) for _ in range(count)]
            model = torch.nn.Sequential(*layers)
            if sparse:
                nm.prune(model, 2, 4)
            yield f"{count} x {size}, {kind}", model, torch.ones(16, size)


def measure(module, folder):
    """What compiling and loading `module` takes."""
    path = pathlib.Path(folder) / "model.nm"
    weights = sum(one.numel() * one.element_size() for one in module.weights.values())
    with module_file(module) as (given, _):
        command = [find_tool("nm-compile"), *given, "--emit=program", "--chips=sm_90"]
        printed = subprocess.check_output(
            [sys.executable, "-I", "-c", MEASURE, *command, "-o", path], text=True
        )
    code, seconds, peak = (float(word) for word in printed.split()[-3:])
    if code != 0:
        raise SystemExit("nm-compile failed")
    loads = []
    for _ in range(LOADS):
        begin = time.perf_counter()
        nm.load(path)
        loads.append(1e3 * (time.perf_counter() - begin))
    return {
        "weight_bytes": weights,
        "program_bytes": path.stat().st_size,
        "peak_bytes": int(peak),
        "copies": round(peak / weights, 2),
        "cpu_seconds": round(seconds, 2),
        "load_ms": round(statistics.median(loads), 3),
    }


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    rows = []
    for name, model, x in make_models():
        with tempfile.TemporaryDirectory() as folder:
            rows.append({"model": name, **measure(nm.export(model, (x,)), folder)})
            print(json.dumps(rows[-1]), file=sys.stderr)
    commit = os.environ.get("NM_COMMIT") or subprocess.check_output(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True
    ).strip()
    facts = {"command": "tools/nm-bench/program_memory.py", "commit": commit}
    facts["date"] = time.strftime("%Y-%m-%d")
    print(json.dumps({**facts, "models": rows}, indent=1))


if __name__ == "__main__":
    main()
