"""The data of weights, as resources of MLIR text.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import torch

from nm.importer import quote

_RESOURCE = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^">]*)>')


def with_data(text: str, data: Mapping[str, torch.Tensor]) -> str:
    """`text`, a module without resources, with those that it names.

    Args:
        text: the module.
        data: tensors of several elements by the names of resources; those that the
            module does not name, since it does not use them, are left out.
    """
    named = set(_RESOURCE.findall(text))
    used = {
        name: value
        for name, value in data.items()
        if name in named or quote(name) in named
    }
    if not used:
        return text
    parts = [text.rstrip("\n"), "\n\n{-#\n  dialect_resources: {\n    builtin: {\n"]
    for index, (name, tensor) in enumerate(used.items()):
        parts += [",\n" if index else "", f'      {quote(name)}: "0x', _hex(tensor), '"']
    return "".join([*parts, "\n    }\n  }\n#-}\n"])


def _hex(tensor: torch.Tensor) -> str:
    """The alignment, as four bytes, and the elements, in hexadecimal digits."""
    alignment = tensor.element_size().to_bytes(4, "little")
    elements = tensor.detach().cpu().contiguous().flatten().view(torch.uint8)
    return alignment.hex() + elements.numpy().tobytes().hex()
