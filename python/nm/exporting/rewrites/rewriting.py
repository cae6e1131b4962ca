"""Inserting calls into the graphs of exported programs.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def insert_call(place: torch.fx.Node, target: Any, *args: Any) -> Any:
    """Inserts `target(*args)` before `place`, with what it gives.

    Tensors among `args`, or in lists among them, are nodes of the graph; where there is
    none, as for arange, `place` gives a tensor. The new call is noted to come from the
    line of the model that `place` comes from.
    """
    import torch

    fakes: list[Any] = []

    def fake(node: torch.fx.Node) -> Any:
        fakes.append(node.meta["val"])
        return fakes[-1]

    values = torch.fx.map_arg(args, fake)
    fakes.append(place.meta.get("val"))
    mode = next(value.fake_mode for value in fakes if hasattr(value, "fake_mode"))
    with place.graph.inserting_before(place):
        made = place.graph.call_function(target, args)
    with mode:
        made.meta = {**place.meta, "val": target(*values)}
    made.meta.pop("tensor_meta", None)  # that of `place`, and preferred to "val"
    return made


def replace(node: torch.fx.Node, made: Any) -> None:
    """Puts `made`, which stands before `node`, in its place."""
    node.replace_all_uses_with(made)
    node.graph.erase_node(node)


def erase_unused(nodes: list[torch.fx.Node]) -> None:
    """Erases those of `nodes` that nothing uses, and what only they used. Ops that do
    more than compute stay, such as assertions."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node.users or node._erased or node.op not in ("call_function", "get_attr"):
            continue
        if node.op == "call_function" and not _only_computes(node):
            continue
        inputs = node.all_input_nodes
        node.graph.erase_node(node)
        pending += inputs


def _only_computes(node: torch.fx.Node) -> bool:
    import torch

    is_aten = isinstance(node.target, torch._ops.OpOverload) and node.target.namespace == "aten"
    return is_aten and not node.is_impure()
