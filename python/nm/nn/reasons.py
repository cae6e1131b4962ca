"""Why layers of a model stay PyTorch's.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nm.pruning.layers import Weight, join
from nm.pruning.prunable import find_missing_data, find_other_form, is_adapter

if TYPE_CHECKING:
    import torch


@dataclass
class Places:
    """Where a model has its modules and parameters: each may be in several places.

    Attributes:
        of_modules: by module, what it is a child of and by which name.
        of_parameters: by the id of a parameter, its modules and names in the model.
    """

    of_modules: dict[torch.nn.Module, list[tuple[torch.nn.Module, str]]] = field(
        default_factory=dict
    )
    of_parameters: dict[int, list[tuple[torch.nn.Module, str]]] = field(default_factory=dict)


def find_places(model: torch.nn.Module) -> Places:
    """The places of all modules and parameters of `model`."""
    places = Places()
    for path, module in model.named_modules():
        for name, child in module._modules.items():
            if child is not None:
                places.of_modules.setdefault(child, []).append((module, name))
        for name, parameter in module.named_parameters(recurse=False):
            found = places.of_parameters.setdefault(id(parameter), [])
            found.append((module, join(path, name)))
    return places


def find_reason(
    model: torch.nn.Module,
    weight: Weight,
    places: Places,
    weight_dtype: str | None = None,
) -> str | None:
    """Why the layer of a weight stays, whatever its data, or its data of `weight_dtype`;
    None where it need not. `places` are the model's."""
    import torch

    module = weight.module
    missing = find_missing_data(weight) or find_other_form(weight.parameter)
    if missing:
        return missing
    if is_adapter(weight.name):
        return "a LoRA adapter, which is small: merge it to convert it with its layer"
    if isinstance(module, torch.nn.MultiheadAttention) or _is_inside_attention(
        model, weight
    ):
        return "torch.nn.MultiheadAttention reads its weights itself"
    kind = type(module)
    if kind is not torch.nn.Linear and kind.__name__ != "Conv1D":
        return (
            f"{kind.__name__} computes more than a Linear: only torch.nn.Linear itself "
            "and transformers' Conv1D are replaced"
        )
    if kind is not torch.nn.Linear and weight.form != "kn":
        return f"{kind.__name__} is no product of its input with one matrix"
    if torch.nn.utils.parametrize.is_parametrized(module):
        return "its weight is parametrized: torch.nn.utils.parametrize.remove_parametrizations"
    if hasattr(module, "weight_orig"):
        return "its mask is not permanent: torch.nn.utils.prune.remove(layer, 'weight')"
    if _has_hooks(module):
        return "it has hooks, which would be lost: remove them, or convert before they are set"
    if module.bias is not None and module.bias.dtype != weight.parameter.dtype:
        return f"its bias is of {module.bias.dtype}, its weight of {weight.parameter.dtype}"
    halves = (torch.float16, torch.bfloat16)
    if weight_dtype is not None and weight.parameter.dtype not in halves:
        return (
            f"its weight is of {weight.parameter.dtype}: kernels of {weight_dtype} take "
            "inputs of float16 or bfloat16"
        )
    # What else has the parameter: an embedding, or another layer.
    others = [
        name
        for module, name in places.of_parameters.get(id(weight.parameter), [])
        if module is not weight.module
    ]
    if others:
        return f"its weight is tied to {', '.join(others)}"
    return None


def _is_inside_attention(model: torch.nn.Module, weight: Weight) -> bool:
    import torch

    parent, _, _ = weight.name.rpartition(".")[0].rpartition(".")
    return isinstance(model.get_submodule(parent), torch.nn.MultiheadAttention)


def _has_hooks(module: torch.nn.Module) -> bool:
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return any(getattr(module, kind, None) for kind in kinds)
