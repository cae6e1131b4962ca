#!/usr/bin/env python3
# ncu_times.py - What bounds products on a GPU, as Nsight Compute counts it.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what a product's kernel does with Nsight Compute (ncu); needs a GPU, torch, and nm
as a wheel or by PYTHONPATH and NM_BIN.

Usage: ncu_times.py [--type=f16] [--keeps=16,4] [--units=32,64] [--layout=token] MxNxK...

Products are vector-wise (M = 32), with the planner's schedules. Prints a line of JSON about
the run, and one a product: what the planner predicted and says bounds it, and of ncu the
microseconds (replayed, at the clock that there is), shares of peaks in per cent, and the
reasons for which a warp waits, in warps a cycle in which one issues, largest first.
"""

import argparse
import itertools
import json
import os
import pathlib
import sys
import tempfile

import device_times
import llama100
import ncu
import nm_modules

STALLS = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
REASONS = (
    "barrier", "branch_resolving", "dispatch_stall", "gmma", "lg_throttle", "long_scoreboard",
    "math_pipe_throttle", "membar", "mio_throttle", "no_instruction", "not_selected",
    "short_scoreboard", "sleeping", "tex_throttle", "wait",
)
METRICS = {
    ncu.DURATION: "ns",
    "sm__cycles_elapsed.max": "cycles",
    "launch__registers_per_thread": "registers",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issue",
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": "fma",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active": "tensor",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed": "shared",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed": "l2",
    "dram__bytes.sum.pct_of_peak_sustained_elapsed": "dram",
    "smsp__warps_active.avg.per_cycle_active": "warps",
} | {STALLS.format(reason): reason for reason in REASONS}


def count(path):
    """What ncu counts of the product's kernel, by its names in METRICS; those that this GPU
    has no counter for are left out."""
    runner = pathlib.Path(os.environ.get("NM_BIN", ""), "nm-run")
    try:
        launch, *_ = ncu.count([runner, path, "--device=cuda"], METRICS, ["-k", "regex:spm[mv]"])
    except ncu.Error as error:
        return {"failed": str(error)}
    return describe({METRICS[name]: value for name, value in launch.items() if name in METRICS})


def describe(counted):
    """The row of what was counted."""
    waits = sorted(((counted.pop(one), one) for one in REASONS if one in counted), reverse=True)
    row = {"us": round(counted.pop("ns", 0) / 1000, 2)}
    row |= {name: round(value, 2) for name, value in counted.items()}
    return row | {"waits": {reason: round(value, 2) for value, reason in waits if value >= 0.05}}


def measure(torch, product, folder):
    """The row of a product."""
    path = pathlib.Path(folder, "product.nm")
    weight = device_times.make_weight(torch, product)
    (said,) = device_times.compile_programs([product], [path], weight)
    if said:
        return {"failed": said}
    import nm

    (planned,) = nm.load(path).report["products"]
    return {"planned": planned["reason"]} | count(path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="+", type=llama100.parse_shape, metavar="MxNxK", help="such as 4096x4096x4096")
    add("--type", choices=["f32", "f16", "bf16"], default="f32")
    add("--keeps", type=llama100.parse_keeps, default=llama100.KEEPS, metavar="N,...",
        help="units kept of 32; 16,12,8,4 if not given")
    add("--units", type=llama100.parse_units, default=(32,), metavar="L,...",
        help="columns of a unit; 32 if not given")
    add("--layout", choices=["feature", "token"], default="feature",
        help="of A; feature-major if not given")
    options = parser.parse_args()
    if not ncu.is_there():
        sys.exit("ncu_times.py: expected ncu (Nsight Compute) on PATH, found none")
    import torch

    print(json.dumps({"what": "counters of kernels", **device_times.describe_device(torch),
                      **device_times.describe_run()}), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for (m, n, k), unit, keep in itertools.product(options.shapes, options.units, options.keeps):
            product = nm_modules.Product(
                m, n, k, keep, 32, unit_n=unit, dtype=options.type,
                feature_major=options.layout == "feature" and m > 1,
            )
            row = {"type": options.type, "m": m, "n": n, "k": k, "keep": keep, "unit": unit}
            print(json.dumps(row | measure(torch, product, folder)), flush=True)


if __name__ == "__main__":
    main()
