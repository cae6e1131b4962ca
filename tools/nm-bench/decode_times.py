#!/usr/bin/env python3
# decode_times.py - What products of few rows take, as in decoding, next to cuBLAS.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures products of few rows with an N:M-sparse weight (M = 32), and dense ones by cuBLAS,
whose operands come from DRAM; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: decode_times.py [--rows=1,8] [--types=f32,f16] [--keeps=16,8,4,3] [--units=1,32] NxK...

Type i8 is an f16 product whose weight is i8 with a scale a column; dense, that of f16.

Cold: a CUDA graph of R launches, each with a copy of all operands of its own, which take 256 MB
together, so that L2 holds none of them when it is read; the median of 20 replays, after others
of 50 ms together, over R. Warm: the same launches on one copy. No kernel begins before the one before it has ended
(--no-overlap-launches). Of the dense product, the fastest layout of the weight counts. Prints a
line of JSON about the run, and one a product: microseconds, the bytes of a copy, and the error
against f64 over sampled rows.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import multiprocessing
import pathlib
import statistics
import tempfile

import device_times
import llama100
import nm_modules
import numpy as np

WINDOW = 32
COLD_BYTES = 256 << 20
REPLAYS = 20
WARM_UP_MS = 50
PRODUCTS = 32  # of a program at most; more copies take several programs
ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2, "i8": 1}


def count_copies(size):
    """How many operands of `size` bytes L2 cannot keep."""
    return max(2, math.ceil(COLD_BYTES / size))


def count_bytes(p):
    """The operands and the result of a sparse product, as its module has them."""
    weight = p.condensed_rows * p.n * ELEMENT_BYTES[p.weight_type]
    activations = (p.m or 0) * (p.n + p.k) * ELEMENT_BYTES[p.dtype]
    positions = p.windows * p.keep * p.unit_columns
    return weight + activations + positions * np.dtype(p.index_type).itemsize


def split_copies(copies):
    """(products of a program, programs) for at least so many copies."""
    loads = math.ceil(copies / PRODUCTS)
    return math.ceil(copies / loads), loads


