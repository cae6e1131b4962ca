"""The largest elements in any order, in the op that torch-mlir lowers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 refuses topk(sorted=False), as the routers of experts write it. The
sorted order is one of those that it allows.
"""

from __future__ import annotations

import torch

_SORTED = 4  # the argument's place, after those of the input, k, dim and largest


def sort_topk(graph: torch.fx.Graph) -> None:
    """Makes every topk of `graph` a sorted one."""
    for node in graph.nodes:
        if node.target is torch.ops.aten.topk.default:
            node.args = node.args[:_SORTED]
            node.kwargs = {k: v for k, v in node.kwargs.items() if k != "sorted"}
