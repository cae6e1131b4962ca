"""Running a module: on a GPU, in the PTX emulator, or on this CPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nm.errors import Error, ProgramError, warn_if_dense
from nm.module import Module, ModuleLike, describe_input, module_file
from nm.numbers.arrays import fit_array
from nm.numbers.formats import is_tensor, load_results, save
from nm.runtime import _native
from nm.runtime.compiler import compile_program
from nm.runtime.parameters import Parameters, check_keywords, is_data, list_names
from nm.runtime.program import parse_device
from nm.runtime.results import Results, name_results
from nm.runtime.tools import run_tool

_NO_DEVICE = 3  # NMRT_NO_DEVICE


def run(
    module: ModuleLike,
    /,
    *inputs: Any,
    device: str = "auto",
    entry: str | None = None,
    chip: str | None = None,
    state: Sequence[Any] | None = None,
    **named: Any,
) -> Results:
    """Compiles a module and calls one of its functions once.

    The short form of `nm.compile`, whose cache spares a second call the compilation,
    and a call of the program; here arrays may be of other types and orders.

    Args:
        module: what nm.export gives, or the path of an .mlir file.
        inputs: the function's arguments in order: numpy arrays, torch tensors on
            any device, or numbers, of the shapes that the function says. f32
            serves for f16 and bf16, int8 for uint8. Without the state, if the module
            has any.
        device: one that `nm-run --help` lists, such as "cuda", "emulator" or "cpu"
            (the reference lowering), or "auto": a GPU if there is one, else the
            emulator. An argument of the model that is called as one of these keywords
            is given by position.
        entry: the function; by default the module's own entry, or the only public
            function.
        chip: what to compile for, such as "sm_90"; by default the GPU's.
        state: values for the buffers that `module.state` names, in order, of their
            types and shapes; by default those that they had at export. The results
            begin with the new ones: `results[: len(module.state)]` is the state of
            the next call.
        named: the arguments after `inputs` by their names in the model, as
            `module.inputs` has them.

    Returns:
        The results in order, a named tuple as `nm.Program` gives it: torch tensors if any
        input is one, or the module has state, else numpy arrays. bf16 results are
        torch.bfloat16 or ml_dtypes.bfloat16.

    Raises:
        ToolError: the module cannot be read or compiled, or device is "cpu" and it
            cannot be run; str() says why.
        ArgumentError: an argument is missing, unknown, or given twice.
        ProgramError: the inputs do not fit the function, an assertion of the model
            failed, or the device did.
        Error: an input has a type that nm does not know, there are no inputs
            though the function takes some, `state` is not as long as
            `module.state`, or a tool was not found.

    Warns:
        DenseWarning: no product is sparse, or the weights of some are in vain; says
            why.
    """
    check_keywords(device=device, entry=entry, chip=chip)
    if entry is None and isinstance(module, Module):
        entry = module.entry
    known = _get_parameters(module, entry)
    if known is not None:
        inputs, named = known.bind(inputs, named), {}
    state = _get_state(module, entry, state)
    if device == "cpu":
        if named:
            inputs = _find_parameters(module, entry).bind(inputs, named)
        results, products = _run_on_cpu(module, (*state, *inputs), entry)
    else:
        results, products = _run_program(
            module, (state, inputs, named), entry, device, chip
        )
    warn_if_dense(products)
    return results


def _get_parameters(module: ModuleLike, entry: str | None) -> Parameters | None:
    """What a call is given, where the module says it without being compiled."""
    if not isinstance(module, Module) or entry != module.entry or not module.inputs:
        return None
    names = module.inputs[len(module.state) :]
    return Parameters(entry or "the function", names, list_names(names), module.state)


def _find_parameters(module: ModuleLike, entry: str | None) -> Parameters:
    """What a call is given, as the compiled module says it."""
    return compile_program(module, []).find_function(entry).parameters


def _run_program(
    module: ModuleLike,
    given: tuple[Sequence[Any], tuple[Any, ...], Mapping[str, Any]],
    entry: str | None,
    device: str,
    chip: str | None,
) -> tuple[Results, Any]:
    """The results of a program on a device, and the report's products.

    Args:
        given: the state, and the arguments by position and by name.
    """
    state, inputs, named = given
    kind, ordinal = _find_device() if device == "auto" else parse_device(device)
    options = [] if chip is None else [f"--chip={chip}"]
    if chip is None and kind == _native.CUDA:
        context = _native.context(kind, ordinal)
        options = [f"--capability={_native.library().nmrtDeviceCapability(context)}"]
    program = compile_program(module, options)
    function = program.find_function(entry)
    if named:
        inputs = function.parameters.bind(inputs, named)
    inputs = (*state, *inputs)
    if not inputs and len(function.arguments) > len(function.state):
        raise Error("expected the function's arguments, got none")
    where = f"cuda:{ordinal}" if kind == _native.CUDA else "cpu"
    near = _gather(inputs, where)
    # The state is an argument here: a module in a file may not say that it is.
    first = len(function.arguments) - len(near)
    values = function.arguments[max(first, 0) :]
    fitted = [
        fit_array(one, value.element, value.is_number) for one, value in zip(near, values)
    ]
    fitted += near[len(fitted) :]
    known = len(function.state) if first <= 0 else 0
    results = program(
        *fitted[known:],
        function=function.name,
        device=where,
        state=fitted[:known] if known else None,
    )
    like = next((one for one in inputs if is_tensor(one)), None)
    if like is not None:
        results = results._make(one.to(like.device) for one in results)
    return results, program.report["products"]


def _find_device() -> tuple[int, int]:
    """A GPU if there is one, else the emulator."""
    try:
        _native.context(_native.CUDA, 0)
    except ProgramError as error:
        if error.status != _NO_DEVICE:
            raise
        return _native.EMULATOR, 0
    return _native.CUDA, 0


def _gather(inputs: Sequence[Any], device: str) -> list[Any]:
    """The inputs, tensors of GPUs on `device`, and those of the CPU beside them."""
    if not any(is_tensor(one) and one.is_cuda for one in inputs):
        return list(inputs)
    return [one.to(device) if is_tensor(one) else one for one in inputs]


def _run_on_cpu(
    module: ModuleLike, inputs: Sequence[Any], entry: str | None
) -> tuple[Results, Any]:
    """The results of nm-run's reference lowering, and the report's products."""
    with module_file(module) as (given, folder):
        report = folder / "report.json"
        arguments = [*given, "--device=cpu", f"--output-dir={folder}/results"]
        arguments.append(f"--report={report}")
        if entry is not None:
            arguments.append(f"--entry={entry}")
        for index, value in enumerate(inputs):
            save(value, folder / f"input{index}.npy")
            arguments.append(f"--input={folder}/input{index}.npy")
        run_tool("nm-run", arguments, describe_input(module))
        facts = json.loads(report.read_text(encoding="utf-8"))
        if facts["run"]["random_inputs"]:
            raise Error("expected the function's arguments, got none")
        return name_results(*load_results(folder / "results", inputs)), facts["products"]


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
        hint = "; an argument called 'state' is given by position" if is_data(state) else ""
        raise Error(f"state: expected {expected}, got {len(state)} values{hint}")
    return state
