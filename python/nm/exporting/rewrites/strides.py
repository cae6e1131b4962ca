"""Views by strides that reorder nothing, as reshapes.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch's decomposition of group_norm drops dimensions of one with as_strided, of which
torch-mlir 20261001 refuses dynamic sizes, and for others makes tables of indices.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import statically_known_true

from nm.exporting.rewrites.rewriting import insert_call, replace


def reshape_by_strides(graph: torch.fx.Graph) -> None:
    """Writes what as_strided gives as a reshape where it is all of a tensor, in its
    order."""
    for node in list(graph.nodes):
        if node.target is torch.ops.aten.as_strided.default and _is_reshape(node):
            given, size = node.args[:2]
            made = insert_call(node, torch.ops.aten.view.default, given, size)
            replace(node, made)


def _is_reshape(node: torch.fx.Node) -> bool:
    given: Any = node.args[0]
    before, after = given.meta["val"], node.meta["val"]
    # Both may be dynamic: what is not known to hold does not.
    return (
        _is_row_major(before)
        and _is_row_major(after)
        and statically_known_true(before.numel() == after.numel())
        and statically_known_true(before.storage_offset() == after.storage_offset())
    )


def _is_row_major(value: Any) -> bool:
    step: Any = 1
    for size, stride in reversed(list(zip(value.shape, value.stride()))):
        if not statically_known_true(size == 1):
            if not statically_known_true(stride == step):
                return False
        step = step * size
    return True
