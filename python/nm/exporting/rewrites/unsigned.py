"""Bytes without a sign and truths, computed in integers that hold them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 lowers most ops on uint8 as ops on int8: sum, div, abs, remainder,
sort and topk of 200 are those of -56. Others it refuses, or crashes. It orders truths as
integers of one bit with a sign, of which true is -1, and adds them without a carry.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.rewrites.widening import compute_in, get_dtype

# Ops that move elements, or for whose bits a sign does not matter, by their names
# without overloads.
_SIGN_FREE = frozenset(
    "alias as_strided bitwise_and bitwise_not bitwise_or bitwise_xor cat clone contiguous "
    "copy detach embedding empty_like expand flip full_like gather index index_select "
    "lift_fresh_copy narrow new_empty new_full new_ones new_zeros ones_like permute repeat "
    "reshape roll select slice split split_with_sizes squeeze stack t transpose unbind "
    "unsqueeze view where zeros_like _assert_tensor_metadata _to_copy _unsafe_view".split()
)


# Ops that order truths, or add them up in their own type.
_ORDERS_OR_ADDS = frozenset(
    "sort msort topk index_add scatter_add scatter_reduce index_put _unsafe_index_put".split()
)
# Casts that make complex numbers of truths: torch-mlir makes the real part of true -1.
_CASTS = frozenset(["_to_copy", "convert_element_type"])


def widen_unsigned(graph: torch.fx.Graph) -> None:
    """Computes in int64 what `graph` computes with uint8, and of truths what orders or
    adds them, and casts what comes out to the types that it had."""
    for node in list(graph.nodes):
        if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
            continue
        operands = _find_operands(node, node.target)
        if operands:
            compute_in(node, operands, torch.int64)


def _find_operands(node: torch.fx.Node, target: torch._ops.OpOverload) -> list[torch.fx.Node]:
    """The inputs of `node` that are computed with in int64."""
    name = target.overloadpacket.__name__
    if target.namespace != "aten" or name not in _SIGN_FREE:
        found = [one for one in node.all_input_nodes if get_dtype(one) is torch.uint8]
        if found:
            return found
    makes_complex = name in _CASTS and getattr(get_dtype(node), "is_complex", False)
    if not makes_complex and (target.namespace != "aten" or name not in _ORDERS_OR_ADDS):
        return []
    # What lies in a list says where to write: there truths are a mask.
    given: list[Any] = [*node.args, *node.kwargs.values()]
    return list(dict.fromkeys(one for one in given if get_dtype(one) is torch.bool))
