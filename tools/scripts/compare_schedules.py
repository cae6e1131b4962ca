#!/usr/bin/env python3
# compare_schedules.py - Whether two builds of nm choose the same schedules.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses schedules of many products by nm-select-schedule of two builds. A change of
the planner that should not change what it chooses is checked so, and what another one
changes is listed, to be measured on a GPU:

    git worktree add ../before HEAD~1 && ... build it ...
    tools/scripts/compare_schedules.py ../before/build/release/bin build/release/bin

The products are those of tools/nm-bench/compared_products.py, and those of LLaMA's layers
by 1 to 4096 rows, with 4, 8, 12 and 16 of 32 units kept, of 1, 32 and 128 columns, in f32,
f16 and bf16, and with both layouts of A. Prints both schedules of each product for which
they differ, then a line for each chip, and exits with 1 if any differ. With --json, FILE has
a line of JSON for each such product, and tools/nm-bench/choice_times.py measures both."""

import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/nm-bench"))

import compared_products  # noqa: E402
from nm_modules import Product, tensor_type  # noqa: E402

CHIPS = ("sm_80", "sm_90", "sm_90a", "sm_120")
# (n, k): layers of LLaMA 7B and 13B, and products that several of one input become.
WIDTHS = ((4096, 4096), (11008, 4096), (4096, 11008), (12288, 4096), (22016, 4096),
          (5120, 5120), (13824, 5120), (5120, 13824))
# Rows of A: of decoding, of some sequences, and of prefill.
ROWS = (1, 2, 4, 8, 16, 24, 32, 64, 100, 128, 256, 512, 1024, 4096)
# Of 32 units: what is kept where 87.5, 75, 62.5 and 50 % are pruned, as in the papers.
KEEPS = (4, 8, 12, 16)
# Columns of a unit: single elements, a warp's columns, and a block's on tensor cores.
UNITS = (1, 32, 128)
TYPES = ("f32", "f16", "bf16")

ALIAS = re.compile(r"^(#\w+) = (.*)$", re.MULTILINE)


def list_products(rows):
    """The products of so many rows."""
    products = [p for p in compared_products.list_products().values() if p.m in rows]
    for (n, k), m, keep, unit, dtype, feature_major in itertools.product(
            WIDTHS, rows, KEEPS, UNITS, TYPES, (False, True)):
        if m > 1 or not feature_major:
            products.append(Product(m, n, k, keep, 32, unit, 1, dtype=dtype,
                                    feature_major=feature_major))
    return products


def describe(p):
    layout = "feature" if p.feature_major else "token"
    window = p.window or "all"
    unit = f"{p.unit_k}x{p.unit_n}"
    return f"{p.m}x{p.n}x{p.k} {p.dtype} {p.keep}:{window} {unit} {layout}-major"


def write_function(number, p):
    """A function of the product, whose weight is an argument."""
    a, c = tensor_type(p.a_shape, p.dtype), tensor_type(p.c_shape, p.dtype)
    weight = f"!nm.condensed<{p.k}x{p.n}x{p.dtype}, {p.pattern}>"
    operation, attributes = "nm.spmv", ""
    if p.m > 1:
        layout = "feature_major" if p.feature_major else "token_major"
        operation, attributes = "nm.spmm", f" {{a_layout = #nm.layout<{layout}>}}"
    return f"""func.func @f{number}(%x: {a}, %w: {weight}, %e: {c}) -> {c} {{
  %y = {operation} %x, %w outs(%e : {c}){attributes} : {a}, {weight} -> {c}
  return %y : {c}
}}
"""


def choose(folder, text, chip):
    """The op of each product with its schedule, in order."""
    done = subprocess.run(
        [folder / "nm-opt", "-", f"--nm-set-target=chip={chip}", "--nm-select-schedule"],
        input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{folder}: {chip}: {done.stderr.strip()[:2000]}")
    aliases = dict(ALIAS.findall(done.stdout))
    ops = [line for line in done.stdout.splitlines() if " = nm.spm" in line]
    for _ in range(3):  # an alias may stand in another one's text
        ops = [re.sub(r"#\w+\b(?!\.)", lambda match: aliases.get(match[0], match[0]), op)
               for op in ops]
    return ops


def find_schedule(op):
    """The schedule in an op's text; its kind stands first in it."""
    found = re.search(r"schedule = (#nm\..*)\} : ", op)
    return found[1] if found else "none"


def parse_rows(text):
    try:
        rows = tuple(int(part) for part in text.split(","))
    except ValueError:
        rows = (0,)
    if min(rows) < 1:
        raise argparse.ArgumentTypeError(f"expected numbers of rows, such as 64,128; got '{text}'")
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path, help="bin folder of a build")
    parser.add_argument("after", type=pathlib.Path, help="bin folder of another build")
    parser.add_argument("--chip", action="append", help="may be repeated (default: four)")
    parser.add_argument("--rows", type=parse_rows, default=ROWS, metavar="M,...",
                        help="of products so many rows alone")
    parser.add_argument("--json", type=argparse.FileType("w"), metavar="FILE",
                        help="a file that gets the products and both schedules")
    options = parser.parse_args()
    for folder in (options.before, options.after):
        if not (folder / "nm-opt").is_file():
            parser.error(f"'{folder}' has no nm-opt: give the bin folder of a build, "
                         "such as build/release/bin")
    products = list_products(options.rows)
    text = "".join(write_function(number, p) for number, p in enumerate(products))
    differing = 0
    for chip in options.chip or CHIPS:
        before, after = (choose(folder, text, chip) for folder in (options.before, options.after))
        assert len(before) == len(after) == len(products)
        pairs = [(p, find_schedule(old), find_schedule(new))
                 for p, old, new in zip(products, before, after)]
        changed = [pair for pair in pairs if pair[1] != pair[2]]
        for product, old, new in changed:
            print(f"{chip}: {describe(product)}\n  before: {old}\n  after:  {new}")
            if options.json:
                row = {"chip": chip, **vars(product), "before": old, "after": new}
                print(json.dumps(row), file=options.json)
        print(f"{chip}: {len(products)} products, {len(changed)} schedules differ", flush=True)
        differing += len(changed)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
