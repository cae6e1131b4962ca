"""Modules: MLIR text in memory or in a file.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union


@dataclass(frozen=True)
class Module:
    """A model as MLIR text, and its weights.

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
            the CPU), which a call takes unless it is given others.
        weights: the data of the resources that the text names and does not hold, by
            name: tensors of the model itself, which are read when it is compiled.
    """

    text: str = field(repr=False)
    entry: str | None = None
    inputs: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    initial_state: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    weights: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the module to `path` (as UTF-8), the weights in hexadecimal digits,
        and returns the path.

        Raises:
            OSError: the file cannot be written.
        """
        from nm.numbers.weights import with_data

        Path(path).write_text(with_data(self.text, self.weights), encoding="utf-8")
        return Path(path)


# What nm.compile and nm.run take: a module, or the path of an .mlir file.
ModuleLike = Union[Module, str, "os.PathLike[str]"]


@contextlib.contextmanager
def module_file(module: ModuleLike) -> Iterator[tuple[list[str], Path]]:
    """What tells a tool the module, and a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="nm-") as name:
        folder = Path(name)
        if not isinstance(module, Module):
            yield [os.fspath(module)], folder
            return
        (folder / "module.mlir").write_text(module.text, encoding="utf-8")
        arguments = [str(folder / "module.mlir")]
        if module.weights:
            from nm.numbers.weights import write_weights

            write_weights(module.weights, folder / "weights.safetensors")
            arguments.append(f"--weights={folder}/weights.safetensors")
        yield arguments, folder


def hash_module(module: ModuleLike) -> str:
    """A digest of all that a tool is told of the module.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    if not isinstance(module, Module):
        digest.update(os.fsencode(module))  # which reports and errors name
        with open(module, "rb") as file:
            while piece := file.read(16 << 20):
                digest.update(piece)
        return digest.hexdigest()
    from nm.numbers.weights import hash_weights

    digest.update(module.text.encode())
    digest.update(hash_weights(module.weights).encode())
    return digest.hexdigest()


def describe_input(module: ModuleLike) -> str:
    """What ToolError keeps of a tool's input: text, or the path of the user's file."""
    return module.text if isinstance(module, Module) else str(module)
