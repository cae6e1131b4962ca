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
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import tempfile

import nm_modules
import numpy as np

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
# Rows a step, buffers and packing, by the units kept of 32.
STEPS = {
    16: ((32, 2, False), (32, 4, False)),
    12: ((32, 2, False), (64, 2, False)),
    8: ((64, 2, False), (64, 2, True)),
    4: ((128, 2, False), (128, 2, True)),
}


def make_schedule(tile, step, stages, packed):
    warps, lanes, thread = TILES[tile]
    block = [w * l * t for w, l, t in zip(warps, lanes, thread)] + [step]
    kind = f"#nm.fma<warps = {[*warps]}, lanes = {[*lanes]}, thread = {[*thread]}>"
    packing = ", packed = true" if packed else ""
    return f"#nm.schedule<kind = {kind}, block = {block}{packing}, stages = {stages}>"


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
                    yield shape, keep, (tile, step, stages, packed)


def make_product(job, layout):
    (m, n, k), keep, schedule = job
    return nm_modules.Product(
        m, n, k, keep, 32, unit_n=32, feature_major=layout == "feature",
        schedule=make_schedule(*schedule) if schedule else "",
    )


def compile_job(job, layout, path):
    """Writes a program."""
    product = make_product(job, layout)
    values, indices = nm_modules.random_weight(product, 1)
    module = path.with_suffix(".mlir")
    nm_modules.write_module(module, product, values, indices)
    tools = os.environ.get("NM_BIN")
    compiler = pathlib.Path(tools, "nm-compile") if tools else "nm-compile"
    done = subprocess.run(
        [compiler, module, "--emit=program", "--chip=sm_90", "-o", path],
        capture_output=True, text=True, check=False,
    )
    module.unlink()
    if done.returncode:
        raise RuntimeError(done.stderr[-300:])


def time_calls(torch, call):
    """Milliseconds of a call."""
    for _ in range(3):
        call()
    events = [torch.cuda.Event(enable_timing=True) for _ in "ab"]

    def once(count):
        events[0].record()
        for _ in range(count):
            call()
        events[1].record()
        events[1].synchronize()
        return events[0].elapsed_time(events[1]) / count

    count = max(5, min(50, int(10 / max(once(1), 0.01))))
    return statistics.median(once(count) for _ in range(5))


def time_cublas(torch, shape):
    m, n, k = shape
    a = torch.randn(m, k, device="cuda")
    b = torch.randn(k, n, device="cuda")
    layouts = [(x, y) for x in (a, a.t().contiguous().t()) for y in (b, b.t().contiguous().t())]
    return min(time_calls(torch, lambda x=x, y=y: x @ y) for x, y in layouts)


def time_program(torch, program, a):
    """Of a graph of several calls, so that the host does not count."""
    (c,) = program(a)
    calls = max(1, min(10, int(2e9 / (c.numel() * a.numel() / c.shape[0]))))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            program(a)
    return time_calls(torch, graph.replay) / calls, c


def relative_error(torch, job, layout, a, c):
    """Against f64, of the first rows."""
    product = make_product(job, layout)
    dense = nm_modules.expand(product, *nm_modules.random_weight(product, 1))
    rows = (a.t() if layout == "feature" else a)[:32].double()
    exact = rows @ torch.from_numpy(dense.astype(np.float64)).cuda()
    return ((c[:32].double() - exact).norm() / exact.norm()).item()


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

    torch.backends.cuda.matmul.allow_tf32 = False
    shapes = [tuple(map(int, shape.split("x"))) for shape in options.shapes]
    cublas = {shape: time_cublas(torch, shape) for shape in shapes}
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
                row |= dict(zip(("tile", "step", "stages", "packed"), schedule))
            try:
                done.result()
                program = nm.load(paths[job])
                (row["planned"],) = [one["reason"] for one in program.report["products"]]
                a = torch.randn(*make_product(job, options.layout).a_shape, device="cuda")
                row["ms"], c = time_program(torch, program, a)
                row["cublas_ms"] = cublas[m, n, k]
                row["over_cublas"] = round(row["cublas_ms"] / row["ms"], 3)
                if not schedule:
                    row["error"] = relative_error(torch, job, options.layout, a, c)
                paths[job].unlink()
            except RuntimeError as error:
                row["failed"] = str(error)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
