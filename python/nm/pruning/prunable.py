"""Which weights hold numbers that can be pruned where they lie.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nm.pruning.layers import Weight, is_uninitialized

if TYPE_CHECKING:
    import torch

# peft's lora_A, lora_B, lora_embedding_A and lora_magnitude_vector (DoRA), torchtune's
# lora_a, kohya's lora_down, a module `lora`.
_ADAPTER = re.compile(r"(lora|dora)(_\w+)?", re.IGNORECASE)


def is_adapter(name: str) -> bool:
    """Whether a parameter belongs to a low-rank adapter, by its name.

    Adapters are small modules: `q_proj.lora_A.default.weight`, `fc.lora_down.weight`.
    What is further outside is a whole model that happens to be called so, and what
    peft calls a base layer is adapted.
    """
    parts = name.split(".")[-3:]
    return "base_layer" not in parts and any(map(_ADAPTER.fullmatch, parts))


def find_missing_data(weight: Weight) -> str | None:
    """Why there is nothing to prune in `weight`, and what to do; None if there is."""
    from torch._subclasses.fake_tensor import FakeTensor

    parameter = weight.parameter
    if is_uninitialized(parameter):
        return (
            "has no shape and no data yet: its module is lazy; run one forward pass of "
            "the model first"
        )
    if isinstance(parameter, FakeTensor):
        return "is a FakeTensor, without data: prune a model made outside FakeTensorMode"
    if parameter.is_meta:
        return (
            "is on the meta device, without data: load its weights first "
            '(model.to_empty(device="cpu"), then load_state_dict), or load the model '
            "without offloading"
        )
    if not weight.fits_form and parameter.numel() == 0:
        return (
            "has no elements in this process: its shards are elsewhere; gather the "
            "parameter first, or prune before it is sharded"
        )
    if find_other_class(parameter) is None and _is_freed(parameter):
        return (
            "has no data, for its storage was freed: gather the parameter first, or "
            "prune before it is sharded or offloaded"
        )
    return None


def _is_freed(tensor: torch.Tensor) -> bool:
    """Whether the storage of a plain `tensor` ends before its elements do."""
    if tensor.device.type not in ("cpu", "cuda") or not tensor.numel():
        return False  # other devices may have no storage to speak of
    last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride()))
    needed = (tensor.storage_offset() + last + 1) * tensor.element_size()
    return bool(tensor.untyped_storage().nbytes() < needed)


def find_other_class(tensor: torch.Tensor) -> str | None:
    """Why the elements of `tensor` are not at its strides, and what to do; None if they
    are.

    A subclass of Parameter (bitsandbytes', vLLM's) is what its data are.
    """
    import torch

    if is_uninitialized(tensor):
        return "has no data yet"
    held = type(tensor.data)
    if held not in (torch.Tensor, torch.nn.Parameter):
        return (
            f"is a {held.__name__}, no plain tensor: prune it before it is wrapped, or "
            "replace it by a plain one (dequantize(), full_tensor(), to_dense())"
        )
    if tensor.layout != torch.strided or tensor.is_nested:
        layout = "nested" if tensor.is_nested else str(tensor.layout)
        return f"is of layout {layout}: make it dense (to_dense()) before pruning"
    return None


def find_other_form(tensor: torch.Tensor) -> str | None:
    """Why `tensor` does not hold plain numbers, and what to do; None if it does.

    Its class decides, then its layout and the type of its elements.
    """
    import torch

    other = find_other_class(tensor)
    if other is not None:
        return other
    if tensor.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        return None
    name = str(tensor.dtype).removeprefix("torch.")
    if name.startswith("float8"):
        return (
            f"holds {name}, quantized numbers: prune it before it is quantized (zeros "
            "stay zeros), or dequantize it with its scale first"
        )
    if tensor.is_complex():
        return f"holds {name} numbers: prune its real and imaginary parts on their own"
    return f"holds {name} codes, not numbers: dequantize it before pruning"


def has_memory(tensor: torch.Tensor) -> bool:
    """Whether the elements of `tensor` have addresses that can be compared."""
    if is_uninitialized(tensor) or tensor.is_meta or find_other_class(tensor):
        return False
    return tensor.device.type in ("cpu", "cuda") and not _is_freed(tensor)


def find_misshape(weight: Weight) -> str | None:
    """Why the extents of `weight` are not those of its product; None if they are."""
    if weight.fits_form:
        return None
    shape = "x".join(map(str, weight.shape))
    return f"is of shape {shape or '()'}, not as {weight.kind} multiplies it: unpack it"
