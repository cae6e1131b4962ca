#!/usr/bin/env python3
# transpose_times.py - What another order of an array takes next to a copy of its size.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures arrays whose dimensions get another order, next to a copy of as many bytes; needs a
GPU, torch, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: transpose_times.py [--types=bf16] SHAPE[:ORDER]...

A shape is extents with x between, such as 1024x4096, of which those behind a ? are dynamic, such
as ?8x?512x12x64; an order is dimensions, such as 0213, and 10 if not given. Times are of a call
in a CUDA graph of ten, by turns with PyTorch's copy of the array (the device's own, of memory
that follows itself) and PyTorch's own reordering. Prints a line of JSON about the run, and one an
array: microseconds of the three, and of the copy's speed what the reordering has.
"""

import argparse
import collections
import itertools
import json

import decode_times
import device_times
import graph_times

CALLS = 10  # of a graph: a launch behind another

# `shape` are extents, `dynamic` whether each is only known in the call.
Move = collections.namedtuple("Move", "shape dynamic order")


def parse_move(text):
    shape, _, order = text.partition(":")
    words = shape.split("x")
    try:
        extents = tuple(int(word.removeprefix("?")) for word in words)
        dims = tuple(map(int, order or "10"))
    except ValueError:
        extents, dims = (), (0,)
    if sorted(dims) != list(range(len(extents))) or min(extents) < 1:
        raise argparse.ArgumentTypeError(
            f"expected SHAPE[:ORDER], such as 1024x4096 or ?8x?512x12x64:0213, got {text}")
    return Move(extents, tuple(word.startswith("?") for word in words), dims)


def write_module(move, element):
    """A module whose function gives the dimensions of an array another order."""
    extents = ["?" if dynamic else str(one) for one, dynamic in zip(move.shape, move.dynamic)]
    source = "x".join([*extents, element])
    target = "x".join([*(extents[dim] for dim in move.order), element])
    dynamic = [dim for dim in move.order if move.dynamic[dim]]
    sizes = "".join(
        f"  %c{dim} = arith.constant {dim} : index\n"
        f"  %n{dim} = tensor.dim %x, %c{dim} : tensor<{source}>\n"
        for dim in dynamic
    )
    return (
        f"func.func @main(%x: tensor<{source}>) -> tensor<{target}> {{\n{sizes}"
        f"  %e = tensor.empty({', '.join(f'%n{dim}' for dim in dynamic)}) : tensor<{target}>\n"
        f"  %y = linalg.transpose ins(%x : tensor<{source}>) outs(%e : tensor<{target}>)\n"
        f"      permutation = [{', '.join(map(str, move.order))}]\n"
        f"  return %y : tensor<{target}>\n"
        f"}}\n"
    )


def describe(move):
    """The shape and the order of a row."""
    marks = ["?" if dynamic else "" for dynamic in move.dynamic]
    return {"shape": "x".join(f"{mark}{one}" for mark, one in zip(marks, move.shape)),
            "order": "".join(map(str, move.order))}


def measure(torch, program, move, dtype):
    """The row of an array."""
    x = torch.randn(move.shape, device="cuda").to(device_times.get_dtype(torch, dtype))
    turned = x.permute(move.order)
    same, other = torch.empty_like(x), x.new_empty(turned.shape)
    if not torch.equal(program(x)[0], turned):
        raise SystemExit(f"{describe(move)} of {dtype}: it is wrong")
    calls = {
        "transposed_us": lambda: program(x),
        "copied_us": lambda: same.copy_(x),
        "torch_us": lambda: other.copy_(turned),
    }

    def repeat(call):
        for _ in range(CALLS):
            call()

    graphs = [graph_times.capture(torch, lambda call=call: repeat(call)) for call in calls.values()]
    times = [round(us / CALLS, 3) for us in graph_times.time_by_turns(torch, graphs)]
    row = dict(zip(calls, times))
    return row | {"of_copy": round(row["copied_us"] / row["transposed_us"], 3)}


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("moves", nargs="+", type=parse_move, metavar="SHAPE[:ORDER]",
        help="such as 1024x4096, or ?8x?512x12x64:0213")
    add("--types", type=decode_times.parse_types, default=["bf16"], metavar="TYPE,...",
        help="f32, f16, bf16 or i8; bf16 if not given")
    return parser.parse_args()


def main():
    options = parse_options()
    import torch

    import nm

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of transpositions"} | about), flush=True)
    for move, dtype in itertools.product(options.moves, options.types):
        program = nm.compile(nm.Module(write_module(move, dtype)), chip=device_times.CHIP)
        row = describe(move) | {"type": dtype} | measure(torch, program, move, dtype)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
