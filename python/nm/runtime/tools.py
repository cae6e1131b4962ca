"""Finding and running nm's command-line tools.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from nm.errors import Error, ToolError


def find_tool(name: str) -> Path:
    """The program `name`, such as "nm-run".

    It is looked for in $NM_BIN, in this package (of a wheel), on PATH, and in
    build/release/bin of the checkout that this package was imported from (as with
    `pip install -e`), in this order; when NM_BIN is set, only there.

    Raises:
        Error: there is none; says where it was looked for.
    """
    folder = os.environ.get("NM_BIN")
    if folder:
        tool = Path(folder) / name
        if os.access(tool, os.X_OK):
            return tool
        raise Error(f"no program {tool}: NM_BIN must be the folder of nm's tools")
    inside = Path(__file__).resolve().parents[1] / "bin" / name
    if os.access(inside, os.X_OK):
        return inside
    on_path = shutil.which(name)
    if on_path:
        return Path(on_path)
    built = Path(__file__).resolve().parents[3] / "build" / "release" / "bin" / name
    if os.access(built, os.X_OK):
        return built
    raise Error(
        f"{name} not found on PATH nor at {built}: build nm (README.md) and set "
        "NM_BIN to the folder of its tools"
    )


def run_tool(
    name: str,
    arguments: Sequence[str | os.PathLike[str]],
    input: str = "",
    files: Sequence[int] = (),
) -> None:
    """Runs a tool.

    Args:
        name: the tool, such as "nm-run".
        arguments: its arguments.
        input: what ToolError is to keep of the tool's input.
        files: descriptors that the tool inherits.

    Raises:
        ToolError: it failed; holds the command, its input and what it wrote.
        Error: there is no such tool.
    """
    command = [str(find_tool(name)), *(os.fspath(one) for one in arguments)]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        pass_fds=tuple(files),
    )
    if done.returncode != 0:
        raise ToolError(
            name,
            done.stderr.decode("utf-8", "replace"),
            done.returncode,
            command=command,
            input=input,
            output=done.stdout.decode("utf-8", "replace"),
        )


def _become(name: str) -> None:
    """Replaces this process by a tool, with the arguments of this one."""
    try:
        tool = find_tool(name)
    except Error as error:
        sys.exit(f"{name}: {error}")
    os.execv(tool, [name, *sys.argv[1:]])


def opt_main() -> None:
    """The command nm-opt of a wheel."""
    _become("nm-opt")


def compile_main() -> None:
    """The command nm-compile of a wheel."""
    _become("nm-compile")


def run_main() -> None:
    """The command nm-run of a wheel."""
    _become("nm-run")
