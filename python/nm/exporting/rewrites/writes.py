"""Writes at indices, in ops that torch-mlir lowers as they are meant.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 takes no index of aten.index_put to count from the back, though it
does so for aten.index, and crashes on a scatter along a negative dimension. An index of
int32 behind a whole dimension is one that it refuses, in reads too.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.rewrites.rewriting import insert_call

# Ops that become an index_put, and whose indices PyTorch does not let count from the
# back: to refuse them is left to the write.
_FROM_THE_FRONT = ("aten::index_copy", "aten::index_add", "aten::index_reduce")

_SCATTERS = ("aten::scatter", "aten::scatter_add", "aten::scatter_reduce")


def count_from_front(graph: torch.fx.Graph) -> None:
    """Makes negative indices and dimensions of writes those that they stand for."""
    for node in list(graph.nodes):
        name = _get_name(node.target)
        if name in ("aten::index", "aten::index_put"):
            _widen_indices(node)
        if name == "aten::index_put" and not _is_from_front(node):
            _wrap_indices(node)
        elif name in _SCATTERS:
            _wrap_dimension(node)


def _get_name(target: Any) -> str:
    """The name of an op, without the overload; "" for what is none."""
    return str(target._schema.name) if isinstance(target, torch._ops.OpOverload) else ""


def _is_from_front(node: torch.fx.Node) -> bool:
    return _get_name(node.meta.get("original_aten")) in _FROM_THE_FRONT


def _widen_indices(node: torch.fx.Node) -> None:
    """Makes indices of int32 ones of int64, as all others are."""
    written, *rest = node.args
    indices: Any = rest.pop(0)
    wide: list[Any] = []
    for index in indices:
        if index is not None and index.meta["val"].dtype is torch.int32:
            cast = torch.ops.prims.convert_element_type.default
            index = insert_call(node, cast, index, torch.int64)
        wide.append(index)
    node.args = (written, wide, *rest)


def _wrap_indices(node: torch.fx.Node) -> None:
    """Adds the size to what is negative, so that what still is stays refused."""
    written: Any = node.args[0]
    wrapped: dict[int, Any] = {}
    indices: Any = node.args[1]
    for axis, index in enumerate(indices):
        # None is a whole dimension; what selects elements by bits counts nothing.
        if index is None or index.meta["val"].dtype in (torch.bool, torch.uint8):
            continue
        size: Any = written.meta["val"].shape[axis]
        if not isinstance(size, int):
            size = insert_call(node, torch.ops.aten.sym_size.int, written, axis)
        negative = insert_call(node, torch.ops.aten.lt.Scalar, index, 0)
        from_back = insert_call(node, torch.ops.aten.add.Tensor, index, size)
        wrapped[axis] = insert_call(
            node, torch.ops.aten.where.self, negative, from_back, index
        )
    both = [wrapped.get(axis, index) for axis, index in enumerate(indices)]
    node.args = (written, both, *node.args[2:])


def _wrap_dimension(node: torch.fx.Node) -> None:
    written, dim, *rest = node.args
    if isinstance(dim, int) and dim < 0:
        rank = max(written.meta["val"].ndim, 1)  # type: ignore[union-attr]
        node.args = (written, dim + rank, *rest)
