"""Computing weights that the model makes of others, before torch-mlir sees it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The compiler looks through scales, zero points and views of a weight. Whatever else is
done with parameters only (fake quantization, a round trip through integers, roll,
repeat, padding, masks) torch computes here, so that the product has a constant whose
zeros can be seen.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import erase_unused

# Ops on the way to a weight that the compiler looks through itself, and which may make
# a product cheaper than their result would: a scale is one of columns, a weight of
# integers is stored as such.
_SEEN = frozenset(
    "add alias clone contiguous detach div expand lift_fresh_copy mul permute reshape "
    "select slice squeeze sub t transpose unsqueeze view _unsafe_view".split()
)

_RESHAPES = frozenset("clone contiguous reshape view _unsafe_view".split())

# Ops of which an operand may be a weight.
_PRODUCTS = frozenset(
    "addmm baddbmm bmm conv1d conv2d convolution einsum linear matmul mm mv".split()
)

# A weight that is made of one may be so many times as large: heads that are repeated.
# What grows more is left to the program.
_MOST_GROWTH = 8


def fold_weights(graph: torch.fx.Graph, constants: Constants) -> None:
    """Makes constants of what `graph` computes of parameters only, by ops that the
    compiler does not look through, on the way to a product."""
    wanted = _find_wanted(graph)
    for node in list(graph.nodes):
        if node._erased or node not in wanted or _is_seen(node):
            continue
        value = _compute(node, constants)
        if value is None:
            continue
        made = constants.add(node, value, _get_name(node, constants))
        node.replace_all_uses_with(made)
        erase_unused([node])


def _get_op(node: torch.fx.Node) -> str:
    if not isinstance(node.target, torch._ops.OpOverload):
        return ""
    return str(node.target.overloadpacket.__name__)


def _find_wanted(graph: torch.fx.Graph) -> set[torch.fx.Node]:
    """What depends on constants only, and reaches a product through such nodes."""
    constant: set[torch.fx.Node] = set()
    for node in graph.nodes:
        inputs = node.all_input_nodes
        is_made = node.op == "call_function" and constant.issuperset(inputs)
        # A product of constants is a layer like others, and counted as one.
        is_made = is_made and _get_op(node) not in _PRODUCTS
        if node.op == "get_attr" or (is_made and not _is_random(node)):
            constant.add(node)
    wanted: set[torch.fx.Node] = set()
    for node in reversed(graph.nodes):
        if node in constant and any(
            user in wanted or (user not in constant and _get_op(user) in _PRODUCTS)
            for user in node.users
        ):
            wanted.add(node)
    return wanted


def _is_random(node: torch.fx.Node) -> bool:
    """Whether what `node` gives is not known: random numbers, fresh memory."""
    tags = getattr(node.target, "tags", ())
    return torch.Tag.nondeterministic_seeded in tags or "empty" in _get_op(node)


def _is_seen(node: torch.fx.Node) -> bool:
    """Whether the compiler looks through `node`: a constant, a view, arithmetic, a cast
    to floats or to wider integers."""
    if node.op == "get_attr":
        return True
    if _get_op(node) in _SEEN:
        return not _repeats(node)
    value: Any = node.meta.get("val")
    is_cast = _get_op(node) in ("_to_copy", "convert_element_type")
    if not is_cast or not isinstance(value, torch.Tensor):
        return False
    source = node.all_input_nodes[0].meta["val"]
    is_widened = not source.is_floating_point() and value.itemsize >= source.itemsize
    return value.is_floating_point() or is_widened


def _repeats(node: torch.fx.Node) -> bool:
    """Whether `node` merges the dimension along which an expansion repeats, as
    repeat_interleave does; a weight that is expanded for each of a batch stays."""
    if _get_op(node) not in _RESHAPES:
        return False
    source = node.all_input_nodes[0]
    while _get_op(source) in _RESHAPES:
        source = source.all_input_nodes[0]
    if _get_op(source) != "expand":
        return False
    return bool(node.meta["val"].dim() < source.meta["val"].dim())


def _compute(node: torch.fx.Node, constants: Constants) -> torch.Tensor | None:
    """The value of `node`; None where it is no matrix of known extents, or far larger
    than what it is made of."""
    expected: Any = node.meta.get("val")
    if not isinstance(expected, torch.Tensor) or expected.dim() < 2:
        return None
    if expected.numel() < 2:
        return None  # a number is no weight
    if not all(isinstance(extent, int) for extent in expected.shape):
        return None
    values: dict[torch.fx.Node, Any] = {}
    largest = _evaluate(node, constants, values)
    value = values[node]
    if not isinstance(value, torch.Tensor) or value.dtype != expected.dtype:
        return None
    grows = value.numel() > _MOST_GROWTH * largest
    return None if grows or value.shape != expected.shape else value


def _evaluate(
    node: torch.fx.Node, constants: Constants, values: dict[torch.fx.Node, Any]
) -> int:
    """Computes `node` and what it needs; returns the elements of its largest leaf."""
    if node in values:
        return 0
    if node.op == "get_attr":
        values[node] = constants[node][0]
        return math.prod(values[node].shape)
    inputs = [_evaluate(one, constants, values) for one in node.all_input_nodes]
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda one: values[one])
    if "device" in kwargs:
        kwargs = {**kwargs, "device": "cpu"}
    target: Any = node.target
    with torch.no_grad():
        values[node] = target(*args, **kwargs)
    return max(inputs, default=0)


def _get_name(node: torch.fx.Node, constants: Constants) -> str:
    """That of the parameter, and what is done with it: "b.weight.roll"."""
    leaves = [node]
    while leaves[-1].op != "get_attr":
        last = leaves.pop()
        leaves += reversed(last.all_input_nodes)
    return f"{constants[leaves[-1]][1]}.{node.name}"
