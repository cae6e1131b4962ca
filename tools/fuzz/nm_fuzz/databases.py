# databases.py - The kind of tuning databases, most of them wrong.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy

from . import mutate_json
from .exact import TYPES, Exact, make_case, make_input, make_weight
from .outcome import Case
from .schedules import KINDS, draw_schedule

MODULE = """func.func @main(%x: tensor<{m}x{k}x{type}>) -> tensor<{m}x{n}xf32> {{
  %d = arith.constant dense_resource<w> : tensor<{k}x{n}x{type}>
  %w = nm.condense %d : tensor<{k}x{n}x{type}> -> {condensed}
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %y = nm.spmm %x, %w outs(%e : tensor<{m}x{n}xf32>) : tensor<{m}x{k}x{type}>, {condensed} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}"""
# Texts of attributes that MLIR's parser knows, and texts that it does not.
ATTRIBUTES = [
    "#nm.pattern<2:4>", "#nm.pattern<0:0>", "#nm.pattern<4:2>", "#nm.pattern<2:4, unit = 1x0>", "#nm.layout<token_major>",
    "#nm.pattern<99999999999999999999:4>", "dense<0> : tensor<99999999999xi64>", "affine_map<(d0) -> (d0 floordiv 0)>",
    "#nm.schedule<", "#nm.schedule<>", "#nm.schedule<kind = #nm.fma<>, block = []>", "i99999999", "f32 f32", "tensor<4xf32>",
    "f8E4M3FN", "#unknown.attribute", "dense_resource<x> : tensor<4xf32>", "!nm.condensed<4x4xf32, #nm.pattern<2:4>>",
]  # fmt: skip


def draw_part(rng):
    """What a database may hold somewhere."""
    kind, arguments, rows, columns, _ = rng.choice(KINDS)
    schedule = draw_schedule(rng, kind, arguments, rows, columns, rng.choice([4, 32]))
    place = rng.randrange(len(schedule))
    cut = schedule[:place] + rng.choice(mutate_json.TOKENS) + schedule[place + rng.randrange(3) :]
    return rng.choice([schedule, cut, rng.choice(ATTRIBUTES), rng.choice(mutate_json.SCALARS)])


class Databases(Exact):
    """A product with a database that names it; whatever is chosen is numpy's product."""

    suffix = ".json"

    def make(self, rng):
        kind, arguments, rows, columns, types = rng.choice(KINDS)
        (keep, window), unit, name = rng.choice([(2, 4), (8, 32)]), rng.choice([1, 32]), rng.choice(types)
        m, n, k = rng.choice([1, 8, 64]), rng.choice([32, 128]), 2 * window
        product = {
            "chip": "sm_90", "m": m, "n": n, "k": k, "pattern": f"#nm.pattern<{keep}:{window}, unit = 1x{unit}>",
            "weight_type": name, "a_type": name, "sum_type": "f32", "c_type": "f32",
            "a_layout": "token_major", "c_layout": "token_major",
        }  # fmt: skip
        measurements = [
            {
                "schedule": draw_schedule(rng, kind, arguments, rows, columns, window), "microseconds": rng.random(),
                "gpu": "H", "driver": "1", "date": "2026-11-28T00:00:00Z", "commit": "0",
            }
            for _ in range(rng.randint(1, 3))
        ]  # fmt: skip
        database = {"version": 1, "entries": [{"product": product, "measurements": measurements}]}
        generator = numpy.random.default_rng(rng.getrandbits(32))
        weight = make_weight(generator, k, n, keep, window, unit, TYPES[name])
        x = make_input(generator, (m, k), TYPES[name])
        condensed = f"!nm.condensed<{k}x{n}x{name}, {product['pattern']}>"
        module = MODULE.format(m=m, n=n, k=k, type=name, condensed=condensed)
        case = make_case(module, weight, x, x.astype(numpy.float32) @ weight.astype(numpy.float32))
        text = mutate_json.mutate(database, rng, draw_part)
        return Case(text, {"module": case.text.decode(), **case.settings})

    def write(self, case):
        super().write(case)
        (self.directory / "in.mlir").write_text(case.settings["module"])
        (self.directory / "tuning.json").write_bytes(case.text)

    def arguments(self, name, device):
        # The CPU obeys no schedule, and reads no database.
        options = [] if device == "cpu" else ["--chip=sm_90", "--pipeline-options=tuning-database=tuning.json"]
        return super().arguments("in.mlir", device) + options
