"""Arrays of numpy and torch to the files that nm's tools read, and back.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES

if TYPE_CHECKING:
    import numpy as np
    import torch

# What nm.run takes and gives: as many numpy arrays or torch tensors.
Array = Union["np.ndarray[Any, Any]", "torch.Tensor"]

# Names of the types that numpy lacks, and of those that a .npy file may hold.
_OPAQUE = {row.dtype for row in NUMERIC_TYPES.values() if row.is_opaque}
_STORABLE = {row.npy[1:] for row in NUMERIC_TYPES.values() if not row.is_opaque}


def is_tensor(value: object) -> bool:
    """Whether `value` is a torch tensor; imports torch for no one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def save(value: Any, path: Path) -> None:
    """Writes an array (or a number) as a .npy file; what numpy lacks as f32.

    Every number of such a type (bf16) is one of f32.

    Raises:
        Error: its element type is none that nm has.
    """
    import numpy as np

    array = _to_numpy(value)
    if array.dtype.name in _OPAQUE:
        array = array.astype(np.float32)
    if array.dtype.str[1:] not in _STORABLE:
        raise Error(
            f"expected elements of {', '.join(NUMERIC_TYPES)}, got {array.dtype}"
        )
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    np.save(path, array, allow_pickle=False)


def _to_numpy(value: Any) -> np.ndarray[Any, Any]:
    import numpy as np

    if not is_tensor(value):
        return np.asarray(value)
    import torch

    # A conjugate or a negative may be a view that numpy cannot say.
    tensor = value.detach().cpu().resolve_conj().resolve_neg()
    if str(tensor.dtype).removeprefix("torch.") in _OPAQUE:
        tensor = tensor.float()
    return np.asarray(tensor.numpy())


def load_results(
    folder: Path, like: Sequence[object]
) -> tuple[tuple[str, ...], tuple[Array, ...]]:
    """Reads what `nm-run --output-dir` wrote: the results' names, "" for those that have
    none, and the results.

    These are torch tensors, on the device of the first one in `like`, if
    there is any tensor in it, and numpy arrays if not. A result that numpy lacks
    (bf16) is of torch's type, or of that of ml_dtypes (of float32 without it).
    """
    entries = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    tensors = [value for value in like if is_tensor(value)]
    results = []
    for entry in entries:
        array = _load(folder / entry["file"])
        if tensors:
            results.append(_to_torch(array, entry["type"], tensors[0]))
        else:
            results.append(_narrowed(array, entry["type"]))
    return tuple(entry.get("name", "") for entry in entries), tuple(results)


def _load(path: Path) -> np.ndarray[Any, Any]:
    import numpy as np

    array: np.ndarray[Any, Any] = np.load(path, allow_pickle=False)
    return array


def _to_torch(array: np.ndarray[Any, Any], element: str, like: Any) -> Array:
    import torch

    tensor = torch.from_numpy(array)
    row = NUMERIC_TYPES.get(element)
    if row and row.is_opaque:
        tensor = tensor.to(getattr(torch, row.dtype))
    return tensor.to(like.device)


def _narrowed(array: np.ndarray[Any, Any], element: str) -> Array:
    row = NUMERIC_TYPES.get(element)
    if not row or not row.is_opaque:
        return array
    try:
        import ml_dtypes
    except ImportError:
        return array
    return array.astype(getattr(ml_dtypes, row.dtype))
