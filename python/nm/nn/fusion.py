"""What follows a product, as a part of it, in graphs of torch.compile.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

`nm.nn.fuse_epilogues()` adds a pass to Inductor's: behind a product whose result nothing else
reads, a bias [n], then one activation, and then one residual that is added or multiplied
become parts of it: of an `nm::linear` whose kernels read the weight as it is already laid
out. The activations are known by the graphs that Inductor makes of them, for each type.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files
from torch.fx import Graph
from torch.fx.experimental.symbolic_shapes import statically_known_true

from nm.nn.epilogues import ACTIVATIONS
from nm.nn.operator import linear, packed_linear, prepare
from nm.nn.products import LinearProduct
from nm.runtime.cache_key import describe_compiler

# Inductor's options, which are made at run time.
_config: Any = importlib.import_module("torch._inductor.config")

Node = Any  # torch.fx.Node, whose arguments may be of a dozen types

_COMBINED: dict[Any, str] = {torch.ops.aten.add.Tensor: "add", torch.ops.aten.mul.Tensor: "mul"}


def _compute_new_gelu(y: torch.Tensor) -> torch.Tensor:
    """gelu's tanh form as transformers writes it out ("gelu_new")."""
    cube = torch.pow(y, 3.0)
    inner = math.sqrt(2.0 / math.pi) * (y + 0.044715 * cube)
    return 0.5 * y * (1.0 + torch.tanh(inner))


# What is an epilogue, and which one.
_FORMS = (
    *((function, name) for name, function in ACTIVATIONS.items()),
    (_compute_new_gelu, "gelu_tanh"),
)

# The arguments of nm::linear by their places; the product is the last of both ops.
_PACKED, _BIAS, _RESIDUAL, _PRODUCT = 3, 4, 7, -1


class FuseEpilogues(CustomGraphPass):
    """The pass, behind the one that a user has set.

    Args:
        before: that one; None for none.
    """

    def __init__(self, before: Callable[[Graph], None] | None) -> None:
        self._before = before

    def __call__(self, graph: Graph) -> None:
        if self._before is not None:
            self._before(graph)
        fuse(graph)

    def uuid(self) -> Any:
        """What graphs depend on: Inductor's cache has it in its keys; None, for no cache,
        where the other pass does not say what it depends on."""
        before = None
        if self._before is not None:
            before = getattr(self._before, "uuid", lambda: None)()
            if before is None:
                return None
        return [get_hash_for_files((__file__,)), *describe_compiler(), before]


def fuse_epilogues(is_on: bool = True) -> None:
    """Lets torch.compile compute what follows a product in its kernel: a bias, relu, gelu
    or silu, and a residual. A pass that is set already as Inductor's
    `post_grad_custom_pre_pass` runs before; one that is set later takes its place.

    Args:
        is_on: False for products by themselves again.
    """
    known = _config.post_grad_custom_pre_pass
    if is_on and not isinstance(known, FuseEpilogues):
        _config.post_grad_custom_pre_pass = FuseEpilogues(known)
    elif not is_on and isinstance(known, FuseEpilogues):
        _config.post_grad_custom_pre_pass = known._before


def fuse(graph: Graph) -> None:
    """Fuses what follows the products of a graph, one step after another."""
    for node in list(graph.nodes):
        if node.target not in (linear, packed_linear):
            continue
        product: Node | None = node
        while product is not None:
            product = _fuse_next(product)


def _fuse_next(node: Node) -> Node | None:
    """The node in the place of a product and what follows it; None where nothing of that
    can be a part of it."""
    for step in (_find_combined, _find_activation):
        for last, changes, operand in step(node):
            made = _replace(node, last, changes, operand)
            if made is not None:
                return made
    return None


_Step = tuple[Node, dict[str, Any], tuple[int, Node] | None]


def _list_arguments(node: Node) -> list[Any]:
    """The arguments of nm::linear for either op."""
    if node.target is linear:
        return list(node.args)
    x, packed, bias, product = node.args
    return [x, [], [], packed, bias, None, None, None, product]


