"""What nm.nn.Linear has in the place of a dense weight.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from nm.errors import Error

if TYPE_CHECKING:
    from nm.nn.linear import Linear

# What asks a tensor for no data.
_QUESTIONS = {"dim", "ndimension", "size", "numel", "nelement", "element_size", "get_device",
              "is_floating_point", "is_complex", "__len__"}


class Weightless(torch.Tensor):
    """The type, shape and device of a dense weight [n, k], without data: whatever would
    read these raises Error.

    Its strides are 0, as those of no weight in a graph are: compiled graphs, which read
    memory and ask no tensor, check strides before.
    """

    _layer: str  # what messages call it

    @staticmethod
    def __new__(
        cls,
        shape: Sequence[int],
        dtype: torch.dtype,
        device: torch.device,
        layer: str,
        strides: Sequence[int] | None = (0, 0),
    ) -> Any:
        weight: Weightless = torch.Tensor._make_wrapper_subclass(
            cls, tuple(shape), strides=strides, dtype=dtype, device=device
        )
        weight._layer = layer or "nm.nn.Linear"
        return weight

    def __repr__(self, **_: Any) -> str:  # type: ignore[override]
        return f"<weight of {self._layer}: {list(self.shape)} {self.dtype}, no data>"

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), _: Any = None
    ) -> Any:
        raise cls._refuse(args, func)

    @classmethod
    def _compute_linear(cls, *args: Any, **kwargs: Any) -> torch.Tensor:
        """What F.linear gives of such a weight."""
        raise cls._refuse((*args, *kwargs.values()), torch.nn.functional.linear)

    @classmethod
    def _refuse(cls, args: Any, func: Any) -> Error:
        found = (one._layer for one in args if isinstance(one, Weightless))
        layer = next(found, "nm.nn.Linear")
        name = getattr(func, "__name__", "") or str(func)
        return Error(
            f"{layer}: the weight has no dense data, which {name} would read: call the "
            "layer, or use its to_dense()"
        )

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if func is torch.nn.functional.linear:
            return cls._compute_linear(*args, **kwargs)
        name = getattr(func, "__name__", "")
        # Reading an attribute of a tensor calls `__get__`. The attributes in _DATA hold
        # numbers, and all others only describe the tensor.
        owner = getattr(func, "__self__", None)
        is_attribute = name == "__get__" and owner not in _DATA
        if is_attribute or name in _QUESTIONS:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **kwargs)
        raise cls._refuse((*args, *kwargs.values()), func)


class WeightOf(Weightless):
    """What a layer has as its weight: models ask for `layer.weight.dtype` and such, and
    hand `layer.weight` to F.linear, which computes the layer's product."""

    _module: Linear
    _is_hf_initialized: bool

    @staticmethod
    def __new__(cls, module: Linear) -> WeightOf:
        shape = (module.out_features, module.in_features)
        weight: WeightOf = Weightless.__new__(
            cls, shape, module.dtype, module.values.device, module.name, None
        )
        weight._module = module
        # What transformers does not give random numbers.
        weight._is_hf_initialized = True
        return weight

    @classmethod
    def _compute_linear(cls, *args: Any, **kwargs: Any) -> torch.Tensor:
        return _multiply(*args, **kwargs)


_DATA = (torch.Tensor.data, torch.Tensor.grad, torch.Tensor.T, torch.Tensor.mT)


def _multiply(
    input: torch.Tensor, weight: WeightOf, bias: torch.Tensor | None = None
) -> torch.Tensor:
    """F.linear of a layer's weight and any bias."""
    module = weight._module
    y: torch.Tensor = module(input)
    if bias is module.bias:
        return y
    if module.bias is not None:
        y = y - module.bias
    return y if bias is None else y + bias
