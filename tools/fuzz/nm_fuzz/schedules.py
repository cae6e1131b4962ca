# schedules.py - The kind of products with schedules as somebody might write them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A constant weight with a pattern, A of any strides in front of it, and a schedule
# whose numbers are drawn one by one. Data are small integers, so that results are
# exact: whatever is accepted has to be numpy's product, to the bit.

import numpy

from .exact import PATTERNS, TYPES, UNITS, Exact, make_case, make_input, make_weight

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
MODULE = """func.func @main(%x: tensor<{given}x{type}>) -> tensor<{m}x{n}xf32> {{
{view}  %d = arith.constant dense_resource<w> : tensor<{k}x{n}x{type}>
  %w = nm.condense %d : tensor<{k}x{n}x{type}> -> {condensed}
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %y = nm.spmm %a, %w outs(%e : tensor<{m}x{n}xf32>)
      {{a_layout = #nm.layout<{layout}>, schedule = {schedule}}}
      : tensor<{a}x{type}>, {condensed} -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}}"""


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


class Schedules(Exact):
    """Each schedule with numbers of its own, and a slice in front of A."""

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
        x = make_input(generator, given, TYPES[name])
        used = x[:, ::stride].astype(numpy.float32)
        product = (used if layout == "token_major" else used.T) @ weight.astype(numpy.float32)
        text = MODULE.format(
            given="x".join(map(str, given)), type=name, m=m, n=n, k=k, layout=layout,
            view=view.format(*a, stride, *given, *a, t=name), a="x".join(map(str, a)),
            condensed=f"!nm.condensed<{k}x{n}x{name}, #nm.pattern<{keep}:{window}, unit = 1x{unit}>>",
            schedule=draw_schedule(rng, kind, arguments, rows, columns, window),
        )  # fmt: skip
        return make_case(text, weight, x, product)
