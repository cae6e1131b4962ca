#!/usr/bin/env python3
# crossover_times.py - Whether a product of any number of rows takes the right kernel for few.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a product with a dynamic number of rows for each of several numbers, and each of its
kernels where it takes another; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: crossover_times.py [--rows=1,2,...] [--types=f16] [--keeps=16,4] [--units=32] NxK...

A dynamic product has kernels for few rows, each up to a number of them, beside the one for many
(--report prints them). Times are those of decode_times.py, cold. Prints a line of JSON about the
run, and one a product and number of rows: microseconds of the kernel that is taken, those of the
others, and how many times the fastest the first takes. The last line names the worst.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import multiprocessing
import pathlib
import tempfile

import decode_times
import device_times
import llama100

ROWS = (1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 17, 20, 24, 28, 32, 33, 36, 40, 48, 56, 64)


def list_kernels(report):
    """[(most rows, or None, schedule)] of a program's first product, the fewest first."""
    product = report["products"][0]
    return [*((one["most_rows"], one["schedule"]) for one in product["variants"]),
            (None, product["schedule"])]


def find_taken(kernels, rows):
    """The number of the kernel that is taken for so many rows."""
    return next(i for i, (most, _) in enumerate(kernels) if most is None or rows <= most)


def compile_kernels(product, folder):
    """Writes programs of copies of the dynamic product, as the planner has it and with each of
    its schedules alone; (paths, kernels), or what nm-compile said."""
    import nm

    paths = [pathlib.Path(folder, "planned.nm")]
    if said := decode_times.compile_copies(product, paths[0]):
        return said
    kernels = list_kernels(nm.load(paths[0]).report)
    for number, (_, schedule) in enumerate(kernels):
        paths.append(pathlib.Path(folder, f"{number}.nm"))
        alone = dataclasses.replace(product, schedule=schedule)
        if said := decode_times.compile_copies(alone, paths[-1]):
            return said
    return paths, kernels


def compile_group(folder, group):
    """As compile_kernels, of one product with its number."""
    ((number, product),) = group
    place = pathlib.Path(folder, str(number))
    place.mkdir()
    return [compile_kernels(product, place)]


def measure(torch, product, programs, kernels, rows):
    """The row of a number of rows; `programs` are those planned and of each kernel."""

    def time_programs(programs):
        calls, launches = decode_times.make_calls(torch, product, programs, (rows, product.k))
        return decode_times.time_graph(torch, calls, launches)

    planned, *alone = map(time_programs, programs)
    taken, _ = kernels[find_taken(kernels, rows)]
    return {"rows": rows, "most_rows": taken, "cold_us": planned,
            "kernels_us": {str(most): us for (most, _), us in zip(kernels, alone)},
            "of_best": planned / min(alone)}


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="+", type=decode_times.parse_shape, metavar="NxK", help="such as 8192x8192")
    add("--rows", type=decode_times.parse_list, default=list(ROWS), metavar="M,...",
        help=f"{ROWS[0]} to {ROWS[-1]}, {len(ROWS)} of them, if not given")
    decode_times.add_product_options(add, ["f16"], [16, 4], [32])
    return parser.parse_args()


def main():
    options = parse_options()
    import torch

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of kernels by the number of rows"} | about), flush=True)
    products = [
        decode_times.make_product(None, n, k, keep, unit, dtype, "")
        for (n, k), dtype, keep, unit in itertools.product(
            options.shapes, options.types, options.keeps, options.units)
    ]
    worst = None
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        groups = ([one] for one in enumerate(products))
        for ((number, p),), (done,) in device_times.compile_groups(
                pool, compile_group, folder, groups, ahead=4):
            row = {"n": p.n, "k": p.k, "type": p.weight_type, "keep": p.keep, "unit": p.unit_n}
            if isinstance(done, str):
                print(json.dumps(row | {"failed": done}), flush=True)
                continue
            paths, kernels = done
            programs = [decode_times.load_programs(p, path) for path in paths]
            for rows in options.rows:
                found = row | measure(torch, p, programs, kernels, rows)
                print(json.dumps(found), flush=True)
                worst = max(worst or found, found, key=lambda one: one["of_best"])
            for file in pathlib.Path(folder, str(number)).iterdir():
                file.unlink()
    if worst:
        print(json.dumps({"worst": worst}), flush=True)


if __name__ == "__main__":
    main()
