#!/usr/bin/env python3
# rows_times.py - What a product of any number of rows takes next to those compiled for theirs.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures products with an N:M-sparse weight (M = 32) and a dynamic number of rows, A and C
token-major, for each of several numbers, next to the product that is compiled for that number
and to cuBLAS; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: rows_times.py [--rows=128,512,...] [--types=bf16] [--keeps=16,8] [--units=32,128]
                     [--kernels] NxK...

Times are of a call in a CUDA graph of ten, with random data; those of the dynamic and of the
static product by turns, as the GPU's clock drifts. Prints a line of JSON about the run, and one
a product and number of rows: microseconds of the dynamic and the static product, and of cuBLAS
with the fastest layout of its operands; of both products the error against f64 over sampled
rows. The last line counts the dynamic products that take at most 1.05 of the static one's time,
or 2 us more, and names the furthest; --check=FILE prints it of an earlier run. With --kernels no
launch begins before the one before it has ended, and a line says what each kernel takes.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import multiprocessing
import pathlib
import tempfile

import decode_times
import device_times
import graph_times

ROWS = (128, 200, 512, 1000, 1024, 4096)
CALLS = 10  # of a graph


def compile_group(folder, group):
    """Writes the programs of a product for any number of rows and for each; what nm-compile
    said of each."""
    import torch

    number, products, options = group
    paths = [pathlib.Path(folder, f"{number}-{i}.nm") for i in range(len(products))]
    weight = device_times.make_weight(torch, products[0])
    return device_times.compile_programs(products, paths, weight, options)


def time_call(torch, call):
    """Microseconds of a call."""
    return round(decode_times.time_graph(torch, [call] * CALLS, CALLS), 3)


def time_cublas(torch, product):
    """Microseconds of the dense product with the fastest layout of the operands."""
    element = device_times.get_dtype(torch, product.dtype)
    a = torch.randn(product.m, product.k, device="cuda", dtype=element)
    b = torch.randn(product.k, product.n, device="cuda", dtype=element)
    layouts = [(x, y) for x in (a, a.t().contiguous().t()) for y in (b, b.t().contiguous().t())]
    return min(time_call(torch, lambda x=x, y=y: x @ y) for x, y in layouts)


def measure(torch, programs, product, dense, has_kernels):
    """The row of a number of rows; `programs` are the dynamic and the static one."""
    a = torch.randn(*product.a_shape, device="cuda",
                    dtype=device_times.get_dtype(torch, product.dtype))
    row, graphs = {}, []
    for name, program in zip(("dynamic", "static"), programs):

        def call(program=program):
            for _ in range(CALLS):
                program(a)

        graphs.append(graph_times.capture(torch, call))
        row[f"{name}_error"] = device_times.relative_error(product, dense, a, program(a)[0])
    if has_kernels:
        row["kernels"] = [graph_times.time_kernels(torch, graph) for graph in graphs]
    dynamic, static = graph_times.time_by_turns(torch, graphs)
    return row | {
        "dynamic_us": round(dynamic / CALLS, 3), "static_us": round(static / CALLS, 3)
    }


def summarize(rows):
    """How many dynamic products are as fast as the static ones, and the furthest from it."""

    def get_ratio(row):
        return row["dynamic_us"] / row["static_us"]

    close = [row for row in rows
             if get_ratio(row) <= 1.05 or row["dynamic_us"] <= row["static_us"] + 2]
    furthest = max(rows, key=get_ratio, default={})
    return {"close": len(close), "of": len(rows), "furthest": furthest}


def check(path):
    """The summary of a file that the script wrote."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    print(json.dumps(summarize([row for row in rows if "dynamic_us" in row])))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="*", type=decode_times.parse_shape, metavar="NxK", help="such as 4096x11008")
    add("--rows", type=decode_times.parse_list, default=list(ROWS), metavar="M,...",
        help=f"{','.join(map(str, ROWS))} if not given")
    decode_times.add_product_options(add, ["bf16"], [16, 8], [32, 128])
    add("--kernels", action="store_true",
        help="what each kernel takes, the dynamic product's and the static one's")
    add("--check", type=pathlib.Path, metavar="FILE", help="sum up an earlier run, without a GPU")
    options = parser.parse_args()
    if not options.shapes and not options.check:
        parser.error("expected shapes, such as 4096x11008, or --check=FILE")
    return options


def list_groups(options):
    """(number, [the product of any number of rows, those of each], options of nm-compile)."""
    apart = ["--no-overlap-launches"] if options.kernels else []
    kinds = itertools.product(options.shapes, options.types, options.keeps, options.units)
    for number, ((n, k), dtype, keep, unit) in enumerate(kinds):
        dynamic = decode_times.make_product(None, n, k, keep, unit, dtype, "")
        products = [dynamic, *(dataclasses.replace(dynamic, m=m) for m in options.rows)]
        yield number, products, apart


def main():
    options = parse_options()
    if options.check:
        return check(options.check)
    import torch

    import nm

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of products of any number of rows"} | about), flush=True)
    cublas, times = {}, []
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        for (number, products, _), said in device_times.compile_groups(
                pool, compile_group, folder, list_groups(options), ahead=8):
            paths = [pathlib.Path(folder, f"{number}-{i}.nm") for i in range(len(products))]
            p = products[0]
            row = {"n": p.n, "k": p.k, "type": p.weight_type, "keep": p.keep, "unit": p.unit_n}
            if any(said):
                print(json.dumps(row | {"failed": next(filter(None, said))}), flush=True)
                continue
            weight = device_times.make_weight(torch, p, "cuda")
            dense = device_times.expand(torch, p, weight)
            dynamic, *static = map(nm.load, paths)
            for one, program in zip(products[1:], static):
                shape = (one.m, one.n, one.k)
                if (shape, p.dtype) not in cublas:
                    cublas[shape, p.dtype] = time_cublas(torch, one)
                found = measure(torch, (dynamic, program), one, dense, options.kernels)
                found["cublas_us"] = cublas[shape, p.dtype]
                times.append(row | {"rows": one.m} | found)
                print(json.dumps(times[-1]), flush=True)
            for path in paths:
                path.unlink()
    print(json.dumps(summarize(times)), flush=True)


if __name__ == "__main__":
    main()
