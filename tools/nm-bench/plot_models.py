#!/usr/bin/env python3
# plot_models.py - Where the time of models goes that model_times.py measured.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what model_times.py measured: for each model the microseconds of nm's kernels by kind,
of launches that do not overlap, as a part of PyTorch's time for a call (the better of eager and
compiled); and nm's time for a call, in which launches overlap, as a line. Needs matplotlib.

Usage: plot_models.py RESULTS.jsonl

Writes a picture beside the file, RESULTS.svg. The exit status is 1 where none is measured.
"""

import argparse
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

STYLE = {"svg.hashsalt": "nm", "svg.fonttype": "none", "font.size": 8,
         "axes.spines.top": False, "axes.spines.right": False}
# Of all that is no product the kinds that stand apart; names of kernels begin so.
GROUPS = {"sparse products": ("spmm", "spmv"), "batched products": ("batch_matmul",),
          "convolutions": ("conv",), "kernels of rows": ("rows_",),
          "transpositions": ("transpose",)}
OTHERS = "others"


def read_models(path):
    """The measured models of a file."""
    rows = map(json.loads, path.read_text(encoding="ascii").splitlines())
    return [row for row in rows if "kinds" in row]


def find_group(kind):
    for group, beginnings in GROUPS.items():
        if kind.startswith(beginnings):
            return group
    return OTHERS


def sum_groups(row):
    """Microseconds of each group."""
    sums = dict.fromkeys([*GROUPS, OTHERS], 0.0)
    for kind, (microseconds, _) in row["kinds"].items():
        sums[find_group(kind)] += microseconds
    return sums


def draw(rows, path):
    with matplotlib.rc_context(STYLE):
        figure, axis = pyplot.subplots(figsize=(8, 0.45 * len(rows) + 1.2))
        places = range(len(rows))
        peers = [min(row["eager_us"], row["compiled_us"]) for row in rows]
        sums = [sum_groups(row) for row in rows]
        left = [0.0] * len(rows)
        for group in sums[0]:
            widths = [one[group] / peer for one, peer in zip(sums, peers)]
            axis.barh(places, widths, left=left, height=0.6, label=group)
            left = [a + b for a, b in zip(left, widths)]
        calls = [row["nm_us"] / peer for row, peer in zip(rows, peers)]
        axis.plot(calls, places, "k|", ms=14, label="a call of nm")
        axis.axvline(1, color="0.5", lw=0.7)
        axis.set(yticks=places, xlabel="of PyTorch's time for a call, dense",
                 yticklabels=[f"{row['name']}: {peer:.0f} us" for row, peer in zip(rows, peers)])
        axis.invert_yaxis()
        axis.legend(frameon=False)
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=pathlib.Path, metavar="RESULTS.jsonl")
    options = parser.parse_args(arguments)
    rows = read_models(options.results)
    if not rows:
        sys.exit(f"plot_models.py: expected models in {options.results}, got none")
    draw(rows, options.results.with_suffix(".svg"))


if __name__ == "__main__":
    main()
