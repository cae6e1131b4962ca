"""Running a module: on a GPU, in the PTX emulator, or on this CPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from nm.errors import Error, warn_if_dense
from nm.formats import Array, load_results, save
from nm.module import Module, ModuleLike, describe_input, module_file
from nm.tools import run_tool


def run(
    module: ModuleLike,
    *inputs: Any,
    device: str = "auto",
    entry: str | None = None,
    chip: str | None = None,
    state: Sequence[Any] | None = None,
) -> tuple[Array, ...]:
    """Compiles a module and calls one of its functions once.

    Each call compiles the module anew, in a process of its own.

    Args:
        module: what nm.export gives, or the path of an .mlir file.
        inputs: the function's arguments in order: numpy arrays, torch tensors on
            any device, or numbers, of the shapes that the function says. f32
            serves for f16 and bf16. Without the state, if the module has any.
        device: one that `nm-run --help` lists, such as "cuda", "emulator" or "cpu"
            (the reference lowering), or "auto": a GPU if there is one, else the
            emulator.
        entry: the function; by default the module's own entry, or the only public
            function.
        chip: what to compile for, such as "sm_90"; by default the GPU's.
        state: values for the buffers that `module.state` names, in order, of their
            types and shapes; by default those that they had at export. The results
            begin with the new ones: `results[: len(module.state)]` is the state of
            the next call.

    Returns:
        The results in order: torch tensors if any input is one, or the module has
        state, else numpy arrays. bf16 results are torch.bfloat16 or
        ml_dtypes.bfloat16.

    Raises:
        ToolError: the module cannot be read, compiled or run, or the inputs do not
            fit the function; str() says why.
        Error: an input has a type that nm does not know, there are no inputs
            though the function takes some, `state` is not as long as
            `module.state`, or nm-run was not found.

    Warns:
        DenseWarning: no product is sparse, or the weights of some are in vain; says
            why.
    """
    results, report = call(module, inputs, device, entry, chip, state)
    warn_if_dense(report["products"])
    return results


def call(
    module: ModuleLike,
    inputs: Sequence[Any],
    device: str,
    entry: str | None,
    chip: str | None,
    state: Sequence[Any] | None,
) -> tuple[tuple[Array, ...], dict[str, Any]]:
    """What `run` does, without warnings: the results, and nm-run's report."""
    if entry is None and isinstance(module, Module):
        entry = module.entry
    inputs = [*_get_state(module, entry, state), *inputs]
    with module_file(module) as (path, folder):
        report = folder / "report.json"
        arguments = [str(path), f"--device={device}", f"--output-dir={folder}/results"]
        arguments.append(f"--report={report}")
        if entry is not None:
            arguments.append(f"--entry={entry}")
        if chip is not None:
            arguments.append(f"--chip={chip}")
        for index, value in enumerate(inputs):
            save(value, folder / f"input{index}.npy")
            arguments.append(f"--input={folder}/input{index}.npy")
        run_tool("nm-run", arguments, describe_input(module))
        facts = json.loads(report.read_text(encoding="utf-8"))
        if facts["run"]["random_inputs"]:
            raise Error("expected the function's arguments, got none")
        return load_results(folder / "results", inputs), facts


def _get_state(
    module: ModuleLike, entry: str | None, state: Sequence[Any] | None
) -> Sequence[Any]:
    """The arguments that stand for the state of `module`."""
    has_state = isinstance(module, Module) and entry == module.entry
    names = module.state if has_state and isinstance(module, Module) else ()
    if state is None:
        return module.initial_state if names and isinstance(module, Module) else ()
    if len(state) != len(names):
        expected = f"{len(names)} ({', '.join(names)})" if names else "none"
        raise Error(f"state: expected {expected}, got {len(state)} values")
    return state
