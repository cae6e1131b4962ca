#!/usr/bin/env python3
# plot_figures.py - Pictures and tables of what figure_times.py measured.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what figure_times.py measured, as Figures 7 and 8 of NM-SpMM's paper have it; needs
matplotlib.

Usage: plot_figures.py RESULTS.jsonl...

Beside each file it writes its name with .svg: the efficiency, that is the rate of the kept
multiply-adds as a part of the chip's, of each version by how many of the weights are zero.
Prints a table of speedups over SGEMM in the same run, and the kernels that failed.
"""

import argparse
import json
import pathlib
import sys

import figure_times
import plot_llama100
from matplotlib import pyplot

CUBLAS = "cuBLAS"
SGEMM = "tab:purple"
COLOURS = ("tab:gray", "tab:olive", "tab:orange", "tab:blue", "tab:cyan", "tab:red")


def read_results(path):
    """What a file says of its run, and the rows by (shape, keep, version)."""
    head, *lines = map(json.loads, path.read_text(encoding="ascii").splitlines())
    if head.get("figure") not in figure_times.FIGURES:
        sys.exit(f"expected {path} to be written by figure_times.py")
    rows = {}
    for row in lines:
        point = ((row["m"], row["n"], row["k"]), row["keep"], row["version"])
        if point in rows:
            sys.exit(f"expected each kernel once, got {name_point(point)} twice")
        rows[point] = row
    return head, rows


def name_point(point):
    shape, keep, version = point
    return f"{version} at {'x'.join(map(str, shape))} {keep}:{figure_times.WINDOW}"


def name_zeros(keep):
    """The sparsity, as the paper's axes have it."""
    return f"{100 - 100 * keep / figure_times.WINDOW:.1f} %"


def list_versions(head):
    names = figure_times.LEFT_OUT if head["figure"] == "steps" else figure_times.BLOCKS
    return [*names, figure_times.PLANNED]


def list_shapes(rows):
    return list(dict.fromkeys(sorted(shape for shape, _, _ in rows)))


def get_right(rows, point):
    """The row of a kernel that was measured and right, or None."""
    row = rows.get(point)
    return None if row is None or "failed" in row else row


def get_peak(head):
    """FLOP/s of the chip."""
    return float(plot_llama100.read_target(head["chip"])["fp32Rate"])


def efficiency(point, milliseconds, peak):
    """Percent of the chip's rate, of what is kept."""
    (m, n, k), keep, _ = point
    flops = 2 * m * n * k * keep / figure_times.WINDOW
    return 100 * flops / (milliseconds / 1000) / peak


def make_series(head, rows):
    """For each version, and cuBLAS: the efficiency at each keep and shape, None where there
    is none. A dense product is cuBLAS's at no zeros alone."""
    peak, shapes = get_peak(head), list_shapes(rows)
    points = [(keep, shape) for keep in head["keeps"] for shape in shapes]
    series = {}
    for version in list_versions(head):
        found = [get_right(rows, (shape, keep, version)) for keep, shape in points]
        series[version] = [
            row and efficiency((shape, keep, version), row["ms"], peak)
            for (keep, shape), row in zip(points, found)
        ]
    dense = {shape: row["cublas_ms"] for (shape, _, _), row in rows.items() if "cublas_ms" in row}
    series[CUBLAS] = [
        efficiency((shape, keep, CUBLAS), dense[shape], peak)
        if keep == figure_times.WINDOW and shape in dense else None
        for keep, shape in points
    ]
    return series


def draw_steps(head, rows):
    """Bars, a group for each sparsity."""
    series = make_series(head, rows)
    figure, axis = pyplot.subplots(figsize=(7.2, 3.2), layout="constrained")
    width = 0.9 / len(series)
    for i, ((name, values), colour) in enumerate(zip(series.items(), (*COLOURS, SGEMM))):
        places = [group + (i - (len(series) - 1) / 2) * width for group in range(len(values))]
        axis.bar(places, [value or 0 for value in values], width, color=colour, label=name)
    axis.set_xticks(range(len(head["keeps"])), map(name_zeros, head["keeps"]))
    return figure, axis


