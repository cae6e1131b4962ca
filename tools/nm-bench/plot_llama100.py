#!/usr/bin/env python3
# plot_llama100.py - Pictures and a table of what llama100.py measured.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what llama100.py measured beside what was recorded of NM-SpMM; needs matplotlib.

Usage: plot_llama100.py RESULTS.jsonl...

Several files are parts of one run (--part). Beside the first it writes its name with
-speedup.svg, the speedups over SGEMM in the order of the paper's shapes, with the ideal
M / N and NM-SpMM's (as its Fig. 9), and with -roofline.svg, TFLOP/s of the kept
multiply-adds by arithmetic intensity under the roofs of the chip (as its Fig. 10). Prints a
table: geometric means over SGEMM and of NM-SpMM's speedup, which another run recorded, so
that ratios to SGEMM are compared; and the points that failed or were not measured.
"""

import argparse
import collections
import json
import pathlib
import re
import statistics
import sys

import matplotlib
import peers

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

WINDOW = 32
UNIT_N = 32
TARGET_HEADER = peers.ROOT / "include/nm/Target/TargetInfo.h"
TARGET_TABLE = peers.ROOT / "lib/Target/KnownTargets.cpp"
STYLE = {"svg.hashsalt": "nm", "svg.fonttype": "none", "font.size": 8,
         "axes.spines.top": False, "axes.spines.right": False}


def read_results(paths):
    """What the parts say of their run, and the rows by (m, n, k, keep)."""
    heads, rows = [], {}
    for path in paths:
        head, *lines = map(json.loads, path.read_text(encoding="ascii").splitlines())
        heads.append(head)
        for row in lines:
            point = tuple(row[key] for key in ("m", "n", "k", "keep"))
            if point in rows:
                sys.exit(f"expected each point once, got {name_point(point)} twice")
            rows[point] = row
    for key in ("gpu", "chip", "peers", "layout", "keeps"):
        if any(head[key] != heads[0][key] for head in heads):
            sys.exit(f"expected parts of one run, got several values of `{key}`")
    units, keeps = (set(heads[0].get(key, [])) for key in ("units", "keeps"))
    if units - {UNIT_N} or WINDOW in keeps:
        sys.exit(f"expected results of L = {UNIT_N} and fewer than {WINDOW} kept, as were "
                 f"recorded of NM-SpMM, got L = {sorted(units)} and {sorted(keeps)} kept")
    return heads[0], rows


def name_point(point):
    m, n, k, keep = point
    return f"{m}x{n}x{k} {keep}:{WINDOW}"


Series = collections.namedtuple("Series", "keep points recorded rows")


def make_series(head, rows):
    """For each number kept: all points of the recorded shapes in their order, NM-SpMM's
    speedup of each, and the rows of those that were measured and right."""
    recorded = peers.read_speedups(head["peers"])
    series = []
    for keep in head["keeps"]:
        points = [(*shape, keep) for shape in peers.read_shapes(head["peers"])]
        theirs = {point: recorded[*point[:3], 1 - keep / WINDOW] for point in points}
        right = {point: rows[point] for point in points
                 if point in rows and "failed" not in rows[point]}
        series.append(Series(keep, points, theirs, right))
    return series


def speedup(row):
    return row["cublas_ms"] / row["ms"]


def summarize(series):
    """A row of the table, as texts."""
    ratios = {point: speedup(row) / series.recorded[point] for point, row in series.rows.items()}
    row = [f"{series.keep}:{WINDOW}", f"{len(ratios)} of {len(series.points)}"]
    if not ratios:
        return row + ["-"] * 5
    worst = min(ratios, key=ratios.get)
    return row + [
        f"{statistics.geometric_mean(map(speedup, series.rows.values())):.2f}",
        f"{statistics.geometric_mean(ratios.values()):.3f}",
        *(str(sum(ratio >= least for ratio in ratios.values())) for least in (1, 0.97)),
        f"{ratios[worst]:.3f} at {'x'.join(map(str, worst[:3]))}",
    ]


def make_table(all_series):
    """The summary in Markdown."""
    head = ["kept", "points", "geomean over SGEMM", "geomean of NM-SpMM's",
            ">= 1.00 of it", ">= 0.97 of it", "worst of it"]
    lines = [head, ["---"] * len(head), *map(summarize, all_series)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def describe_tf32(rows):
    """What cuBLAS gains by TF32, once a shape."""
    shapes = {point[:3]: row["cublas_ms"] / row["tf32_ms"]
              for point, row in rows.items() if "tf32_ms" in row}
    if not shapes:
        return "cuBLAS with TF32 was not measured"
    mean = statistics.geometric_mean(shapes.values())
    return f"cuBLAS with TF32: geomean {mean:.2f} over SGEMM at {len(shapes)} shapes"


def list_absent(all_series, rows):
    """Lines about points that failed, were not measured, or that no peer was measured at."""
    points = {point for series in all_series for point in series.points}
    lines = [f"failed: {name_point(point)}: {row['failed']}"
             for point, row in rows.items() if "failed" in row]
    for series in all_series:
        missing = [name_point(point) for point in series.points if point not in rows]
        if missing:
            lines.append(f"not measured: {len(missing)}: {', '.join(missing)}")
    return lines + [f"not a recorded point: {name_point(point)}"
                    for point in rows if point not in points]


def read_target(chip):
    """The row of the compiler's table of chips, by the names of its fields."""
    fields = re.findall(r"^  [\w:]+ (\w+);", TARGET_HEADER.read_text(encoding="utf-8"), re.M)
    found = re.search(rf'{{("{chip}",[^}}]*)}}', TARGET_TABLE.read_text(encoding="utf-8"))
    return dict(zip(fields, map(str.strip, found[1].split(",")), strict=True))


