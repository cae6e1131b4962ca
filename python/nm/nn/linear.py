"""nm.nn.Linear, the module in the place of an N:M-sparse torch.nn.Linear.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from nm.errors import Error, PatternError
from nm.nn.laid_out import LaidOut, check_preparation, describe
from nm.nn.operator import multiply, weight
from nm.nn.packed_weight import PackedWeight
from nm.nn.products import get_element
from nm.nn.weightless import WeightOf

if TYPE_CHECKING:
    from nm.nn.joined import JoinedLayers

# The buffer that says what `values` and `positions` are of: [k, keep, window (0: all of
# k), rows of a unit, columns].
_FORM = "form"

# What accelerate sets first of a module that it gives a hook.
_HOOKED = "_old_forward"


class Linear(nn.Module):
    """y = x W^T + b with a condensed, frozen weight W[n, k].

    x is [..., k] and of the weight's type, as torch.nn.Linear has it; under autocast it
    is cast to autocast's. On a GPU the product is computed by nm's kernels: one
    program for all layers of the same shape, pattern and types. On the CPU it is
    computed by PyTorch from the condensed weight, or in the emulator of nm's kernels
    where the environment variable NM_EMULATE is 1.

    The module has no dense weight to read. `weight` tells type, shape and device of one.

    Args:
        packed: the weight.
        bias: [n]; None for none.
        name: what messages call the layer.
        keeps_dense: whether the dense weight is kept beside the condensed one, and used
            for numbers of rows for which it is faster.
        dtype: of x and y; by default the values', and needed where these are int8.

    Attributes:
        in_features, out_features: k and n.
        pattern: of the weight.
        values, positions: as `nm.nn.PackedWeight` has them: parameters that are frozen.
            Where kernels read the weight, `values` has the same numbers as these want
            them (three dimensions); `pack` and `state_dict` give the condensed form.
        bias: a parameter; None for none.
        scale_bits: [n], a parameter that is frozen, where `values` are int8; else None.
            It has the bits of f32 as int32, which neither `to` nor a loader casts.
    """

    form: torch.Tensor
    bias: nn.Parameter | None
    scale_bits: nn.Parameter | None

    def __init__(
        self,
        packed: PackedWeight,
        bias: torch.Tensor | None = None,
        name: str = "",
        keeps_dense: bool = False,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        # Of x, which values of int8 do not tell.
        self._dtype = dtype or packed.values.dtype
        if get_element(self._dtype) is None:
            raise PatternError(
                f"expected a weight of f16, bf16, f32 or f64, got {packed}"
            )
        self.in_features, self.out_features = packed.k, packed.n
        self.pattern = packed.pattern
        self.name = name
        self.keeps_dense = keeps_dense
        bits = None if packed.scale is None else packed.scale.detach().view(torch.int32)
        of_scale = None if bits is None else nn.Parameter(bits, requires_grad=False)
        self.register_parameter("scale_bits", of_scale)
        self.values = nn.Parameter(packed.values.detach(), requires_grad=False)
        self.positions = nn.Parameter(packed.positions, requires_grad=False)
        self.register_buffer(_FORM, torch.tensor(self._get_form()))
        kept = None if bias is None else nn.Parameter(bias.detach(), requires_grad=False)
        self.register_parameter("bias", kept)
        self._laid_out = LaidOut()
        self._joined: JoinedLayers | None = None
        self._number = 0

    @property
    def dtype(self) -> torch.dtype:
        """Of x and y."""
        # Parameters are looked up where they are, as attributes take longer.
        found: dict[str, Any] = self._parameters
        of_values: torch.dtype = found["values"].dtype
        return of_values if found["scale_bits"] is None else self._dtype

    @property
    def scale(self) -> torch.Tensor | None:
        """[n] of f32, by which columns of int8 are multiplied; None for other values."""
        bits = self.scale_bits
        return None if bits is None else bits.detach().view(torch.float32)

    @property
    def weight(self) -> torch.Tensor:
        """What tells the type, shape and device of the weight [n, k], and has no data:
        F.linear takes it; whatever else reads it raises Error. In a graph that is
        traced, F.linear of it raises, too."""
        if torch.compiler.is_compiling():
            shape = [self.out_features, self.in_features]
            return weight(self.values, shape, self.dtype, self.name or "nm.nn.Linear")
        return WeightOf(self)

    @property
    def arrays(self) -> tuple[torch.Tensor, ...]:
        """What products read of the weight alone, in all layouts and dense; () where none
        do, as of layers that are computed together."""
        return tuple(self._laid_out.tensors)

    @property
    def parts(self) -> dict[str, torch.Tensor | None]:
        """The parameters that the arrays are made of: others, or changed ones, need
        others."""
        found = self._parameters
        return {name: found[name] for name in ("values", "bias", "scale_bits")}

    @property
    def joined(self) -> JoinedLayers | None:
        """What computes this layer with others behind its input, if anything does."""
        return self._joined

    def pack(self) -> PackedWeight:
        """The weight as data; shares its tensors, but for values that lie as kernels
        read them."""
        values: torch.Tensor = self.values
        if values.dim() != 2:
            of, layers = self._laid_out, [self]
            if self._joined is not None:
                of, layers = self._joined.laid_out, self._joined.members
            values = of.get_values(layers)[self._number]
        k, scale = self.in_features, self.scale
        return PackedWeight(values, self.positions, self.pattern, k, scale)

    def to_dense(self) -> nn.Linear:
        """The layer with its dense weight."""
        dense = nn.Linear(
            self.in_features, self.out_features, self.bias is not None, device="meta"
        )
        dense.weight = nn.Parameter(self.pack().to_dense(self.dtype))
        if self.bias is not None:
            dense.bias = nn.Parameter(self.bias.detach().clone())
        return dense

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """[..., k] to [..., n]."""
        is_traced = torch.compiler.is_compiling()  # asked once, as it takes its time
        if self._joined is not None:
            return self._joined.compute(self._number, x, is_traced)
        return self.compute_alone(x, is_traced)

    def compute_alone(self, x: torch.Tensor, is_traced: bool) -> torch.Tensor:
        """What `forward` gives, without other layers behind the input."""
        of, found = self._laid_out, self._parameters
        if not of.is_of(0, found, is_traced) and check_preparation(of, self.name, is_traced):
            of.make(self.name, [self], self.bias)
        if not of.takes(x):
            x = self.fit(x)
        return multiply(x, of, [self], found["bias"], is_traced)

    def fit(self, x: torch.Tensor) -> torch.Tensor:
        """x as the product takes it: of autocast's type, if that is on.

        Raises:
            Error: x is of another type than the weight, has not k features, or is on
                another device.
        """
        kind = "cuda" if x.is_cuda else x.device.type  # the latter takes longer
        if kind != "meta" and torch.is_autocast_enabled(kind):
            x = x.to(torch.get_autocast_dtype(kind))
        found: dict[str, Any] = self._parameters
        device = found["values"].device
        if (
            x.dtype == self.dtype
            and x.shape[-1] == self.in_features
            and x.device == device
        ):
            return x
        raise Error(
            f"{self.name or 'nm.nn.Linear'}: expected [..., {self.in_features}] of "
            f"{self.dtype} on {device}, got {list(x.shape)} of {x.dtype} on {x.device}; "
            "convert the input, or the module (.to), to one type and device"
        )

    def extra_repr(self) -> str:
        dtype = str(self.dtype).removeprefix("torch.")
        text = (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}, pattern={self.pattern}, dtype={dtype}"
        )
        return text if self.scale_bits is None else f"{text}, weight_dtype=int8"

    #
    # What kernels read
    #

    def prepare(self) -> None:
        """Lays the weight out for the kernels of its device, and compiles these, which
        the first call does otherwise: torch.compile and CUDA graphs need it before."""
        if self._joined is not None:
            self._joined.prepare()
        else:
            self._laid_out.make(self.name, [self], self.bias)

    def release(self) -> None:
        """Undoes `prepare`: `values` is the condensed form again. The next call lays the
        weight out anew."""
        if self._joined is not None:
            self._joined.release()
        self._laid_out.release([self])

    def describe_weight(self) -> str:
        """What messages call the weight."""
        dtype = str(self.values.dtype).removeprefix("torch.")
        return f"{self.pattern} of {self.in_features}x{self.out_features} {dtype}"

    def describe(self) -> str:
        """The text of the product that computes the layer."""
        if self._joined is not None:
            return self._joined.describe()
        return describe(self.name, [self], self.bias is not None)

    def set_joined(self, joined: JoinedLayers, number: int) -> None:
        """Lets `joined` compute the layer, as its member number `number`."""
        self.release()
        self._joined, self._number = joined, number

    def __setattr__(self, name: str, value: Any) -> None:
        if name == _HOOKED:
            # accelerate brings and takes values of the shape that it finds here.
            self.release()
        super().__setattr__(name, value)

    def _apply(self, fn: Callable[..., Any], recurse: bool = True) -> Linear:
        self.release()
        self._dtype = fn(self.values.new_empty(0, dtype=self.dtype)).dtype
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self.prepare()
        return self

    def _get_form(self) -> list[int]:
        pattern = self.pattern
        return [self.in_features, pattern.keep, pattern.window or 0, *pattern.unit]

    def check_form(self) -> None:
        """Raises PatternError unless the data are a weight of this layer's pattern."""
        if self.form.is_meta:
            return
        if self.form.tolist() != self._get_form():
            raise PatternError(
                f"{self.name}: expected {self.describe_weight()}, got a weight of "
                f"{self.form.tolist()} (k, keep, window, unit)"
            )
        try:
            self.pack().check_positions()
        except PatternError as error:
            raise PatternError(f"{self.name}: {error}") from error

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, *rest: Any
    ) -> None:
        given = state_dict.get(prefix + _FORM)
        if given is not None and given.tolist() != self._get_form():
            raise PatternError(
                f"{prefix.rstrip('.')}: expected {self.describe_weight()}, got a weight of "
                f"{given.tolist()} (k, keep, window, unit)"
            )
        self.release()
        super()._load_from_state_dict(state_dict, prefix, *rest)

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        if self.values.dim() != 2:
            destination[prefix + "values"] = self.pack().values

    def __deepcopy__(self, memo: dict[int, Any]) -> Linear:
        # With the arrays; a file has the condensed form.
        copied = Linear.__new__(Linear)
        memo[id(self)] = copied
        copied.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return copied

    def __getstate__(self) -> dict[str, Any]:
        values = nn.Parameter(self.pack().values, requires_grad=False)
        return {**self.__dict__, "_parameters": {**self._parameters, "values": values}}
