"""The errors that this package raises.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import warnings


class Error(Exception):
    """Whatever nm refuses: the message says what, and what to do about it."""


class PatternError(Error):
    """A pattern that is none, or that does not fit a layer's weight."""


class ExportError(Error):
    """torch.export or torch-mlir could not write the model; see __cause__."""


class ToolError(Error):
    """A tool of nm failed.

    Attributes:
        tool: its name, such as "nm-run".
        diagnostics: all that it wrote to standard error, unchanged.
        exit_code: what it exited with; negative for a signal.
    """

    def __init__(self, tool: str, diagnostics: str, exit_code: int) -> None:
        self.tool = tool
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
