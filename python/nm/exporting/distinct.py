"""Each argument of an export is a tensor of its own.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch.export knows arguments, parameters and buffers by the object that it traces with.
Where a tensor is given twice, `model(x, x)`, all uses are of one of the two arguments,
and the exported program ignores the other.
"""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch.utils import _pytree as pytree


def part_arguments(model: torch.nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """`args` and `kwargs` with copies of the tensors that `model` or an earlier argument
    holds; these are unchanged."""
    values, structure = pytree.tree_flatten((args, kwargs))
    known = {id(tensor) for tensor in itertools.chain(model.parameters(), model.buffers())}
    is_repeated = False
    for place, value in enumerate(values):
        if not isinstance(value, torch.Tensor):
            continue
        if id(value) in known:
            values[place] = value.detach().clone()
            is_repeated = True
        known.add(id(value))
    return pytree.tree_unflatten(values, structure) if is_repeated else (args, kwargs)
