"""The types of numbers that nm knows; generated, see generate_numeric_types.py.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import NamedTuple


class NumericType(NamedTuple):
    """A row of include/nm/Numbers/NumericTypes.def."""

    dtype: str
    """Its name in torch, and in numpy or ml_dtypes."""
    npy: str
    """What a .npy file calls it."""
    tolerance: float
    """The relative error that nm-run allows."""

    @property
    def is_opaque(self) -> bool:
        """Whether numpy lacks it: nm's files have it as an f32."""
        return self.npy[1] == "V"


NUMERIC_TYPES = {
    "f16": NumericType("float16", "<f2", 0.003),
    "bf16": NumericType("bfloat16", "<V2", 0.02),
    "f32": NumericType("float32", "<f4", 1e-05),
    "f64": NumericType("float64", "<f8", 1e-05),
    "i8": NumericType("int8", "|i1", 0.0),
    "i16": NumericType("int16", "<i2", 0.0),
    "i32": NumericType("int32", "<i4", 0.0),
    "i64": NumericType("int64", "<i8", 0.0),
    "u8": NumericType("uint8", "|u1", 0.0),
    "bool": NumericType("bool", "|b1", 0.0),
    "complex<f32>": NumericType("complex64", "<c8", 1e-05),
    "complex<f64>": NumericType("complex128", "<c16", 1e-05),
}
