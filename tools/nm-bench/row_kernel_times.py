#!/usr/bin/env python3
# row_kernel_times.py - What kernels of rows take next to a copy and PyTorch's compiled ones.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures sums, softmax, LayerNorm, RMSNorm and GELU of arrays of rows x columns, next to a
copy of as many bytes and to what torch.compile makes of PyTorch's; needs a GPU, torch, and nm as
a wheel or by PYTHONPATH and NM_BIN.

Usage: row_kernel_times.py [--sample=60] [--seed=1] [--ops=sum,softmax,...] [--no-compiled]
                           [--dynamic=rows|all]
       row_kernel_times.py --check=FILE

Of all rows, columns and types below, up to 2 GB, a sample is taken; nm's kernels may be of any
number of rows, or of rows and columns (--dynamic). Times are of a call in a CUDA
graph, by turns. Bytes are those of the array and the result; a copy reads half of them and writes
as many. Prints a line of JSON about the run, and one a kernel: microseconds of nm's, of the copy
and of the compiled one, and the error against f64. The last line counts the kernels of at least
8 MB that have at least .85 of a copy's speed, and those that are at most 5 % slower than the
compiled ones, and names the furthest of both; --check prints it of an earlier run.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random

import device_times
import graph_times

ROWS = (1, 32, 4096, 65536)
COLUMNS = (128, 768, 4096, 16384, 50257)
TYPES = ("f32", "f16", "bf16")
MOST_BYTES = 2 << 30  # of an array and its result
LARGE_BYTES = 8 << 20  # from here on a copy's speed is asked for
SHARE = 0.85  # of a copy's speed that is asked for
# A graph has calls for so many microseconds, as a replay itself takes some.
GRAPH_US = 200
MOST_CALLS = 50
BYTES_PER_US = 3e6  # of an H200's memory: from which the calls of a graph are guessed

# What is computed of an element %a in f32, of reductions of the row, as lines of a body.
# Reductions are linalg.generic, each of which reads what the ones before gave.
SUM, MAX = ("arith.addf", "0.0"), ("arith.maximumf", "0xFF800000")


def reduce(name, kind, body, inputs=()):
    """A reduction of the row: `body` gives %v of %a and of `inputs`, earlier ones."""
    return name, kind, body, inputs


OPS = {
    "sum": ([reduce("s", SUM, "%v = arith.addf %a, %zero : f32")], None, ()),
    "softmax": (
        [reduce("m", MAX, "%v = arith.addf %a, %zero : f32"),
         reduce("s", SUM, "%d = arith.subf %a, %m : f32\n%v = math.exp %d : f32", ("m",))],
        "%d = arith.subf %a, %m : f32\n%e = math.exp %d : f32\n%r = arith.divf %e, %s : f32", ()),
    "layer_norm": (
        [reduce("s", SUM, "%v = arith.addf %a, %zero : f32"),
         reduce("q", SUM, "%u = arith.divf %s, %n : f32\n%d = arith.subf %a, %u : f32\n"
                          "%v = arith.mulf %d, %d : f32", ("s",))],
        "%u = arith.divf %s, %n : f32\n%d = arith.subf %a, %u : f32\n"
        "%p = arith.divf %q, %n : f32\n%t = arith.addf %p, %eps : f32\n"
        "%i = math.rsqrt %t : f32\n%x = arith.mulf %d, %i : f32\n"
        "%y = arith.mulf %x, %w : f32\n%r = arith.addf %y, %b : f32", ("w", "b")),
    "rms_norm": (
        [reduce("q", SUM, "%v = arith.mulf %a, %a : f32")],
        "%p = arith.divf %q, %n : f32\n%t = arith.addf %p, %eps : f32\n"
        "%i = math.rsqrt %t : f32\n%x = arith.mulf %a, %i : f32\n"
        "%r = arith.mulf %x, %w : f32", ("w",)),
    "gelu": (
        [],
        "%h = arith.mulf %a, %half : f32\n%x = arith.mulf %a, %root : f32\n"
        "%e = math.erf %x : f32\n%f = arith.addf %e, %one : f32\n%r = arith.mulf %h, %f : f32", ()),
}


def make_function(torch, op, columns):
    """PyTorch's function of the array and of the weights that the op has."""
    functional = torch.nn.functional
    shape = (columns,)
    return {
        "sum": lambda x: x.sum(-1),
        "softmax": lambda x: torch.softmax(x, -1),
        "layer_norm": lambda x, w, b: functional.layer_norm(x, shape, w, b),
        "rms_norm": lambda x, w: functional.rms_norm(x, shape, w, 1e-5),
        "gelu": functional.gelu,
    }[op]


