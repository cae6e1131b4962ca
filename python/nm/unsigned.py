"""Bytes without a sign, computed in integers that hold them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 lowers most ops on uint8 as ops on int8: sum, div, abs, remainder,
sort and topk of 200 are those of -56. Others it refuses, or crashes.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.rewriting import insert_call

# Ops that move elements, or for whose bits a sign does not matter, by their names
# without overloads.
_SIGN_FREE = frozenset(
    "alias as_strided bitwise_and bitwise_not bitwise_or bitwise_xor cat clone contiguous "
    "copy detach embedding empty_like expand flip full_like gather index index_select "
    "lift_fresh_copy narrow new_empty new_full new_ones new_zeros ones_like permute repeat "
    "reshape roll select slice split split_with_sizes squeeze stack t transpose unbind "
    "unsqueeze view where zeros_like _assert_tensor_metadata _to_copy _unsafe_view".split()
)


def widen_unsigned(graph: torch.fx.Graph) -> None:
    """Computes in int64 what `graph` computes with uint8, and casts what comes out to
    the types that it had."""
    for node in list(graph.nodes):
        if node.op == "call_function" and not _is_sign_free(node.target):
            _widen(node)


def _is_sign_free(target: Any) -> bool:
    if not isinstance(target, torch._ops.OpOverload):
        return True
    return target.namespace == "aten" and target.overloadpacket.__name__ in _SIGN_FREE


def _is_unsigned(node: torch.fx.Node) -> bool:
    return getattr(node.meta.get("val"), "dtype", None) is torch.uint8


def _cast(place: torch.fx.Node, node: torch.fx.Node, dtype: torch.dtype) -> Any:
    cast = insert_call(place, torch.ops.aten._to_copy.default, node)
    cast.kwargs = {"dtype": dtype}
    cast.meta["val"] = node.meta["val"].to(dtype)
    return cast


def _widen(node: torch.fx.Node) -> None:
    unsigned = [one for one in node.all_input_nodes if _is_unsigned(one)]
    if not unsigned:
        return
    wide = {one: _cast(node, one, torch.int64) for one in unsigned}
    for one, cast in wide.items():
        node.replace_input_with(one, cast)

    target: Any = node.target
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda one: one.meta["val"])
    with next(iter(wide.values())).meta["val"].fake_mode:
        value = target(*args, **kwargs)
    if not isinstance(value, (tuple, list)):
        _restore(node, value)
        return
    node.meta["val"] = value
    for user in list(node.users):
        getitem: Any = user.args  # of an element
        _restore(user, value[getitem[1]])


def _restore(node: torch.fx.Node, value: Any) -> None:
    """Casts `node`, which gives `value` now, to the type that it had."""
    before = getattr(node.meta.get("val"), "dtype", None)
    node.meta["val"] = value
    node.meta.pop("tensor_meta", None)
    if before is None or before is value.dtype:
        return
    users = list(node.users)
    cast = _cast(node.next, node, before)
    for user in users:
        user.replace_input_with(node, cast)
