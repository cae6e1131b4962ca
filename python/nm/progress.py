"""A bar on a terminal for what takes long.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
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
