"""Quotients, remainders and roots as PyTorch computes them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 multiplies the truncated quotient by the divisor and takes it away for
fmod, so that fmod(1, 0.1) is less than 0; its remainder is exact. PyTorch rounds a
quotient of floats down so that it fits the remainder, as Python does: 1 // 0.1 is 9, since
ten times 0.1 is more than 1; torch-mlir rounds what division gives, 10. A power of 1/2 is
a square root in PyTorch, and NaN of -inf; the function pow gives inf.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call, replace

_aten = torch.ops.aten
_ROOTS = {0.5: _aten.sqrt.default, -0.5: _aten.rsqrt.default}
_FMODS = (_aten.fmod.Scalar, _aten.fmod.Tensor)
_QUOTIENTS = (_aten.floor_divide.default, _aten.div.Tensor_mode, _aten.div.Scalar_mode)


def divide_exactly(graph: torch.fx.Graph, constants: Constants) -> None:
    """Writes what `graph` divides with a remainder in ops that are exact, and powers of
    1/2 and -1/2 as roots."""
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if node.op != "call_function" or not isinstance(value, torch.Tensor):
            continue
        steps = _Steps(node, constants)
        if node.target is _aten.fmod.Scalar and not value.is_floating_point():
            node.args = (node.args[0], steps.as_tensor(node.args[1]))
            node.target = _aten.fmod.Tensor
        elif not value.is_floating_point():
            continue
        elif node.target in _FMODS:
            a, b = node.args
            replace(node, steps.fmod(a, steps.as_tensor(b)))
        elif node.target in _QUOTIENTS and node.kwargs.get("rounding_mode", "floor") == "floor":
            a, b = node.args
            replace(node, steps.floor_divide(a, steps.as_tensor(b)))
        elif node.target is _aten.pow.Tensor_Scalar and node.args[1] in _ROOTS:
            replace(node, insert_call(node, _ROOTS[node.args[1]], node.args[0]))


class _Steps:
    """Inserts ops before `node`, in the type of its result."""

    def __init__(self, node: torch.fx.Node, constants: Constants) -> None:
        self._node = node
        self._constants = constants

    def as_tensor(self, number: Any) -> torch.fx.Node:
        """A constant of no dimensions, unless it is a tensor."""
        if isinstance(number, torch.fx.Node):
            return number
        tensor = torch.tensor(number, dtype=self._node.meta["val"].dtype)
        return self._constants.add(self._node, tensor, "number")

    def call(self, target: Any, *args: Any) -> Any:
        return insert_call(self._node, target, *args)

    def fmod(self, a: Any, b: Any) -> Any:
        """The remainder of the absolute values, with the sign of `a`."""
        absolute = [self.call(_aten.abs.default, one) for one in (a, b)]
        remainder = self.call(_aten.remainder.Tensor, *absolute)
        is_negative = self.call(_aten.lt.Tensor, a, self.as_tensor(0))
        negated = self.call(_aten.neg.default, remainder)
        return self.call(_aten.where.self, is_negative, negated, remainder)

    def floor_divide(self, a: Any, b: Any) -> Any:
        """As c10::div_floor_floating of PyTorch, but for the sign of a zero."""
        zero, one, half = (self.as_tensor(number) for number in (0, 1, 0.5))
        remainder = self.fmod(a, b)
        quotient = self.call(_aten.div.Tensor, self.call(_aten.sub.Tensor, a, remainder), b)
        signs = [self.call(_aten.lt.Tensor, number, zero) for number in (b, remainder)]
        signs_differ = self.call(_aten.logical_xor.default, *signs)
        has_remainder = self.call(_aten.ne.Tensor, remainder, zero)
        is_above = self.call(_aten.logical_and.default, has_remainder, signs_differ)
        less = self.call(_aten.sub.Tensor, quotient, one)
        quotient = self.call(_aten.where.self, is_above, less, quotient)
        # It is a whole number but for the rounding of the division.
        floor = self.call(_aten.floor.default, quotient)
        is_below = self.call(_aten.gt.Tensor, self.call(_aten.sub.Tensor, quotient, floor), half)
        more = self.call(_aten.add.Tensor, floor, one)
        floor = self.call(_aten.where.self, is_below, more, floor)
        by_zero = self.call(_aten.eq.Tensor, b, zero)
        return self.call(_aten.where.self, by_zero, self.call(_aten.div.Tensor, a, b), floor)
