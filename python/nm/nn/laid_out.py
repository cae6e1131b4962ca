"""What kernels read of weights: their arrays on a device.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import copy
import os
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from nm.errors import Error
from nm.nn.arrays import (
    condense,
    find_values,
    get_panel_columns,
    has_one_copy,
    make_packed,
    split_packed,
)
from nm.nn.choices import measure
from nm.nn.operator import prepare
from nm.nn.products import LinearProduct, get_element

if TYPE_CHECKING:
    from nm.nn.linear import Linear

# A parameter that arrays were made of: its name, itself, if there is one, where its data were,
# and how often it had been changed in place; -1 where that is not known.
_Part = tuple[str, "torch.Tensor | None", int, int]

# Of making arrays and taking them back, both of which move a layer's values.
_lock = threading.RLock()

# What has the arrays of each layer that was laid out.
_owners: weakref.WeakKeyDictionary[Linear, LaidOut] = weakref.WeakKeyDictionary()


class LaidOut:
    """The arrays of layers' weights beside each other, and the product that takes them.

    Where one array has all values, the layers keep none beside it: the parameter
    `values` of each is then its part of the array, [panels, groups of rows, rest], and
    no longer [w, n].

    Attributes:
        packed: what the program takes of the weights; None on the CPU, unless nm's
            kernels are emulated there (NM_EMULATE=1).
        arrays: of all layouts, in the order of the program's arguments: parts of it.
        bias, scale: [n]; None for none.
        dense: the weights [n, k] beside each other, where layers keep them.
        product: the text of the product; "" before there is one.
    """

    def __init__(self) -> None:
        self.packed: torch.Tensor | None = None
        self.arrays: list[torch.Tensor] = []
        self.bias: torch.Tensor | None = None
        self.scale: torch.Tensor | None = None
        self.dense: torch.Tensor | None = None
        self.product = ""
        # What this was made of, of each layer.
        self._parts: list[list[_Part]] = []
        # What x has to have: its type, features and device.
        self._dtype: torch.dtype | None = None
        self._k = 0
        self._device: torch.device | None = None
        self._kind = ""  # of the device
        # The parameters that are parts of an array, its number, and their panels.
        self._shared: list[tuple[torch.Tensor, int, int, int]] = []

    @property
    def tensors(self) -> list[torch.Tensor]:
        """All that products read of the weights."""
        return self.arrays if self.dense is None else [*self.arrays, self.dense]

    def is_of(self, layer: int, found: dict[str, Any], is_traced: bool) -> bool:
        """Whether this was made of the parameters `found` of layer number `layer`, as
        they are now. Calls ask, so that it takes little time."""
        if len(self._parts) == 0:  # torch.compile of torch 2.11 knows no bool of a list
            return False
        for name, part, address, version in self._parts[layer]:
            if found[name] is not part:
                return False
            # What a graph reads is not changed while it is traced.
            if part is None or is_traced:
                continue
            # Module.to gives a parameter other data.
            if part.data_ptr() != address or (version >= 0 and part._version != version):
                return False
        return True

    def takes(self, x: torch.Tensor) -> bool:
        """Whether the product reads x without a cast, of its own or autocast's."""
        return (
            x.dtype is self._dtype
            and x.shape[-1] == self._k
            and x.device == self._device
            and not torch.is_autocast_enabled(self._kind)
        )

    def make(
        self, name: str, layers: Sequence[Linear], bias: torch.Tensor | None
    ) -> None:
        """Lays the weights of layers out, which are alike but for n, on their device.

        Args:
            name: what messages call them.
            layers: whose weights they are.
            bias: of all of them; None for none.

        Raises:
            Error: they are of a type that no kernel takes, or positions are none.
            ToolError: the program cannot be compiled.
        """
        with _lock:
            if self.product and self._is_of_all(layers):
                return
            self.release(layers)
            first = layers[0]
            device = first.values.device
            if first.values.is_meta or device != first.positions.device:
                return
            self.product, self.bias = describe(name, layers, bias is not None), bias
            scales = [one for one in (layer.scale for layer in layers) if one is not None]
            self.scale = torch.cat(scales) if scales else None
            if first.keeps_dense:
                dense = [layer.pack().to_dense(layer.dtype) for layer in layers]
                self.dense = torch.cat(dense)
            if has_kernels(device):
                _drop_offloaded()
                self._lay_out(layers)
                _owners.update((layer, self) for layer in layers)
            if self.packed is not None and self.dense is not None:
                measure(self.product, self.packed, bias, self.dense, self.scale)
            self._parts = [list(map(_describe_part, layer.parts.items())) for layer in layers]
            self._dtype, self._k = first.dtype, first.in_features
            self._device, self._kind = device, device.type

    def _is_of_all(self, layers: Sequence[Linear]) -> bool:
        return all(
            self.is_of(i, one._parameters, is_traced=False) for i, one in enumerate(layers)
        )

    def release(self, layers: Sequence[Linear]) -> None:
        """Gives layers of which this was made the condensed form of their values back,
        and forgets the arrays.

        Raises:
            Error: values lie as kernels read them and are no part of the arrays, as
                after they were moved by themselves.
        """
        with _lock:
            if any(layer.values.dim() != 2 for layer in layers):
                for layer, values in zip(layers, self.get_values(layers)):
                    layer.values.data = values
            self.forget()

    def forget(self) -> None:
        """Drops the arrays, which layers that have no values any more do not need."""
        self.__dict__.update(LaidOut().__dict__)

    def get_values(self, layers: Sequence[Linear]) -> list[torch.Tensor]:
        """The condensed form of the values of each layer that this was made of."""
        with _lock:
            if all(layer.values.dim() == 2 for layer in layers):
                return [layer.values.detach() for layer in layers]
            self._check_places(layers)
            (number,) = {shared[1] for shared in self._shared}
            positions = torch.cat([layer.positions for layer in layers], 1)
            array = self.arrays[number]
            whole = condense(prepare(self.product, array.device), array, positions)
            parts = whole.split_with_sizes([one.out_features for one in layers], 1)
            # Those that were given condensed values since have these.
            return [
                part.contiguous() if layer.values.dim() != 2 else layer.values.detach()
                for layer, part in zip(layers, parts)
            ]

    def _lay_out(self, layers: Sequence[Linear]) -> None:
        program = prepare(self.product, layers[0].values.device)
        self.packed = make_packed(program, [layer.pack() for layer in layers])
        self.arrays = split_packed(program, self.packed)
        number, width = find_values(program), get_panel_columns(program)
        if not has_one_copy(program) or self.arrays[number].dim() != 3:
            return
        columns = [layer.out_features for layer in layers]
        if any(_is_offloaded(layer) for layer in layers):
            return
        if any(count % width for count in columns[:-1]):
            return
        first = 0
        for layer, count in zip(layers, columns):
            panels = -(-count // width)
            self._shared.append((layer.values, number, first, panels))
            first += panels
        self._alias()

    def _alias(self) -> None:
        """Lets parameters be their parts of the array."""
        for values, number, first, panels in self._shared:
            values.data = self.arrays[number][first : first + panels]

    def _check_places(self, layers: Sequence[Linear]) -> None:
        """Raises Error where values lie as kernels read them and are no part of the
        arrays."""
        places = [
            self.arrays[number][first].data_ptr() for _, number, first, _ in self._shared
        ]
        for index, layer in enumerate(layers):
            is_known = bool(places) and layer.values.data_ptr() == places[index]
            if layer.values.dim() != 2 and not is_known:
                raise Error(
                    f"{layer.name or 'nm.nn.Linear'}: expected values of the condensed "
                    "form, or where they were laid out for kernels, got "
                    f"{list(layer.values.shape)} that were moved since: move the layer "
                    "(layer.to), not its parameters, or load its state_dict"
                )

    def __deepcopy__(self, memo: dict[int, Any]) -> LaidOut:
        # The values' copies are those of the module, by `memo`.
        copied = LaidOut()
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        copied._alias()
        copied._parts = [
            [_describe_part((name, part)) for name, part, *_ in parts]
            for parts in copied._parts
        ]
        return copied

    def __getstate__(self) -> dict[str, Any]:
        # A file has the condensed weight alone: arrays are of a chip.
        return LaidOut().__dict__


def _is_offloaded(layer: Linear) -> bool:
    """Whether accelerate brings the layer's parameters for each call."""
    hook = getattr(layer, "_hf_hook", None)
    return any(getattr(one, "offload", False) for one in getattr(hook, "hooks", [hook]))


def _drop_offloaded() -> None:
    """Drops the arrays of layers whose parameters are on the meta device: offloading, as
    accelerate does it, puts them there after each call."""
    for layer, of in list(_owners.items()):
        if layer.values.is_meta:
            of.forget()
            del _owners[layer]


def _describe_part(item: tuple[str, torch.Tensor | None]) -> _Part:
    name, part = item
    if part is None:
        return name, None, 0, -1
    return name, part, part.data_ptr(), -1 if part.is_inference() else part._version


def check_preparation(of: LaidOut, name: str, is_traced: bool) -> bool:
    """Whether arrays are to be made before a product, of which a layer has other
    parameters: not where torch.export traces with tensors in their place.

    Raises:
        Error: a graph is traced, of which making them would become a part.
    """
    if not is_traced:
        return True
    if torch.compiler.is_exporting() and of.product:
        return False
    raise Error(
        f"{name or 'nm.nn.Linear'}: expected a weight that is laid out before the model is "
        "compiled: call prepare() of the layer, or the model once without torch.compile"
    )


def describe(name: str, layers: Sequence[Linear], has_bias: bool) -> str:
    """The text of the product with the weights of layers beside each other.

    Raises:
        Error: no kernel takes their type.
    """
    first = layers[0]
    element = get_element(first.dtype)
    if element is None:
        raise Error(
            f"{name or 'nm.nn.Linear'}: expected a weight of f16, bf16, f32 or f64, got "
            f"{first.dtype}: convert the dense model instead"
        )
    weight = element if first.scale_bits is None else "i8"
    n = sum(one.out_features for one in layers)
    return str(
        LinearProduct(first.in_features, n, first.pattern, element, weight, has_bias)
    )


def has_kernels(device: torch.device) -> bool:
    """Whether nm's kernels compute what lies on `device`: of the CPU, where they are
    emulated (NM_EMULATE=1)."""
    return device.type == "cuda" or (
        device.type == "cpu" and os.environ.get("NM_EMULATE") == "1"
    )
