"""The steps of nm.export, and what is said when one of them fails.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

import torch
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

from nm.exporting.bounds import assert_bounds
from nm.exporting.frozen import FrozenGraph, freeze
from nm.exporting.importer import Imported, Progress, import_graph
from nm.exporting.passes import PassesFailed, Signature, run_passes
from nm.exporting.refusals import of_import, of_passes, of_trace
from nm.exporting.rewrites.complex_parts import split_complex
from nm.exporting.rewrites.counts import count_by_comparing
from nm.exporting.rewrites.epsilons import say_epsilons
from nm.exporting.rewrites.fold_numbers import fold_numbers
from nm.exporting.rewrites.fold_weights import fold_weights
from nm.exporting.rewrites.groups import multiply_by_gathering
from nm.exporting.rewrites.nans import keep_nans
from nm.exporting.rewrites.no_elements import drop_empty_work
from nm.exporting.rewrites.pads import crop_by_slices
from nm.exporting.rewrites.pools import gather_windows
from nm.exporting.rewrites.quantizing import round_by_scales
from nm.exporting.rewrites.quotients import divide_exactly
from nm.exporting.rewrites.reciprocals import divide_one
from nm.exporting.rewrites.reshapes import merge_by_flatten
from nm.exporting.rewrites.sizes import convert_sizes
from nm.exporting.rewrites.strides import reshape_by_strides
from nm.exporting.rewrites.sums import sum_in_float32
from nm.exporting.rewrites.topk import sort_topk
from nm.exporting.rewrites.truths import read_truths_as_integers
from nm.exporting.rewrites.unsigned import widen_unsigned
from nm.exporting.rewrites.writes import count_from_front
from nm.module import Module
from nm.numbers.weights import keep_named, quote


def trace(
    name: str,
    model: torch.nn.Module,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    dynamic_shapes: Any,
    strict: bool,
) -> torch.export.ExportedProgram:
    """The program of `model`, in the ops that torch-mlir is made for.

    Raises:
        ExportError: torch.export refuses the model, called `name`.
    """
    try:
        program = torch.export.export(
            model, args, kwargs, dynamic_shapes=dynamic_shapes, strict=strict
        )
        _allow_copies(program.graph)
        decomposed: torch.export.ExportedProgram = program.run_decompositions(
            get_decomposition_table()
        )
        return decomposed
    except Exception as error:
        raise of_trace(name, error) from error


def lower(name: str, program: torch.export.ExportedProgram, entry: str) -> Module:
    """The module of `program`, which is changed.

    Raises:
        ExportError: torch-mlir refuses it, or crashes.
    """
    frozen = freeze(program)
    _rewrite(name, frozen)
    assert_bounds(frozen.graph, program.range_constraints)
    progress = Progress()
    try:
        imported = import_graph(frozen, entry, progress)
    except Exception as error:
        raise of_import(name, progress.node, error) from error
    try:
        text = run_passes(imported.text, entry, _describe(frozen, imported))
    except PassesFailed as error:
        raise of_passes(name, frozen.graph, error) from error
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
    round_by_scales(frozen.graph)
    split_complex(frozen.graph, frozen.constants)
    drop_empty_work(frozen.graph)
    count_by_comparing(frozen.graph, frozen.constants)
    multiply_by_gathering(frozen.graph, frozen.constants)
    divide_one(frozen.graph, frozen.constants)
    divide_exactly(frozen.graph, frozen.constants)
    keep_nans(frozen.graph)
    widen_unsigned(frozen.graph)
    say_epsilons(frozen.graph)
    sum_in_float32(frozen.graph)
    count_from_front(frozen.graph)
    read_truths_as_integers(frozen.graph)
    sort_topk(frozen.graph)
    gather_windows(name, frozen.graph, frozen.constants)
    reshape_by_strides(frozen.graph)
    merge_by_flatten(frozen.graph)
    crop_by_slices(frozen.graph)
    convert_sizes(frozen.graph)
    frozen.graph.lint()


def _allow_copies(graph: torch.fx.Graph) -> None:
    """Lets views be copies.

    Decompositions change strides (that of sdpa does), and then a view of the
    original program may be impossible, as in GPT-2.
    """
    for node in graph.nodes:
        if node.target is torch.ops.aten.view.default:
            node.target = torch.ops.aten.reshape.default
