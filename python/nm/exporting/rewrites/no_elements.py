"""Tensors without elements, which depend on nothing.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 divides by an extent of zero where it lowers a view.
"""

from __future__ import annotations

import torch

from nm.exporting.rewrites.rewriting import erase_unused


def drop_empty_work(graph: torch.fx.Graph) -> None:
    """Makes every tensor of `graph` that is known to have no element of zeros."""
    for node in list(graph.nodes):
        if not _is_aten(node) or not _has_no_elements(node):
            continue
        value = node.meta["val"]
        node.target = torch.ops.aten.zeros.default
        inputs = node.all_input_nodes
        node.args, node.kwargs = (list(value.shape),), {"dtype": value.dtype}
        erase_unused(inputs)


def _is_aten(node: torch.fx.Node) -> bool:
    """Tokens of effects have no elements either, and are no tensors of the model."""
    return isinstance(node.target, torch._ops.OpOverload) and node.target.namespace == "aten"


def _has_no_elements(node: torch.fx.Node) -> bool:
    value = node.meta.get("val")
    return (
        isinstance(value, torch.Tensor)
        and all(isinstance(extent, int) for extent in value.shape)
        and value.numel() == 0
    )
