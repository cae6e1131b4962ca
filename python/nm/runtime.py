"""Running a module: on a GPU, in the PTX emulator, or on this CPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from nm.errors import Error, warn_if_dense
from nm.formats import Array, load_results, save
from nm.module import Module, ModuleLike, module_file
from nm.tools import run_tool

Device = Literal["auto", "cuda", "emulator", "cpu"]


def run(
    module: ModuleLike,
    *inputs: Any,
    device: Device = "auto",
    entry: str | None = None,
    chip: str | None = None,
) -> tuple[Array, ...]:
    """Compiles a module and calls one of its functions once.

    Each call compiles the module anew, in a process of its own.

    Args:
        module: what nm.export gives, or the path of an .mlir file.
        inputs: the function's arguments in order: numpy arrays, torch tensors on
            any device, or numbers, of the shapes that the function says. f32
            serves for f16 and bf16.
        device: "cuda", "emulator", "cpu" (the reference lowering), or "auto": a
            GPU if there is one, else the emulator.
        entry: the function; by default the module's own entry, or the only public
            function.
        chip: what to compile for, such as "sm_90"; by default the GPU's.

    Returns:
        The results in order: torch tensors if any input is one, else numpy arrays.
        bf16 results are torch.bfloat16 or ml_dtypes.bfloat16.

    Raises:
        ToolError: the module cannot be read, compiled or run, or the inputs do not
            fit the function; str() says why.
        Error: an input has a type that nm does not know, there are no inputs
            though the function takes some, or nm-run was not found.

    Warns:
        DenseWarning: no product is sparse; all are computed densely.
    """
    results, said = call(module, inputs, device, entry, chip)
    counts = re.search(r"^layers: (\d+) sparse, (\d+) dense$", said, re.M)
    if counts:
        warn_if_dense(int(counts[1]), int(counts[2]))
    return results


def call(
    module: ModuleLike,
    inputs: Sequence[Any],
    device: Device,
    entry: str | None,
    chip: str | None,
) -> tuple[tuple[Array, ...], str]:
    """What `run` does, without warnings: the results, and what nm-run printed."""
    if entry is None and isinstance(module, Module):
        entry = module.entry
    with module_file(module) as (path, folder):
        arguments = [str(path), f"--device={device}", f"--output-dir={folder}/results"]
        if entry is not None:
            arguments.append(f"--entry={entry}")
        if chip is not None:
            arguments.append(f"--chip={chip}")
        for index, value in enumerate(inputs):
            save(value, folder / f"input{index}.npy")
            arguments.append(f"--input={folder}/input{index}.npy")
        said = run_tool("nm-run", arguments)
        if not inputs and "\ninputs: random" in said:
            raise Error("expected the function's arguments, got none")
        return load_results(folder / "results", inputs), said
