"""A bar on a terminal for what takes long.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

_DELAY = 1.0  # seconds before a bar is shown


def is_watched() -> bool:
    """Whether standard error is a terminal, and tqdm there to draw on it."""
    import importlib.util

    return sys.stderr.isatty() and importlib.util.find_spec("tqdm") is not None


@contextlib.contextmanager
def stage_bar(what: str) -> Iterator[int]:
    """A bar of the stages that a tool goes through, gone in the end; gives a file
    descriptor to which the tool writes a line for each, such as "3/9 plan"."""
    reader, writer = os.pipe()
    thread = threading.Thread(target=_show, args=(what, reader), daemon=True)
    thread.start()
    try:
        yield writer
    finally:
        os.close(writer)
        thread.join()


@contextlib.contextmanager
def counter(what: str, total: int) -> Iterator[Callable[[str], None]]:
    """What is called with the name of each of `total` pieces of work as it begins. On a
    terminal it shows them: a bar, or a line where there is no tqdm."""
    if is_watched():
        from tqdm import tqdm

        with tqdm(total=total, desc=what, leave=False) as bar:
            begun = 0

            def advance(name: str) -> None:
                nonlocal begun
                bar.update(min(begun, 1))
                begun += 1
                bar.set_postfix_str(name)

            yield advance
        return
    numbers = iter(range(1, total + 1))

    def show(name: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{what}: {next(numbers)}/{total} {name}")
            sys.stderr.flush()

    try:
        yield show
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _show(what: str, reader: int) -> None:
    from tqdm import tqdm

    bar: Any = None
    with os.fdopen(reader, encoding="utf-8") as lines:
        for line in lines:
            done, _, stage = line.strip().partition(" ")
            number, total = map(int, done.split("/"))
            if bar is None:
                bar = tqdm(total=total, desc=what, delay=_DELAY, leave=False, unit="stage")
            bar.set_postfix_str(stage, refresh=False)
            bar.update(number - 1 - bar.n)
            bar.refresh()
    if bar is not None:
        bar.close()
