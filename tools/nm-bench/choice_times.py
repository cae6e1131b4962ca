#!/usr/bin/env python3
# choice_times.py - What the schedules take that two builds choose differently.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures both schedules of each product of a file that compare_schedules.py --json wrote;
needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: choice_times.py [--types=f32,f16] [--sample=N] FILE
       choice_times.py --check=RESULTS

Of the file's products, those of the device's chip and of the given types count, or a sample of
these. Weights are random constants, and calls are warm (the median of five batches of graphs of
several calls), the schedule of before and the one of after by turns. Prints a line of JSON about
the run, one a product with the microseconds of both, and one that sums up: the geometric mean of
before / after, and the products of which either is more than 5 % slower. --check prints the
latter of an earlier run.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import sys
import tempfile

import device_times
import llama100
import nm_modules

ALLOWED = 1.05  # a schedule that takes more than that of the other one is slower
ROUNDS = 3  # turns, of which the least time counts
BUILDS = ("before", "after")
FIELDS = ("m", "n", "k", "keep", "window", "unit_n", "unit_k", "dtype", "feature_major")


def read_pairs(path, chip, types):
    """The rows of a file of compare_schedules.py for a chip and types, those of one weight
    together."""
    try:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: expected what compare_schedules.py --json=FILE writes: {error}")
    chosen = [row for row in rows if row["chip"] == chip and row["dtype"] in types]
    return sorted(chosen, key=get_weight)


def get_weight(row):
    """What a product's weight depends on."""
    return [row[name] for name in ("n", "k", "keep", "window", "unit_n", "unit_k", "dtype")]


def list_products(row):
    """The product with each of its two schedules."""
    product = nm_modules.Product(**{name: row[name] for name in FIELDS})
    return [dataclasses.replace(product, schedule=row[build]) for build in BUILDS]


def list_paths(folder, row):
    return [pathlib.Path(folder, f"{row['number']}-{build}.nm") for build in BUILDS]


def compile_group(folder, group):
    """Writes both programs of each row of a group, which share a weight, and lets the driver
    translate them; what was wrong with each row, or ""."""
    import nm
    import torch

    products = [one for row in group for one in list_products(row)]
    paths = [path for row in group for path in list_paths(folder, row)]
    said = device_times.compile_programs(
        products, paths, device_times.make_weight(torch, products[0]))
    for path, error in zip(paths, said, strict=True):
        if not error:
            nm.load(path).prepare("cuda")
    return [" ".join(filter(None, pair)) for pair in zip(said[::2], said[1::2], strict=True)]


def measure(nm, torch, folder, row):
    """Microseconds of both."""
    products = list_products(row)
    dtype = device_times.get_dtype(torch, row["dtype"])
    a = torch.randn(*products[0].a_shape, device="cuda", dtype=dtype)
    programs = [nm.load(path) for path in list_paths(folder, row)]
    times = [[device_times.time_program(torch, program, product, a)[0]
              for product, program in zip(products, programs, strict=True)]
             for _ in range(ROUNDS)]
    return [round(1000 * min(one), 3) for one in zip(*times, strict=True)]


def measure_row(nm, torch, folder, row, error):
    """The row with its times, whose programs it removes; `error` is what compiling said."""
    said = {name: row[name] for name in (*FIELDS, *BUILDS)}
    try:
        if error:
            raise RuntimeError(error)
        before, after = measure(nm, torch, folder, row)
        said |= {"before_us": before, "after_us": after}
    except (RuntimeError, nm.Error) as wrong:
        said["failed"] = str(wrong)
    for path in list_paths(folder, row):
        path.unlink(missing_ok=True)
    return said


def summarize(rows):
    """The last line of a run's results."""
    measured = [row for row in rows if "before_us" in row]
    ratios = [row["before_us"] / row["after_us"] for row in measured]
    return {
        "products": len(rows), "failed": len(rows) - len(measured),
        "before_over_after": round(statistics.geometric_mean(ratios), 4) if ratios else None,
        "least": round(min(ratios), 3) if ratios else None,
        "most": round(max(ratios), 3) if ratios else None,
        "faster": sum(ratio > ALLOWED for ratio in ratios),
        "slower": sum(ratio < 1 / ALLOWED for ratio in ratios),
    }


def run(options):
    import nm
    import torch

    print(json.dumps({"what": "microseconds of the schedules that two builds choose",
                      **device_times.describe_device(torch), **device_times.describe_run()}),
          flush=True)
    pairs = read_pairs(options.file, device_times.CHIP, options.types)
    if options.sample and options.sample < len(pairs):
        pairs = sorted(random.Random(1).sample(pairs, options.sample), key=get_weight)
    pairs = [row | {"number": number} for number, row in enumerate(pairs)]
    groups = [list(group) for _, group in itertools.groupby(pairs, key=get_weight)]
    spawn = multiprocessing.get_context("spawn")
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        for group, said in device_times.compile_groups(
                pool, compile_group, folder, groups, os.cpu_count()):
            for row, error in zip(group, said, strict=True):
                rows.append(measure_row(nm, torch, folder, row, error))
                print(json.dumps(rows[-1]), flush=True)
            print(f"{len(rows)} of {len(pairs)}", file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("file", nargs="?", type=pathlib.Path, help="of compare_schedules.py --json")
    add("--types", type=lambda text: text.split(","), default=["f32", "f16", "bf16"],
        metavar="TYPE,...", help="of elements; all if not given")
    add("--sample", type=llama100.parse_count, metavar="N", help="so many of the products alone")
    add("--check", type=pathlib.Path, metavar="RESULTS", help="of an earlier run")
    options = parser.parse_args()
    if (options.file is None) == (options.check is None):
        parser.error("expected FILE, or --check=RESULTS")
    if options.check:
        lines = [json.loads(line) for line in options.check.read_text().splitlines()]
        rows = [line for line in lines if "before" in line]
    else:
        rows = run(options)
    print(json.dumps(summarize(rows)))
    return 1 if any("failed" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
