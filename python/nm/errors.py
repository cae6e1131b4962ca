"""The errors that this package raises.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
        remedy: what to do about it, in a line; "" if none is known.
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
        remedy: str = "",
    ) -> None:
        self.model = model
        self.summary = summary
        self.remedy = remedy
        self.op = op
        self.layer = place.layer if place else ""
        self.file = place.file if place else ""
        self.line = place.line if place else 0
        self.details = details
        text = f"{model}: {summary}" if model else summary
        if op and op not in summary:
            text += f" (op {op})"
        if place and str(place):
            text += f"; at {place}" if place.file else f"; {place}"
        if remedy:
            text += f"; {remedy}"
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


class ProgramError(Error):
    """A program could not be loaded, prepared or called.

    Attributes:
        status: the runtime's code, NMRT_* of nm-c/Runtime.h: 1 for arguments that do
            not fit, 7 for a failed assertion of the model.
    """

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


class ArgumentError(Error, TypeError):
    """A call gives an argument that its function does not have, or one twice, or lacks
    one; the message lists those that there are."""


class DenseWarning(UserWarning):
    """Products of a module are computed densely: all of them, or some whose weights
    are N:M-sparse. It says why, as the report does."""


# What the importer says of a weight without zeros to speak of.
_DENSE = "the weight is dense along k"
# Reasons that a warning spells out; the report has all.
_MOST_REASONS = 4
# Layers that get a warning of their own; of a model with more, one counts the rest.
_MOST_LAYERS = 16


def warn_if_dense(products: Sequence[Mapping[str, Any]]) -> None:
    """Says to the caller's caller which products of a report are sparse in vain: in one
    warning where all are dense, else in one for each layer.

    Args:
        products: the report's entry of that name.
    """
    dense = [one for one in products if not one["raised"]]
    if dense and len(dense) == len(products):
        warnings.warn(_describe_all(dense), DenseWarning, stacklevel=3)
        return
    told = [one for one in dense if one["pattern"]]
    # A layer of experts has several weights, of which the same is said.
    texts = list(dict.fromkeys(map(_describe_one, told)))
    for text in texts[:_MOST_LAYERS]:
        warnings.warn(text, DenseWarning, stacklevel=3)
    if len(texts) > _MOST_LAYERS:
        text = (
            f"{len(told)} of {len(products)} products are computed densely, though their "
            "weights are N:M-sparse; the report has all, with their reasons"
        )
        warnings.warn(text, DenseWarning, stacklevel=3)


def _describe_one(one: Mapping[str, Any]) -> str:
    """Says of one product why its sparse weight is in vain."""
    layer = f"layer `{one['name']}`" if one["name"] else f"{one['op']} at {one['location']}"
    return f"{layer} is computed densely, though its weight is N:M-sparse: {one['reason']}"


def _describe_all(dense: Sequence[Mapping[str, Any]]) -> str:
    """Says of the products of a model, none of which is sparse, why not."""
    text = f"no layer is sparse: none of {len(dense)} products is computed as one"
    reasons = Counter(one["reason"] for one in dense).most_common()
    for reason, count in reasons[:_MOST_REASONS]:
        text += f"; {count} of them: {reason}" if len(dense) > 1 else f": {reason}"
    if len(reasons) > _MOST_REASONS:
        text += f"; {len(reasons) - _MOST_REASONS} more reasons are in the report"
    if any(reason.startswith(_DENSE) for reason, _ in reasons):
        text += "; prune a dense model (nm.prune) before it is exported"
    return text
