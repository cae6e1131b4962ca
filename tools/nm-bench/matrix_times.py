#!/usr/bin/env python3
# matrix_times.py - What products take on tensor cores, next to cuBLAS.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures vector-wise products of f16 or bf16 (M = 32) with each of several schedules of
kind mma_sync, and with the planner's; needs a GPU, torch, and nm as a wheel or by
PYTHONPATH and NM_BIN.

Usage: matrix_times.py [--type=bf16] [--units=32,64,128] [--layout=token] MxNxK...

Prints a line of JSON for the device, and one a kernel: the schedule, the planner's reason,
milliseconds (warm, see device_times.py), the SM clock in MHz after them, the speedup over
cuBLAS of the same type in the same run, of which the fastest layout of the operands counts,
and the error against f64.
"""

import argparse
import concurrent.futures
import itertools
import json
import multiprocessing
import pathlib
import tempfile

import device_times
import nm_modules

# Warps of a block, and the tile of each.
TILES = {
    "128x256": ((2, 4), (64, 64)),
    "128x256 (128x32)": ((1, 8), (128, 32)),
    "128x128": ((2, 2), (64, 64)),
    "64x256": ((1, 4), (64, 64)),
    "64x128": ((2, 2), (32, 64)),
}
KEEPS = (16, 8, 4, 32)  # of 32; the last is dense
CONDENSED_ROWS = (16, 32, 64)  # a step
BUFFERS = ((2, False), (3, False), (4, False), (2, True), (3, True), (4, True))  # and prefetch
LARGEST = 227 * 1024  # bytes of shared memory of a block


def make_schedule(tile, rows, stages, prefetch, keep):
    """The schedule with steps of `rows` condensed rows; "" where it does not fit."""
    warps, extents = TILES[tile]
    m, n = (w * e for w, e in zip(warps, extents))
    step = 32 * rows // keep
    if step % 32 != 0 or stages * (step * m + rows * n) * 2 > LARGEST - 16 * 1024:
        return ""
    kind = f"#nm.mma_sync<warps = {[*warps]}, tile = {[*extents]}>"
    ahead = ", prefetch = true" if prefetch else ""
    return f"#nm.schedule<kind = {kind}, block = [{m}, {n}, {step}], stages = {stages}{ahead}>"


def parse_tiles(text):
    tiles = text.split(",")
    if not set(tiles) <= TILES.keys():
        raise argparse.ArgumentTypeError(f"expected some of {[*TILES]}, got {text}")
    return tiles


def list_products(shapes, options):
    """Products; those without a schedule have the planner's."""
    units = [int(unit) for unit in options.units.split(",")]
    for (m, n, k), unit, keep in itertools.product(shapes, units, KEEPS):
        schedules = [""]
        if not options.only_planned:
            for tile, rows, buffers in itertools.product(
                options.tiles, CONDENSED_ROWS, BUFFERS
            ):
                if one := make_schedule(tile, rows, *buffers, keep):
                    schedules.append(one)
        for schedule in schedules:
            yield nm_modules.Product(
                m, n, k, keep, 32, unit_n=unit, feature_major=options.layout == "feature",
                c_feature_major=options.layout_c == "feature", dtype=options.type,
                schedule=schedule,
            )


def compile_product(product, path):
    """Writes a program; what nm-compile said if it refused."""
    import torch

    weight = device_times.make_weight(torch, product)
    (said,) = device_times.compile_programs([product], [path], weight)
    return said


def measure(torch, product, path, cublas):
    """The row of a product."""
    import nm

    program = nm.load(path)
    (reason,) = [one["reason"] for one in program.report["products"]]
    dtype = device_times.get_dtype(torch, product.dtype)
    a = torch.randn(*product.a_shape, device="cuda", dtype=dtype)
    milliseconds, c = device_times.time_program(torch, program, product, a)
    clock = device_times.read_clock(torch)
    weight = device_times.make_weight(torch, product, "cuda")
    dense = device_times.expand(torch, product, weight)
    return {
        "ms": milliseconds, "mhz": clock, "cublas_ms": cublas,
        "over_cublas": round(cublas / milliseconds, 3), "planned": reason,
        "error": device_times.relative_error(product, dense, a, c),
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shapes", nargs="+", help="such as 4096x4096x4096")
    parser.add_argument("--type", choices=["f16", "bf16"], default="f16")
    parser.add_argument("--units", default="32", help="columns of a unit, L (default: 32)")
    parser.add_argument("--layout", choices=["feature", "token"], default="feature",
                        help="of A; feature-major if not given")
    parser.add_argument("--layout-c", choices=["feature", "token"], default="token",
                        help="of C; token-major if not given")
    parser.add_argument("--tiles", type=parse_tiles, default=[*TILES],
                        help=f"of a block; {','.join(TILES)} if not given")
    parser.add_argument("--only-planned", action="store_true")
    options = parser.parse_args()
    import torch

    shapes = [tuple(map(int, shape.split("x"))) for shape in options.shapes]
    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps(about | vars(options)), flush=True)
    cublas = {
        shape: device_times.time_cublas(torch, shape, dtype=options.type) for shape in shapes
    }
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        running = {}
        for i, product in enumerate(list_products(shapes, options)):
            path = pathlib.Path(folder, f"{i}.nm")
            running[pool.submit(compile_product, product, path)] = product, path
        for done in concurrent.futures.as_completed(running):
            product, path = running[done]
            row = {"m": product.m, "n": product.n, "k": product.k, "unit": product.unit_n,
                   "keep": product.keep, "schedule": product.schedule}
            if said := done.result():
                row["failed"] = said
            else:
                shape = product.m, product.n, product.k
                row |= measure(torch, product, path, cublas[shape])
                path.unlink()
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
