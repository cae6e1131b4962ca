# weights_files.py - The kind of safetensors files, most of them wrong.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import struct

import numpy

from . import mutate_json
from .kinds import differ
from .outcome import ACCEPTED, WRONG, Case, Outcome
from .tools import Tool

TYPES = ["F32", "F16", "BF16", "F64", "I8", "U8", "BOOL", "I16", "I64", "F8_E4M3", "f32", "F33"]
# The package refuses these files, and nm may read them: nm checks the types and sizes
# only of tensors that the module has, and llvm::json reads numbers with leading zeros
# and halves of surrogates.
LENIENT = re.compile(
    "invalid shape, data type, or offset|overflow computing buffer size|unknown variant|F8_E4M3"
    "|invalid number|unexpected end of hex escape|lone leading surrogate"
)
# Of tensors "w", "v" and "s".
MODULE = """func.func @main() -> (tensor<4x6xf32>, tensor<3x5xf16>, tensor<i64>) {
  %w = arith.constant dense_resource<w> : tensor<4x6xf32>
  %v = arith.constant dense_resource<v> : tensor<3x5xf16>
  %s = arith.constant dense_resource<s> : tensor<i64>
  return %w, %v, %s : tensor<4x6xf32>, tensor<3x5xf16>, tensor<i64>
}
"""
SHAPES = {"w": ("F32", [4, 6], 96), "v": ("F16", [3, 5], 30), "s": ("I64", [], 8)}


def draw_part(rng):
    """What a header may hold somewhere."""
    return rng.choice(
        [
            rng.choice(TYPES),
            [rng.choice([0, 1, 3, 4, 5, 6, 30, 96]) for _ in range(rng.choice([0, 1, 2, 2, 3]))],
            [rng.choice([0, 8, 30, 38, 96, 126, 134]), rng.choice([8, 96, 126, 134, 2**40])],
            rng.choice([0, 8, 30, 96, 126, 134]),
        ]
    )


def make_header(rng):
    names = list(SHAPES)
    rng.shuffle(names)
    header, begin = {}, 0
    for name in names:
        kind, shape, size = SHAPES[name]
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [begin, begin + size]}
        begin += size
    if rng.random() < 0.3:
        header["more"] = {"dtype": "U8", "shape": [4], "data_offsets": [begin, begin + 4]}
        begin += 4
    if rng.random() < 0.3:
        header["__metadata__"] = {"format": "pt"}
    return header, begin


class WeightsFiles(Tool):
    """Weights through nm-run on the CPU; what is accepted must be what the package
    safetensors reads, where there is one."""

    suffix = ".safetensors"

    def __init__(self, worker, directory, paths):
        super().__init__(worker, directory, paths)
        try:
            from safetensors.numpy import load
        except ImportError:
            load = None
            print("no package safetensors: what is accepted is not compared with what it reads")
        self.load = load

    def make(self, rng):
        header, size = make_header(rng)
        text = mutate_json.mutate(header, rng, draw_part)
        text += b" " * rng.choice([0, -len(text) % 8])
        length = len(text) + (rng.choice([-1, 1, 8, 2**40, 2**63]) if rng.random() < 0.05 else 0)
        data = rng.randbytes(max(0, size + (rng.choice([-1, 1, 64]) if rng.random() < 0.05 else 0)))
        whole = struct.pack("<Q", length % 2**64) + text + data
        return Case(whole[: rng.randrange(len(whole))] if rng.random() < 0.03 else whole, {})

    def run(self, case):
        self.clear()
        (self.directory / "in.mlir").write_text(MODULE)
        (self.directory / "w.safetensors").write_bytes(case.text)
        outcome = self.call("run", self.arguments("w.safetensors"))
        return self.compare(case) if self.load and outcome.kind == ACCEPTED else outcome

    def compare(self, case):
        try:
            theirs = self.load(case.text)
        except Exception as error:
            if LENIENT.search(str(error)):
                return Outcome(ACCEPTED)
            return Outcome(WRONG, f"safetensors refuses it: {str(error)[:40]}", str(error))
        for place, name in enumerate(SHAPES):
            ours = numpy.load(self.directory / "results" / f"{place}.npy")
            if name not in theirs:
                return Outcome(WRONG, f"safetensors has no {name}")
            if ours.shape != theirs[name].shape or ours.dtype != theirs[name].dtype:
                return Outcome(WRONG, f"another type or shape of {name} than safetensors'")
            if differ(ours, theirs[name]):
                return Outcome(WRONG, f"other elements of {name} than safetensors'")
        return Outcome(ACCEPTED)

    @staticmethod
    def arguments(weights):
        return ["in.mlir", "--device=cpu", f"--weights={weights}", "--output-dir=results"]

    def command(self, case, name):
        return f"nm-run MODULE --device=cpu --weights={name}   # MODULE: weights_files.py"
