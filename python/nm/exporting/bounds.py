"""Bounds of dynamic dimensions, kept at the call.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch.export computes for sizes within the bounds of its `Dim`s, and may have taken a
branch of the model that holds for no others. The function asserts that they are kept.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch.utils._sympy.numbers import int_oo


def assert_bounds(graph: torch.fx.Graph, ranges: Mapping[Any, Any]) -> None:
    """Asserts at the begin of `graph` what `ranges` says of its arguments' sizes.

    Args:
        ranges: the lowest and highest number that a symbol of a size stands for.
    """
    arguments = list(graph.find_nodes(op="placeholder"))
    place = next(node for node in graph.nodes if node.op not in ("placeholder", "get_attr"))
    with graph.inserting_before(place):
        for node in arguments:
            value = node.meta.get("val")
            for axis, size in enumerate(getattr(value, "shape", ())):
                if isinstance(size, torch.SymInt):
                    _assert_size(node, axis, size, ranges)


def _assert_size(node: torch.fx.Node, axis: int, size: Any, ranges: Mapping[Any, Any]) -> None:
    known = ranges.get(size.node.expr)
    if known is None:
        return
    checks = list(_make_checks(known.lower, known.upper))
    if not checks:
        return
    said = " and ".join(f"{words} {bound}" for _, words, bound in checks)
    message = f"argument {node.name}: expected a size of {said} in dimension {axis}"
    graph = node.graph
    given = graph.call_function(torch.ops.aten.sym_size.int, (node, axis))
    given.meta = {"val": size}
    for compare, _, bound in checks:
        kept = graph.call_function(compare, (given, bound))
        kept.meta = {"val": compare(size, bound)}
        graph.call_function(torch.ops.aten._assert_scalar.default, (kept, message))


def _make_checks(lower: Any, upper: Any) -> Iterable[tuple[Any, str, int]]:
    """What is compared with each bound that says something."""
    if lower > 0:
        yield operator.ge, "at least", int(lower)
    if upper < int_oo:
        yield operator.le, "at most", int(upper)