def draw_blocks(head, rows):
    """Lines, a region for each sparsity, with a point for each shape."""
    series, shapes = make_series(head, rows), list_shapes(rows)
    figure, axis = pyplot.subplots(figsize=(7.2, 3.2), layout="constrained")
    for (name, values), colour in zip(series.items(), (*COLOURS[1:], SGEMM)):
        for first in range(0, len(values), len(shapes)):
            region = [float("nan") if value is None else value
                      for value in values[first : first + len(shapes)]]
            axis.plot(range(first, first + len(region)), region, color=colour, marker=".",
                      markersize=4, linewidth=0.8, label=name if first == 0 else None)
    for region in range(1, len(head["keeps"])):
        axis.axvline(region * len(shapes) - 0.5, color="lightgray", linewidth=0.8)
    middles = [(region + 0.5) * len(shapes) - 0.5 for region in range(len(head["keeps"]))]
    letters = [chr(ord("A") + i) for i in range(len(shapes))] * len(head["keeps"])
    axis.set_xticks(range(len(letters)), letters)
    for middle, keep in zip(middles, head["keeps"]):
        axis.annotate(name_zeros(keep), (middle, 1), xycoords=("data", "axes fraction"),
                      ha="center", va="bottom")
    return figure, axis


def draw(head, rows):
    by_steps = head["figure"] == "steps"
    figure, axis = (draw_steps if by_steps else draw_blocks)(head, rows)
    axis.set_ylim(0, 100)
    axis.set_ylabel(f"% of {get_peak(head) / 1e12:g} TFLOP/s")
    shapes = ["x".join(map(str, shape)) for shape in list_shapes(rows)]
    if not by_steps:
        shapes = [f"{chr(ord('A') + i)} {shape}" for i, shape in enumerate(shapes)]
    lines = [", ".join(shapes[first : first + 3]) for first in range(0, len(shapes), 3)]
    axis.set_xlabel("\n".join([f"zeros ({head['gpu']}, f32, L = 32)", *lines]))
    axis.legend(ncols=7, loc="lower center", bbox_to_anchor=(0.5, 1.07), frameon=False)
    return figure


def make_table(head, rows):
    """Speedups over SGEMM and efficiencies, in Markdown."""
    peak, versions = get_peak(head), list_versions(head)
    lines = [["kept", "shape", "SGEMM", *versions], ["---"] * (3 + len(versions))]
    for keep in head["keeps"]:
        for shape in list_shapes(rows):
            cells, dense = [], None
            for version in versions:
                row = get_right(rows, (shape, keep, version))
                dense = dense or row and row["cublas_ms"]
                cells.append("-" if row is None else
                             f"{row['cublas_ms'] / row['ms']:.2f} "
                             f"({efficiency((shape, keep, version), row['ms'], peak):.0f} %)")
            name = "x".join(map(str, shape))
            lines.append([f"{keep}:{figure_times.WINDOW}", name,
                          f"{1000 * dense:.1f} us" if dense else "-", *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def list_absent(head, rows):
    """Lines about kernels that failed or were not measured."""
    lines = [f"failed: {name_point(point)}: {row['failed']}"
             for point, row in rows.items() if "failed" in row]
    expected = [
        ((p.m, p.n, p.k), p.keep, version.name)
        for group in figure_times.list_groups(head["figure"], head["keeps"])
        for version in group for p in [version.product]
    ]
    missing = [name_point(point) for point in expected if point not in rows]
    return lines + ([f"not measured: {len(missing)}: {', '.join(missing)}"] if missing else [])


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    for path in parser.parse_args(arguments).results:
        head, rows = read_results(path)
        with pyplot.style.context(["default", plot_llama100.STYLE]):
            plot_llama100.save(draw(head, rows), path.with_suffix(".svg"))
        print("\n".join([make_table(head, rows), "", *list_absent(head, rows)]))


if __name__ == "__main__":
    main()
