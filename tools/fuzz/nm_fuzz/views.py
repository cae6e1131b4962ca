# views.py - Chains of ops that move elements, with what numpy makes of each.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A chain is drawn from its result backwards: each step is given the shape that it has
# to make, and says which shape it is made from.

import dataclasses
from collections.abc import Callable

import numpy


def print_type(shape, name):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + name + ">"


@dataclasses.dataclass
class Step:
    """From `source` to `shape`. `text` has %x, %y, and their types as X and Y."""

    source: tuple
    shape: tuple
    text: str
    apply: Callable
    # An array that `apply` makes the given one of, with `fill` elsewhere; None where
    # some arrays cannot be made.
    invert: Callable | None = None

    def format(self, number, from_name, to_name, kind):
        text = self.text.replace("%e", f"%{to_name}_{number}e").replace("%z", f"%{to_name}_{number}z")
        text = text.replace("%x", from_name).replace("%y", f"%{to_name}_{number}")
        return text.replace("X", print_type(self.source, kind)).replace("Y", print_type(self.shape, kind)).replace("T", kind)


def draw_slice(rng, shape):
    offsets = [rng.choice([0, 0, 1, 2]) for _ in shape]
    strides = [rng.choice([1, 1, 1, 2, 3]) for _ in shape]
    source = tuple(
        offset + (extent - 1) * stride + 1 + rng.choice([0, 0, 1, 2])
        for offset, extent, stride in zip(offsets, shape, strides)
    )
    places = tuple(
        slice(offset, offset + (extent - 1) * stride + 1, stride)
        for offset, extent, stride in zip(offsets, shape, strides)
    )

    def invert(array, fill):
        whole = fill(source)
        whole[places] = array
        return whole

    sizes = list(shape)
    text = f"  %y = tensor.extract_slice %x{offsets} {sizes} {strides} : X to Y\n"
    return Step(source, shape, text, lambda array: array[places], invert)


def draw_transpose(rng, shape):
    order = list(range(len(shape)))
    rng.shuffle(order)
    back = [order.index(axis) for axis in range(len(order))]
    source = tuple(shape[axis] for axis in back)
    text = f"  %e = tensor.empty() : Y\n  %y = linalg.transpose ins(%x : X) outs(%e : Y) permutation = {order}\n"
    return Step(
        source, shape, text, lambda array: array.transpose(order), lambda array, fill: array.transpose(back)
    )


def get_groups(rank, first, count):
    """Dimensions one by one, but `count` of them from `first` on together."""
    starts = [*range(first + 1), *range(first + count, rank)]
    return [list(range(start, stop)) for start, stop in zip(starts, [*starts[1:], rank])]


def draw_expand(rng, shape):
    """Two dimensions that were one."""
    if len(shape) < 2:
        return draw_slice(rng, shape)
    first = rng.randrange(len(shape) - 1)
    source = (*shape[:first], shape[first] * shape[first + 1], *shape[first + 2 :])
    groups = get_groups(len(shape), first, 2)
    text = f"  %y = tensor.expand_shape %x {groups} output_shape {list(shape)} : X into Y\n"
    return Step(source, shape, text, lambda array: array.reshape(shape), lambda array, fill: array.reshape(source))


def draw_collapse(rng, shape):
    """A dimension that was two."""
    axis = rng.randrange(len(shape))
    factors = [factor for factor in range(1, shape[axis] + 1) if shape[axis] % factor == 0]
    outer = rng.choice(factors)
    source = (*shape[:axis], outer, shape[axis] // outer, *shape[axis + 1 :])
    groups = get_groups(len(source), axis, 2)
    text = f"  %y = tensor.collapse_shape %x {groups} : X into Y\n"
    return Step(source, shape, text, lambda array: array.reshape(shape), lambda array, fill: array.reshape(source))


def draw_pad(rng, shape):
    low = [rng.choice([0, 0, 1]) if extent > 2 else 0 for extent in shape]
    high = [rng.choice([0, 0, 1]) if extent > 2 else 0 for extent in shape]
    source = tuple(extent - before - after for extent, before, after in zip(shape, low, high))
    arguments = ", ".join(f"%i{axis}: index" for axis in range(len(shape)))
    text = (
        f"  %z = arith.constant 0.0 : T\n  %y = tensor.pad %x low{low} high{high} {{\n"
        f"  ^bb0({arguments}):\n    tensor.yield %z : T\n  }} : X to Y\n"
    )
    return Step(source, shape, text, lambda array: numpy.pad(array, list(zip(low, high))))


def draw_broadcast(rng, shape):
    if len(shape) < 2:
        return draw_slice(rng, shape)
    axis = rng.randrange(len(shape))
    source = (*shape[:axis], *shape[axis + 1 :])
    text = f"  %e = tensor.empty() : Y\n  %y = linalg.broadcast ins(%x : X) outs(%e : Y) dimensions = [{axis}]\n"
    return Step(source, shape, text, lambda array: numpy.broadcast_to(numpy.expand_dims(array, axis), shape))


INVERTIBLE = [draw_slice, draw_transpose, draw_expand, draw_collapse]
STEPS = [*INVERTIBLE, draw_slice, draw_transpose, draw_pad, draw_broadcast]


@dataclasses.dataclass
class Chain:
    """Steps in the order in which they run."""

    steps: list
    shape: tuple

    @property
    def source(self):
        return self.steps[0].source if self.steps else self.shape

    def apply(self, array):
        for step in self.steps:
            array = step.apply(array)
        return array

    def invert(self, array, fill):
        for step in reversed(self.steps):
            array = step.invert(array, fill)
        return numpy.ascontiguousarray(array)

    def format(self, from_name, to_name, kind):
        """The ops, and the name of the last one's result."""
        text, name = "", from_name
        for number, step in enumerate(self.steps):
            text += step.format(number, name, to_name, kind)
            name = f"%{to_name}_{number}"
        return text, name


def draw_chain(rng, shape, steps, most):
    chain = Chain([], tuple(shape))
    for _ in range(rng.randint(0, most)):
        chain.steps.insert(0, rng.choice(steps)(rng, chain.source))
    return chain
