"""Inserting calls into the graphs of exported programs.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def insert_call(place: torch.fx.Node, target: Any, operand: Any, *args: Any) -> Any:
    """Inserts `target(operand, *args)` before `place`, with what it gives.

    `place` is an op on one tensor, about which torch.export noted where it comes
    from; the new call is noted to come from there too.
    """
    import torch

    fake = operand.meta["val"]
    with place.graph.inserting_before(place):
        made = place.graph.call_function(target, (operand, *args))
    with fake.fake_mode:
        values = torch.fx.map_arg(args, lambda node: node.meta["val"])
        made.meta = {**place.meta, "val": target(fake, *values)}
    made.meta.pop("tensor_meta", None)  # that of `place`, and preferred to "val"
    return made
