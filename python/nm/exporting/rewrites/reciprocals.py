"""Reciprocals as divisions, whose divisor may be zero.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 asserts that no element of 1/x is zero, where PyTorch gives inf. Of
all its elementwise ops it is the only one that does: a division may be by zero.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call, replace


def divide_one(graph: torch.fx.Graph, constants: Constants) -> None:
    """Writes every reciprocal of `graph` as a division of one."""
    for node in list(graph.nodes):
        if node.target is not torch.ops.aten.reciprocal.default:
            continue
        given: Any = node.args[0]
        if node.meta["val"].is_complex():
            continue  # refused under its own name
        one = torch.ones((), dtype=node.meta["val"].dtype)
        made = constants.add(node, one, "one")
        quotient = insert_call(node, torch.ops.aten.div.Tensor, made, given)
        replace(node, quotient)
