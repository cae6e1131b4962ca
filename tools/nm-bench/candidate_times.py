#!/usr/bin/env python3
# candidate_times.py - What the planner's candidates take, beside its predictions.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the schedules that the planner chooses from, for vector-wise products (M = 32);
needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: candidate_times.py [--candidates=N] [--keeps=16,4] [--unit=8] [--type=f16] MxNxK...

Prints a line of JSON about the run, and one a candidate: its schedule, the microseconds
that were predicted and those measured (the median of five batches of graphs of several
calls, warm). planner_choices.py says how good the choices among them are; CostModel.cpp has
constants fitted to them. Programs are compiled by as many processes as there are cores,
which also load them, but launch nothing: the driver keeps what it made of the PTX.
"""

import argparse
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

import device_times
import llama100
import nm_modules
import peers


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="*", type=llama100.parse_shape, metavar="MxNxK", help="such as 512x4096x4096")
    add("--llama", type=llama100.parse_count, metavar="N",
        help="N of the 100 shapes of Llama, evenly spread, as well")
    add("--keeps", type=llama100.parse_keeps, default=llama100.KEEPS, metavar="N,...",
        help="units kept of 32; 16,12,8,4 if not given")
    add("--unit", type=llama100.parse_count, default=llama100.UNIT_N, metavar="L",
        help="columns of a unit; 32 if not given")
    add("--type", choices=["f32", "f16", "bf16"], default="f32", help="f32 if not given")
    add("--layout", choices=["feature", "token"], default="feature",
        help="of A; feature-major if not given")
    add("--candidates", type=llama100.parse_count, default=16, metavar="N",
        help="of each product, the best by prediction; 16 if not given")
    return parser.parse_args()


def list_candidates(products, most):
    """The planner's candidates of each product."""
    from nm.tuning.measuring import list_jobs
    from nm.tuning.products import parse_product

    def describe(p):
        layout = "feature" if p.feature_major else "token"
        return f"{p.m}x{p.n}x{p.k}:{p.keep}:{p.window}:{p.unit_n}:{p.dtype}:{layout}"

    texts = {describe(p): p for p in products}
    jobs = list_jobs(None, [parse_product(text) for text in texts],
                     [f"--chip={device_times.CHIP}"])
    return {p: job.candidates[:most] for p, job in zip(texts.values(), jobs, strict=True)}


def compile_group(folder, group):
    """Writes the programs of (product, candidate)s with one weight, and lets the driver
    translate them; what was wrong with each, or ""."""
    import nm
    import torch

    products = [
        nm_modules.Product(**vars(product) | {"schedule": candidate.schedule})
        for product, candidate in group
    ]
    weight = device_times.make_weight(torch, products[0])
    paths = [program_path(folder, *one) for one in group]
    said = device_times.compile_programs(products, paths, weight)
    for path, error in zip(paths, said):
        if not error:
            nm.load(path).prepare("cuda")
    return said


def program_path(folder, product, candidate):
    """A name of its own for each: a schedule is too long for one."""
    schedule = hashlib.sha256(candidate.schedule.encode()).hexdigest()
    p = product
    return pathlib.Path(folder, f"{p.m}x{p.n}x{p.k}-{p.keep}-{schedule}.nm")


def measure(nm, torch, product, path):
    """Microseconds of a call."""
    program = nm.load(path)
    dtype = device_times.get_dtype(torch, product.dtype)
    a = torch.randn(*product.a_shape, device="cuda", dtype=dtype)
    milliseconds, _ = device_times.time_program(torch, program, product, a)
    return round(1000 * milliseconds, 3)


def measure_row(nm, torch, folder, product, candidate, error):
    """The row of a candidate, whose program it removes; `error` is what compiling said."""
    p = product
    row = {"m": p.m, "n": p.n, "k": p.k, "keep": p.keep, "name": candidate.name,
           "schedule": candidate.schedule, "predicted": candidate.predicted}
    path = program_path(folder, product, candidate)
    try:
        if error:
            raise RuntimeError(error)
        row["microseconds"] = measure(nm, torch, product, path)
    except (RuntimeError, nm.Error) as said:
        row["failed"] = str(said)
    path.unlink(missing_ok=True)
    return row


def main():
    options = parse_options()
    import nm
    import torch

    shapes = options.shapes
    if options.llama:
        listed = peers.read_shapes(peers.LLAMA)
        shapes += llama100.choose_shapes(listed, options.llama, (1, 1))
    products = [
        nm_modules.Product(m, n, k, keep, llama100.WINDOW, options.unit,
                           feature_major=options.layout == "feature", dtype=options.type)
        for m, n, k in shapes for keep in options.keeps
    ]
    start = time.monotonic()
    print(json.dumps({
        "what": f"{options.type} products, L = {options.unit}, M = 32, `keep` of 32: "
        "microseconds of candidates",
        **device_times.describe_device(torch),
        **device_times.describe_run(), "layout": options.layout,
    }), flush=True)
    jobs = list_candidates(products, options.candidates)
    # Several a process, which makes the weight once.
    groups = [
        [(product, candidate) for candidate in candidates[first : first + 6]]
        for product, candidates in jobs.items()
        for first in range(0, len(candidates), 6)
    ]
    spawn = multiprocessing.get_context("spawn")
    failed = done = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        for group, said in device_times.compile_groups(
                pool, compile_group, folder, groups, os.cpu_count()):
            for (product, candidate), error in zip(group, said):
                row = measure_row(nm, torch, folder, product, candidate, error)
                failed += "failed" in row
                print(json.dumps(row), flush=True)
            done += len(group)
            seconds = time.monotonic() - start
            print(f"{done} of {sum(map(len, groups))}, {seconds:.0f} s", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
