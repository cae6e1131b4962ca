"""How often each of some integers occurs, as sums of comparisons.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

transformers counts the rows of each expert by aten.histc, which torch-mlir 20261001
does not know. Of integers, where each bin is one of them, it is a comparison with all of
them; other histograms, whose bins are a matter of rounding, stay refused by their name.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call, replace

# Integers that floats hold, and so few that PyTorch's rounding takes none of them for a
# neighbor: 5,000 bins of f32 are too many.
_LARGEST, _MOST_BINS = 2**20, 2048

_CASTS = (torch.ops.prims.convert_element_type.default, torch.ops.aten._to_copy.default)


def count_by_comparing(graph: torch.fx.Graph, constants: Constants) -> None:
    """Writes each histogram of `graph` with a bin for every integer of a range as the
    sums of what is equal to that integer."""
    for node in list(graph.nodes):
        if node.target is torch.ops.aten.histc.default and _is_of_integers(node):
            replace(node, _count(node, constants))


def _read_range(node: torch.fx.Node) -> tuple[int, Any, Any]:
    """The bins, the smallest and the largest number."""
    names = ("bins", "min", "max")
    given: dict[str, Any] = {**dict(zip(names, node.args[1:])), **node.kwargs}
    bins, low, high = (given.get(name, default) for name, default in zip(names, (100, 0, 0)))
    assert isinstance(bins, int)
    return bins, low, high


def _is_of_integers(node: torch.fx.Node) -> bool:
    bins, low, high = _read_range(node)
    if bins > _MOST_BINS or int(low) != low or high - low != bins - 1:
        return False
    return max(abs(low), abs(high)) <= _LARGEST and _is_integer(node.all_input_nodes[0])


def _is_integer(node: torch.fx.Node) -> bool:
    """Whether all elements are integers that comparisons tell apart."""
    while node.target in _CASTS:
        if node.meta["val"].dtype not in (torch.float32, torch.float64):
            break
        node = node.all_input_nodes[0]
    dtype = node.meta["val"].dtype
    return not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool)


def _count(node: torch.fx.Node, constants: Constants) -> Any:
    bins, low, _ = _read_range(node)
    aten = torch.ops.aten
    given: Any = node.args[0]
    dtype = given.meta["val"].dtype
    # flatten, not view: dimensions may be dynamic.
    flat = insert_call(node, aten.flatten.using_ints, given)
    column = insert_call(node, aten.unsqueeze.default, flat, 1)
    if bins == 1:  # of no width: PyTorch takes the range from the data
        numbers = column
    else:
        table = torch.arange(int(low), int(low) + bins, dtype=dtype)
        numbers = constants.add(node, table, f"{node.name}_bins")
    equal = insert_call(node, aten.eq.Tensor, column, numbers)
    cast = torch.ops.prims.convert_element_type.default
    ones = insert_call(node, cast, equal, torch.int64)
    total = insert_call(node, aten.sum.dim_IntList, ones, [0])
    return insert_call(node, cast, total, node.meta["val"].dtype)
