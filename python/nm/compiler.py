"""Compiling a module to GPU code.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

from nm.errors import warn_if_dense
from nm.formats import Array
from nm.module import ModuleLike, describe_input, module_file
from nm.pattern import Pattern
from nm.program import Program
from nm.runtime import call
from nm.tools import run_tool

Emit = Literal["mlir", "nvvm", "ptx", "cubin"]


@dataclass(frozen=True)
class Compiled:
    """A module with the code that was made of it.

    Attributes:
        module: what was compiled.
        chip: what for, such as "sm_90".
        emit: the kind of `code`.
        code: text in UTF-8, or machine code for "cubin".
        report: what was done with each product and kernel, as nm-compile's
            --report=FILE.json has it.
    """

    module: ModuleLike = field(repr=False)
    chip: str
    emit: Emit
    code: bytes = field(repr=False)
    report: dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The code as text, such as PTX."""
        return self.code.decode("utf-8")

    def __call__(
        self,
        *inputs: Any,
        device: str = "auto",
        state: Sequence[Any] | None = None,
    ) -> tuple[Array, ...]:
        """Runs the module on arrays, as nm.run does, compiled for `chip`.

        Args:
            inputs: the function's arguments in order, of the shapes that it says.
            device: as nm.run takes it.
            state: as nm.run takes it.

        Raises:
            Error, ToolError: as nm.run.
        """
        return call(self.module, inputs, device, None, self.chip, state)[0]


@overload
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Emit = "ptx",
    pattern: Pattern | None = None,
    options: Mapping[str, str | int | float | bool] | None = None,
) -> Compiled: ...
@overload
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Literal["program"],
    pattern: Pattern | None = None,
    options: Mapping[str, str | int | float | bool] | None = None,
) -> Program: ...
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Emit | Literal["program"] = "ptx",
    pattern: Pattern | None = None,
    options: Mapping[str, str | int | float | bool] | None = None,
) -> Compiled | Program:
    """Compiles a module for a chip, in a process of its own; needs no GPU.

    Args:
        module: what nm.export gives, or the path of an .mlir file.
        chip: the chip, such as "sm_90"; by default the module's (`nm.target`), or the
            one that `nm-compile --help` names.
        emit: "program" for an nm.Program, which is called in this process; else the
            kind of code: "ptx", "cubin" (by ptxas, if there is one), "nvvm" or "mlir".
        pattern: what all N:M weights are known to satisfy; by default the tightest
            pattern of each weight is searched for.
        options: more options of nm-compile by name, such as {"stages": 3,
            "no-double-buffer": True}; see `nm-compile --help`.

    Raises:
        ToolError: the module cannot be read or compiled; str() says why.
        Error: nm-compile was not found.

    Warns:
        DenseWarning: no product is sparse, or the weights of some are in vain; says
            why.
    """
    with module_file(module) as (path, folder):
        code, report = folder / "code", folder / "report.json"
        arguments = [str(path), f"--emit={emit}", "-o", str(code)]
        if chip is not None:
            arguments.append(f"--chip={chip}")
        arguments.append(f"--report={report}")
        if pattern is not None:
            arguments += [
                f"--keep={pattern.keep}",
                f"--unit={pattern.unit[0]}x{pattern.unit[1]}",
            ]
            if pattern.window is not None:
                arguments.append(f"--window={pattern.window}")
        for name, value in (options or {}).items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            arguments.append(f"--{name}={text}")
        run_tool("nm-compile", arguments, describe_input(module))
        done = json.loads(report.read_text(encoding="utf-8"))
        warn_if_dense(done["products"])
        if emit == "program":
            return _load_own(code)
        return Compiled(module, done["chip"], emit, code.read_bytes(), done)


def _load_own(code: Path) -> Program:
    """The program in a file that nobody else keeps, which goes with it."""
    folder = Path(tempfile.mkdtemp(prefix="nm-"))
    try:
        program = Program(shutil.move(code, folder / "program.nm"))
    except BaseException:
        shutil.rmtree(folder)
        raise
    weakref.finalize(program, shutil.rmtree, folder, ignore_errors=True)
    return program
