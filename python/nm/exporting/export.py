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

if TYPE_CHECKING:
    import torch


def export(
    model: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
    *,
    entry: str = "forward",
    strict: bool = False,
) -> Module:
    """Writes `model` as MLIR, for these arguments.

    The model is exported as it computes them in evaluation mode and without
    gradients; the weights become constants of the module, under their names in the
    model. Buffers that the model writes (a cache of keys and values, running
    statistics, a counter) become state: `Module.state` names them, and the function
    takes them and gives them back.

    The function's arguments are the state, in the order of `Module.state`, and then
    the tensors of `args` and `kwargs`, in the order of the model's signature; what is
    no tensor is a constant. The results are first the new state, then the arguments
    that the model writes in place, in their order, and then the tensors that it
    returns, in whatever tuples, in order. `Module.inputs` and `Module.results` name
    them.

    Args:
        model: the model.
        args: positional arguments, such as a batch of token ids [batch, tokens].
        kwargs: arguments by name.
        dynamic_shapes: extents that may differ at run time, as torch.export takes
            them: `({0: torch.export.Dim("batch", min=2, max=64)},)`.
        entry: the function's name.
        strict: as torch.export takes it: whether Python itself is traced (by
            TorchDynamo). It follows buffers that are reached otherwise than by their
            names, as the tensors of transformers' StaticCache are.

    Raises:
        ExportError: a package is missing, or torch.export or torch-mlir refuses the
            model or crashes. The message names the model, the op that is not
            supported, its line in the model's source and its layer, and ends with
            all that was said; the cause is chained. torch-mlir's passes run in a
            process of their own: their crash ends no other.
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
    from nm.exporting.distinct import part_arguments
    from nm.exporting.exportable import check_exportable
    from nm.exporting.lowering import lower, trace

    name = type(model).__name__
    check_exportable(name, model, args, kwargs or {})
    own_args, own_kwargs = part_arguments(model, tuple(args), dict(kwargs or {}))
    with torch.no_grad(), _evaluating(model):
        program = trace(name, model, own_args, own_kwargs, dynamic_shapes, strict)
        return lower(name, program, entry)


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