def roofline_point(point, milliseconds):
    """FLOP of the kept multiply-adds for each byte of A, C, values and indices, which are
    moved at least once; and TFLOP a second."""
    m, n, k, keep = point
    kept = k * keep // WINDOW
    flops = 2 * m * n * kept
    moved = 4 * (m * k + m * n + kept * n) + kept * n // UNIT_N
    return flops / moved, flops / milliseconds / 1e9


def draw_speedups(head, all_series):
    """A panel for each number kept: points that are absent are gaps."""
    figure, axes = pyplot.subplots(
        len(all_series), squeeze=False, sharex=True, figsize=(7.2, 1.8 * len(all_series)),
        layout="constrained",
    )
    for axis, series in zip(axes[:, 0], all_series):
        ours = [speedup(series.rows[point]) if point in series.rows else float("nan")
                for point in series.points]
        axis.axhline(WINDOW / series.keep, color="tab:green", linestyle="--", label="ideal, M / N")
        axis.axhline(1, color="tab:purple", linestyle="--", label="cuBLAS SGEMM")
        axis.plot(series.recorded.values(), color="tab:gray", marker=".", markersize=3,
                  linewidth=0.8, label="NM-SpMM, recorded")
        axis.plot(ours, color="tab:red", marker=".", markersize=3, linewidth=0.8, label="nm")
        axis.set_ylim(bottom=0)
        axis.set_ylabel("over SGEMM")
        axis.set_title(f"{series.keep}:{WINDOW}, {len(series.rows)} of {len(ours)} points",
                       loc="left")
    axes[0, 0].legend(ncols=4, loc="lower right", bbox_to_anchor=(1, 1), frameon=False)
    axes[-1, 0].set_xlabel(f"shape ({head['gpu']}, f32, L = 32, A {head['layout']}-major)")
    return figure


def draw_roofline(head, all_series):
    target = read_target(head["chip"])
    bandwidth, peak = float(target["memoryBandwidth"]) / 1e12, float(target["fp32Rate"]) / 1e12
    figure, axis = pyplot.subplots(figsize=(7.2, 3.6), layout="constrained")
    intensities = [1, peak / bandwidth, 2000]
    axis.loglog(intensities, [min(bandwidth * one, peak) for one in intensities], color="black",
                linewidth=1, label=f"{bandwidth:g} TB/s, {peak:g} TFLOP/s")
    for series in all_series:
        spots = [roofline_point(point, row["ms"]) for point, row in series.rows.items()]
        axis.plot([x for x, _ in spots], [y for _, y in spots], ".", markersize=4,
                  label=f"{series.keep}:{WINDOW}")
    axis.set_xlabel("arithmetic intensity, FLOP of kept multiply-adds a byte")
    axis.set_ylabel("TFLOP/s")
    axis.set_title(f"{head['gpu']}, f32, L = 32, A {head['layout']}-major", loc="left")
    axis.legend(loc="lower right", frameon=False)
    return figure


def save(figure, path):
    """The same bytes for the same results."""
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    options = parser.parse_args(arguments)
    head, rows = read_results(options.results)
    all_series = make_series(head, rows)
    with pyplot.style.context(["default", STYLE]):
        for name, draw in (("speedup", draw_speedups), ("roofline", draw_roofline)):
            first = options.results[0]
            save(draw(head, all_series), first.with_name(f"{first.stem}-{name}.svg"))
    print("\n".join([make_table(all_series), "", describe_tf32(rows),
                     *list_absent(all_series, rows)]))


if __name__ == "__main__":
    main()