class Writer:
    """The text of a function that computes an op, as linalg on tensors; `dynamic` is "", or
    "rows" or "all" where only the call knows the extents."""

    def __init__(self, op, rows, columns, element, dynamic=""):
        self.reductions, self.result, self.weights = OPS[op]
        m = "?" if dynamic else rows
        n = "?" if dynamic == "all" else columns
        self.element, self.array = element, f"tensor<{m}x{n}x{element}>"
        self.weight, self.row = f"tensor<{n}x{element}>", f"tensor<{m}x1xf32>"
        self.sums = f"tensor<{m}x{element}>"
        self.of_rows = "%rows" if dynamic else ""
        self.of_all = {"rows": "%rows", "all": "%rows, %columns"}.get(dynamic, "")
        self.lines = [
            "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index",
            f"%rows = tensor.dim %in, %c0 : {self.array}",
            f"%columns = tensor.dim %in, %c1 : {self.array}",
            "%zero = arith.constant 0.0 : f32", "%one = arith.constant 1.0 : f32",
            "%half = arith.constant 0.5 : f32", "%root = arith.constant 0.70710678 : f32",
            f"%n = arith.constant {columns}.0 : f32", "%eps = arith.constant 1.0e-5 : f32",
        ]

    def widen(self, name, wide):
        """The line that gives %wide in f32 of %name."""
        if self.element == "f32":
            return f"%{wide} = arith.addf %{name}, %minus : f32"
        return f"%{wide} = arith.extf %{name} : {self.element} to f32"

    def generic(self, result, inputs, out, body, is_reduction):
        """Appends %result; `inputs` and `out` are (name, map, type)."""
        maps = ", ".join(f"affine_map<(i, j) -> ({place})>" for _, place, _ in (*inputs, out))
        kinds = '"parallel", "reduction"' if is_reduction else '"parallel", "parallel"'
        self.lines.append(
            f"%{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({', '.join(f'%{name}' for name, _, _ in inputs)} : "
            f"{', '.join(type for _, _, type in inputs)}) outs(%{out[0]} : {out[2]}) {{\n{body}\n"
            f"}} -> {out[2]}")

    def reduce(self, name, kind, body, others):
        op, init = kind
        self.lines += [
            f"%{name}_c = arith.constant {init} : f32",
            f"%{name}_e = tensor.empty({self.of_rows}) : {self.row}",
            f"%{name}_f = linalg.fill ins(%{name}_c : f32) outs(%{name}_e : {self.row}) "
            f"-> {self.row}",
        ]
        inputs = [("in", "i, j", self.array)]
        inputs += [(f"{other}_r", "i, 0", self.row) for other in others]
        arguments = [f"%in_a: {self.element}", *(f"%{other}: f32" for other in others), "%o: f32"]
        self.generic(
            f"{name}_r", inputs, (f"{name}_f", "i, 0", self.row),
            f"^bb0({', '.join(arguments)}):\n{self.widen('in_a', 'a')}\n{body}\n"
            f"%z = {op} %v, %o : f32\nlinalg.yield %z : f32", True)

    def write(self):
        for one in self.reductions:
            self.reduce(*one)
        names = [name for name, *_ in self.reductions]
        narrow = f"%z = arith.truncf %r : f32 to {self.element}\nlinalg.yield %z : {self.element}"
        if self.element == "f32":
            narrow = "linalg.yield %r : f32"
        if self.result is None:
            # A sum alone: of the row, in the array's type.
            type, inputs = self.sums, [("s_r", "i, 0", self.row)]
            self.lines.append(f"%empty = tensor.empty({self.of_rows}) : {type}")
            self.lines.append(
                "%res = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 0)>, "
                'affine_map<(i) -> (i)>], iterator_types = ["parallel"]} '
                f"ins(%s_r : {self.row}) outs(%empty : {type}) {{\n^bb0(%r: f32, %o: {self.element}):\n"
                f"{narrow}\n}} -> {type}")
        else:
            type = self.array
            inputs = [("in", "i, j", self.array)]
            inputs += [(f"{name}_r", "i, 0", self.row) for name in names]
            inputs += [(f"{name}_in", "j", self.weight) for name in self.weights]
            arguments = [f"%in_a: {self.element}", *(f"%{name}: f32" for name in names),
                         *(f"%{name}_a: {self.element}" for name in self.weights),
                         f"%o: {self.element}"]
            wide = "\n".join(self.widen(f"{name}_a", name) for name in self.weights)
            self.lines.append(f"%empty = tensor.empty({self.of_all}) : {type}")
            self.generic("res", inputs, ("empty", "i, j", type),
                         f"^bb0({', '.join(arguments)}):\n{self.widen('in_a', 'a')}\n{wide}\n"
                         f"{self.result}\n{narrow}", False)
        arguments = [f"%in: {self.array}", *(f"%{name}_in: {self.weight}" for name in self.weights)]
        body = "\n".join(self.lines)
        return (f"func.func @main({', '.join(arguments)}) -> {type} {{\n"
                f"%minus = arith.constant -0.0 : f32\n{body}\nreturn %res : {type}\n}}\n")


