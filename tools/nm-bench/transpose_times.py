#!/usr/bin/env python3
# transpose_times.py - What a transposition takes next to a copy of its size.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures transpositions of matrices, as a product of many rows needs one of a token-major A,
next to a copy of as many bytes; needs a GPU, torch, and nm as a wheel or by PYTHONPATH and
NM_BIN.

Usage: transpose_times.py [--types=bf16] MxK...

Times are of a call in a CUDA graph of ten, by turns with PyTorch's copy of the matrix (the
device's own, of memory that follows itself) and PyTorch's transposition. Prints a line of JSON
about the run, and one a matrix: microseconds of the three, and of the copy's speed what the
transposition has.
"""

import argparse
import itertools
import json

import decode_times
import device_times
import graph_times

CALLS = 10  # of a graph: a launch behind another


def write_module(m, k, element):
    """A module whose function transposes a matrix."""
    return (
        f"func.func @main(%x: tensor<{m}x{k}x{element}>) -> tensor<{k}x{m}x{element}> {{\n"
        f"  %e = tensor.empty() : tensor<{k}x{m}x{element}>\n"
        f"  %y = linalg.transpose ins(%x : tensor<{m}x{k}x{element}>)\n"
        f"      outs(%e : tensor<{k}x{m}x{element}>) permutation = [1, 0]\n"
        f"  return %y : tensor<{k}x{m}x{element}>\n"
        f"}}\n"
    )


def measure(torch, program, m, k, dtype):
    """The row of a matrix."""
    x = torch.randn(m, k, device="cuda").to(device_times.get_dtype(torch, dtype))
    same, turned = torch.empty_like(x), x.new_empty(k, m)
    if not torch.equal(program(x)[0], x.t()):
        raise SystemExit(f"{m}x{k} of {dtype}: the transposition is wrong")
    calls = {
        "transposed_us": lambda: program(x),
        "copied_us": lambda: same.copy_(x),
        "torch_us": lambda: turned.copy_(x.t()),
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
    add("shapes", nargs="+", type=decode_times.parse_shape, metavar="MxK", help="such as 1024x4096")
    add("--types", type=decode_times.parse_types, default=["bf16"], metavar="TYPE,...",
        help="f32, f16, bf16 or i8; bf16 if not given")
    return parser.parse_args()


def main():
    options = parse_options()
    import torch

    import nm

    about = device_times.describe_device(torch) | device_times.describe_run()
    print(json.dumps({"what": "microseconds of transpositions"} | about), flush=True)
    for (m, k), dtype in itertools.product(options.shapes, options.types):
        module = nm.Module(write_module(m, k, dtype))
        program = nm.compile(module, chip=device_times.CHIP)
        row = {"m": m, "k": k, "type": dtype} | measure(torch, program, m, k, dtype)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
