#!/usr/bin/env python3
# planner_choices.py - The planner's predictions and choices beside measured times.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how good the planner is, by what candidate_times.py or llama100.py measured; needs
no GPU, but nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: planner_choices.py [--verbose] RESULTS.jsonl...

Predicts each measured candidate anew. For each sparsity it prints the error of the
predicted times (root of the mean square of their logarithms, and the least and greatest of
predicted / measured); of products with several measured candidates, the geometric mean and
the least of fastest / chosen, and the share within 5 %; how many products now have a choice
that was not measured; and, of llama100.py's, the geometric mean of the speedup over cuBLAS,
measured and with the choices of now, predicted where they were not measured. --verbose lists the latter, and what is off by over 10 %.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import statistics
import sys

import candidate_times
import llama100
import nm_modules

PLANNED = re.compile(r"^cuda-core: (.+?), \d+ bytes of shared memory")


def read_times(paths):
    """Microseconds by name of the candidates of each product, and of cuBLAS."""
    times, cublas = collections.defaultdict(dict), {}
    for path in paths:
        head, *rows = map(json.loads, pathlib.Path(path).read_text(encoding="ascii").splitlines())
        for row in (row for row in rows if "failed" not in row):
            product = nm_modules.Product(
                row["m"], row["n"], row["k"], row["keep"], llama100.WINDOW,
                row.get("unit", llama100.UNIT_N),
                feature_major=head["layout"] == "feature",
            )
            if "microseconds" in row:
                times[product][row["name"]] = row["microseconds"]
            elif match := PLANNED.match(row["planned"]):
                times[product][match[1]] = 1000 * row["ms"]
                cublas[product] = 1000 * row["cublas_ms"]
    return times, cublas


def compare(measured, candidates, verbose):
    """Predicted / measured of each time, and of several fastest / chosen, None where that
    was not measured."""
    predicted = {one.name: one.predicted for one in reversed(candidates)}
    ratios = [predicted[name] / time for name, time in measured.items() if name in predicted]
    for name, time in measured.items():
        if name in predicted and abs(math.log(predicted[name] / time)) > 0.1:
            verbose(f"{name}: {time:.1f} us, {predicted[name]:.1f} predicted")
    chosen = candidates[0].name
    if chosen not in measured:
        verbose(f"chooses {chosen}, {predicted[chosen]:.1f} us predicted, which was not measured")
        return ratios, [None]
    share = min(measured.values()) / measured[chosen]
    if share < 0.95:
        verbose(f"chooses {chosen}, {share:.3f} of the fastest, {min(measured, key=measured.get)}")
    return ratios, [share] if len(measured) > 1 else []


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="+", metavar="RESULTS.jsonl")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    times, cublas = read_times(options.results)
    jobs = candidate_times.list_candidates(list(times), sys.maxsize)
    ratios, shares, speedups = (collections.defaultdict(list) for _ in range(3))
    for p, candidates in jobs.items():
        def verbose(text, p=p):
            if options.verbose:
                print(f"{p.m}x{p.n}x{p.k} {p.keep}:{p.window}: {text}")

        of_times, of_choice = compare(times[p], candidates, verbose)
        for key in (f"{p.keep}:{p.window}", "all"):
            ratios[key] += of_times
            shares[key] += of_choice
            if p in cublas:
                chosen = times[p].get(candidates[0].name, candidates[0].predicted)
                speedups[key].append((cublas[p] / min(times[p].values()), cublas[p] / chosen))
    for key in sorted(ratios, key=lambda key: (key == "all", key)):
        values = ratios[key]
        error = math.sqrt(statistics.mean(math.log(one) ** 2 for one in values))
        known = [one for one in shares[key] if one is not None]
        text = (
            f"{key}: {len(values)} times, error {error:.1%}, predicted / measured "
            f"{min(values):.2f} to {max(values):.2f}"
        )
        if known:
            near = sum(one >= 0.95 for one in known) / len(known)
            text += (
                f"; {len(known)} choices, fastest / chosen {statistics.geometric_mean(known):.3f}, "
                f"least {min(known):.3f}, {near:.0%} within 5 %"
            )
        text += f"; {shares[key].count(None)} choices not measured"
        if speedups[key]:
            before, now = map(statistics.geometric_mean, zip(*speedups[key]))
            text += f"; over cuBLAS {before:.2f} measured, {now:.2f} with the choices of now"
        print(text)


if __name__ == "__main__":
    main()
