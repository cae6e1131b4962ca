"""Adaptive max pooling whose windows differ in size, as tables of elements.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 gives aten.adaptive_max_pool2d windows of one size, and asserts at the
call that the extents are multiples of the results'. Others are looked up in a table of
each window's elements, where those of smaller windows end with their last one again.
"""

from __future__ import annotations

import operator
from typing import Any

import torch

from nm.errors import ExportError
from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call
from nm.origins import of_node


def gather_windows(name: str, graph: torch.fx.Graph, constants: Constants) -> None:
    """Writes adaptive max pooling with windows of several sizes as lookups.

    Raises:
        ExportError: windows of the model called `name` have sizes that are only known
            at the call.
    """
    for node in list(graph.nodes):
        if node.target is not torch.ops.aten.adaptive_max_pool2d.default:
            continue
        given: Any = node.args[0]
        before, after = given.meta["val"].shape[-2:], node.meta["val"][0].shape[-2:]
        if all(_is_even(size, to) for size, to in zip(before, after)):
            continue
        if not all(map(_is_static, (*before, *after))):
            raise ExportError(
                "aten.adaptive_max_pool2d is not supported for extents that are dynamic",
                model=name,
                op="aten.adaptive_max_pool2d",
                place=of_node(node),
                remedy="make all dimensions but the batch and the channels static",
            )
        _look_up(node, constants, list(before), list(after))


def _is_even(size: Any, to: Any) -> bool:
    """Whether windows are of one size, as torch-mlir makes them."""
    return to == 1 or (_is_static(size) and _is_static(to) and size % to == 0)


def _is_static(size: Any) -> bool:
    return isinstance(size, int)


def make_table(before: list[int], after: list[int]) -> torch.Tensor:
    """The elements of each window, [windows, elements], as places in a plane."""
    rows, columns = (_make_ranges(size, to) for size, to in zip(before, after))
    places = rows[:, None, :, None] * before[1] + columns[None, :, None, :]
    return places.reshape(after[0] * after[1], -1)


def _make_ranges(size: int, to: int) -> torch.Tensor:
    """As PyTorch divides `size` elements into `to` ranges that may overlap."""
    begins = [index * size // to for index in range(to)]
    ends = [-(-(index + 1) * size // to) for index in range(to)]
    most = max(end - begin for begin, end in zip(begins, ends))
    return torch.tensor(
        [
            [min(begin + step, end - 1) for step in range(most)]
            for begin, end in zip(begins, ends)
        ]
    )


def _look_up(
    node: torch.fx.Node, constants: Constants, before: list[int], after: list[int]
) -> None:
    aten = torch.ops.aten
    given: Any = node.args[0]
    users = list(node.users)  # the values, and the places that they are from
    place = users[0]
    table = make_table(before, after)
    windows, elements = table.shape
    flat = constants.add(place, table.reshape(-1), f"{place.name}_windows")
    rank = given.meta["val"].ndim
    # flatten, not view: leading dimensions may be dynamic.
    plane = insert_call(place, aten.flatten.using_ints, given, rank - 2, rank - 1)
    found = insert_call(place, aten.index_select.default, plane, rank - 2, flat)
    shaped = insert_call(place, aten.unflatten.int, found, rank - 2, [windows, elements])
    for user in users:
        assert user.target is operator.getitem
        if user.args[1] == 0:
            result = insert_call(place, aten.amax.default, shaped, [-1])
        else:
            result = _find_places(place, shaped, flat, windows, elements, constants)
        result = insert_call(place, aten.unflatten.int, result, rank - 2, after)
        user.replace_all_uses_with(result)
    for one in (*users, node):
        node.graph.erase_node(one)


def _find_places(
    place: torch.fx.Node,
    shaped: Any,
    flat: Any,
    windows: int,
    elements: int,
    constants: Constants,
) -> Any:
    """Where in the plane the largest element of each window lies."""
    aten = torch.ops.aten
    first = constants.add(place, torch.arange(windows) * elements, f"{place.name}_first")
    step = insert_call(place, aten.argmax.default, shaped, -1)
    at = insert_call(place, aten.add.Tensor, step, first)
    return insert_call(place, aten.index.Tensor, flat, [at])
