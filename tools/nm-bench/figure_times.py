#!/usr/bin/env python3
# figure_times.py - What each step of optimisation, and each size of block, brings.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures f32 vector-wise products (L = 32, M = 32, dense ones among them) as Figures 7 and
8 of NM-SpMM's paper do; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: figure_times.py steps|blocks [--keeps=32,16,12,8,4] [--output=FILE]

  steps   Fig. 7, m = n = k = 4096: the paper's large block by one schedule, with optional
          passes left out: tiles alone (V1), with packing above 70 % of zeros (V2), with
          double buffering (V3); then with copies between the products (V4), with operands
          loaded a step ahead (V5), and as the planner has it
  blocks  Fig. 8, the shapes of the paper's Table II: its small, medium and large blocks, one
          of 128x256, and as the planner has it

Prints a line of JSON about the run, and one a kernel: its version, schedule and options,
milliseconds (the median of five batches of graphs of several calls, warm), the speedup over
SGEMM, of which the fastest layout of the operands counts, in the same run, and the relative
error against f64. The exit status is 1 if a kernel fails. plot_figures.py draws the results.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile

import device_times
import llama100
import nm_modules
import peers

WINDOW, UNIT_N = llama100.WINDOW, llama100.UNIT_N
KEEPS = (32, 16, 12, 8, 4)
STEP_SHAPES = [(4096, 4096, 4096)]
PLANNED = "planned"

# Warps, lanes and elements of a thread along m and n. Table I of the paper has the first
# three.
BLOCKS = {
    "small": ((2, 1), (4, 8), (4, 4)),
    "medium": ((1, 2), (4, 8), (8, 4)),
    "large": ((1, 4), (8, 4), (8, 8)),
    "128x256": ((1, 8), (16, 2), (8, 16)),
}
# What is left out of each version but the last, all of one schedule.
LEFT_OUT = {
    "V1": ("pack-tile", "double-buffer", "spread-copies", "prefetch-fragments"),
    "V2": ("double-buffer", "spread-copies", "prefetch-fragments"),
    "V3": ("spread-copies", "prefetch-fragments"),
    "V4": ("prefetch-fragments",),
    "V5": (),
}

# A kernel: its product, the name of its version, and options of nm-compile.
Version = collections.namedtuple("Version", "product name options")


def make_schedule(block, keep, prefetch):
    """Two buffers of steps of at least 16 condensed rows; packed where the paper packs."""
    kind = "warps = {}, lanes = {}, thread = {}".format(*map(list, BLOCKS[block]))
    m, n = (w * lanes * each for w, lanes, each in zip(*BLOCKS[block]))
    step = WINDOW * max(1, 16 // keep)
    packed = ", packed = true" if keep / WINDOW < 0.3 else ""
    ahead = ", prefetch = true" if prefetch else ""
    return (f"#nm.schedule<kind = #nm.fma<{kind}>, block = [{m}, {n}, {step}]{packed}, "
            f"stages = 2{ahead}>")


def make_product(shape, keep, schedule=""):
    return nm_modules.Product(*shape, keep, WINDOW, UNIT_N, feature_major=True,
                              schedule=schedule)


def list_steps(keep):
    for shape in STEP_SHAPES:
        product = make_product(shape, keep, make_schedule("large", keep, prefetch=True))
        for name, passes in LEFT_OUT.items():
            yield Version(product, name, [f"--no-{one}" for one in passes])
        yield Version(make_product(shape, keep), PLANNED, [])


def list_blocks(keep):
    for shape in peers.read_shapes(peers.TABLE2):
        for name in BLOCKS:
            schedule = make_schedule(name, keep, prefetch=False)
            yield Version(make_product(shape, keep, schedule), name, [])
        yield Version(make_product(shape, keep), PLANNED, [])


FIGURES = {"steps": list_steps, "blocks": list_blocks}


def list_groups(figure, keeps):
    """Lists of versions that share a weight."""
    groups = {}
    for version in itertools.chain.from_iterable(map(FIGURES[figure], keeps)):
        p = version.product
        groups.setdefault((p.n, p.k, p.keep), []).append(version)
    return list(groups.values())


def program_path(folder, version):
    p = version.product
    return pathlib.Path(folder, f"{p.m}x{p.n}x{p.k}-{p.keep}-{version.name}.nm")


def compile_group(folder, group):
    """Writes the programs; what was wrong with each, or ""."""
    import torch
    from nm.numbers.weights import write_weights

    p = group[0].product
    data = pathlib.Path(folder, f"{p.n}x{p.k}-{p.keep}.safetensors")
    write_weights(device_times.make_weight(torch, p), data)
    said = [
        device_times.compile_program(one.product, program_path(folder, one), data, one.options)
        for one in group
    ]
    data.unlink()
    return said


def measure_group(bench, folder, group, said):
    """A row for each version, also of those that fail."""
    weight = device_times.make_weight(bench.torch, group[0].product, "cuda")
    dense = device_times.expand(bench.torch, group[0].product, weight)
    for version, error in zip(group, said):
        p, path = version.product, program_path(folder, version)
        row = {"m": p.m, "n": p.n, "k": p.k, "keep": p.keep, "version": version.name,
               "schedule": p.schedule, "options": version.options}
        try:
            if error:
                raise RuntimeError(error)
            row |= bench.measure(p, path, dense)
        except (RuntimeError, bench.nm.Error) as failure:
            row["failed"] = str(failure)
        path.unlink(missing_ok=True)
        yield row


def run(bench, groups, folder, pool, write):
    """Measures all groups; how many kernels failed."""
    running = {pool.submit(compile_group, folder, group): group for group in groups}
    failed = 0
    for done in concurrent.futures.as_completed(running):
        group = running[done]
        said = [str(done.exception())] * len(group) if done.exception() else done.result()
        for row in measure_group(bench, folder, group, said):
            write(row)
            failed += "failed" in row
    return failed


def parse_keeps(text):
    keeps = [int(word) if word.isdigit() else 0 for word in text.split(",")]
    if not set(keeps) <= set(KEEPS):
        raise argparse.ArgumentTypeError(f"expected some of {KEEPS}, got {text}")
    return keeps


def parse_options(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figure", choices=FIGURES)
    parser.add_argument("--keeps", type=parse_keeps, default=list(KEEPS), metavar="N,...",
                        help="units kept of 32; all of 32,16,12,8,4 if not given")
    parser.add_argument("--output", metavar="FILE", help="instead of the standard output")
    return parser.parse_args(arguments)


def describe_run(torch, options):
    """The line about the run."""
    return {
        "figure": options.figure,
        "what": "f32 products, L = 32, M = 32, `keep` of 32, over cuBLAS in the same run",
        **device_times.describe_device(torch),
        **device_times.describe_run(),
        "keeps": options.keeps,
    }


def main():
    options = parse_options()
    import nm
    import torch

    groups = list_groups(options.figure, options.keeps)
    spawn = multiprocessing.get_context("spawn")
    workers = min(os.cpu_count(), len(groups))
    with (
        open(options.output or sys.stdout.fileno(), "w", encoding="ascii") as file,
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(workers, mp_context=spawn) as pool,
    ):
        def write(row):
            print(json.dumps(row), file=file, flush=True)

        write(describe_run(torch, options))
        bench = llama100.Bench(nm, torch)
        sys.exit(1 if run(bench, groups, folder, pool, write) else 0)


if __name__ == "__main__":
    main()
