"""Compiled programs on disk, so that a module is compiled once.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A program is found by a digest of all that it was made from. A file is written beside its
name and then put in its place, so that a reader sees all of it or nothing, and one that
is thrown away stays with who has opened it. Of processes that want the same program, one
compiles it and the others wait. What is found is read whole before it counts: one byte of
a weight that changed on the disk makes it another program.

The folder is where others may write, such as one below /tmp: what is no regular file, a
link or a pipe, is neither read nor written.

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
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from nm.errors import Error, ProgramError, ToolError
from nm.runtime.program import Program

_DEFAULT_SIZE = 8 << 30
_LOCKS = 64  # files that programs share, which are never removed


def is_enabled() -> bool:
    """Whether programs are kept."""
    return os.environ.get("NM_CACHE", "1") != "0"


def get_folder() -> Path:
    """Where programs are kept.

    Raises:
        OSError: nothing says where, and the user has no home.
    """
    folder = os.environ.get("NM_CACHE_DIR")
    if folder:
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return Path(base) / "nm"
    try:
        return Path.home() / ".cache/nm"
    except RuntimeError as error:
        raise OSError(str(error)) from error


def find_or_make(key: str, make: Callable[[Path], None], anew: bool = False) -> Program:
    """The program `key`; what is damaged is made again.

    Args:
        key: a digest in hexadecimal digits.
        make: writes the program to a path.
        anew: makes it, also where it is kept.

    Raises:
        OSError: the folder, or what is in it, cannot be read or written, as when the
            disk is full.
        Exception: what `make` raises.
    """
    folder = get_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key}.nm"
    with _locked(folder / f"lock-{int(key[:8], 16) % _LOCKS}"):
        program = None if anew else _find(path)
        if program is None:
            program = _make(path, make)
        os.utime(path)
    with contextlib.suppress(OSError):  # what cannot be removed stays
        _trim(folder, path)
    return program


def _find(path: Path) -> Program | None:
    """The program at `path`; None where there is none, or none that is whole."""
    _refuse_special(path)
    try:
        program = Program(path)
        program.verify()
    except (FileNotFoundError, ProgramError):
        return None
    return program


def _make(path: Path, make: Callable[[Path], None]) -> Program:
    """The program that `make` writes to `path`.

    Raises:
        OSError: it could not be written there.
    """
    try:
        make(path)
    except ToolError as error:
        # The tool's own words, where it was not the module's fault.
        if f"cannot write `{path}`" in error.diagnostics:
            raise OSError(error.diagnostics) from error
        raise
    return Program(path)


def _refuse_special(path: Path) -> None:
    """Raises OSError where `path` is a link, a pipe or whatever is no file."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise OSError(f"expected a regular file: {path}")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    # Of a link, what it leads to is somebody's file; of a pipe, opening it waits.
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"expected a regular file: {path}")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _trim(folder: Path, kept: Path) -> None:
    """Removes programs until the others are not too large; never `kept`."""
    limit = _get_size()
    files = []
    for path in folder.glob("*.nm"):
        with contextlib.suppress(FileNotFoundError):  # another process is at it
            status = path.lstat()
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
