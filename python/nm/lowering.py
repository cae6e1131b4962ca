"""The steps of nm.export, and what is said when one of them fails.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import re
from typing import Any

import torch
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

from nm.complex_parts import split_complex
from nm.errors import ExportError
from nm.fold_numbers import fold_numbers
from nm.fold_weights import fold_weights
from nm.frozen import FrozenGraph, freeze
from nm.importer import Imported, Progress, import_graph
from nm.module import Module
from nm.no_elements import drop_empty_work
from nm.origins import Origin, of_error, of_node
from nm.pads import crop_by_slices
from nm.passes import PassesFailed, Signature, run_passes
from nm.pools import gather_windows
from nm.reciprocals import divide_one
from nm.reshapes import merge_by_flatten
from nm.strides import reshape_by_strides
from nm.topk import sort_topk
from nm.truths import read_truths_as_integers
from nm.unsigned import widen_unsigned
from nm.weights import keep_named, quote
from nm.writes import count_from_front

# As MLIR's conversions say it; an op that torch-mlir has no class for is an operator.
_ILLEGAL = re.compile(r"failed to legalize operation '([\w.]+)'")
_OPERATOR = re.compile(r'<\{name = "([\w.]+)"')
# A file of a location has a line, the name of a layer has none.
_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+)')
_LAYER = re.compile(r'"((?:[^"\\]|\\.)*)"(?!:\d)')


def trace(
    name: str,
    model: torch.nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    dynamic_shapes: Any,
) -> torch.export.ExportedProgram:
    """The program of `model`, in the ops that torch-mlir is made for.

    Raises:
        ExportError: torch.export refuses the model, called `name`.
    """
    try:
        program = torch.export.export(
            model, args, kwargs, dynamic_shapes=dynamic_shapes, strict=False
        )
        _allow_copies(program.graph)
        decomposed: torch.export.ExportedProgram = program.run_decompositions(
            get_decomposition_table()
        )
        return decomposed
    except Exception as error:
        what = f"{type(error).__name__}: {error}".strip()
        raise ExportError(
            f"torch.export: {_first_line(what)}",
            model=name,
            place=of_error(error),
            details=what,
        ) from error


def lower(name: str, program: torch.export.ExportedProgram, entry: str) -> Module:
    """The module of `program`, which is changed.

    Raises:
        ExportError: torch-mlir refuses it, or crashes.
    """
    frozen = freeze(program)
    _rewrite(name, frozen)
    progress = Progress()
    try:
        imported = import_graph(frozen, entry, progress)
    except Exception as error:
        node = progress.node
        what = f"{type(error).__name__}: {error}".strip()
        raise ExportError(
            f"torch-mlir: {_first_line(what)}",
            model=name,
            op=str(node.target) if node and node.op == "call_function" else "",
            place=of_node(node) if node else Origin(),
            details=what,
        ) from error
    try:
        text = run_passes(imported.text, entry, _describe(frozen, imported))
    except PassesFailed as error:
        raise _explain(name, error) from error
    return Module(
        text,
        entry,
        inputs=tuple(frozen.inputs),
        results=tuple(frozen.results),
        state=tuple(frozen.state),
        initial_state=tuple(frozen.initial_state),
        weights=keep_named(text, imported.data),
    )


def _describe(frozen: FrozenGraph, imported: Imported) -> Signature:
    """The names of arguments and results, and what the state begins with, whose data
    become those of resources."""
    state = []
    for name, tensor in zip(frozen.state, frozen.initial_state):
        state.append(f"dense_resource<{quote(imported.add(name, tensor))}>")
        if tensor.numel() == 0:
            state[-1] = "dense<>"
    return Signature(
        frozen.inputs, frozen.results, state, frozen.unsigned_inputs, frozen.unsigned_results
    )


def _rewrite(name: str, frozen: FrozenGraph) -> None:
    """Writes what torch-mlir refuses, or gets wrong, in other ops."""
    fold_numbers(frozen.graph, frozen.constants)
    fold_weights(frozen.graph, frozen.constants)
    split_complex(frozen.graph, frozen.constants)
    drop_empty_work(frozen.graph)
    divide_one(frozen.graph, frozen.constants)
    widen_unsigned(frozen.graph)
    count_from_front(frozen.graph)
    read_truths_as_integers(frozen.graph)
    sort_topk(frozen.graph)
    gather_windows(name, frozen.graph, frozen.constants)
    reshape_by_strides(frozen.graph)
    merge_by_flatten(frozen.graph)
    crop_by_slices(frozen.graph)
    frozen.graph.lint()


def _allow_copies(graph: torch.fx.Graph) -> None:
    """Lets views be copies.

    Decompositions change strides (that of sdpa does), and then a view of the
    original program may be impossible, as in GPT-2.
    """
    for node in graph.nodes:
        if node.target is torch.ops.aten.view.default:
            node.target = torch.ops.aten.reshape.default


def _explain(name: str, error: PassesFailed) -> ExportError:
    """What a failure of torch-mlir's passes says about the model called `name`."""
    first = error.diagnostics[0] if error.diagnostics else None
    summary = error.why or (first.message if first else error.output)
    op, place = "", Origin()
    if first:
        layer, file = _LAYER.search(first.location), _PLACE.search(first.location)
        place = Origin(
            layer[1] if layer else "",
            file[1] if file else "",
            int(file[2]) if file else 0,
        )
        op = _find_op(first.message)
        if op and not error.why:
            summary = f"{op} is not supported"
    summary = _first_line(summary)
    if not error.why:
        summary = f"torch-mlir: {summary}"
    return ExportError(summary, model=name, op=op, place=place, details=str(error))


def _find_op(message: str) -> str:
    """The op that a diagnostic says no conversion is for, such as "aten.topk"."""
    illegal = _ILLEGAL.search(message)
    if not illegal:
        return ""
    operator = _OPERATOR.search(message) if illegal[1] == "torch.operator" else None
    return (operator or illegal)[1].removeprefix("torch.")


def _first_line(text: str) -> str:
    """The first line that says something, cut after 300 characters."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"{lines[0]:.300}" if lines else "no reason given"
