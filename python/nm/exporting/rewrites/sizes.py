"""Sizes that become floats, and floats that become sizes, in what torch-mlir imports.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Resizing with align_corners (the U-Nets that upsample), and bicubic resizing, divide
dynamic sizes that they make floats first, by torch.sym_float, which torch-mlir 20261001
does not know. A true division by one gives the same float. What is scaled becomes a size
by math.trunc, which torch-mlir does not know, either: aten.Int.Scalar does it.
"""

from __future__ import annotations

import math
import operator

import torch


def convert_sizes(graph: torch.fx.Graph) -> None:
    """Writes what makes a float of a size in `graph` as a division by one, and what makes
    a size of a float as an op of aten."""
    for node in graph.find_nodes(op="call_function", target=torch.sym_float):
        node.target, node.args = operator.truediv, (node.args[0], 1)
    for node in graph.find_nodes(op="call_function", target=math.trunc):
        node.target = torch.ops.aten.Int.Scalar
