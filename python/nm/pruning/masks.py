"""Which elements of pruned weights are kept: to keep the pattern while training on.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from nm.errors import PatternError
from nm.pruning.prunable import find_other_class, find_other_form

if TYPE_CHECKING:
    import torch


class Masks(Mapping[str, "torch.Tensor"]):
    """Bool tensors by the names of weights, of their shapes: True where kept.

    `nm.prune` gives them with its report (`report.masks`), and takes them
    (`masks=`). They are what was chosen: a kept element that is zero stays kept.

    Held are bits, an eighth of a byte per element, on the device of the weight; a
    bool tensor, a byte per element, is made whenever a mask is asked for.

    Args:
        masks: a mapping of bool tensors, such as what `state_dict` gave.

    Raises:
        PatternError: an entry is no bool tensor.
    """

    def __init__(self, masks: Mapping[str, torch.Tensor] | None = None) -> None:
        self._bits: dict[str, torch.Tensor] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        if masks is not None:
            self.load_state_dict(masks)

    def __getitem__(self, name: str) -> torch.Tensor:
        return _unpack(self._bits[name], self._shapes[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._bits)

    def __len__(self) -> int:
        return len(self._bits)

    def __contains__(self, name: object) -> bool:
        return name in self._bits  # Mapping's own would make the mask

    def __repr__(self) -> str:
        return f"<nm.Masks of {len(self)} weights>"

    def reapply(self, model: torch.nn.Module) -> None:
        """Zeroes in place what became non-zero where nothing is kept.

        Call it after each step of an optimizer, or have the optimizer do it:
        `optimizer.register_step_post_hook(lambda *_: masks.reapply(model))`.
        What is kept is not touched, nor are other weights. The masks move to the
        devices of the parameters.

        Args:
            model: the model that was pruned, or one with weights of the same names
                and shapes; without a wrapper that renames them.

        Raises:
            PatternError: it lacks one of the weights, or has it in another shape or
                form. Nothing was changed then.
        """
        import torch

        parameters = {name: self._find(model, name) for name in self}
        with torch.no_grad():
            for name, parameter in parameters.items():
                self._bits[name] = self._bits[name].to(parameter.device)
                parameter.masked_fill_(~self[name], 0)

    def _find(self, model: torch.nn.Module, name: str) -> torch.Tensor:
        """The parameter of `model` of that name, to be written to."""
        kind = type(model).__name__
        try:
            parameter: torch.Tensor = model.get_parameter(name)
        except AttributeError:
            raise PatternError(
                f"masks: {name} is no parameter of {kind}; give the model that was "
                "pruned, without a wrapper (its .module), or make masks for this one"
            ) from None
        other = find_other_form(parameter)
        if other is None and parameter.is_meta:
            other = "is on the meta device, without data: load its weights first"
        if other is not None:
            raise PatternError(f"masks: {name} of {kind} {other}")
        if tuple(parameter.shape) != self._shapes[name]:
            raise PatternError(
                f"masks: {name}: expected a weight of shape {self._shapes[name]}, got "
                f"{tuple(parameter.shape)}; give the model that was pruned"
            )
        return parameter

    def state_dict(self) -> dict[str, torch.Tensor]:
        """All masks as bool tensors, to be saved by torch.save or safetensors."""
        return dict(self)

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        """Replaces all masks by those of `state`.

        Raises:
            PatternError: an entry is no bool tensor. Nothing was changed then.
        """
        import torch

        if not isinstance(state, Mapping):
            raise PatternError(
                "masks: expected a mapping from names of weights to bool tensors, got "
                f"{type(state).__name__}"
            )
        for name, mask in state.items():
            wrong = why_no_mask(mask)
            if wrong is not None:
                raise PatternError(
                    f"masks: {name}: expected a bool tensor, True where kept, got {wrong}"
                )
        self._bits = {name: _pack(mask) for name, mask in state.items()}
        self._shapes = {name: tuple(mask.shape) for name, mask in state.items()}

    def _add(self, names: Iterable[str], mask: torch.Tensor) -> None:
        """Adds what was chosen for one weight, under all names that it has."""
        bits, shape = _pack(mask), tuple(mask.shape)
        self._bits.update(dict.fromkeys(names, bits))
        self._shapes.update(dict.fromkeys(names, shape))


def why_no_mask(value: object) -> str | None:
    """What `value` is instead of a mask, and what to do; None if it is one."""
    import torch

    wrong = why_no_tensor(value)
    if wrong is None and isinstance(value, torch.Tensor) and value.dtype != torch.bool:
        wrong = f"{value.dtype}; say what is kept: mask != 0"
    return wrong


def why_no_tensor(value: object) -> str | None:
    """What `value` is instead of a plain tensor with data, and what to do; None if it
    is one."""
    import torch

    if not isinstance(value, torch.Tensor):
        return f"{type(value).__name__}; make it a torch.Tensor"
    if find_other_class(value) is not None or value.is_meta:
        kind = type(value).__name__
        layout = f"{kind} of layout {value.layout} on {value.device}"
        return f"{layout}; make it a dense one with data"
    return None


def _pack(mask: torch.Tensor) -> torch.Tensor:
    """The elements of a bool tensor as bits, eight to a byte, the first the lowest."""
    import torch

    flat = mask.detach().reshape(-1)
    bits = torch.zeros(-(-flat.numel() // 8), dtype=torch.uint8, device=mask.device)
    for bit in range(8):
        eighth = flat[bit::8].to(torch.uint8)
        bits[: eighth.numel()] |= eighth << bit
    return bits


def _unpack(bits: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """What _pack made of a mask of that shape."""
    import torch

    flat = torch.empty(bits.numel() * 8, dtype=torch.bool, device=bits.device)
    for bit in range(8):
        flat[bit::8] = (bits >> bit) & 1
    count = math.prod(shape)
    # A mask of its own memory: what is saved or sliced is not longer than the weight.
    return (flat if count == flat.numel() else flat[:count].clone()).view(shape)
