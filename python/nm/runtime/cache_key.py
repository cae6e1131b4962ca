"""What a compiled program depends on, as a digest.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import functools
import glob
import hashlib
import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

from nm.module import ModuleLike, hash_module
from nm.runtime.tools import find_tool

# Options that name what nm-compile writes beside the program.
_OUTPUTS = ("report", "dump-stages", "progress")
_PIECE = 16 << 20  # bytes of a file that are read together


def make_key(module: ModuleLike, arguments: list[str]) -> tuple[str, bool]:
    """A digest of all that a program depends on, and whether the compilation writes
    more than the program.

    The digest has what every file holds that an option names, whatever its name:
    weights, measured schedules.

    Args:
        module: what is compiled.
        arguments: options of nm-compile, as in "--stages=3".

    Raises:
        OSError: a file cannot be read, or is none that can be read twice.
    """
    inputs = [one for one in arguments if _split(one)[0] not in _OUTPUTS]
    files = [_hash_file(_split(one)[1]) for one in inputs]
    uses_ptxas = any(_split(one)[0] == "chips" for one in inputs)
    parts = [
        hash_module(module),
        inputs,
        files,
        describe_compiler(),
        [_describe_program(Path(one)) for one in _list_ptxas()] if uses_ptxas else [],
    ]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    return digest, len(inputs) != len(arguments)


def describe_compiler() -> list[str | int]:
    """What changes with nm-compile, and with the LLVM that it is linked to."""
    compiler = find_tool("nm-compile").resolve()
    return _ask_compiler(compiler, *_describe_program(compiler)[1:])


def _split(argument: str) -> tuple[str, str]:
    """The name and the value of "--name=value"."""
    name, _, value = argument.removeprefix("--").partition("=")
    return name, value


def _hash_file(path: str) -> str:
    """A digest of the file at `path`; "" where there is none."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # a number, or a file that nm-compile will miss
        return ""
    if stat.S_ISDIR(mode):  # no option of nm-compile reads a folder
        return ""
    if not stat.S_ISREG(mode):
        raise OSError(f"expected a file that can be read twice: {path}")
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _describe_program(path: Path) -> tuple[str, int, int]:
    """What changes when another program takes the place of the one at `path`."""
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size


@functools.cache
def _ask_compiler(path: Path, changed: int, size: int) -> list[str | int]:
    said = subprocess.run(
        [str(path), "--version"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return [str(path), changed, size, said.stdout.decode("utf-8", "replace")]


def _list_ptxas() -> list[str]:
    """The programs among which nm-compile finds ptxas, as far as there are any."""
    venv = os.environ.get("VIRTUAL_ENV")
    found = [os.environ.get("NM_PTXAS"), shutil.which("ptxas")]
    if venv:
        found += sorted(glob.glob(f"{venv}/lib/python3*/site-packages/nvidia/cu*/bin/ptxas"))
    found += sorted(glob.glob("/usr/local/cuda*/bin/ptxas"))
    return [one for one in found if one and os.path.isfile(one)]
