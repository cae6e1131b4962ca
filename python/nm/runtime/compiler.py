"""Compiling a module to a program, or to GPU code.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

from nm.errors import warn_if_dense
from nm.module import ModuleLike, describe_input, hash_module, module_file
from nm.pattern import Pattern
from nm.runtime import cache as _cache
from nm.runtime.cache_key import make_key
from nm.runtime.program import Program
from nm.runtime.progress import is_watched, stage_bar
from nm.runtime.tools import run_tool

Emit = Literal["mlir", "nvvm", "ptx", "cubin"]
Options = Mapping[str, "str | int | float | bool"]


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


@overload
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Literal["program"] = "program",
    pattern: Pattern | None = None,
    options: Options | None = None,
    cache: bool | None = None,
) -> Program: ...
@overload
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Emit,
    pattern: Pattern | None = None,
    options: Options | None = None,
    cache: bool | None = None,
) -> Compiled: ...
def compile(
    module: ModuleLike,
    *,
    chip: str | None = None,
    emit: Emit | Literal["program"] = "program",
    pattern: Pattern | None = None,
    options: Options | None = None,
    cache: bool | None = None,
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
        cache: whether a program is looked for, and kept, on disk (nm/cache.py says
            where); by default unless $NM_CACHE is 0.

    Raises:
        ToolError: the module cannot be read or compiled; str() says why.
        Error: nm-compile was not found.

    Warns:
        DenseWarning: no product is sparse, or the weights of some are in vain; says
            why.
    """
    arguments = _list_options(chip, pattern, options)
    if emit == "program":
        program = compile_program(module, arguments, cache)
        warn_if_dense(program.report["products"])
        return program
    with tempfile.TemporaryDirectory(prefix="nm-") as folder:
        code, report = Path(folder) / "code", Path(folder) / "report.json"
        arguments += [f"--emit={emit}", f"--report={report}"]
        _run_compiler(module, arguments, code)
        done = json.loads(report.read_text(encoding="utf-8"))
        warn_if_dense(done["products"])
        return Compiled(module, done["chip"], emit, code.read_bytes(), done)


def _list_options(
    chip: str | None, pattern: Pattern | None, options: Options | None
) -> list[str]:
    arguments = [] if chip is None else [f"--chip={chip}"]
    if pattern is not None:
        unit_k, unit_n = pattern.unit
        arguments += [f"--keep={pattern.keep}", f"--unit={unit_k}x{unit_n}"]
        if pattern.window is not None:
            arguments.append(f"--window={pattern.window}")
    for name, value in (options or {}).items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        arguments.append(f"--{name}={text}")
    return arguments


def _run_compiler(module: ModuleLike, arguments: list[str], output: Path) -> None:
    with contextlib.ExitStack() as stack:
        given, _ = stack.enter_context(module_file(module))
        arguments = [*given, *arguments, "-o", str(output)]
        files = []
        if is_watched():
            files = [stack.enter_context(stage_bar("nm: compiling"))]
            arguments.append(f"--progress=/dev/fd/{files[0]}")
        run_tool("nm-compile", arguments, describe_input(module), files)


def compile_program(
    module: ModuleLike, arguments: list[str], cache: bool | None = None
) -> Program:
    """What `compile` does for a program, without warnings.

    Args:
        module: as `compile` takes it.
        arguments: options of nm-compile.
        cache: as `compile` takes it.
    """

    def make(path: Path) -> None:
        _run_compiler(module, [*arguments, "--emit=program"], path)

    if _cache.is_enabled() if cache is None else cache:
        # Without a place to keep it, or a file to read, it is as without a cache.
        with contextlib.suppress(OSError):
            key, writes_more = make_key(module, arguments)
            return _cache.find_or_make(key, make, anew=writes_more)
    with tempfile.TemporaryDirectory(prefix="nm-") as folder:
        make(Path(folder) / "program.nm")
        # What is mapped and open stays when its name goes.
        return Program(Path(folder) / "program.nm")
