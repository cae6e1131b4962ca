"""Files that are written whole or not at all.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO


def replace_file(target: Path, write: Callable[[BinaryIO], object]) -> None:
    """Lets `write` fill a file that then takes the place of `target`, with the
    permissions of a new file.

    Raises:
        OSError: the file cannot be written; `target` is as it was.
    """
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
