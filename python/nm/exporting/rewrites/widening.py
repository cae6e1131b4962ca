"""Ops that are computed in another type than that of their operands.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from nm.exporting.rewrites.rewriting import insert_call


def get_dtype(node: Any) -> Any:
    """The type of the elements of `node`'s tensor; None if it gives none."""
    return getattr(node.meta.get("val"), "dtype", None) if isinstance(node, torch.fx.Node) else None


def compute_in(node: torch.fx.Node, operands: Sequence[torch.fx.Node], wide: torch.dtype) -> None:
    """Casts `operands`, inputs of `node`, to `wide`, and casts what comes out to the
    types that it had."""
    casts = {one: _cast(node, one, wide) for one in operands}
    for one, cast in casts.items():
        node.replace_input_with(one, cast)

    target: Any = node.target
    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), lambda one: one.meta["val"])
    with next(iter(casts.values())).meta["val"].fake_mode:
        value = target(*args, **kwargs)
    if not isinstance(value, (tuple, list)):
        _restore(node, value)
        return
    node.meta["val"] = value
    for user in list(node.users):
        getitem: Any = user.args  # of an element
        _restore(user, value[getitem[1]])


def _cast(place: torch.fx.Node, node: torch.fx.Node, dtype: torch.dtype) -> Any:
    cast = insert_call(place, torch.ops.aten._to_copy.default, node)
    cast.kwargs = {"dtype": dtype}
    cast.meta["val"] = node.meta["val"].to(dtype)
    return cast


def _restore(node: torch.fx.Node, value: Any) -> None:
    """Casts `node`, which gives `value` now, to the type that it had."""
    before = get_dtype(node)
    node.meta["val"] = value
    node.meta.pop("tensor_meta", None)
    if before is None or before is value.dtype:
        return
    users = list(node.users)
    cast = _cast(node.next, node, before)
    for user in users:
        user.replace_input_with(node, cast)
