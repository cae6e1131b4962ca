"""Products of groups of rows, each with its own weight, as products of a batch.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The experts of transformers take rows that are sorted by expert, and where those of each
end (experts_implementation="grouped_mm", its default): aten._grouped_mm, or an op of
transformers' own where PyTorch has no kernel for the type. torch-mlir 20261001 knows
neither. The number of ends before a row is its group, whose weight the row is multiplied
by: what "batched_mm" computes, and no row waits for another.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import erase_unused, insert_call, replace

_GROUPED = ("aten::_grouped_mm", "transformers::grouped_mm_fallback")


def multiply_by_gathering(graph: torch.fx.Graph, constants: Constants) -> None:
    """Writes each product of `graph` of rows in groups as one of a batch of rows, and
    that of as many matrices as weights as a batch of those. Groups of columns or of k
    stay as they are."""
    for node in list(graph.nodes):
        schema = getattr(node.target, "_schema", None)
        if schema is None or schema.name not in _GROUPED:
            continue
        names = [one.name for one in schema.arguments]
        given: dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
        operands: list[Any] = [given.get(name) for name in names]
        x, weight, ends, *others = operands
        if any(other is not None for other in others):
            continue  # a bias or another type, which PyTorch's kernels refuse too
        ranks = x.meta["val"].ndim, weight.meta["val"].ndim
        if ranks == (3, 3) and ends is None:
            made = insert_call(node, torch.ops.aten.bmm.default, x, weight)
        elif ranks == (2, 3) and ends is not None:
            made = _multiply_rows(node, x, weight, ends, constants)
        else:
            continue
        replace(node, made)
        erase_unused([weight])


def _multiply_rows(
    node: torch.fx.Node, x: Any, weight: Any, ends: Any, constants: Constants
) -> Any:
    """The product of each row with the weight of its group; zeros past the last end,
    where transformers has them too, and PyTorch whatever the memory held."""
    aten = torch.ops.aten
    group = _find_groups(node, x, ends)
    groups = weight.meta["val"].shape[0]
    last = insert_call(node, aten.clamp.default, group, None, groups - 1)
    if _is_transposed(weight):
        chosen = insert_call(node, aten.index.Tensor, weight.args[0], [last])
        column = insert_call(node, aten.unsqueeze.default, x, -1)
        product = insert_call(node, aten.bmm.default, chosen, column)
        product = insert_call(node, aten.squeeze.dim, product, -1)
    else:
        chosen = insert_call(node, aten.index.Tensor, weight, [last])
        row = insert_call(node, aten.unsqueeze.default, x, 1)
        product = insert_call(node, aten.bmm.default, row, chosen)
        product = insert_call(node, aten.squeeze.dim, product, 1)
    inside = insert_call(node, aten.lt.Scalar, group, groups)
    inside = insert_call(node, aten.unsqueeze.default, inside, 1)
    zero = constants.add(node, torch.zeros((), dtype=node.meta["val"].dtype), "zero")
    return insert_call(node, aten.where.self, inside, product, zero)


def _find_groups(node: torch.fx.Node, x: Any, ends: Any) -> Any:
    """How many groups end before or at each row: the number of its own."""
    aten = torch.ops.aten
    rows = x.meta["val"].shape[0]
    if not isinstance(rows, int):
        rows = insert_call(node, aten.sym_size.int, x, 0)
    number = insert_call(node, aten.arange.default, rows)
    number = insert_call(node, aten.unsqueeze.default, number, 1)
    behind = insert_call(node, aten.ge.Tensor, number, ends)
    cast = torch.ops.prims.convert_element_type.default
    ones = insert_call(node, cast, behind, torch.int64)
    return insert_call(node, aten.sum.dim_IntList, ones, [1])


def _is_transposed(weight: torch.fx.Node) -> bool:
    """Whether the matrices are a view of those of [groups, n, k], which are gathered
    without being copied first."""
    if weight.target is not torch.ops.aten.permute.default:
        return False
    order: Any = weight.args[1]
    return [axis % 3 for axis in order] == [0, 2, 1]
