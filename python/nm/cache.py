"""Compiled programs on disk, so that a module is compiled once.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A program is found by a digest of all that it was made from. A file is written beside its
name and then put in its place, so that a reader sees all of it or nothing, and one that
is thrown away stays with who has opened it. Of processes that want the same program, one
compiles it and the others wait.

Environment:
  NM_CACHE       0 turns it off
  NM_CACHE_DIR   its folder (default: $XDG_CACHE_HOME/nm, or ~/.cache/nm)
  NM_CACHE_SIZE  bytes of all files together at most (default: 8 GiB); what was used
                 longest ago goes first
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from nm.errors import Error, ProgramError
from nm.program import Program

_DEFAULT_SIZE = 8 << 30
_LOCKS = 64  # files that programs share, which are never removed


def is_enabled() -> bool:
    """Whether programs are kept."""
    return os.environ.get("NM_CACHE", "1") != "0"


def get_folder() -> Path:
    """Where programs are kept."""
    folder = os.environ.get("NM_CACHE_DIR")
    if folder:
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "nm"


def find_or_make(key: str, make: Callable[[Path], None]) -> Program:
    """The program `key`; what is damaged is made again.

    Args:
        key: a digest in hexadecimal digits.
        make: writes the program to a path.

    Raises:
        OSError: the folder cannot be written to.
        Exception: what `make` raises.
    """
    folder = get_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key}.nm"
    with _locked(folder / f"lock-{int(key[:8], 16) % _LOCKS}"):
        try:
            program = Program(path)
        except (FileNotFoundError, ProgramError):
            make(path)
            program = Program(path)
        os.utime(path)
    _trim(folder, path)
    return program


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _trim(folder: Path, kept: Path) -> None:
    """Removes programs until the others are not too large; never `kept`."""
    limit = _get_size()
    files = []
    for path in folder.glob("*.nm"):
        with contextlib.suppress(FileNotFoundError):  # another process is at it
            status = path.stat()
            files.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit:
            return
        if path != kept:
            path.unlink(missing_ok=True)
            total -= size


def _get_size() -> int:
    text = os.environ.get("NM_CACHE_SIZE", str(_DEFAULT_SIZE))
    if not text.isdecimal():
        raise Error(f"NM_CACHE_SIZE: expected a number of bytes, got {text}")
    return int(text)