def vary(product, tensor, number):
    """A weight's part with its windows, and past them its columns, further on by `number`: equal
    constants would be one on the device, those of another program too."""
    rows = tensor.shape[0] // product.windows
    columns = max(1, tensor.shape[1] // product.unit_columns)
    turns, windows = divmod(number, product.windows)
    return tensor.roll((windows * rows, turns * columns), (0, 1))


def name_load(path, load):
    """The program that is loaded as the so-manieth of the cold run."""
    return path.with_suffix(f".{load}.nm")


def compile_copies(product, path):
    """Writes the programs of the cold run and one of one product; what nm-compile said."""
    import torch
    from nm.numbers.weights import write_weights

    weight = device_times.make_weight(torch, product)
    copies, loads = split_copies(count_copies(count_bytes(product)))
    data = path.with_suffix(".safetensors")
    programs = [(name_load(path, load), load * copies, copies) for load in range(loads)]
    for file, first, count in [(path, 0, 1), *programs]:
        names = [""] if count == 1 else range(count)
        write_weights({
            name.replace("w", f"w{copy}", 1): vary(product, tensor, first + i)
            for i, copy in enumerate(names) for name, tensor in weight.items()
        }, data)
        if said := device_times.compile_program(
            product, file, data, ["--no-overlap-launches"], count):
            break
    data.unlink()
    return said


def time_graph(torch, calls, launches):
    """Microseconds of a launch in a graph of all `calls`, replayed until what ran before, such as
    cuBLAS, is no longer felt: of some GB that are read after it, launches take an eighth more."""
    for call in calls:
        call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def replay():
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    warm_up = 0
    while warm_up < WARM_UP_MS:
        warm_up += replay()
    return 1000 * statistics.median(replay() for _ in range(REPLAYS)) / launches


def time_dense(torch, shape, dtype):
    """(cold, warm) microseconds of the dense product."""
    m, n, k = shape
    element = device_times.get_dtype(torch, dtype)
    copies = count_copies((k * n + m * (n + k)) * ELEMENT_BYTES[dtype])
    xs = [torch.randn(m, k, device="cuda", dtype=element) for _ in range(copies)]
    weights = [torch.randn(k, n, device="cuda", dtype=element) for _ in range(copies)]

    def measure(weights):
        cold = [lambda x=x, w=w: x @ w for x, w in zip(xs, weights)]
        return time_graph(torch, cold, copies), time_graph(torch, cold[:1] * copies, copies)

    rows = measure(weights)
    columns = measure([w.t().contiguous().t() for w in weights])
    return tuple(map(min, rows, columns))


def load_programs(product, path):
    """The programs of the cold run."""
    import nm

    _, loads = split_copies(count_copies(count_bytes(product)))
    return [nm.load(name_load(path, load)) for load in range(loads)]


def make_calls(torch, product, programs, shape):
    """(calls of the cold run's programs with an A of `shape` for each copy, their launches)."""
    element = device_times.get_dtype(torch, product.dtype)
    copies, loads = split_copies(count_copies(count_bytes(product)))
    calls = []
    for program in programs:
        a = [torch.randn(*shape, device="cuda", dtype=element) for _ in range(copies)]
        calls.append(lambda program=program, a=a: program(*a))
    return calls, copies * loads


def measure(torch, product, path):
    """The row of a product."""
    import nm

    programs = load_programs(product, path)
    cold, launches = make_calls(torch, product, programs, product.a_shape)
    row = {"bytes": count_bytes(product), "copies": launches,
           "cold_us": time_graph(torch, cold, launches)}
    element = device_times.get_dtype(torch, product.dtype)
    one, a = nm.load(path), torch.randn(*product.a_shape, device="cuda", dtype=element)
    row["warm_us"] = time_graph(torch, [lambda: one(a)] * launches, launches)
    weight = device_times.make_weight(torch, product, "cuda")
    dense = device_times.expand(torch, product, weight)
    c, rows = one(a)[0], (product.m, -1)
    row["error"] = device_times.relative_error(product, dense, a.view(rows), c.view(rows))
    (row["planned"],) = [one["reason"] for one in one.report["products"]]
    return row


def parse_shape(text):
    """(n, k) of NxK."""
    words = text.split("x")
    if len(words) != 2:
        raise argparse.ArgumentTypeError(f"expected NxK, such as 8192x8192, got {text}")
    return tuple(map(llama100.parse_count, words))


def parse_list(text):
    return [llama100.parse_count(one) for one in text.split(",")]


def parse_types(text):
    types = text.split(",")
    if unknown := set(types) - set(ELEMENT_BYTES):
        raise argparse.ArgumentTypeError(
            f"expected f32, f16, bf16 or i8, got {', '.join(unknown)}")
    return types


def add_product_options(add, types, keeps, units):
    """The options for kinds of products, with the defaults of a script."""

    def join(values):
        return ",".join(map(str, values))

    add("--types", type=parse_types, default=types, metavar="TYPE,...",
        help=f"{join(types)} if not given")
    add("--keeps", type=parse_list, default=keeps, metavar="N,...",
        help=f"units kept of {WINDOW}; {join(keeps)} if not given")
    add("--units", type=parse_list, default=units, metavar="L,...",
        help=f"columns of a unit; {join(units)} if not given")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("shapes", nargs="+", type=parse_shape, metavar="NxK", help="such as 8192x8192")
    add("--rows", type=parse_list, default=[1, 8], metavar="M,...", help="1,8 if not given")
    add_product_options(add, ["f32", "f16"], [16, 8, 4, 3], [1, 32])
    add("--schedule", default="", help="a #nm.schedule instead of the planner's")
    return parser.parse_args()


def make_product(m, n, k, keep, unit, dtype, schedule):
    types = {"dtype": "f16", "weight_dtype": "i8"} if dtype == "i8" else {"dtype": dtype}
    return nm_modules.Product(m, n, k, keep, WINDOW, unit, schedule=schedule, **types)


def list_products(options):
    return [
        make_product(m, n, k, keep, unit, dtype, options.schedule)
        for (n, k), dtype, m, keep, unit in itertools.product(
            options.shapes, options.types, options.rows, options.keeps, options.units)
    ]


def compile_group(folder, group):
    """As compile_copies, of one product with its number."""
    ((number, product),) = group
    return [compile_copies(product, pathlib.Path(folder, f"{number}.nm"))]


def main():
    options = parse_options()
    import torch

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of products of few rows"} | about), flush=True)
    dense = {}
    spawn = multiprocessing.get_context("spawn")
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ProcessPoolExecutor(mp_context=spawn) as pool,
    ):
        groups = ([one] for one in enumerate(list_products(options)))
        for ((number, p),), (said,) in device_times.compile_groups(
                pool, compile_group, folder, groups, ahead=8):
            row = {"m": p.m, "n": p.n, "k": p.k, "type": p.weight_type, "keep": p.keep,
                   "unit": p.unit_n}
            path = pathlib.Path(folder, f"{number}.nm")
            if said:
                row["failed"] = said
            else:
                shape = (p.m, p.n, p.k)
                if (shape, p.dtype) not in dense:
                    dense[shape, p.dtype] = time_dense(torch, shape, p.dtype)
                row |= measure(torch, p, path)
                row["dense_cold_us"], row["dense_warm_us"] = dense[shape, p.dtype]
            for file in path.parent.glob(f"{number}.*"):
                file.unlink()
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
