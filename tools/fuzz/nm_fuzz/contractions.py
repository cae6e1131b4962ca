# contractions.py - The kind of products in any layout, with views in front of them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A linalg.generic whose operands and result have their dimensions in any order, with
# batches and two dimensions of rows as they come. A chain of views makes A from the
# argument, and a chain of views makes the weight from a constant. Whether a product
# becomes nm.spmm or stays dense, its result has to be that of numpy.einsum.

import numpy

from .exact import PATTERNS, TYPES, UNITS, Exact, make_case, make_input, make_weight
from .views import INVERTIBLE, STEPS, draw_chain, print_type

MODULE = """func.func @main(%x: {given}) -> {result} {{
{views}  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {result}
  %f = linalg.fill ins(%zero : f32) outs(%e : {result}) -> {result}
  %y = linalg.generic {{
      indexing_maps = [{maps}],
      iterator_types = [{iterators}]}}
      ins({a}, {w} : {a_type}, {w_type}) outs(%f : {result}) {{
  ^bb0(%p: {type}, %q: {type}, %s: f32):
{widen}    %r = arith.mulf %{left}, %{right} : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  }} -> {result}
  return %y : {result}
}}"""
WIDEN = """    %pw = arith.extf %p : f16 to f32
    %qw = arith.extf %q : f16 to f32
"""


def draw_order(rng, usual):
    """The dimensions as they usually are, or in any order."""
    order = list(usual)
    if rng.random() < 0.5:
        rng.shuffle(order)
    return "".join(order)


def print_map(letters, loops):
    names = ", ".join(f"d{place}" for place in range(len(loops)))
    return f"affine_map<({names}) -> ({', '.join(f'd{loops.index(letter)}' for letter in letters)})>"


class Contractions(Exact):
    """Each product with dimensions b (batch), m and l (rows), n and k."""

    def make(self, rng):
        (keep, window), unit, name = rng.choice(PATTERNS), rng.choice(UNITS), rng.choice(list(TYPES))
        extents = {
            "b": rng.randint(1, 3),
            "m": rng.choice([1, 4, 16, rng.randint(1, 40)]),
            "l": rng.randint(1, 4),
            "n": rng.choice([unit, 2 * unit, 32, rng.randint(1, 70)]),
            "k": rng.choice([window, window * rng.randint(1, 4), rng.randint(1, 70)]),
        }
        batch, second = "b" * (rng.random() < 0.3), "l" * (rng.random() < 0.3)
        a = draw_order(rng, batch + "m" + second + "k")
        w = draw_order(rng, (batch if rng.random() < 0.5 else "") + rng.choice(["kn", "nk"]))
        c = draw_order(rng, batch + "m" + second + "n")
        loops = draw_order(rng, batch + "m" + second + "nk")

        def shape(letters):
            return tuple(extents[letter] for letter in letters)

        generator = numpy.random.default_rng(rng.getrandbits(32))

        def fill(extents):
            return make_input(generator, extents, TYPES[name])

        in_front = draw_chain(rng, shape(a), STEPS, 3)
        of_weight = draw_chain(rng, shape(w), INVERTIBLE, rng.choice([0, 0, 2]))
        x = fill(in_front.source)
        kn = [make_weight(generator, *shape("kn"), keep, window, unit, TYPES[name]) for _ in range(extents["b"])]
        weight = numpy.einsum(f"bkn->{w}", numpy.stack(kn)) if "b" in w else numpy.einsum(f"kn->{w}", kn[0])
        wide = [in_front.apply(x).astype(numpy.float32), weight.astype(numpy.float32)]
        y = numpy.einsum(f"{a},{w}->{c}", *wide)
        text = self.write_module(in_front, of_weight, name, a, w, c, loops, y.shape, rng.random() < 0.5)
        return make_case(text, of_weight.invert(weight, fill), x, y, product=f"{a},{w}->{c}")

    @staticmethod
    def write_module(in_front, of_weight, name, a, w, c, loops, result, is_swapped):
        constant = print_type(of_weight.source, name)
        views, a_name = in_front.format("%x", "a", name)
        of_constant, w_name = of_weight.format("%c", "w", name)
        views += f"  %c = arith.constant dense_resource<w> : {constant}\n" + of_constant
        factors = ["pw", "qw"] if name == "f16" else ["p", "q"]
        left, right = reversed(factors) if is_swapped else factors
        return MODULE.format(
            given=print_type(in_front.source, name), result=print_type(result, "f32"), type=name,
            views=views, maps=", ".join(print_map(letters, loops) for letters in (a, w, c)),
            iterators=", ".join('"reduction"' if letter == "k" else '"parallel"' for letter in loops),
            a=a_name, w=w_name, a_type=print_type(in_front.shape, name), w_type=print_type(of_weight.shape, name),
            widen=WIDEN if name == "f16" else "", left=left, right=right,
        )  # fmt: skip
