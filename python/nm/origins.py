"""Where in the user's model an op comes from.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType

import torch

_FRAME = re.compile(r'File "([^"]+)", line ([0-9]+)')
# Of a module that is called several times, all calls but the first have a number.
_CALL = re.compile(r"@\d+$")


@dataclass(frozen=True)
class Origin:
    """A place in the model.

    Attributes:
        layer: the name of its module, such as "layers.0.mlp"; "" if not known.
        file: the source file; "" if not known.
        line: the line in it, from 1; 0 if not known.
    """

    layer: str = ""
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        """As in "model.py:12, in layer layers.0.mlp"; "" if nothing is known."""
        place = f"{self.file}:{self.line}" if self.file else ""
        layer = f"in layer {self.layer}" if self.layer else ""
        return ", ".join(part for part in (place, layer) if part)


def of_node(node: torch.fx.Node) -> Origin:
    """Where the op `node` of an exported graph comes from."""
    modules = node.meta.get("nn_module_stack") or {}
    layer = str(list(modules.values())[-1][0]) if modules else ""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    file, line = innermost(frames, or_library=True)
    return Origin(_CALL.sub("", layer), file, line)


def of_error(error: BaseException) -> Origin:
    """Where in the model an exception of torch.export was raised.

    The frame is in the traceback of the exception or of its cause, or in its text,
    where torch.fx writes that of the op that it was at.
    """
    cause: BaseException | None = error
    while cause is not None:
        file, line = innermost(_frames(cause.__traceback__))
        if file:
            return Origin("", file, line)
        cause = cause.__cause__ or cause.__context__
    return Origin("", *innermost(_FRAME.findall(str(error))))


def _frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    frames = traceback.extract_tb(trace)
    # Above is who called nm.export, which is no frame of the model.
    own = [i for i, frame in enumerate(frames) if _is_below(frame.filename, __file__)]
    model = frames[own[-1] + 1 :] if own else frames
    return [(frame.filename, frame.lineno or 0) for frame in model]


def innermost(
    frames: Iterable[tuple[str, str | int]], or_library: bool = False
) -> tuple[str, int]:
    """The last of `frames` that is the user's: not of torch, Python, or generated.

    With `or_library`, the last of all where none is: a model may be one module of
    torch.
    """
    real = [(file, int(line)) for file, line in frames if os.path.isabs(file)]
    own = [frame for frame in real if not _is_library(frame[0])]
    last = own or (real if or_library else [])
    return last[-1] if last else ("", 0)


def _is_library(file: str) -> bool:
    """Whether `file` is torch's or Python's own; other packages have models."""
    if _is_below(file, torch.__file__):
        return True
    return _is_below(file, os.__file__) and "site-packages" not in file


def _is_below(file: str, package: str) -> bool:
    """Whether `file` lies in the folder of `package`, a file of it."""
    return file.startswith(os.path.dirname(package) + os.sep)
