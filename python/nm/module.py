"""Modules: MLIR text in memory or in a file.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union


@dataclass(frozen=True)
class Module:
    """A model as MLIR text.

    Attributes:
        text: the module, in the linalg-on-tensors form of torch-mlir, or any that
            nm-compile reads.
        entry: the function that computes the model; None for the only public one.
        inputs: the names of the function's arguments, the state first; () if not
            known, as for text that nm.export has not written.
        results: the names of its results, the new state first.
        state: the names of the buffers that the model writes, such as
            "cache.keys"; arguments and results begin with them.
        initial_state: their values when the model was exported (torch tensors, on
            the CPU), which nm.run takes unless it is given others.
    """

    text: str = field(repr=False)
    entry: str | None = None
    inputs: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    initial_state: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the text to `path` (as UTF-8), and returns the path.

        Raises:
            OSError: the file cannot be written.
        """
        Path(path).write_text(self.text, encoding="utf-8")
        return Path(path)


# What nm.compile and nm.run take: a module, or the path of an .mlir file.
ModuleLike = Union[Module, str, "os.PathLike[str]"]


@contextlib.contextmanager
def module_file(module: ModuleLike) -> Iterator[tuple[Path, Path]]:
    """A file with the module, and an empty folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="nm-") as name:
        folder = Path(name)
        if isinstance(module, Module):
            yield module.save(folder / "module.mlir"), folder
        else:
            yield Path(module), folder


def describe_input(module: ModuleLike) -> str:
    """What ToolError keeps of a tool's input: text, or the path of the user's file."""
    return module.text if isinstance(module, Module) else str(module)
