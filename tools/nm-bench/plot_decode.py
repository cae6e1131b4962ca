#!/usr/bin/env python3
# plot_decode.py - Time over bytes of what decode_times.py measured.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what decode_times.py measured: for each number of rows the microseconds of products,
and of cuBLAS's dense ones, over the bytes that they read and write, beside the time that
memory takes for these; needs matplotlib.

Usage: plot_decode.py [--types=f32,f16] RESULTS.jsonl...

Writes a picture beside the first file, RESULTS.svg. Prints how many products take at most 1.03 of
cuBLAS's time and 0.2 us; those that take more, the worst first; and how many of a shape and
sparsity no file has, of the rows, types and units that the files have elsewhere. The exit status
is 1 where none is measured.
"""

import argparse
import collections
import itertools
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

ROWS = (1, 8)
SERIES = {("f32", 32): ("C0", "o"), ("f32", 1): ("C0", "x"), ("f16", 32): ("C1", "o"),
          ("f16", 1): ("C1", "x"), ("i8", 32): ("C2", "o"), ("i8", 1): ("C2", "x")}
ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2, "i8": 2}  # of the dense product
BANDWIDTH = 4.8e12  # of an H200, bytes a second
STYLE = {"svg.hashsalt": "nm", "svg.fonttype": "none", "font.size": 8,
         "axes.spines.top": False, "axes.spines.right": False}
MOST, MORE_US = 1.03, 0.2


def read_rows(path):
    """The measured products of a file, which may hold several runs."""
    rows = map(json.loads, path.read_text(encoding="ascii").splitlines())
    return [row for row in rows if "cold_us" in row]


def is_fast(row):
    return row["cold_us"] <= MOST * row["dense_cold_us"] + MORE_US


def describe(row):
    ratio = row["cold_us"] / row["dense_cold_us"]
    return (f"{ratio:.2f} of cuBLAS: m = {row['m']}, {row['n']}x{row['k']}, {row['type']}, "
            f"{row['keep']}:32, L = {row['unit']}: {row['cold_us']:.1f} us")


def find_missing(rows):
    """Products that `rows` lack, of all their shapes with all that they have of the rest:
    {(n, k, keep): count}."""
    def get_case(row):
        return row["m"], row["type"], row["unit"]

    measured = {(row["n"], row["k"], row["keep"], *get_case(row)) for row in rows}
    shapes = sorted({(row["n"], row["k"]) for row in rows})
    keeps, cases = ({row["keep"] for row in rows}, set(map(get_case, rows)))
    return collections.Counter(
        (*shape, keep) for shape, keep, case in itertools.product(shapes, sorted(keeps), cases)
        if (*shape, keep, *case) not in measured)


def count_dense_bytes(row):
    m, n, k = row["m"], row["n"], row["k"]
    return (k * n + m * (n + k)) * ELEMENT_BYTES[row["type"]]


def draw_axis(axis, rows, m):
    of_rows = [row for row in rows if row["m"] == m]
    for (kind, unit), (color, marker) in SERIES.items():
        points = [row for row in of_rows if (row["type"], row["unit"]) == (kind, unit)]
        if points:
            axis.plot([row["bytes"] for row in points], [row["cold_us"] for row in points],
                      marker, color=color, ms=3, label=f"{kind}, L = {unit}")
    axis.plot([count_dense_bytes(row) for row in of_rows], [row["dense_cold_us"] for row in of_rows],
              ".", color="0.7", ms=3, label="cuBLAS, dense", zorder=0)
    sizes = [1e5, 1e9]
    axis.plot(sizes, [1e6 * size / BANDWIDTH for size in sizes], "k-", lw=0.7,
              label=f"{BANDWIDTH / 1e12} TB/s")
    axis.set(xscale="log", yscale="log", xlabel="bytes", ylabel="us, operands from DRAM",
             title=f"m = {m}", ylim=(1, 1000), xlim=sizes)
    axis.legend(frameon=False)


def draw(rows, path):
    with matplotlib.rc_context(STYLE):
        figure, axes = pyplot.subplots(1, len(ROWS), figsize=(9, 4))
        for axis, m in zip(axes, ROWS):
            draw_axis(axis, rows, m)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=pathlib.Path, nargs="+", metavar="RESULTS.jsonl")
    parser.add_argument("--types", type=lambda text: text.split(","), default=list(ELEMENT_BYTES),
                        metavar="TYPE,...", help="all if not given")
    return parser.parse_args()


def main():
    options = parse_options()
    rows = [row for path in options.results for row in read_rows(path)
            if row["m"] in ROWS and row["type"] in options.types]
    if not rows:
        files = ", ".join(map(str, options.results))
        sys.exit(f"plot_decode.py: expected products of {ROWS} rows in {files}, got none")
    slow = sorted((row for row in rows if not is_fast(row)),
                  key=lambda row: row["dense_cold_us"] / row["cold_us"])
    print(f"{len(rows) - len(slow)} of {len(rows)} take at most {MOST} of cuBLAS's time and "
          f"{MORE_US} us")
    for row in slow:
        print(describe(row))
    for (n, k, keep), count in find_missing(rows).items():
        print(f"not measured: {count} of {n}x{k}, {keep}:32")
    draw(rows, options.results[0].with_suffix(".svg"))


if __name__ == "__main__":
    main()
