"""What a root-mean-square norm adds where the model says nothing.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

PyTorch adds the distance from 1 to the next number of the type that it computes in, which
is float32 for narrower ones. torch-mlir 20261001 adds nothing.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.rewrites.widening import get_dtype


def say_epsilons(graph: torch.fx.Graph) -> None:
    """Gives each rms_norm of `graph` the epsilon that PyTorch would take."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.rms_norm.default):
        names = ("input", "normalized_shape", "weight", "eps")
        given: dict[str, Any] = {**dict(zip(names, node.args)), **node.kwargs}
        if given.get("eps") is not None:
            continue
        wide = torch.promote_types(get_dtype(given["input"]), torch.float32)
        shape, weight = given["normalized_shape"], given.get("weight")
        node.args = (given["input"], shape, weight, torch.finfo(wide).eps)
        node.kwargs = {}
