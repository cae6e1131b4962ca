"""Python's numbers, and lists of them, as arrays of a type.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A number of Python has no type of its own, and takes that of the argument, as it does
beside a tensor of torch: 0.1 is rounded to f32. What that would make another number is
an error: 2.7 and 300 for i8, 1e300 for f32 (Inf there), a complex number for a real one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.numbers.numpy_types import to_numpy_type

if TYPE_CHECKING:
    import numpy as np

# By numpy's kind of a type, that of a list of numbers: what they are.
_WORDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
# By the kind of an argument's type: the kinds of numbers that it holds.
_HELD = {"b": "biu", "i": "biu", "u": "biu", "f": "biuf", "c": "biufc"}


def make_array_of(value: Any, element: str) -> np.ndarray[Any, Any]:
    """`value`, a number or nested lists of numbers, as an array of nm's type `element`.

    Raises:
        Error: it is none, or a number is none of that type.
    """
    import numpy as np

    try:
        given = np.asarray(value)
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        raise Error(f"expected numbers in lists of equal lengths: {error}") from error
    dtype = to_numpy_type(element)
    kind = "f" if NUMERIC_TYPES[element].is_opaque else dtype.kind
    if given.size == 0:
        return given.astype(dtype)
    if given.dtype == object and all(isinstance(one, int) for one in given.flat):
        given = _hold_large(given, element)
    if given.dtype.kind not in _WORDS:
        raise Error(f"expected a number of type {element}, got {_describe(given)}")
    if given.dtype.kind not in _HELD[kind]:
        what = _WORDS[given.dtype.kind]
        raise Error(f"expected a number of type {element}, got {what} {_describe(given)}")
    with np.errstate(over="ignore", invalid="ignore"):
        array = given.astype(dtype)
    if kind in "biu":
        lost = array.astype(object) != given.astype(object)
    else:
        lost = np.isfinite(given) & ~np.isfinite(array.astype(np.complex128))
    if np.any(lost):
        raise Error(
            f"expected a number of type {element}, got {given[lost].flat[0]}, which it "
            "does not hold"
        )
    return array


def _hold_large(
    given: np.ndarray[Any, Any], element: str
) -> np.ndarray[Any, Any]:
    """Whole numbers, some of more than 64 bits, as floats, which may hold them."""
    if not NUMERIC_TYPES[element].is_float:
        return given
    try:
        return given.astype(float)
    except OverflowError:
        return given


def _describe(given: np.ndarray[Any, Any]) -> str:
    """The first of some values, as Python writes it, not too long."""
    value = given.flat[0]
    return f"{value.item() if hasattr(value, 'item') else value!r:.80}"
