# schedules.py - The kind of products with schedules as somebody might write them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A constant weight with a pattern, A of any strides in front of it, and a schedule
# whose numbers are drawn one by one. Data are small integers, so that results are
# exact: whatever is accepted has to be numpy's product, to the bit.

import numpy

from .outcome import ACCEPTED, REFUSED, WRONG, Case, Outcome
from .tools import Tool

# Kinds with arguments that fit each other: rows and columns of their block, types.
KINDS = [
    ("fma", "warps = [1, 2], lanes = [8, 4], thread = [4, 8]", 32, 64, ("f32",)),
    ("fma", "warps = [1, 4], lanes = [8, 4], thread = [8, 8]", 64, 128, ("f32", "f16")),
    ("gemv", "warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]", 1, 32, ("f32",)),
    ("gemv", "warps = [4, 1], lanes = [4, 8], thread = [8, 1, 8]", 8, 16, ("f32", "f16")),
    ("gemv", "warps = [4, 8], lanes = [32, 1], thread = [2, 1, 1]", 2, 128, ("f32",)),
    ("mma_sync", "warps = [1, 2], tile = [16, 32]", 16, 64, ("f16",)),
    ("mma_gemv", "warps = [1, 2], tile = [8, 32]", 8, 32, ("f16",)),
]
PATTERNS = [(2, 4), (1, 4), (8, 32), (4, 8), (3, 10), (16, 32)]
UNITS = [1, 1, 4, 8, 32, 32]
TYPES = {"f32": numpy.float32, "f16": numpy.float16}

MODULE = """func.func @main(%x: tensor<{given}x{type}>) -> tensor<{m}x{n}xf32> {{
{view}  %d = arith.constant dense_resource<w> : tensor<{k}x{n}x{type}>
  %w = nm.condense %d : tensor<{k}x{n}x{type}> -> {condensed}
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %y = nm.spmm %a, %w outs(%e : tensor<{m}x{n}xf32>)
      {{a_layout = #nm.layout<{layout}>, schedule = {schedule}}}
      : tensor<{a}x{type}>, {condensed} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{data}" }} }} #-}}
"""


def draw_schedule(rng, kind, arguments, rows, columns, window):
    step = rng.choice([0, 0, 0, window * rng.randint(1, 8), 32, 64, 128])
    parts = [f"kind = #nm.{kind}<{arguments}>", f"block = [{rows}, {columns}, {step}]"]
    for chance, part in (
        (0.2, "promote_a = false"),
        (0.4, "promote_weight = false"),
        (0.2, "packed = true"),
        (0.3, f"stages = {rng.randint(1, 5)}"),
        (0.1, "prefetch = true"),
        (0.15, f"split_k = {rng.randint(2, 8)}"),
        (0.1, rng.choice(["engine = tma", "engine = bulk"])),
        (0.1, f"stream_k = {rng.randint(1, 200)}"),
        (0.1, f"persistent = {rng.randint(1, 200)}"),
        (0.15, f"producers = {rng.randint(1, 4)}"),
    ):
        if rng.random() < chance:
            parts.append(part)
    return "#nm.schedule<" + ", ".join(parts) + ">"


def make_weight(generator, k, n, keep, window, unit, dtype):
    """Small integers, `keep` of each `window` rows of each `unit` columns."""
    weight = numpy.zeros((k, n), dtype)
    for column in range(0, n, unit):
        columns = range(column, min(column + unit, n))
        for row in range(0, k, window):
            rows = generator.permutation(range(row, min(row + window, k)))[:keep]
            values = generator.integers(1, 4, (len(rows), len(columns)))
            weight[numpy.ix_(rows, columns)] = values
    return weight


class Schedules(Tool):
    """Products through nm-run on the CPU and in the emulator."""

    def __init__(self, worker, directory, paths):
        super().__init__(worker, directory, paths)
        self.arrays = {}

    def make(self, rng):
        kind, arguments, rows, columns, types = rng.choice(KINDS)
        (keep, window), unit, name = rng.choice(PATTERNS), rng.choice(UNITS), rng.choice(types)
        m = rng.choice([1, rows, rng.randint(1, 90)])
        n = rng.choice([columns, 2 * columns, rng.randint(1, 150)])
        k = rng.choice([rng.randint(window, 300), window * rng.randint(1, 9)])
        layout = rng.choice(["token_major", "feature_major"])
        a = (m, k) if layout == "token_major" else (k, m)
        stride = rng.choice([1, 1, 1, 2, 3])
        given = (a[0], a[1] * stride)
        view = "  %a = tensor.extract_slice %x[0, 0] [{}, {}] [1, {}] : tensor<{}x{}x{t}> to tensor<{}x{}x{t}>\n"
        generator = numpy.random.default_rng(rng.getrandbits(32))
        weight = make_weight(generator, k, n, keep, window, unit, TYPES[name])
        x = generator.integers(-3, 4, given).astype(TYPES[name])
        used = x[:, ::stride].astype(numpy.float32)
        product = (used if layout == "token_major" else used.T) @ weight.astype(numpy.float32)
        text = MODULE.format(
            given="x".join(map(str, given)), type=name, m=m, n=n, k=k, layout=layout,
            view=view.format(*a, stride, *given, *a, t=name), a="x".join(map(str, a)),
            condensed=f"!nm.condensed<{k}x{n}x{name}, #nm.pattern<{keep}:{window}, unit = 1x{unit}>>",
            schedule=draw_schedule(rng, kind, arguments, rows, columns, window), data=weight.tobytes().hex(),
        )  # fmt: skip
        return Case(text.encode(), {"x": x.tolist(), "y": product.tolist(), "type": name})

    def run(self, case):
        self.clear()
        (self.directory / "in.mlir").write_bytes(case.text)
        numpy.save(self.directory / "x.npy", numpy.array(case.settings["x"], TYPES[case.settings["type"]]))
        numpy.save(self.directory / "y.npy", numpy.array(case.settings["y"], numpy.float32))
        outcomes = [self.call("run", self.arguments("in.mlir", device)) for device in ("cpu", "emulator")]
        for outcome in outcomes:
            if outcome.is_failure:
                return outcome
            if "tolerance 0: FAILED" in outcome.details:
                return Outcome(WRONG, "not numpy's product", outcome.details)
            # What was compiled has to run: the emulator finds races and stray reads.
            if "failed with status" in outcome.details:
                return Outcome(WRONG, "the kernel fails", outcome.details)
        if outcomes[0].kind == ACCEPTED and outcomes[1].kind == REFUSED:
            return outcomes[1]  # the CPU obeys no schedule
        return outcomes[0]

    def arguments(self, name, device):
        return [name, "--entry=main", f"--device={device}", "--input=x.npy", "--expect=y.npy", "--tolerance=0"]

    def command(self, case, name):
        return "nm-run " + " ".join(self.arguments(name, "emulator"))
