"""The data of a module's weights: in a safetensors file, or in its text.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A module names its weights, `dense_resource<"layers.0.weight">`, and the tools take the
data beside it (`--weights`), byte by byte. Only a module that is saved as one file has
them in its text, in hexadecimal digits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.numbers.arrays import ELEMENTS, get_dtype_name

if TYPE_CHECKING:
    import torch

_RESOURCE = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^">]*)>')
_ALIGNMENT = 64  # of the first tensor in a file
_PIECE = 16 << 20  # bytes of a tensor that are looked at together


class Weights(Mapping[str, "torch.Tensor"]):
    """Tensors of a model by name, which must be as they were when this was made.

    Raises:
        Error: on access to one that has been written to since.
    """

    def __init__(self, tensors: Mapping[str, torch.Tensor]) -> None:
        self._tensors = dict(tensors)
        self._versions = {name: _get_version(one) for name, one in tensors.items()}

    def __getitem__(self, name: str) -> torch.Tensor:
        tensor = self._tensors[name]
        if _get_version(tensor) != self._versions[name]:
            raise Error(
                f"expected {name} as it was exported, but the model was changed since: "
                "export it again"
            )
        return tensor

    def __reduce__(self) -> Any:
        # Copies are others, which count anew.
        return Weights, ({name: self[name] for name in self},)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)


def _get_version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else int(tensor._version)


def keep_named(text: str, weights: Mapping[str, torch.Tensor]) -> Weights:
    """Those of `weights` that the module `text` names, since it uses them."""
    named = set(_RESOURCE.findall(text))
    return Weights(
        {
            name: tensor
            for name, tensor in weights.items()
            if name in named or quote(name) in named
        }
    )


def write_weights(weights: Mapping[str, torch.Tensor], path: Path) -> None:
    """Writes tensors as a safetensors file, from where they are.

    Args:
        weights: by name, of types that nm has.
        path: the file.
    """
    # Large elements first, so that all of them are aligned.
    ordered = sorted(weights.items(), key=lambda item: -item[1].element_size())
    header: dict[str, Any] = {}
    place = 0
    for name, tensor in ordered:
        row = NUMERIC_TYPES[ELEMENTS[get_dtype_name(tensor)]]
        size = tensor.numel() * tensor.element_size()
        header[name] = {
            "dtype": row.safetensors or "F64",
            "shape": [*tensor.shape, *([] if row.safetensors else [2])],
            "data_offsets": [place, place + size],
        }
        place += size
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, tensor in ordered:
            for piece in _pieces(tensor):
                file.write(piece)


def hash_weights(weights: Mapping[str, torch.Tensor]) -> str:
    """A digest of names, types, shapes and data."""
    digest = hashlib.sha256()
    for name, tensor in weights.items():
        digest.update(repr((name, str(tensor.dtype), tuple(tensor.shape))).encode())
        for piece in _pieces(tensor):
            digest.update(piece)
    return digest.hexdigest()


def with_data(text: str, weights: Mapping[str, torch.Tensor]) -> str:
    """`text`, a module without the data of `weights`, with them."""
    if not weights:
        return text
    parts = [text.rstrip("\n"), "\n\n{-#\n  dialect_resources: {\n    builtin: {\n"]
    for index, (name, tensor) in enumerate(weights.items()):
        parts += [",\n" if index else "", f'      {quote(name)}: "0x']
        # Before the elements: their alignment, as four bytes.
        parts += [tensor.element_size().to_bytes(4, "little").hex()]
        parts += [piece.hex() for piece in _pieces(tensor)] + ['"']
    return "".join([*parts, "\n    }\n  }\n#-}\n"])


def quote(key: str) -> str:
    """The name of a resource as MLIR reads it."""
    escaped = "".join(
        char if char.isalnum() and char.isascii() or char in "._-$/ " else None
        or "".join(f"\\{byte:02X}" for byte in char.encode())
        for char in key
    )
    return f'"{escaped}"'


def _pieces(tensor: torch.Tensor) -> Iterator[memoryview]:
    """The bytes of a tensor, row-major, some at a time, so that one on a GPU is never
    whole in the host's memory."""
    import torch

    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().view(-1)
    count = max(_PIECE // max(tensor.element_size(), 1), 1)
    for begin in range(0, flat.numel(), count):
        piece = flat[begin : begin + count].cpu()
        yield piece.view(torch.uint8).numpy().data
