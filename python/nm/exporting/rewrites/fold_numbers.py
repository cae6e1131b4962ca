"""Computing what depends on constant numbers only, before torch-mlir sees it.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

torch-mlir 20261001 folds ops on constants of one element, such as learned scalars, and
on tensors that are filled with one number (`torch.full`, an expanded scalar). It gets
some wrong without a word: comparisons, sign, %, trunc, softplus, casts. torch computes
them here, and torch-mlir has nothing left to fold. Other tensors reach it without their
data (nm/importer.py).
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.constants import Constants
from nm.exporting.rewrites.rewriting import insert_call, replace

# What these hold is not said: zeros as well as any other numbers.
_EMPTY = ("aten::empty", "aten::new_empty", "aten::empty_like", "aten::empty_strided")

# What these give has the shape and the type of a tensor, and none of its elements.
_LIKE = {f"aten::{what}_like" for what in ("full", "ones", "zeros", "empty")}
_LIKE |= {f"aten::new_{what}" for what in ("full", "ones", "zeros", "empty")}


def fold_numbers(graph: torch.fx.Graph, constants: Constants) -> None:
    """Makes constants of ops on tensors of equal, constant elements whose results are
    such tensors as well."""
    numbers: dict[torch.fx.Node, torch.Tensor] = {}  # of one element, no dimensions
    for node in list(graph.nodes):
        value = _compute(node, numbers, constants)
        number = None if value is None else _get_number(value)
        if number is None:
            continue
        numbers[node] = number
        # What fills a tensor is left to torch-mlir, which does not know this one.
        is_unknown = node.target is torch.ops.prims.scalar_tensor.default
        if is_unknown or any(one in numbers for one in node.all_input_nodes):
            made = _insert(node, number, constants)
            numbers[made] = number
            replace(node, made)


def _compute(
    node: torch.fx.Node, numbers: dict[torch.fx.Node, torch.Tensor], constants: Constants
) -> torch.Tensor | None:
    """The value of `node`; None where it depends on more than `numbers`."""
    expected: Any = node.meta.get("val")
    if not _is_static(expected):
        return None
    if node.op == "get_attr":
        return constants[node][0] if expected.numel() == 1 else None
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return None
    name = node.target._schema.name
    ignored = node.args[:1] if name in _LIKE else ()
    if any(one not in numbers and one not in ignored for one in node.all_input_nodes):
        return None
    if torch.Tag.nondeterministic_seeded in node.target.tags:
        return None
    if name in _EMPTY:
        return torch.zeros(expected.shape, dtype=expected.dtype)

    def get_value(given: torch.fx.Node) -> torch.Tensor:
        like = given.meta["val"]
        number = numbers.get(given, torch.zeros((), dtype=like.dtype))
        return number.expand(like.shape)

    args, kwargs = torch.fx.map_arg((node.args, node.kwargs), get_value)
    value: torch.Tensor = node.target(*args, **{**kwargs, **_on_cpu(kwargs)})
    same = value.dtype == expected.dtype and value.shape == expected.shape
    return value if same else None


def _on_cpu(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {"device": "cpu"} if "device" in kwargs else {}


def _is_static(value: Any) -> bool:
    """Whether it is a tensor whose extents are known, and that has elements."""
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return False
    return all(isinstance(size, int) and size > 0 for size in value.shape)


def _get_number(value: torch.Tensor) -> torch.Tensor | None:
    """The element of `value`, where all are equal to it."""
    first = value.detach().reshape(-1)[0].clone().cpu()
    equal = bool((value == first).all()) or bool((value != value).all())
    # Zeros are equal that differ in sign.
    if value.is_floating_point() and first == 0:
        equal = equal and bool((value.signbit() == first.signbit()).all())
    return first if equal else None


def _insert(place: torch.fx.Node, number: torch.Tensor, constants: Constants) -> Any:
    """A constant in the place of `place`, of its shape."""
    shape = tuple(place.meta["val"].shape)
    made = constants.add(place, number.reshape([1] * len(shape)), place.name)
    if all(size == 1 for size in shape):
        return made
    return insert_call(place, torch.ops.aten.expand.default, made, list(shape))
