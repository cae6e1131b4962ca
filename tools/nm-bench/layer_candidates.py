#!/usr/bin/env python3
# layer_candidates.py - What the planner's candidates for a converted layer take, cold.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the schedules that the planner chooses from for nm.convert's products, whose weight
is an argument, at some numbers of rows; needs a GPU, torch, and nm as a wheel or by PYTHONPATH
and NM_BIN.

Usage: layer_candidates.py [--rows=64,128] [--keeps=8] [--units=32] [--candidates=12] [--others]
                           NxK...
       layer_candidates.py --check=FILE

Each is compiled for its number of rows, of a bf16 weight, with A token-major and, from 20 rows
on, as the transposition leaves it. Times are cold: of launches in a CUDA graph, each with a
weight of its own, which take 256 MB together (the median of 20 replays). Prints a line of JSON
about the run and one a candidate: its schedule, the microseconds that were predicted and those
measured, which are without the transposition's.

With --others, each launch is behind a small kernel of PyTorch's, as in a converted model, and
the function says so (nm.behind_others): times are of both, by turns with a graph of these
kernels alone, whose time is taken off. (The candidates are those of a product that is not.)

--check predicts each candidate of an earlier run anew, without a GPU, and prints for each
product how many times the fastest the one takes that is chosen now, of those that were
measured, and the geometric mean of these. (planner_choices.py is for candidate_times.py.)
"""

import argparse
import collections
import concurrent.futures
import functools
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import decode_times
import device_times
import graph_times
import llama100
import nm_modules

LEAST_TRANSPOSED_ROWS = 20  # kLeastTransposedRows of nm/Planner/Planner.h
# Microseconds of a transposition beside moving its bytes, and bytes a microsecond of an H200:
# kPerTransfer of lib/Planner/CostModel.cpp, and the memory bandwidth of its target table.
PER_TRANSPOSITION, BYTES = 1.4, 4.8e6


def get_a_shape(p):
    """That of A, which has two dimensions whatever the number of rows."""
    return (p.k, p.m) if p.feature_major else (p.m, p.k)


def write_module(p, weight, others=False):
    """The product with its weight as an argument."""
    a, c = (f"tensor<{x}x{y}x{p.dtype}>" for x, y in (get_a_shape(p), (p.m, p.n)))
    layout = "feature_major" if p.feature_major else "token_major"
    schedule = f", schedule = {p.schedule}" if p.schedule else ""
    behind = "attributes {nm.behind_others} " if others else ""
    return f"""func.func @main(%x: {a}, %w: {weight}) -> {c} {behind}{{
  %e = tensor.empty() : {c}
  %y = nm.spmm %x, %w outs(%e : {c}) {{a_layout = #nm.layout<{layout}>{schedule}}} : {a}, {weight} -> {c}
  return %y : {c}
}}
"""


def get_weight(p):
    return f"!nm.condensed<{p.k}x{p.n}x{p.dtype}, {p.pattern}>"


def list_candidates(p):
    """(schedule, predicted microseconds) of a product, the best first."""
    tools = os.environ.get("NM_BIN")
    compiler = pathlib.Path(tools, "nm-compile") if tools else "nm-compile"
    with tempfile.TemporaryDirectory() as folder:
        module = pathlib.Path(folder, "module.mlir")
        module.write_text(write_module(p, get_weight(p)), encoding="ascii")
        output = pathlib.Path(folder, "candidates.json")
        subprocess.run([compiler, module, "--emit=candidates", f"--chip={device_times.CHIP}",
                        "--no-propagate-layouts", "-o", output], check=True)
        (product,) = json.loads(output.read_text(encoding="utf-8"))["products"]
    return [(one["schedule"], one["predicted_microseconds"]) for one in product["candidates"]]


def compile_candidate(p, others=False):
    """Its program, or what nm-compile said."""
    from nm.errors import ToolError
    from nm.runtime.compiler import compile_program
    from nm.module import Module

    try:
        return compile_program(Module(write_module(p, get_weight(p), others)),
                               [f"--chip={device_times.CHIP}", "--no-propagate-layouts"], cache=False)
    except ToolError as error:
        return str(error)[-300:]


@functools.lru_cache(2)
def make_weights(n, k, keep, unit):
    """Enough condensed weights that L2 holds none when it is read."""
    import torch
    from nm.nn.packed_weight import PackedWeight
    from nm.pattern import Pattern

    product = decode_times.make_product(1, n, k, keep, unit, "bf16", "")
    parts = device_times.make_weight(torch, product)
    pattern = Pattern(keep, decode_times.WINDOW, (1, unit))
    packed = PackedWeight(parts["w_values"].cuda(), parts["w_indices"].cuda(), pattern, k)
    return packed, decode_times.count_copies(decode_times.count_bytes(product))


def measure(torch, p, program, others=False):
    """Cold microseconds of a launch, or of one behind another's kernel."""
    from nm.nn.arrays import make_packed, split_packed

    weight, copies = make_weights(p.n, p.k, p.keep, p.unit_n)
    packed = make_packed(program, [weight])
    a = [torch.randn(*get_a_shape(p), device="cuda", dtype=torch.bfloat16) for _ in range(copies)]
    arrays = [split_packed(program, packed.clone()) for _ in range(copies)]
    calls = [functools.partial(program, x, *of) for x, of in zip(a, arrays)]
    if not others:
        return round(decode_times.time_graph(torch, calls, copies), 3)
    small = torch.zeros(1024, device="cuda")

    def call(with_products):
        for product in calls:
            small.add_(1)
            if with_products:
                product()

    graphs = [graph_times.capture(torch, functools.partial(call, one)) for one in (True, False)]
    both, without = graph_times.time_by_turns(torch, graphs)
    return round((both - without) / copies, 3)


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="*", type=decode_times.parse_shape, metavar="NxK", help="such as 4096x11008")
    add("--rows", type=decode_times.parse_list, default=[64, 128], metavar="M,...",
        help="64,128 if not given")
    add("--keeps", type=decode_times.parse_list, default=[8], metavar="N,...",
        help="units kept of 32; 8 if not given")
    add("--units", type=decode_times.parse_list, default=[32], metavar="L,...",
        help="columns of a unit; 32 if not given")
    add("--candidates", type=llama100.parse_count, default=12, metavar="N",
        help="of each product, the best by prediction; 12 if not given")
    add("--others", action="store_true", help="measure launches behind kernels of PyTorch's")
    add("--check", type=pathlib.Path, metavar="FILE", help="judge the choices of now")
    options = parser.parse_args()
    if not options.shapes and not options.check:
        parser.error("expected shapes, such as 4096x11008, or --check=FILE")
    return options


def list_products(options):
    """Products, those of one weight beside each other."""
    kinds = itertools.product(options.shapes, options.keeps, options.units, options.rows,
                              (False, True))
    for (n, k), keep, unit, rows, is_transposed in kinds:
        if not is_transposed or rows >= LEAST_TRANSPOSED_ROWS:
            yield nm_modules.Product(rows, n, k, keep, decode_times.WINDOW, unit, dtype="bf16",
                                     feature_major=is_transposed)


def read_times(path):
    """{(m, n, k, keep, unit): {(layout, schedule): microseconds}} of an earlier run."""
    times = collections.defaultdict(dict)
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if "microseconds" in row:
            key = tuple(row[name] for name in ("m", "n", "k", "keep", "unit"))
            times[key][row["layout"], row["schedule"]] = row["microseconds"]
    return times


def judge(key, measured):
    """The line of a product: what is chosen now of the candidates that were measured."""
    m, n, k, keep, unit = key
    choices = []
    for layout in {layout for layout, _ in measured}:
        is_transposed = layout == "feature"
        p = nm_modules.Product(m, n, k, keep, decode_times.WINDOW, unit, dtype="bf16",
                               feature_major=is_transposed)
        before = PER_TRANSPOSITION + 4 * m * k / BYTES if is_transposed else 0
        choices += [
            (before + predicted, before + measured[layout, schedule], layout, schedule)
            for schedule, predicted in list_candidates(p) if (layout, schedule) in measured
        ]
    _, chosen, layout, schedule = min(choices)
    best = min(us for _, us, _, _ in choices)
    return dict(zip(("m", "n", "k", "keep", "unit"), key)) | {
        "of_best": round(chosen / best, 3), "layout": layout, "schedule": schedule}


def check(path):
    lines = list(itertools.starmap(judge, read_times(path).items()))
    for line in lines:
        print(json.dumps(line))
    ratios = [line["of_best"] for line in lines]
    print(json.dumps({"mean": round(statistics.geometric_mean(ratios), 3), "most": max(ratios)}))


def main():
    options = parse_options()
    if options.check:
        return check(options.check)
    import torch

    import nm

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "cold microseconds of candidates"} | about), flush=True)
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        products = list(list_products(options))
        for p, found in zip(products, pool.map(list_candidates, products)):
            for schedule, predicted in found[: options.candidates]:
                one = nm_modules.Product(**vars(p) | {"schedule": schedule})
                job = pool.submit(compile_candidate, one, options.others)
                jobs.append((one, predicted, job))
        for p, predicted, job in jobs:
            row = {"m": p.m, "n": p.n, "k": p.k, "keep": p.keep, "unit": p.unit_n,
                   "layout": "feature" if p.feature_major else "token",
                   "schedule": p.schedule, "predicted": round(predicted, 2)}
            program = job.result()
            try:
                if isinstance(program, str):
                    raise nm.Error(program)
                row["microseconds"] = measure(torch, p, program, options.others)
            except nm.Error as error:
                row["failed"] = str(error)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
