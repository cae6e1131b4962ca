"""Sums of narrow floats, in floats that hold them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

PyTorch sums float16 and bfloat16 in float32 and rounds the sum. torch-mlir 20261001 sums
them as they are: the sum of a row of bfloat16 stands still where a term is less than half
the distance between two numbers, and the squares of a norm of float16 pass 65504.
"""

from __future__ import annotations

import torch

from nm.exporting.rewrites.widening import compute_in, get_dtype

_NARROW = (torch.float16, torch.bfloat16)
# Ops that add or multiply many elements, by their names without overloads. Products of
# matrices are the compiler's own business, and sum in float32 there.
_SUMS = frozenset(
    "_adaptive_avg_pool2d _adaptive_avg_pool3d _embedding_bag _embedding_bag_forward_only "
    "_log_softmax _softmax avg_pool1d avg_pool2d avg_pool3d cumprod cumsum embedding_bag "
    "linalg_vector_norm logcumsumexp logsumexp mean norm prod rms_norm std std_mean sum trace "
    "var var_mean".split()
)


def sum_in_float32(graph: torch.fx.Graph) -> None:
    """Computes in float32 what `graph` sums of narrower floats, and rounds the result."""
    for node in list(graph.nodes):
        target = node.target
        if node.op != "call_function" or not isinstance(target, torch._ops.OpOverload):
            continue
        if target.namespace != "aten" or target.overloadpacket.__name__ not in _SUMS:
            continue
        sources: tuple[torch.dtype, ...] = _NARROW
        if node.kwargs.get("dtype") in _NARROW:  # of the result, and then of the sum
            node.kwargs = {**node.kwargs, "dtype": torch.float32}
            sources = (*_NARROW, torch.float32)
        operands = [one for one in node.all_input_nodes if get_dtype(one) in sources]
        if operands:
            compute_in(node, operands, torch.float32)
