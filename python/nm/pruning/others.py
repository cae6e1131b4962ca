"""The parameters of a model that prune does not consider, and why.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nm.pruning.layers import (
    OtherParameter,
    find_forms,
    get_shape,
    is_uninitialized,
    join,
)
from nm.pruning.prunable import is_adapter

if TYPE_CHECKING:
    import torch

_ADAPTER = "a LoRA adapter"
# What holds the codes of a weight that is packed, by the name it has in its module,
# and how it becomes a weight again.
_PACKED = {
    "weight_packed": "a packed checkpoint of compressed-tensors: decompress it first "
    "(load it with run_compressed=False), or prune before it is quantized",
    "qweight": "packed codes, as of GPTQ and AWQ: dequantize it before pruning, or "
    "prune before it is quantized",
    "W_q": "packed codes, as of HQQ: dequantize it before pruning, or prune before it "
    "is quantized",
}


def find_other_parameters(model: torch.nn.Module) -> Iterator[OtherParameter]:
    """The parameters of `model` that look like weights but are none of find_weights.

    Those of fewer than two dimensions (biases, norms) are left out. Packed weights
    are among them, though they may be buffers, or attributes without a name.
    """
    modules = dict(model.named_modules())
    for path, module in modules.items():
        kind = type(module).__name__
        known = {name for name, _ in find_forms(module)}
        yield from _find_packed(path, module)
        for name, parameter in module.named_parameters(recurse=False):
            if name in known or name in _PACKED or _looks_small(module, parameter):
                continue
            full = join(path, name)
            reason, convertible = _why_other(modules, path, name)
            yield OtherParameter(full, kind, get_shape(parameter), reason, convertible)


def _looks_small(module: torch.nn.Module, parameter: torch.Tensor) -> bool:
    """Whether it has fewer than two dimensions, or will have."""
    from torch import nn

    if not is_uninitialized(parameter):
        return parameter.dim() < 2
    return parameter is getattr(module, "bias", None) or not isinstance(
        module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)
    )


def _find_packed(path: str, module: torch.nn.Module) -> Iterator[OtherParameter]:
    """The packed weights of one module."""
    kind = type(module).__name__
    for name, reason in _PACKED.items():
        tensor = module._parameters.get(name, module._buffers.get(name))
        if tensor is not None:
            full, shape = join(path, name), get_shape(tensor)
            yield OtherParameter(full, kind, shape, reason, True)
    # Quantized modules of torch.ao have a method `weight` or `get_weight`, which
    # unpacks the weight that they hold.
    room = type(module).__module__
    if room.startswith("torch.ao.nn.") and "quantized" in room.split("."):
        method = getattr(type(module), "weight", getattr(type(module), "get_weight", None))
        if callable(method) and "weight" not in module._parameters:
            out, k = (getattr(module, f"{one}_features", None) for one in ("out", "in"))
            shape = (out, k) if isinstance(out, int) and isinstance(k, int) else ()
            reason = "packed quantized numbers of torch.ao: prune before it is quantized"
            product = "Embedding" not in kind
            yield OtherParameter(join(path, "weight"), kind, shape, reason, product)


def _why_other(
    modules: dict[str, torch.nn.Module], path: str, name: str
) -> tuple[str, bool]:
    """Why the parameter `name` of the module at `path` is not considered, and whether
    it is the weight of a product in another form."""
    from torch import nn
    from torch.nn.utils.parametrize import ParametrizationList

    module = modules[path]
    if is_adapter(join(path, name)):
        return _ADAPTER, False
    if isinstance(module, ParametrizationList):
        owner, _, attribute = path.rpartition(".parametrizations.")
        if not owner:
            attribute = path.removeprefix("parametrizations.")
        reason = (
            "parametrized: the weight is computed from it at each call; "
            "torch.nn.utils.parametrize.remove_parametrizations makes it a weight"
        )
        forms = dict(find_forms(modules[owner])) if owner in modules else {}
        return reason, attribute in forms
    recomputed = _why_recomputed(module, name)
    if recomputed:
        return recomputed
    if name.startswith("weight_") and "weight_packed" in (
        module._parameters | module._buffers
    ):
        return "belongs to weight_packed", False
    if isinstance(module, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        if module.groups != 1:
            return f"a convolution in {module.groups} groups", False
        return f"a convolution of {'x'.join(map(str, module.kernel_size))} taps", False
    if isinstance(module, (nn.Embedding, nn.EmbeddingBag)):
        return "looked up, not multiplied", False
    kind = type(module).__name__
    return f"a parameter of {kind}, which may use it in any way", False


def _why_recomputed(module: torch.nn.Module, name: str) -> tuple[str, bool] | None:
    """As _why_other, of what a hook of torch.nn.utils computes a weight from."""
    base, _, ending = name.rpartition("_")
    buffers = module._buffers
    if ending == "orig" and f"{base}_mask" in buffers:
        hook, remedy = "prune", f'prune.remove(module, "{base}")'
    elif ending == "orig" and f"{base}_u" in buffers:
        hook, remedy = "spectral_norm", f'remove_spectral_norm(module, "{base}")'
    elif ending in ("g", "v") and {f"{base}_g", f"{base}_v"} <= set(module._parameters):
        hook, remedy = "weight_norm", f'remove_weight_norm(module, "{base}")'
    else:
        return None
    reason = (
        f'torch.nn.utils.{hook} computes "{base}" from it at each call: '
        f"torch.nn.utils.{remedy} makes it a weight"
    )
    return reason, base in dict(find_forms(module))
