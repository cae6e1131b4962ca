"""Complex arithmetic, in real ops that torch-mlir lowers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Rotary embeddings (Llama 4, DeepSeek-V2) are written as products of complex numbers
that no one sees outside of them: pairs of reals go in and come out. torch-mlir 20261001
lowers few complex ops; here each complex value becomes two real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call

aten = torch.ops.aten

# The real and the imaginary part of a value: nodes, or numbers of a number.
Parts = tuple[Any, Any]

# Ops that move elements and compute nothing: on either part as on the whole.
_MOVES = {
    aten.alias.default,
    aten.cat.default,
    aten.clone.default,
    aten.expand.default,
    aten.flip.default,
    aten.index.Tensor,
    aten.index_select.default,
    aten.permute.default,
    aten.repeat.default,
    aten.reshape.default,
    aten.select.int,
    aten.slice.Tensor,
    aten.squeeze.dim,
    aten.squeeze.dims,
    aten.t.default,
    aten.transpose.int,
    aten.unsqueeze.default,
    aten.view.default,
    aten._unsafe_view.default,
}


def split_complex(graph: torch.fx.Graph, constants: Constants) -> None:
    """Computes complex values by their parts, as far as the ops are known here.

    What stays complex are arguments and results of the program, and ops that are not
    known here; torch-mlir may know them.

    Args:
        graph: the graph, which is changed.
        constants: its constants, to which the parts of complex ones are added.
    """
    splitter = _Splitter(constants)
    replaced = [node for node in list(graph.nodes) if splitter.split(node)]
    for node in reversed(replaced):
        if not node.users:
            graph.erase_node(node)


def _is_complex(value: Any) -> bool:
    fake = value.meta.get("val") if isinstance(value, torch.fx.Node) else None
    return isinstance(fake, torch.Tensor) and fake.dtype.is_complex


class _Splitter:
    """One pass over a graph, from its first op to its last."""

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.parts: dict[torch.fx.Node, Parts] = {}
        self.joined: dict[torch.fx.Node, Any] = {}
        # What gives a complex value, by its op; None where it is not known how.
        self.rules: dict[Any, Callable[[torch.fx.Node], Parts | None]] = {
            aten.view_as_complex.default: self._from_pairs,
            aten.complex.default: lambda node: (node.args[0], node.args[1]),
            aten.polar.default: self._from_polar,
            aten.mul.Tensor: self._multiply,
            aten.div.Tensor: self._divide,
            aten.add.Tensor: self._add,
            aten.sub.Tensor: self._add,
            aten.neg.default: self._negate,
            aten._conj.default: self._conjugate,
            aten.conj_physical.default: self._conjugate,
        }

    def split(self, node: torch.fx.Node) -> bool:
        """Puts parts in the place of `node`; returns whether it can be erased."""
        if node.op == "get_attr" and _is_complex(node):
            self.parts[node] = self._split_constant(node)
            return True
        operands = [one for one in node.all_input_nodes if _is_complex(one)]
        if node.op == "call_function" and _is_complex(node):
            parts = self._compute(node)
            if parts is not None and self._fits(node, parts):
                self.parts[node] = parts
                return True
        elif node.op == "call_function" and operands and self._replace_real(node):
            return True
        for operand in operands:
            if operand in self.parts:
                node.replace_input_with(operand, self._join(node, operand))
        return False

    def _compute(self, node: torch.fx.Node) -> Parts | None:
        if node.kwargs:
            return None
        if node.target in self.rules:
            return self.rules[node.target](node)
        return self._move(node) if node.target in _MOVES else None

    @staticmethod
    def _fits(node: torch.fx.Node, parts: Parts) -> bool:
        """Whether `parts` are of the type and shape that PyTorch says."""
        whole = node.meta["val"]
        fakes = [part.meta["val"] for part in parts]
        real = whole.dtype.to_real()
        return all(
            fake.dtype == real and tuple(fake.shape) == tuple(whole.shape)
            for fake in fakes
        )

    def _replace_real(self, node: torch.fx.Node) -> bool:
        """Replaces an op on a complex value that gives a real one."""
        value: Any = node.args[0]
        if node.target is aten._assert_tensor_metadata.default:
            return True  # of the type, which torch.export has checked
        if not _is_complex(value) or node.kwargs:
            return False
        real, imaginary = self._get(node, value)
        if node.target is aten.view_as_real.default:
            made = insert_call(node, aten.stack.default, [real, imaginary], -1)
        elif node.target is aten.real.default:
            made = real
        elif node.target is aten.imag.default:
            made = imaginary
        elif node.target is aten.angle.default:
            made = insert_call(node, aten.atan2.default, imaginary, real)
        elif node.target is aten.sym_size.int:
            node.replace_input_with(value, real)
            return False
        else:
            return False
        node.replace_all_uses_with(made)
        return True

    def _get(self, place: torch.fx.Node, value: Any) -> Parts:
        """The parts of an operand of `place`, a node or a number."""
        if not isinstance(value, torch.fx.Node):
            return complex(value).real, complex(value).imag
        if value not in self.parts:
            if _is_complex(value):
                real = insert_call(place, aten.real.default, value)
                imaginary = insert_call(place, aten.imag.default, value)
            else:
                real = value
                imaginary = insert_call(place, aten.zeros_like.default, value)
            self.parts[value] = real, imaginary
        return self.parts[value]

    def _join(self, place: torch.fx.Node, value: torch.fx.Node) -> Any:
        """A complex value for an op that takes no parts."""
        if value not in self.joined:
            parts = self.parts[value]
            self.joined[value] = insert_call(place, aten.complex.default, *parts)
        return self.joined[value]

    def _split_constant(self, node: torch.fx.Node) -> Parts:
        tensor, name = self.constants[node]
        imaginary = self.constants.add(node, tensor.imag, f"{name}.imag")
        return self.constants.add(node, tensor.real, f"{name}.real"), imaginary

    def _move(self, node: torch.fx.Node) -> Parts | None:
        first: Any = node.args[0]
        if node.target is aten.cat.default and not all(map(_is_complex, first)):
            return None

        def move(part: int) -> Any:
            args = torch.fx.map_arg(
                node.args,
                lambda arg: self._get(node, arg)[part] if _is_complex(arg) else arg,
            )
            return insert_call(node, node.target, *args)

        return move(0), move(1)

    def _from_pairs(self, node: torch.fx.Node) -> Parts:
        def select(part: int) -> Any:
            return insert_call(node, aten.select.int, node.args[0], -1, part)

        return select(0), select(1)

    def _from_polar(self, node: torch.fx.Node) -> Parts:
        length, angle = node.args

        def project(function: Any) -> Any:
            unit = insert_call(node, function, angle)
            return insert_call(node, aten.mul.Tensor, length, unit)

        return project(aten.cos.default), project(aten.sin.default)

    def _scale(self, node: torch.fx.Node, value: Any, factor: Any) -> Parts:
        """Both parts of `value` times, or over, what is real."""
        a, b = self._get(node, value)
        if not isinstance(value, torch.fx.Node):
            real = insert_call(node, node.target, factor, a)
            return real, insert_call(node, node.target, factor, b)
        if not isinstance(factor, torch.fx.Node):
            factor = complex(factor).real
        real = insert_call(node, node.target, a, factor)
        return real, insert_call(node, node.target, b, factor)

    def _multiply(self, node: torch.fx.Node) -> Parts:
        x, y = node.args
        if _is_real(y):
            return self._scale(node, x, y)
        if _is_real(x):
            return self._scale(node, y, x)
        (a, b), (c, d) = self._get(node, x), self._get(node, y)

        def combine(target: Any, p: Any, q: Any, r: Any, s: Any) -> Any:
            left = insert_call(node, aten.mul.Tensor, p, q)
            return insert_call(
                node, target, left, insert_call(node, aten.mul.Tensor, r, s)
            )

        real = combine(aten.sub.Tensor, a, c, b, d)
        return real, combine(aten.add.Tensor, a, d, b, c)

    def _divide(self, node: torch.fx.Node) -> Parts | None:
        x, y = node.args
        return self._scale(node, x, y) if _is_real(y) else None

    def _add(self, node: torch.fx.Node) -> Parts:
        (a, b), (c, d) = (self._get(node, arg) for arg in node.args)
        real = insert_call(node, node.target, a, c)
        return real, insert_call(node, node.target, b, d)

    def _negate(self, node: torch.fx.Node) -> Parts:
        a, b = self._get(node, node.args[0])
        real = insert_call(node, aten.neg.default, a)
        return real, insert_call(node, aten.neg.default, b)

    def _conjugate(self, node: torch.fx.Node) -> Parts:
        a, b = self._get(node, node.args[0])
        return a, insert_call(node, aten.neg.default, b)


def _is_real(value: Any) -> bool:
    if isinstance(value, torch.fx.Node):
        return not _is_complex(value)
    return complex(value).imag == 0