def _get_product(node: Node) -> LinearProduct:
    return LinearProduct.parse(node.args[_PRODUCT])


def _find_combined(node: Node) -> Iterator[_Step]:
    """A sum or a product of the node's result and another tensor, if nothing else reads
    the result."""
    of, users = _get_product(node), list(node.users)
    if of.combine or len(users) != 1 or users[0].target not in _COMBINED:
        return
    (user,) = users
    others = [one for one in user.args if one is not node]
    if user.kwargs or len(others) != 1 or not isinstance(others[0], torch.fx.Node):
        return
    (other,) = others
    y, r = node.meta["val"], other.meta["val"]
    if not isinstance(r, torch.Tensor) or (r.dtype, r.device) != (y.dtype, y.device):
        return
    kind = _COMBINED[user.target]
    if _is_alike(r.shape, y.shape):
        yield user, {"combine": kind}, (_RESIDUAL, other)
    elif kind == "add" and _is_alike(r.shape, y.shape[-1:]) and not of.epilogue:
        if _list_arguments(node)[_BIAS] is None:
            yield user, {"has_bias": True}, (_BIAS, other)


def _is_alike(shape: Any, other: Any) -> bool:
    return len(shape) == len(other) and all(
        statically_known_true(a == b) for a, b in zip(shape, other)
    )


def _find_activation(node: Node) -> Iterator[_Step]:
    """An activation of the node's result, if nothing else reads that."""
    of = _get_product(node)
    if of.epilogue or of.combine:
        return
    inside = _list_inside(node)
    for pattern, name in _get_patterns(node.meta["val"].dtype):
        for last in inside:
            match = pattern.match(last)
            if match and match.kwargs["y"] is node and set(node.users) <= set(match.nodes):
                yield last, {"epilogue": name}, None


# The longest activation is gelu's tanh form with two casts, of so many ops at most.
_LONGEST = 16


def _list_inside(node: Node) -> list[Node]:
    """The nodes that depend on a node, near ones first, as far as an activation is long."""
    found: list[Node] = []
    near = [node]
    for _ in range(_LONGEST):
        near = [user for one in near for user in one.users if user not in found]
        found += dict.fromkeys(near)
        if len(found) > _LONGEST or not near:
            break
    return found


@functools.cache
def _get_patterns(dtype: torch.dtype) -> list[tuple[Any, str]]:
    """The activations as Inductor has them for a type, with their names."""
    return [(_trace(function, dtype), name) for function, name in _FORMS]


def _trace(function: Callable[[torch.Tensor], torch.Tensor], dtype: torch.dtype) -> Any:
    from torch._inductor import pattern_matcher

    matcher: Any = pattern_matcher
    with torch.no_grad():
        traced = matcher.fwd_only(lambda y: function(y), [torch.ones(2, 4, dtype=dtype)])
    return matcher.fx_to_pattern(traced, argnames=["y"])


def _replace(
    node: Node, last: Node, changes: dict[str, Any], operand: tuple[int, Node] | None
) -> Node | None:
    """Puts one op in the place of a product and what follows it until `last`; None where
    its kernels read the weight otherwise."""
    of = _get_product(node)
    more = dataclasses.replace(of, **changes)
    device = node.meta["val"].device
    arguments = _list_arguments(node)
    if arguments[_PACKED] is not None:
        if not _is_laid_out_alike(str(of), str(more), device):
            return None
    arguments[_PRODUCT] = str(more)
    if operand is not None:
        arguments[operand[0]] = operand[1]
    graph = node.graph
    with graph.inserting_before(last):
        made = graph.call_function(linear, tuple(arguments))
    made.meta.update(last.meta)
    last.replace_all_uses_with(made)
    graph.eliminate_dead_code()
    return made


def _is_laid_out_alike(product: str, other: str, device: torch.device) -> bool:
    """Whether the programs of two products take a weight in one form. Both are compiled
    for it, before a call that may be captured into a CUDA graph."""
    (one,), (two,) = (
        prepare(text, device).find_function().weights for text in (product, other)
    )
    return one.layouts == two.layouts
