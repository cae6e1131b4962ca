#!/usr/bin/env python3
# rows_times.py - What a product of any number of rows takes next to those compiled for theirs.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures products with an N:M-sparse weight (M = 32) and a dynamic number of rows, A and C
token-major, for each of several numbers, next to the product that is compiled for that number
and to cuBLAS; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: rows_times.py [--rows=128,512,...] [--types=bf16] [--keeps=16,8] [--units=32,128] NxK...

Times are of a call in a CUDA graph of up to ten, with random data. Prints a line of JSON about
the run, and one a product and number of rows: microseconds of the dynamic and the static
product, and of cuBLAS with the fastest layout of its operands; of both products the error
against f64 over sampled rows.
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

ROWS = (128, 200, 512, 1000, 1024, 4096)


def compile_group(folder, group):
    """Writes the programs of a product for any number of rows and for each; what nm-compile
    said of each."""
    import torch

    number, products = group
    paths = [pathlib.Path(folder, f"{number}-{i}.nm") for i in range(len(products))]
    weight = device_times.make_weight(torch, products[0])
    return device_times.compile_programs(products, paths, weight)


def measure(torch, programs, product, dense):
    """The row of a number of rows; `programs` are the dynamic and the static one."""
    a = torch.randn(*product.a_shape, device="cuda",
                    dtype=device_times.get_dtype(torch, product.dtype))
    row = {}
    for name, program in zip(("dynamic", "static"), programs):
        milliseconds, c = device_times.time_program(torch, program, product, a)
        row[f"{name}_us"] = 1000 * milliseconds
        row[f"{name}_error"] = device_times.relative_error(product, dense, a, c)
    return row


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="+", type=decode_times.parse_shape, metavar="NxK", help="such as 4096x11008")
    add("--rows", type=decode_times.parse_list, default=list(ROWS), metavar="M,...",
        help=f"{','.join(map(str, ROWS))} if not given")
    add("--types", type=decode_times.parse_types, default=["bf16"], metavar="TYPE,...",
        help="bf16 if not given")
    add("--keeps", type=decode_times.parse_list, default=[16, 8], metavar="N,...",
        help="units kept of 32; 16,8 if not given")
    add("--units", type=decode_times.parse_list, default=[32, 128], metavar="L,...",
        help="columns of a unit; 32,128 if not given")
    return parser.parse_args()


def list_groups(options):
    """(number, [the product of any number of rows, those of each])."""
    kinds = itertools.product(options.shapes, options.types, options.keeps, options.units)
    for number, ((n, k), dtype, keep, unit) in enumerate(kinds):
        dynamic = decode_times.make_product(None, n, k, keep, unit, dtype, "")
        yield number, [dynamic, *(dataclasses.replace(dynamic, m=m) for m in options.rows)]


def main():
    options = parse_options()
    import torch

    import nm

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of products of any number of rows"} | about), flush=True)
    cublas = {}
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        for (number, products), said in device_times.compile_groups(
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
                    cublas[shape, p.dtype] = 1000 * device_times.time_cublas(
                        torch, shape, dtype=p.dtype)
                found = measure(torch, (dynamic, program), one, dense)
                found["cublas_us"] = cublas[shape, p.dtype]
                print(json.dumps(row | {"rows": one.m} | found), flush=True)
            for path in paths:
                path.unlink()


if __name__ == "__main__":
    main()
