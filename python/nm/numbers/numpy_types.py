"""The types of numpy, or of ml_dtypes, that are nm's.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES


def to_numpy_type(element: str) -> Any:
    """numpy's type of `element`; that of ml_dtypes for one that numpy lacks.

    Raises:
        Error: ml_dtypes is needed and not installed.
    """
    import numpy as np

    row = NUMERIC_TYPES[element]
    if not row.is_opaque:
        return np.dtype(row.dtype)
    try:
        import ml_dtypes
    except ImportError:
        raise Error(
            f"numpy has no {row.dtype}: pass torch tensors, or install ml_dtypes"
        ) from None
    return np.dtype(getattr(ml_dtypes, row.dtype))
