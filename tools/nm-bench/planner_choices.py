#!/usr/bin/env python3
# planner_choices.py - The planner's choices among tiles that were measured.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how good the planner's choices are, by what tile_times.py measured; needs no GPU.

Usage: planner_choices.py --nm-opt=build/release/bin/nm-opt RESULTS.json

Asks nm-opt for the schedule of each product of RESULTS.json and looks its time up. Prints
the choices that take over 5 % longer than the fastest candidate, and for each layout of A
the geometric mean of fastest / chosen, the least, and the share within 5 %; last the mean
error of the predicted times.
"""

import argparse
import collections
import json
import math
import re
import statistics
import subprocess

REASON = re.compile(
    r'Function=f(\d+) \| Reason="cuda-core: (\S+) tile, (\d+) rows a step(, packed)?'
    r"(?:, shared by (\d) blocks)?, \d+ bytes of shared memory, ([\d.]+) us"
)


def read_times(path):
    """Milliseconds of each candidate (tile, step, packed, split_k) of each product."""
    times = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    for row in (row for run in runs for row in run["rows"]):
        # Two buffers are what the planner takes.
        if row.get("stages") == 2:
            product = tuple(row[key] for key in ("m", "n", "k", "keep", "layout"))
            candidate = row["tile"], row["step"], row["packed"], row.get("split_k", 1)
            times[product][candidate] = row["ms"]
    return times


def write_function(number, product):
    m, n, k, keep, layout = product
    a, c = f"tensor<{m}x{k}xf32>", f"tensor<{m}x{n}xf32>"
    attributes = ""
    if layout == "feature":
        a = f"tensor<{k}x{m}xf32>"
        attributes = " {a_layout = #nm.layout<feature_major>}"
    weight = f"!nm.condensed<{k}x{n}xf32, #nm.pattern<{keep}:32, unit = 1x32>>"
    return f"""func.func @f{number}(%a: {a}, %w: {weight}, %c: {c}) -> {c} {{
  %r = nm.spmm %a, %w outs(%c : {c}){attributes} : {a}, {weight} -> {c}
  return %r : {c}
}}
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results")
    parser.add_argument("--nm-opt", default="nm-opt")
    options = parser.parse_args()
    times = read_times(options.results)
    products = list(times)
    module = "".join(write_function(i, one) for i, one in enumerate(products))
    said = subprocess.run(
        [options.nm_opt, "--nm-set-target=chip=sm_90", "--nm-select-schedule",
         "--remarks-filter=nm-.*", "--remark-format=emitRemark", "-o", "/dev/null"],
        input=module, capture_output=True, text=True, check=True,
    ).stderr
    shares, errors = collections.defaultdict(list), []
    for number, tile, step, packed, split_k, predicted in REASON.findall(said):
        product = products[int(number)]
        candidates = times[product]
        chosen = (tile, int(step), bool(packed), int(split_k or 1))
        if chosen not in candidates:
            print(f"{product}: chose {chosen}, which was not measured")
            continue
        best = min(candidates, key=candidates.get)
        share = candidates[best] / candidates[chosen]
        shares[product[-1]].append(share)
        errors.append(abs(math.log(float(predicted) / 1e3 / candidates[chosen])))
        if share < 0.95:
            print(f"{product}: chose {chosen}, {share:.3f} of {best}")
    for layout, values in shares.items():
        near = sum(one >= 0.95 for one in values) / len(values)
        print(
            f"{layout}: {len(values)} products, geomean {statistics.geometric_mean(values):.3f}, "
            f"least {min(values):.3f}, {near:.0%} within 5 %"
        )
    print(f"predicted times: mean error {statistics.mean(errors):.1%}")


if __name__ == "__main__":
    main()
