"""What kernels read of weights: their arrays on a device.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from typing import Any

import torch

from nm.errors import Error
from nm.nn.operator import prepare
from nm.nn.packed_weight import PackedWeight
from nm.nn.products import LinearProduct, get_element


class LaidOut:
    """The arrays of condensed weights beside each other, and the product that takes them.

    Attributes:
        arrays: of all layouts, in the order of the program's arguments; [] on the CPU,
            unless nm's kernels are emulated there (NM_EMULATE=1).
        bias: [n]; None for none.
        product: the text of the product; "" before there is one.
    """

    def __init__(self) -> None:
        self.arrays: list[torch.Tensor] = []
        self.bias: torch.Tensor | None = None
        self.product = ""
        # What this was made of, and the state of each tensor then.
        self._parts: list[torch.Tensor] = []
        self._states: list[tuple[int, int]] = []

    def is_of(self, parts: Sequence[torch.Tensor]) -> bool:
        """Whether this was made of `parts`, values and biases, as they are now."""
        of = self._parts
        return (
            len(of) == len(parts)
            and all(a is b for a, b in zip(of, parts))
            # What a graph reads is not changed while it is traced.
            and (torch.compiler.is_compiling() or self._states == _get_states(parts))
        )

    def make(
        self,
        name: str,
        weights: Sequence[PackedWeight],
        bias: torch.Tensor | None,
        parts: Sequence[torch.Tensor],
    ) -> None:
        """Lays weights out, which are alike but for n, on their device.

        Args:
            name: what messages call them.
            weights: the weights.
            bias: of all of them; None for none.
            parts: what `is_of` compares: the tensors that weights and bias are made of.

        Raises:
            Error: they are of a type that no kernel takes, or positions are none.
            ToolError: the program cannot be compiled.
        """
        first = weights[0]
        if first.values.is_meta or first.values.device != first.positions.device:
            self.__dict__.update(LaidOut().__dict__)
            return
        self.arrays, self._parts = [], []
        self.product = describe(name, weights, bias is not None)
        self.bias, device = bias, first.values.device
        if has_kernels(device):
            whole = PackedWeight.cat(weights) if len(weights) > 1 else first
            self.arrays = _make_arrays(prepare(self.product, device), whole)
        self._parts, self._states = list(parts), _get_states(parts)

    def __deepcopy__(self, memo: dict[int, Any]) -> LaidOut:
        # The values' copies are those of the module, by `memo`.
        copied = LaidOut()
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        copied._states = _get_states(copied._parts)
        return copied

    def __getstate__(self) -> dict[str, Any]:
        # A file has the condensed weight alone: arrays are of a chip.
        return LaidOut().__dict__


def _get_states(parts: Sequence[torch.Tensor]) -> list[tuple[int, int]]:
    """Where the data of tensors are, and how often they were changed in place, where that
    is known: Module.to gives a parameter other data."""
    return [
        (one.data_ptr(), 0 if one.is_inference() else one._version) for one in parts
    ]


def needs_preparation(of: LaidOut, parts: Sequence[torch.Tensor], name: str) -> bool:
    """Whether arrays are to be made before a product of weights of these parts.

    Raises:
        Error: a graph is traced, of which making them would become a part.
    """
    if of.is_of(parts):
        return False
    if not torch.compiler.is_compiling():
        return True
    # torch.export traces with other tensors in the place of the parameters.
    if torch.compiler.is_exporting() and of.product:
        return False
    raise Error(
        f"{name or 'nm.nn.Linear'}: expected a weight that is laid out before the model is "
        "compiled: call prepare() of the layer, or the model once without torch.compile"
    )


def describe(name: str, weights: Sequence[PackedWeight], has_bias: bool) -> str:
    """The text of the product with weights beside each other.

    Raises:
        Error: no kernel takes their type.
    """
    first = weights[0]
    element = get_element(first.values.dtype)
    if element is None:
        raise Error(
            f"{name or 'nm.nn.Linear'}: expected a weight of f16, bf16, f32 or f64, got "
            f"{first.values.dtype}: convert the dense model instead"
        )
    n = sum(one.n for one in weights)
    return str(LinearProduct(first.k, n, first.pattern, element, element, has_bias))


def has_kernels(device: torch.device) -> bool:
    """Whether nm's kernels compute what lies on `device`: of the CPU, where they are
    emulated (NM_EMULATE=1)."""
    return device.type == "cuda" or (
        device.type == "cpu" and os.environ.get("NM_EMULATE") == "1"
    )


def _make_arrays(program: Any, weight: PackedWeight) -> list[torch.Tensor]:
    """The arrays of all layouts of a weight, in the order of the program's arguments."""
    (taken,) = program.find_function().weights
    device = weight.values.device
    host = [one.detach().cpu().contiguous() for one in (weight.values, weight.positions)]
    arrays: dict[int, torch.Tensor] = {}
    for number, layout in enumerate(taken.layouts):
        made = program.pack_weight(taken, number, *host)
        for argument, array in zip((layout.values, layout.indices), made):
            if argument not in arrays:
                arrays[argument] = array.to(device)
    return [arrays[argument] for argument in sorted(arrays)]
