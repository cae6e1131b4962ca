"""nm.load: programs, and converted models.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, overload

from nm.runtime.program import Program

if TYPE_CHECKING:
    import torch

_Model = TypeVar("_Model", bound="torch.nn.Module")


@overload
def load(path: str | os.PathLike[str]) -> Program: ...
@overload
def load(path: str | os.PathLike[str], model: _Model) -> _Model: ...
def load(
    path: str | os.PathLike[str], model: torch.nn.Module | None = None
) -> Program | torch.nn.Module:
    """The program in a file that `program.save` or `nm-compile --emit=program` wrote; or,
    given a model, that model as `nm.save` wrote it, with its converted layers.

        program = nm.load("model.nm")
        model = nm.load("model.safetensors", Model())

    A program's file is mapped: it must not change while the program lives (replacing it by
    another file is no such change). A model gets the layers and the state of the file in
    place: its parameters and buffers become the file's, of its types, on the device of the
    model's own. A model on the meta device, which has no dense weights, gets them on the
    CPU.

    Args:
        path: of the file.
        model: the dense model, as it was before it was converted; None for a program.

    Raises:
        OSError: the file cannot be read.
        ProgramError: it is no program, damaged, or of another version of the format.
        Error: it is none of `nm.save`'s, is damaged, or of another model, which is then
            not to be used; or libnm.so was not found.
    """
    if model is None:
        return Program(path)
    from nm.nn.files import load_model

    load_model(path, model)
    return model
