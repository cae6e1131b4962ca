#!/usr/bin/env python3
# llama100.py - The 100 shapes of Llama that NM-SpMM was measured on, next to cuBLAS.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures f32 vector-wise products (M = 32) of NM-SpMM's shapes, or of others, with the
planner's schedules; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: llama100.py [--layout=token] [--table2] [--output=FILE]
       llama100.py --only=4096x4096x4096 --units=8,16,32,64,128 --keeps=16,12,8,4,32
       llama100.py --only=33x4096x4096,1000x4096x4096
       llama100.py --shapes=20 --csr

Prints a line of JSON about the run, and one a point: the planner's reason, milliseconds
(the median of five batches of graphs of several calls, warm), the speedup over SGEMM, of
which the fastest layout of the operands counts, in the same run, the same product by cuBLAS
with TF32, the SM clock in MHz after either, and the relative error against f64 of 32 rows;
with --csr also milliseconds of cuSPARSE's product with the weight's non-zeros in CSR.
Programs are compiled by as many processes as there are cores, in TMPDIR, while others are
measured. The exit status is 1 if a point fails. plot_llama100.py draws the results.
"""

import argparse
import concurrent.futures
import itertools
import json
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

import device_times
import nm_modules
import peers

WINDOW = 32
UNIT_N = 32  # NM-SpMM's
KEEPS = (16, 12, 8, 4)  # as NM-SpMM's were recorded
TOLERANCE = 1e-5
# Groups that are compiled or wait to be measured, beyond those in work: up to 2 GB each.
WAITING = 4


def parse_some(text, allowed):
    numbers = tuple(int(word) for word in text.split(","))
    if not set(numbers) <= set(allowed):
        raise argparse.ArgumentTypeError(f"expected some of {allowed}, got {text}")
    return numbers


def parse_keeps(text):
    return parse_some(text, (*KEEPS, WINDOW))


def parse_units(text):
    return tuple(parse_count(word) for word in text.split(","))


def parse_shape(text):
    words = text.split("x")
    if len(words) != 3 or not all(word.isdigit() and int(word) for word in words):
        raise argparse.ArgumentTypeError(f"expected MxNxK, got {text}")
    return tuple(map(int, words))


def parse_shapes(text):
    return [parse_shape(word) for word in text.split(",")]


def parse_part(text):
    """i/n as a pair."""
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise argparse.ArgumentTypeError(f"expected a part from 1/{parts} on, got {text}")
    return part, parts


def parse_count(text):
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text}")
    return int(text)


def parse_options(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--layout", choices=["feature", "token"], default="feature",
                        help="of A; feature-major if not given")
    parser.add_argument("--keeps", type=parse_keeps, default=KEEPS, metavar="N,...",
                        help="units kept of 32, all of which is dense; 16,12,8,4 if not given")
    parser.add_argument("--units", type=parse_units, default=(UNIT_N,), metavar="L,...",
                        help="columns of a unit; 32 if not given")
    parser.add_argument("--table2", dest="peers", action="store_const", const=peers.TABLE2,
                        default=peers.LLAMA, help="the shapes of the paper's Table II instead")
    parser.add_argument("--shapes", type=parse_count, metavar="N",
                        help="only N shapes, evenly spread")
    parser.add_argument("--only", type=parse_shapes, metavar="MxNxK,...",
                        help="these shapes instead of the paper's")
    parser.add_argument("--part", type=parse_part, default=(1, 1), metavar="i/n",
                        help="only every n-th shape, from the i-th on")
    parser.add_argument("--csr", action="store_true",
                        help="measure cuSPARSE's CSR product, too")
    parser.add_argument("--output", metavar="FILE", help="instead of the standard output")
    return parser.parse_args(arguments)


def choose_shapes(shapes, count, part):
    """`count` of the shapes, the first and the last among them, and of those a part."""
    if count and count < len(shapes):
        step = (len(shapes) - 1) / max(count - 1, 1)
        shapes = [shapes[round(i * step)] for i in range(count)]
    first, parts = part
    return shapes[first - 1 :: parts]


def list_groups(shapes, keeps, layout, units=(UNIT_N,)):
    """Lists of products that share a weight."""
    groups = {}
    for (m, n, k), unit, keep in itertools.product(shapes, units, keeps):
        product = nm_modules.Product(
            m, n, k, keep, WINDOW, unit, feature_major=layout == "feature"
        )
        groups.setdefault((n, k, keep, unit), []).append(product)
    return list(groups.values())


def program_path(folder, product):
    p = product
    return pathlib.Path(folder, f"{p.m}x{p.n}x{p.k}-{p.keep}-{p.unit_n}.nm")


def weight_path(folder, group):
    return program_path(folder, group[0]).with_suffix(".pt")


def compile_group(folder, group):
    """Writes the programs and the weight; what was wrong with each program, or ""."""
    import torch

    weight = device_times.make_weight(torch, group[0])
    torch.save(weight, weight_path(folder, group))
    paths = [program_path(folder, product) for product in group]
    return device_times.compile_programs(group, paths, weight)


class Bench:
    """Measures products on the GPU."""

    def __init__(self, nm, torch, csr=False):
        self.nm, self.torch, self.csr = nm, torch, csr
        self.dense_times = {}

    def time_cublas(self, shape):
        """What a row says of cuBLAS, whose shape is measured once."""
        if shape not in self.dense_times:
            self.dense_times[shape] = {
                "cublas_ms": round(device_times.time_cublas(self.torch, shape), 6),
                "cublas_mhz": device_times.read_clock(self.torch),
                "tf32_ms": round(device_times.time_cublas(self.torch, shape, tf32=True), 6),
            }
        return self.dense_times[shape]

    def measure(self, product, path, dense):
        """What a row says of a product; `dense` is its weight in f64."""
        p = product
        row = dict(self.time_cublas((p.m, p.n, p.k)))
        program = self.nm.load(path)
        (row["planned"],) = [one["reason"] for one in program.report["products"]]
        a = self.torch.randn(*p.a_shape, device="cuda")
        milliseconds, c = device_times.time_program(self.torch, program, p, a)
        row["ms"] = round(milliseconds, 6)
        row["mhz"] = device_times.read_clock(self.torch)
        row["over_cublas"] = round(row["cublas_ms"] / milliseconds, 3)
        if self.csr:
            row["csr_ms"] = round(device_times.time_csr(self.torch, p, dense), 6)
        row["error"] = device_times.relative_error(p, dense, a, c)
        if not row["error"] <= TOLERANCE:  # NaN, too.
            row["failed"] = f"expected an error of at most {TOLERANCE}, got {row['error']:.3g}"
        return row

    def measure_group(self, folder, group, said):
        """A row for each product, also of those that fail."""
        dense = None
        for product, error in zip(group, said):
            path = program_path(folder, product)
            try:
                if error:
                    raise RuntimeError(error)
                if dense is None:
                    weight = self.torch.load(weight_path(folder, group), map_location="cuda")
                    dense = device_times.expand(self.torch, product, weight)
                row = self.measure(product, path, dense)
            except (RuntimeError, self.nm.Error) as failure:
                row = {"failed": str(failure)}
            path.unlink(missing_ok=True)
            yield {"m": product.m, "n": product.n, "k": product.k, "keep": product.keep,
                   "unit": product.unit_n} | row
        weight_path(folder, group).unlink(missing_ok=True)


def describe_run(torch, options):
    """The line about the run."""
    return {
        "what": "f32 products, L = `unit`, M = 32, `keep` of 32, over cuBLAS in the same run",
        **device_times.describe_device(torch),
        **device_times.describe_run(),
        "peers": options.peers, "layout": options.layout, "keeps": options.keeps,
        "units": options.units,
    }


def run(bench, groups, folder, pool, write):
    """Measures all groups; how many points failed."""
    start, total, done, failed = time.monotonic(), sum(map(len, groups)), 0, 0
    ahead = os.cpu_count() + WAITING
    for group, said in device_times.compile_groups(pool, compile_group, folder, groups, ahead):
        for row in bench.measure_group(folder, group, said):
            write(row)
            done += 1
            if "failed" in row:
                failed += 1
                print(f"failed: {json.dumps(row)}", file=sys.stderr)
        seconds = time.monotonic() - start
        print(f"{done} of {total} points, {seconds:.0f} s", file=sys.stderr, flush=True)
    return failed


def main():
    options = parse_options()
    import nm
    import torch

    shapes = options.only or peers.read_shapes(options.peers)
    shapes = choose_shapes(shapes, options.shapes, options.part)
    groups = list_groups(shapes, options.keeps, options.layout, options.units)
    spawn = multiprocessing.get_context("spawn")
    with (
        open(options.output or sys.stdout.fileno(), "w", encoding="ascii") as file,
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        def write(row):
            print(json.dumps(row), file=file, flush=True)

        write(describe_run(torch, options))
        sys.exit(1 if run(Bench(nm, torch, options.csr), groups, folder, pool, write) else 0)


if __name__ == "__main__":
    main()
