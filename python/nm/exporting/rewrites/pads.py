"""Negative padding, in ops that torch-mlir lowers as they are meant.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 takes a padding of -1, with which a shift by one token drops the
last, for 0, and gives a module that is wrong without a word.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from nm.exporting.rewrites.rewriting import insert_call

if TYPE_CHECKING:
    import torch


def crop_by_slices(graph: torch.fx.Graph) -> None:
    """Writes what a constant padding cuts off, where it is negative, as slices."""
    import torch

    for node in list(graph.nodes):
        if node.target is not torch.ops.aten.constant_pad_nd.default:
            continue
        if any(isinstance(pad, int) and pad < 0 for pad in node.args[1]):
            _crop(node)


def _crop(node: torch.fx.Node) -> None:
    import torch

    value: Any = node.args[0]
    pads: Any = node.args[1]  # before and after the last dimension, the one before ...
    rank = value.meta["val"].ndim
    for index in range(len(pads) // 2):
        before, after = pads[2 * index : 2 * index + 2]
        begin = -before if isinstance(before, int) and before < 0 else 0
        # A negative end counts from the back, also where the size is dynamic.
        end = after if isinstance(after, int) and after < 0 else sys.maxsize
        if begin != 0 or end != sys.maxsize:
            slice_op = torch.ops.aten.slice.Tensor
            value = insert_call(node, slice_op, value, rank - 1 - index, begin, end)
    rest = [max(pad, 0) if isinstance(pad, int) else pad for pad in pads]
    node.args = (value, rest, *node.args[2:])
