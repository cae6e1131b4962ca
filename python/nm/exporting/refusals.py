"""What a failure of torch.export or torch-mlir says about a model.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import re
from typing import Any

import torch

from nm.errors import ExportError
from nm.exporting.passes import Diagnostic, PassesFailed
from nm.exporting.remedies import find_remedy
from nm.origins import Origin, of_error, of_node

# As MLIR's conversions say it; an op that torch-mlir has no class for is an operator.
_ILLEGAL = re.compile(r"failed to legalize operation '([\w.]+)'")
_OPERATOR = re.compile(r'<\{name = "([\w.]+)"')
# A file of a location has a line, the name of a layer has none.
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+)')
_LAYER = re.compile(r'"((?:[^"\\]|\\.)*)"(?!:\d)')
# As fx writes functions of Python.
_FUNCTION = re.compile(r"<(?:built-in )?function (\w+)(?: at .*)?>")


def of_trace(name: str, error: Exception) -> ExportError:
    """What a failure of torch.export says about the model called `name`."""
    what = f"{type(error).__name__}: {error}".strip()
    return ExportError(
        f"torch.export: {_first_line(what)}",
        model=name,
        place=of_error(error),
        details=what,
        remedy=find_remedy(what),
    )


def of_import(name: str, node: torch.fx.Node | None, error: Exception) -> ExportError:
    """What a failure of torch-mlir's importer says, which was at `node`."""
    what = f"{type(error).__name__}: {error}".strip()
    op = name_op(node) if node is not None and node.op == "call_function" else ""
    place = of_node(node) if node is not None else Origin()
    # The importer's own words for an op that it does not know are a dump of the node.
    unknown = isinstance(error, NotImplementedError) and op
    summary = f"{op} is not supported" if unknown else _first_line(what)
    return ExportError(
        f"torch-mlir: {summary}",
        model=name,
        op=op,
        place=place,
        details=what,
        remedy=find_remedy(f"{op}\n{what}\n{place}"),
    )


def of_passes(name: str, graph: torch.fx.Graph, error: PassesFailed) -> ExportError:
    """What a failure of torch-mlir's passes on `graph` says."""
    first = error.culprit or (error.diagnostics[0] if error.diagnostics else None)
    summary = error.why or (first.message if first else error.output)
    op, place = "", Origin()
    if first:
        place = _find_place(first)
        op = _find_op(first.message)
        if op and not error.why:
            summary = f"{op} is not supported"
        op = op or _find_op_at(graph, place)
    summary = _first_line(summary)
    if not error.why:
        summary = f"torch-mlir: {summary}"
    text = f"{op}\n{error}\n{place}"
    return ExportError(
        summary, model=name, op=op, place=place, details=str(error), remedy=find_remedy(text)
    )


def name_op(node: torch.fx.Node) -> str:
    """The name of what `node` calls, such as "aten.histc.default" or "sym_ite"."""
    function = _FUNCTION.fullmatch(str(node.target))
    return function[1] if function else str(node.target)


def _find_place(said: Diagnostic) -> Origin:
    layer, file = _LAYER.search(said.location), _PLACE.search(said.location)
    return Origin(
        layer[1] if layer else "", file[1] if file else "", int(file[2]) if file else 0
    )


def _find_op(message: str) -> str:
    """The op that a diagnostic says no conversion is for, such as "aten.topk"."""
    illegal = _ILLEGAL.search(message)
    if not illegal:
        return ""
    operator = _OPERATOR.search(message) if illegal[1] == "torch.operator" else None
    return (operator or illegal)[1].removeprefix("torch.")


def _find_op_at(graph: torch.fx.Graph, place: Origin) -> str:
    """The only op of `graph` that comes from `place`; "" where there are others."""
    found: set[str] = set()
    for node in graph.nodes if place.file else ():
        origin: Any = of_node(node)
        if node.op == "call_function" and origin == place and node.users:
            found.add(name_op(node))
    found = {one for one in found if "getitem" not in one and "sym_size" not in one}
    return found.pop() if len(found) == 1 else ""


def _first_line(text: str) -> str:
    """The first line that says something, cut after 300 characters."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"{lines[0]:.300}" if lines else "no reason given"
