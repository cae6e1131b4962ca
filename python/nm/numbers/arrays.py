"""Arrays of numpy and torch as programs take and give them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from numbers import Number
from typing import Any

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.numbers.formats import is_tensor
from nm.numbers.numpy_types import to_numpy_type
from nm.numbers.scalars import make_array_of

# By the name of a type in torch and numpy ("float32"): its name in nm ("f32").
ELEMENTS = {row.dtype: name for name, row in NUMERIC_TYPES.items()}


def get_dtype_name(array: Any) -> str:
    """The type of the elements of a tensor or an array, such as "float32"."""
    if is_tensor(array):
        return str(array.dtype).removeprefix("torch.")
    return str(array.dtype.name)


def as_array(value: Any, element: str, is_number: bool) -> Any:
    """`value` as something with memory: tensors and arrays as they are, numbers, and
    lists of such, as numpy arrays of nm's type `element` (scalars.py).

    Raises:
        Error: it is none of these.
    """
    if is_tensor(value):
        _check_plain(value)
        # A conjugate or a negative may be a view that has other numbers in memory.
        resolved = value.detach().resolve_conj().resolve_neg()
        return resolved.cpu() if is_number else resolved
    import numpy as np

    if hasattr(value, "__array__") and not isinstance(value, np.generic):
        # It has a type, which is that of the argument or wrong.
        array = np.asarray(value)
        # What is computed elsewhere is copied anyway.
        array = np.asarray(array, dtype=array.dtype.newbyteorder("="))
    else:
        listed = isinstance(value, (Sequence, Number, np.generic))
        if not is_number and (not listed or isinstance(value, (str, bytes))):
            raise Error(f"expected a tensor or an array of {element}, got {_name(value)}")
        array = make_array_of(value, element)
    if array.ndim != 0 and is_number:
        raise Error(f"expected a number, got an array of {array.ndim} dimensions")
    return array


def _name(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _check_plain(tensor: Any) -> None:
    """Raises Error where the elements of `tensor` do not lie in memory one by one."""
    torch = sys.modules["torch"]
    if tensor.layout != torch.strided:
        layout = str(tensor.layout).removeprefix("torch.")
        raise Error(f"expected a dense tensor, got one of layout {layout}: .to_dense()")
    if tensor.is_quantized:
        raise Error(f"expected plain numbers, got {tensor.dtype}: .dequantize()")
    if tensor.is_meta:
        raise Error("expected a tensor with data, got one of the meta device")
    if torch.utils._python_dispatch.is_traceable_wrapper_subclass(tensor):
        kind = type(tensor).__name__
        raise Error(f"expected a plain tensor, got {kind}, which holds others")


def get_address(array: Any) -> int:
    """Where the first element is."""
    return int(array.data_ptr() if is_tensor(array) else array.ctypes.data)


def get_strides(array: Any) -> Sequence[int] | None:
    """Strides in elements; None for a row-major array without gaps."""
    if is_tensor(array):
        return None if array.is_contiguous() else tuple(array.stride())
    if array.flags.c_contiguous:
        return None
    return tuple(step // array.itemsize for step in array.strides)


def make_array(element: str, shape: Sequence[int], like: Any | None) -> Any:
    """An array whose elements are not set: a tensor on the device of `like`, if that
    is a tensor, or else one of numpy."""
    if like is not None and is_tensor(like):
        torch = sys.modules["torch"]
        dtype = getattr(torch, NUMERIC_TYPES[element].dtype)
        return torch.empty(tuple(shape), dtype=dtype, device=like.device)
    import numpy as np

    return np.empty(tuple(shape), dtype=to_numpy_type(element))


def to_host(like: Any | None) -> Any | None:
    """What `make_array` takes for a tensor of the CPU, if `like` is a tensor."""
    return None if like is None else sys.modules["torch"].empty(0, device="cpu")


def fit_array(value: Any, element: str, is_number: bool) -> Any:
    """`value` as an argument of nm's type `element`, where `nm.run` allows more than a
    program does: floats are rounded, and the elements are put in a row."""
    array = as_array(value, element, is_number)
    got, wanted = ELEMENTS.get(get_dtype_name(array)), NUMERIC_TYPES[element]
    if got is not None and got != element:
        row = NUMERIC_TYPES[got]
        if row.is_float and wanted.is_float:
            array = _cast(array, element)
    if is_tensor(array):
        return array.contiguous()
    import numpy as np

    return np.asarray(array, order="C")  # ascontiguousarray adds a dimension to none


def _get_dtype(like: Any, element: str) -> Any:
    if is_tensor(like):
        return getattr(sys.modules["torch"], NUMERIC_TYPES[element].dtype)
    return to_numpy_type(element)


def _cast(array: Any, element: str) -> Any:
    dtype = _get_dtype(array, element)
    return array.to(dtype) if is_tensor(array) else array.astype(dtype)
