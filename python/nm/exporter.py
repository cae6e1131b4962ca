"""PyTorch models to linalg-on-tensors, through torch.export and torch-mlir.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nm.errors import ExportError
from nm.module import Module
from nm.pads import crop_by_slices
from nm.reshapes import merge_by_flatten

if TYPE_CHECKING:
    import torch


def export(
    model: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    *,
    entry: str = "forward",
) -> Module:
    """Writes `model` as MLIR, for these arguments.

    The model is exported as it computes them in evaluation mode and without
    gradients; the weights become constants of the module. The results are first the
    arguments that the model writes in place (such as a static cache), in order, and
    then the tensors that it returns, in whatever tuples, in order.

    Args:
        model: the model.
        args: positional arguments, such as a batch of token ids [batch, tokens].
        kwargs: arguments by name.
        dynamic_shapes: extents that may differ at run time, as torch.export takes
            them: `({0: torch.export.Dim("batch", min=2, max=64)},)`.
        entry: the function's name.

    Raises:
        ExportError: a package is missing, or torch.export or torch-mlir refuses
            the model, which the message names, with what was refused and where;
            the cause is chained.
    """
    try:
        import ml_dtypes  # noqa: F401  torch-mlir needs it for bf16 constants
        import torch
        import torch_mlir  # noqa: F401
    except ImportError as error:
        raise ExportError(
            f"{error}; nm.export needs torch, torch-mlir and ml_dtypes: "
            "pip install torch torch-mlir ml_dtypes"
        ) from error
    if not isinstance(model, torch.nn.Module):
        raise ExportError(f"expected a torch.nn.Module, got {type(model).__name__}")
    if isinstance(args, torch.Tensor):
        raise ExportError("args: expected a tuple, got a tensor; write (x,) for x")
    diagnostics: list[str] = []
    try:
        with torch.no_grad(), _evaluating(model), _buffers_as_state(model):
            program = torch.export.export(
                model,
                tuple(args),
                dict(kwargs or {}),
                dynamic_shapes=dynamic_shapes,
                strict=False,
            )
            text = _lower(program, entry, diagnostics)
    except Exception as error:
        lines = [*diagnostics, *str(error).strip().splitlines(), type(error).__name__]
        raise ExportError(f"{type(model).__name__}: {lines[0]}") from error
    return Module(text, entry)


def _lower(
    program: torch.export.ExportedProgram, entry: str, diagnostics: list[str]
) -> str:
    """The program as text of linalg on tensors; gathers torch-mlir's diagnostics."""
    from torch_mlir import fx, ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    def gather(diagnostic: Any) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            # An op is printed with its weights.
            message = f"{diagnostic.message:.300}".splitlines()[0]
            diagnostics.append(f"{diagnostic.location}: {message}")
        return True

    _allow_copies(program)
    program = program.run_decompositions(get_decomposition_table())
    merge_by_flatten(program)
    crop_by_slices(program)
    _copy_constants_in_lists(program)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    context.attach_diagnostic_handler(gather)
    module = fx.export_and_import(
        program,
        output_type="linalg-on-tensors",
        fx_importer=fx.FxImporter(context=context),
        func_name=entry,
        decomposition_table={},  # done above
        backend_legal_ops=["aten.flatten.using_ints", "aten.unflatten.int"],
    )
    return str(module.operation.get_asm())


@contextlib.contextmanager
def _evaluating(model: torch.nn.Module) -> Iterator[None]:
    """Evaluation mode, module by module put back as it was."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextlib.contextmanager
def _buffers_as_state(model: torch.nn.Module) -> Iterator[None]:
    """Makes all buffers persistent for a while.

    torch-mlir finds the data of a buffer in the state of the program, which does
    not hold non-persistent ones (rotary tables, position ids).
    """
    saved = []
    for module in model.modules():
        saved.append((module, set(module._non_persistent_buffers_set)))
        module._non_persistent_buffers_set.clear()
    try:
        yield
    finally:
        for module, names in saved:
            module._non_persistent_buffers_set.update(names)


def _allow_copies(program: torch.export.ExportedProgram) -> None:
    """Lets views be copies.

    Decompositions change strides (that of sdpa does), and then a view of the
    original program may be impossible, as in GPT-2.
    """
    import torch

    for node in program.graph.nodes:
        if node.target is torch.ops.aten.view.default:
            node.target = torch.ops.aten.reshape.default


def _copy_constants_in_lists(program: torch.export.ExportedProgram) -> None:
    """Gives lists copies of parameters and buffers, such as a table of indices.

    torch-mlir's importer takes a constant as an operand, but not in a list.
    """
    import torch

    signature = program.graph_signature
    constants = {
        **signature.inputs_to_parameters,
        **signature.inputs_to_buffers,
        **signature.inputs_to_lifted_tensor_constants,
    }
    clone = torch.ops.aten.clone.default
    graph = program.graph
    first = next(node for node in graph.nodes if node.op != "placeholder")
    for node in list(graph.nodes):
        listed = [user for user in node.users if _is_in_list(node, user)]
        if node.name not in constants or not listed:
            continue
        with graph.inserting_before(first):
            copy = graph.call_function(clone, (node,))
        copy.meta = dict(node.meta)
        for user in listed:
            user.replace_input_with(node, copy)


def _is_in_list(node: torch.fx.Node, user: torch.fx.Node) -> bool:
    """Whether `node` is an element of a list that `user`, an op, takes."""
    return user.op == "call_function" and any(
        isinstance(arg, (list, tuple)) and node in arg for arg in user.args
    )
