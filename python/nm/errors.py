"""The errors that this package raises.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nm.origins import Origin


class Error(Exception):
    """Whatever nm refuses: the message says what, and what to do about it."""


class PatternError(Error):
    """A pattern that is none, or that does not fit a layer's weight."""


class ExportError(Error):
    """torch.export or torch-mlir could not write the model.

    str() has the model, what was refused, the op and its place in the model on the
    first line, and all that was said below it.

    Attributes:
        model: the class of the model; "" when it is not about one.
        summary: what was refused, in a line.
        op: the op that is not supported, such as "aten.bincount"; "" if none is known.
        layer: the name of the layer that it is in; "" if not known.
        file: the source file of the model that the op comes from; "" if not known.
        line: the line in it, from 1; 0 if not known.
        details: all that torch.export or torch-mlir said, unabridged.
    """

    def __init__(
        self,
        summary: str,
        *,
        model: str = "",
        op: str = "",
        place: Origin | None = None,
        details: str = "",
    ) -> None:
        self.model = model
        self.summary = summary
        self.op = op
        self.layer = place.layer if place else ""
        self.file = place.file if place else ""
        self.line = place.line if place else 0
        self.details = details
        text = f"{model}: {summary}" if model else summary
        if op and op not in summary:
            text += f" (op {op})"
        if place and str(place):
            text += f"; at {place}"
        if details and details != summary:
            text += f"\n{details}"
        super().__init__(text)


class ToolError(Error):
    """A tool of nm failed.

    Attributes:
        tool: its name, such as "nm-run".
        command: what was run: the program's path and its arguments. Files among
            them that nm made are gone, but for `input`.
        input: the text of the module that the tool was given, or the path of its file
            if the caller gave one; "" for none.
        output: all that it wrote to standard output, unchanged.
        diagnostics: all that it wrote to standard error, unchanged.
        exit_code: what it exited with; negative for a signal.
    """

    def __init__(
        self,
        tool: str,
        diagnostics: str,
        exit_code: int,
        *,
        command: Sequence[str] = (),
        input: str = "",
        output: str = "",
    ) -> None:
        self.tool = tool
        self.command = list(command)
        self.input = input
        self.output = output
        self.diagnostics = diagnostics
        self.exit_code = exit_code
        said = diagnostics.strip() or "it said nothing"
        super().__init__(f"{tool} failed (exit code {exit_code}): {said}")


class DenseWarning(UserWarning):
    """A module has products, but none with an N:M-sparse constant."""


def warn_if_dense(sparse: int, dense: int) -> None:
    """Says to the caller's caller that no product of a module is sparse."""
    if sparse == 0 and dense > 0:
        warnings.warn(
            f"no layer is sparse: none of {dense} products has an N:M-sparse "
            "constant; prune the model (nm.prune) before it is exported",
            DenseWarning,
            stacklevel=3,
        )
