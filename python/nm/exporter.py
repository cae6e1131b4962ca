"""PyTorch models to linalg-on-tensors, through torch.export and torch-mlir.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nm.errors import ExportError
from nm.gelu import correct_gelu
from nm.module import Module
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
            the model; the cause is chained.
    """
    try:
        import ml_dtypes  # noqa: F401  torch-mlir needs it for bf16 constants
        import torch
        from torch_mlir import fx
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    except ImportError as error:
        raise ExportError(
            f"{error}; nm.export needs torch, torch-mlir and ml_dtypes: "
            "pip install torch torch-mlir ml_dtypes"
        ) from error
    try:
        with torch.no_grad(), _evaluating(model), _buffers_as_state(model):
            program = torch.export.export(
                model,
                tuple(args),
                dict(kwargs or {}),
                dynamic_shapes=dynamic_shapes,
                strict=False,
            )
            _allow_copies(program)
            program = program.run_decompositions(get_decomposition_table())
            merge_by_flatten(program)
            module = fx.export_and_import(
                program,
                output_type="linalg-on-tensors",
                func_name=entry,
                decomposition_table={},  # done above
                backend_legal_ops=["aten.flatten.using_ints", "aten.unflatten.int"],
            )
            correct_gelu(module)
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ExportError(f"{type(model).__name__}: {lines[0]}") from error
    return Module(module.operation.get_asm(), entry)


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
