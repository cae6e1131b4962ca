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
    safetensors: str
    """Its name in such a file; "" for a complex number that lies there as its parts."""
    tolerance: float
    """The relative error that nm-run allows."""

    @property
    def is_opaque(self) -> bool:
        """Whether numpy lacks it: nm's files have it as an f32."""
        return self.npy[1] == "V"

    @property
    def is_float(self) -> bool:
        """Whether it is a float, of numpy's or not."""
        return self.npy[1] in "fV"


NUMERIC_TYPES = {
    "f16": NumericType("float16", "<f2", "F16", 0.003),
    "bf16": NumericType("bfloat16", "<V2", "BF16", 0.02),
    "f32": NumericType("float32", "<f4", "F32", 1e-05),
    "f64": NumericType("float64", "<f8", "F64", 1e-05),
    "i8": NumericType("int8", "|i1", "I8", 0.0),
    "i16": NumericType("int16", "<i2", "I16", 0.0),
    "i32": NumericType("int32", "<i4", "I32", 0.0),
    "i64": NumericType("int64", "<i8", "I64", 0.0),
    "u8": NumericType("uint8", "|u1", "U8", 0.0),
    "bool": NumericType("bool", "|b1", "BOOL", 0.0),
    "complex<f32>": NumericType("complex64", "<c8", "C64", 1e-05),
    "complex<f64>": NumericType("complex128", "<c16", "", 1e-05),
}
