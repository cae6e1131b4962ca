#!/usr/bin/env python3
# tile_times.py - What the tiles of the planner take, next to cuBLAS.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures f32 vector-wise products (L = 32, M = 32) with each of several schedules,
and with the planner's; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and
NM_BIN.

Usage: tile_times.py [--layout=token] MxNxK...

Prints a line of JSON a kernel: the schedule, or the planner's reason, milliseconds (the
median of five graphs of several calls, warm) and the speedup over SGEMM, of which the
fastest layout of the operands counts, in the same run. Programs are compiled by as many
processes as there are cores. CostModel.cpp has constants fitted to its results.
"""

import argparse
import concurrent.futures
import json
import math
import multiprocessing
import pathlib
import tempfile

import device_times
import nm_modules

# Warps, lanes and elements of a thread.
TILES = {
    "128x256": ((1, 8), (16, 2), (8, 16)),
    "128x128": ((1, 4), (16, 2), (8, 16)),
    "64x256": ((1, 8), (8, 4), (8, 8)),
    "64x128": ((1, 4), (8, 4), (8, 8)),
    "64x64": ((1, 2), (8, 4), (8, 8)),
    "32x128": ((1, 4), (8, 4), (4, 8)),
    "32x64": ((1, 2), (8, 4), (4, 8)),
    "32x32": ((1, 1), (8, 4), (4, 8)),
}
# Those whose steps blocks of a cluster may share.
SHARED_TILES = ("64x128", "64x64", "32x128", "32x64")
# Rows a step, buffers and packing, by the units kept of 32.
STEPS = {
    16: ((32, 2, False), (32, 4, False)),
    12: ((32, 2, False), (64, 2, False)),
    8: ((64, 2, False), (64, 2, True)),
    4: ((128, 2, False), (128, 2, True)),
}


def make_schedule(tile, step, stages, packed, split_k=1, prefetch=False):
    warps, lanes, thread = TILES[tile]
    block = [w * l * t for w, l, t in zip(warps, lanes, thread)] + [step]
    kind = f"#nm.fma<warps = {[*warps]}, lanes = {[*lanes]}, thread = {[*thread]}>"
    packing = ", packed = true" if packed else ""
    ahead = ", prefetch = true" if prefetch else ""
    split = f", split_k = {split_k}" if split_k > 1 else ""
    return (
        f"#nm.schedule<kind = {kind}, block = {block}{packing}, stages = {stages}{ahead}{split}>"
    )


def list_splits(shape, tile, step):
    """Blocks that may share a tile, as the planner has them on an H200."""
    m, n, k = shape
    warps, lanes, thread = TILES[tile]
    block_m, block_n = (w * l * t for w, l, t in zip(warps, lanes, thread))
    tiles, steps = math.ceil(m / block_m) * math.ceil(n / block_n), math.ceil(k / step)
    few = tile in SHARED_TILES and tiles < 2 * 132
    return [split for split in (1, 2, 4, 8) if split == 1 or few and steps % split == 0]


def list_jobs(shapes, layout, only_planned):
    """Shapes with schedules; None is the planner's."""
    for shape in shapes:
        for keep, steps in STEPS.items():
            yield shape, keep, None
            for tile in () if only_planned else TILES:
                for step, stages, packed in steps:
                    wide = TILES[tile][0][1] > 4
                    if packed and (wide or layout == "token"):
                        continue
                    for split_k in list_splits(shape, tile, step):
                        yield shape, keep, (tile, step, stages, packed, split_k)


def make_product(job, layout):
    (m, n, k), keep, schedule = job
    return nm_modules.Product(
        m, n, k, keep, 32, unit_n=32, feature_major=layout == "feature",
        schedule=make_schedule(*schedule) if schedule else "",
    )


def compile_job(job, layout, path):
    """Writes a program."""
    import torch

    product = make_product(job, layout)
    (said,) = device_times.compile_programs(
        [product], [path], device_times.make_weight(torch, product)
    )
    if said:
        raise RuntimeError(said)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shapes", nargs="+", help="such as 4096x4096x4096")
    parser.add_argument("--layout", choices=["feature", "token"], default="feature")
    parser.add_argument("--only-planned", action="store_true")
    options = parser.parse_args()
    import nm
    import torch

    shapes = [tuple(map(int, shape.split("x"))) for shape in options.shapes]
    cublas = {shape: device_times.time_cublas(torch, shape) for shape in shapes}
    jobs = list(list_jobs(shapes, options.layout, options.only_planned))
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        paths = {job: pathlib.Path(folder, f"{i}.nm") for i, job in enumerate(jobs)}
        running = {pool.submit(compile_job, job, options.layout, paths[job]): job for job in jobs}
        for done in concurrent.futures.as_completed(running):
            job = running[done]
            (m, n, k), keep, schedule = job
            row = {"m": m, "n": n, "k": k, "keep": keep, "layout": options.layout}
            if schedule:
                row |= dict(zip(("tile", "step", "stages", "packed", "split_k"), schedule))
            try:
                done.result()
                program = nm.load(paths[job])
                (row["planned"],) = [one["reason"] for one in program.report["products"]]
                product = make_product(job, options.layout)
                a = torch.randn(*product.a_shape, device="cuda")
                row["ms"], c = device_times.time_program(torch, program, product, a)
                row["cublas_ms"] = cublas[m, n, k]
                row["over_cublas"] = round(row["cublas_ms"] / row["ms"], 3)
                if not schedule:
                    weight = device_times.make_weight(torch, product, "cuda")
                    dense = device_times.expand(torch, product, weight)
                    row["error"] = device_times.relative_error(product, dense, a, c)
                paths[job].unlink()
            except RuntimeError as error:
                row["failed"] = str(error)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