def count_bytes(op, rows, columns, element):
    """Of the array and the result."""
    size = 4 if element == "f32" else 2
    return size * rows * (columns + (1 if op == "sum" else columns))


def sample(options):
    """The kernels that are measured: (op, rows, columns, element)."""
    kernels = [one for one in itertools.product(options.ops, ROWS, COLUMNS, TYPES)
               if count_bytes(*one) <= MOST_BYTES]
    random.Random(options.seed).shuffle(kernels)
    return sorted(kernels[: options.sample], key=lambda one: count_bytes(*one))


def compile_kernel(kernel, dynamic=""):
    import nm
    from nm.runtime.compiler import compile_program

    module = nm.Module(Writer(*kernel, dynamic).write())
    return compile_program(module, [f"--chip={device_times.CHIP}"])


def measure(torch, kernel, program, has_compiled):
    """The line of a kernel."""
    op, rows, columns, element = kernel
    dtype = device_times.get_dtype(torch, element)
    count = count_bytes(*kernel)
    arrays = [torch.randn(rows, columns, device="cuda", dtype=dtype)]
    arrays += [torch.randn(columns, device="cuda", dtype=dtype) for _ in OPS[op][2]]
    function = make_function(torch, op, columns)
    (y,) = program(*arrays)
    some = slice(0, 64)  # of the rows: f64 of all may not fit
    exact = function(arrays[0][some].double(), *(one.double() for one in arrays[1:]))
    error = float((y[some].double() - exact).norm() / exact.norm().clamp_min(1e-30))
    half = torch.empty(count // 2, dtype=torch.uint8, device="cuda")
    other = torch.empty_like(half)
    calls = {"nm_us": lambda: program(*arrays), "copy_us": lambda: other.copy_(half)}
    if has_compiled:
        torch._dynamo.reset()
        compiled = torch.compile(function, fullgraph=True, dynamic=False)
        calls["compiled_us"] = lambda: compiled(*arrays)
    number = max(1, min(MOST_CALLS, int(GRAPH_US / max(count / BYTES_PER_US, 1))))

    def repeat(call):
        for _ in range(number):
            call()

    graphs = [graph_times.capture(torch, lambda call=call: repeat(call))
              for call in calls.values()]
    times = [round(one / number, 3) for one in graph_times.time_by_turns(torch, graphs)]
    row = {"op": op, "rows": rows, "columns": columns, "type": element, "bytes": count}
    return row | dict(zip(calls, times)) | {"error": error}


def summarize(rows):
    """The counts of the last line, and the furthest kernels."""
    large = [row for row in rows if row["bytes"] >= LARGE_BYTES]
    compared = [row for row in rows if "compiled_us" in row]

    def get_share(row):
        return row["copy_us"] / row["nm_us"]

    def get_ratio(row):
        return row["nm_us"] / row["compiled_us"]

    return {
        "at_copy_speed": sum(get_share(row) >= SHARE for row in large), "large": len(large),
        "slowest": min(large, key=get_share, default={}),
        "as_compiled": sum(get_ratio(row) <= 1.05 for row in compared), "compared": len(compared),
        "furthest": max(compared, key=get_ratio, default={}),
    }


def check(path):
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    print(json.dumps(summarize([row for row in rows if "nm_us" in row])))


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--sample", type=int, default=60, metavar="N", help="kernels that are measured (60)")
    add("--seed", type=int, default=1, help="of the sample (1)")
    add("--ops", type=lambda text: text.split(","), default=list(OPS), metavar="OP,...",
        help=", ".join(OPS))
    add("--no-compiled", action="store_true", help="leave torch.compile out, which takes long")
    add("--dynamic", choices=("rows", "all"), default="",
        help="compile nm's kernels for any number of rows, or of rows and columns")
    add("--check", type=pathlib.Path, metavar="FILE", help="sum up an earlier run, without a GPU")
    options = parser.parse_args()
    unknown = [op for op in options.ops if op not in OPS]
    if unknown:
        parser.error(f"expected ops of {', '.join(OPS)}; got {', '.join(unknown)}")
    return options


def main():
    options = parse_options()
    if options.check:
        return check(options.check)
    import torch

    torch.set_grad_enabled(False)
    about = device_times.describe_device(torch) | device_times.describe_run()
    about |= {"dynamic": options.dynamic} if options.dynamic else {}
    print(json.dumps({"what": "microseconds of kernels of rows"} | about), flush=True)
    kernels, rows = sample(options), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = pool.map(lambda kernel: compile_kernel(kernel, options.dynamic), kernels)
        for kernel, program in zip(kernels, programs):
            rows.append(measure(torch, kernel, program, not options.no_compiled))
            print(json.dumps(rows[-1]), flush=True)
    print(json.dumps(summarize(rows)), flush=True)


if __name__ == "__main__":
    main()
