"""Runs nm.spmm and nm.spmv on the CPU, through nm-to-linalg, against numpy in f64.

usage: products.py DIRECTORY [PASS...]

One module a case is written to DIRECTORY: patterns x units x (sizes that divide
| tails), with element types, epilogues, bias, residual, layouts and m varied
along, a scale and a residual that multiplies too; the second result is the
weight, expanded. Every seventh weight is an argument, condensed when the program
runs. The passes run on the module first, after nm-condense-weights.
"""

import math
import pathlib
import subprocess
import sys

import numpy as np

# silu of what is far below zero.
np.seterr(over="ignore")

SEED = 5
PATTERNS = [(1, 2), (2, 4), (8, 32), (5, 7), (3, 10), (6, 0), (4, 4)]
UNITS = [(1, 1), (1, 4), (1, 32), (4, 4)]
# Types of A, of the weight, and of C unless a scale makes floats of integers.
OPERANDS = [
    ("f32", "f32", "f32"),
    ("f16", "f16", "f32"),
    ("f32", "f32", "f16"),
    ("f16", "f16", "f16"),
    ("bf16", "bf16", "bf16"),
    ("i8", "i8", "i32"),
    ("bf16", "i8", "f32"),
    ("f32", "bf16", "bf16"),
    ("f64", "f64", "f64"),
    ("f64", "i8", "f64"),
]
# How numpy holds each: every bf16 is an f32.
HELD = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": np.float32,
    "i8": np.int8,
    "i32": np.int32,
}
EPILOGUES = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "gelu_erf": lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / np.sqrt(2))),
    "gelu_tanh": lambda x: x
    / 2
    * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + np.exp(-x)),
}
TOKEN, FEATURE = "token_major", "feature_major"


def round_bf16(values):
    """To the nearest bf16, ties to even, as f32."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


class Array:
    """Numbers of one of the types above."""

    def __init__(self, values, type):
        self.type = type
        self.data = np.ascontiguousarray(values).astype(HELD[type])
        if type == "bf16":
            self.data = round_bf16(self.data)

    def exact(self):
        return self.data.astype(np.float64)

    def get_type(self):
        extents = [str(extent) for extent in self.data.shape]
        return f"tensor<{'x'.join(extents + [self.type])}>"

    def get_hex(self):
        data = self.data
        if self.type == "bf16":
            data = (data.view(np.uint32) >> 16).astype(np.uint16)
        return data.tobytes().hex().upper()


def make_weight(rng, k, n, pattern, unit):
    """A dense [k, n] weight with random units kept in each window."""
    (keep, window), (unit_k, unit_n) = pattern, unit
    units = -(-k // unit_k)
    window = window or units
    windows, columns = -(-units // window), -(-n // unit_n)
    kept = np.zeros((windows * window, columns), bool)
    for w in range(windows):
        for c in range(columns):
            kept[w * window + rng.choice(window, keep, replace=False), c] = True
    mask = kept.repeat(unit_k, axis=0).repeat(unit_n, axis=1)[:k, :n]
    return np.where(mask, rng.standard_normal((k, n)), -0.0)


class Case:
    """One product: its module, its inputs and its expected result."""

    def __init__(self, rng, number, pattern, unit, tail):
        self.name = f"product{number}"
        self.k, self.n = (67, 35) if tail else (64, 32)
        self.m = 1 if number % 3 == 0 else 5
        self.is_vector = self.m == 1 and not tail
        self.pattern, self.unit = pattern, unit
        self.a_type, self.weight_type, self.c_type = OPERANDS[number % len(OPERANDS)]
        self.has_scale = number % 5 < 2
        if self.has_scale and self.c_type == "i32":
            self.c_type = "f32"
        is_integer = self.c_type == "i32"
        self.epilogue = list(EPILOGUES)[number % (2 if is_integer else 5)]
        self.a_layout = (TOKEN, FEATURE)[number // 3 % 2]
        self.c_layout = (TOKEN, FEATURE)[number // 5 % 2]
        self.at_run_time = number % 7 == 0
        self.combine = ("add", "mul")[number // 4 % 2]
        self.fill(rng, has_bias=number % 3 != 1, has_residual=number % 4 == 0)

    def lay_out(self, matrix, layout):
        if self.is_vector:
            return matrix[0]
        return np.ascontiguousarray(matrix.T if layout == FEATURE else matrix)

    def draw(self, rng, shape, type):
        if type in ("i8", "i32"):
            return Array(rng.integers(-128, 128, shape), type)
        return Array(rng.standard_normal(shape), type)

    def fill(self, rng, has_bias, has_residual):
        weight = make_weight(rng, self.k, self.n, self.pattern, self.unit)
        if self.weight_type == "i8":
            weight = np.clip(np.trunc(weight * 50), -128, 127)
        self.weight = Array(weight, self.weight_type)
        a = self.draw(rng, (self.m, self.k), self.a_type)
        c = a.exact() @ self.weight.exact()
        self.inputs = {"%x": Array(self.lay_out(a.data, self.a_layout), a.type)}
        # Beside floats, of another type than C now and then.
        wide = self.c_type in ("i32", "f64")
        column_type = self.c_type if wide else "f32"
        if self.has_scale:
            # Sums of integers are brought to where activations bend.
            size = 2.0**-10 if self.weight_type == "i8" else 1
            scale = Array(size * rng.standard_normal(self.n), column_type)
            self.inputs["%s"] = scale
            c = c * scale.exact()
        if has_bias:
            self.inputs["%b"] = self.draw(rng, self.n, column_type)
            c = c + self.inputs["%b"].exact()
        c = EPILOGUES[self.epilogue](c)
        if has_residual:
            residual = self.draw(rng, (self.m, self.n), self.c_type)
            self.inputs["%r"] = Array(
                self.lay_out(residual.data, self.c_layout), self.c_type
            )
            add = self.combine == "add"
            c = c + residual.exact() if add else c * residual.exact()
        if self.at_run_time:
            self.inputs["%dense"] = self.weight
        self.expected = Array(self.lay_out(c, self.c_layout), self.c_type)

    def get_module(self):
        (keep, window), (unit_k, unit_n) = self.pattern, self.unit
        dense = self.weight.get_type()
        condensed = (
            f"!nm.condensed<{self.k}x{self.n}x{self.weight_type}, "
            f"#nm.pattern<{keep}:{window or 'all'}, unit = {unit_k}x{unit_n}>>"
        )
        types = {name: array.get_type() for name, array in self.inputs.items()}
        c = self.expected.get_type()
        arguments = ", ".join(f"{name}: {type}" for name, type in types.items())
        lines = [f"func.func @main({arguments}) -> ({c}, {dense}) {{"]
        if not self.at_run_time:
            data = self.weight.get_hex()
            lines.append(f'  %dense = arith.constant dense<"0x{data}"> : {dense}')
        optional = ""
        for word, name in [("scale", "%s"), ("bias", "%b"), ("residual", "%r")]:
            if name in types:
                optional += f" {word}({name} : {types[name]})"
        attributes = f"epilogue = #nm.epilogue<{self.epilogue}>"
        if (self.a_type, self.weight_type) == ("i8", "i8"):
            attributes += ", acc = i32"
        if self.a_type == "f64":
            attributes += ", acc = f64"
        attributes += f", combine = #nm.combine<{self.combine}>"
        if not self.is_vector:
            attributes += f", a_layout = #nm.layout<{self.a_layout}>"
            attributes += f", c_layout = #nm.layout<{self.c_layout}>"
        lines += [
            f"  %w = nm.condense %dense : {dense} -> {condensed}",
            f"  %init = tensor.empty() : {c}",
            f"  %y = nm.{'spmv' if self.is_vector else 'spmm'} %x, %w{optional}"
            f" outs(%init : {c}) {{{attributes}}}"
            f" : {types['%x']}, {condensed} -> {c}",
            f"  %again = nm.expand %w : {condensed} -> {dense}",
            f"  return %y, %again : {c}, {dense}",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def run(self, directory, passes):
        """Returns what went wrong, or nothing."""
        source = directory / f"{self.name}.mlir"
        source.write_text(self.get_module())
        lowered = directory / f"{self.name}.lowered.mlir"
        files = []
        for name, array in self.inputs.items():
            files.append(directory / f"{self.name}.{name[1:]}.npy")
            np.save(files[-1], array.data)
        results = []
        for name, array in [("y", self.expected), ("dense", self.weight)]:
            results.append(directory / f"{self.name}.expected.{name}.npy")
            np.save(results[-1], array.data)
        opt = ["nm-opt", "--nm-condense-weights", *passes, source, "-o", lowered]
        run = ["nm-run", lowered, "--device=cpu"]
        run += [f"--input={file}" for file in files]
        run += [f"--expect={file}" for file in results]
        for command in [opt, run]:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                return f"{source}: {(done.stdout + done.stderr).strip()[-400:]}"
        return ""


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    number = failures = 0
    for pattern in PATTERNS:
        for unit in UNITS:
            for tail in [False, True]:
                number += 1
                problem = Case(rng, number, pattern, unit, tail).run(
                    directory, sys.argv[2:]
                )
                if problem:
                    print("FAILED", problem)
                    failures += 1
    print(f"seed {SEED}: {number} products, {failures} wrong")
    return 1 if failures or number == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
