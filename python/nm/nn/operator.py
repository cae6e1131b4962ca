"""nm::linear, the op that PyTorch sees in the place of F.linear.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, Tensor? bias,
           str product) -> Tensor

x is [..., k], of any strides and alignment; `values` and `positions` are condensed
weights (nm.nn.PackedWeight) that lie beside each other along n, and `arrays` what the
program takes of them, in all layouts. `product` is the text of the LinearProduct. On the
CPU, the product is computed from the condensed weights by PyTorch's ops, or with arrays in
the emulator; on a GPU there are arrays. The op has the gradients of x and of the bias.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from nm.errors import Error
from nm.nn.packed_weight import expand
from nm.nn.products import LinearProduct, get_chip, get_program
from nm.runtime.program import Program

_ALIGNMENT = 16  # bytes: NM_ARRAY_ALIGNMENT of nm-c/Program.h

_Library: Any = torch.library.Library  # torch has no types for it
_library = _Library("nm", "DEF")
_library.define(
    "linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, "
    "Tensor? bias, str product) -> Tensor"
)

linear: Callable[..., torch.Tensor] = torch.ops.nm.linear.default

# The programs of calls, by product and device: looked up before each launch.
_programs: dict[tuple[str, int], Program] = {}


def _find_program(product: str, device: torch.device) -> Program:
    ordinal = -1 if device.type == "cpu" else device.index
    program = _programs.get((product, ordinal))
    if program is None:
        program = get_program(product, get_chip(device))
        program.prepare("emulator" if ordinal < 0 else f"cuda:{ordinal}")
        _programs[product, ordinal] = program
    return program


def prepare(product: str, device: torch.device) -> Program:
    """Compiles a product and loads its kernels, which the first call does otherwise: a
    call that is captured into a CUDA graph cannot."""
    return _find_program(product, device)


def _get_rows(x: torch.Tensor) -> torch.Tensor:
    """x as a matrix that kernels can read: a copy where it does not lie so."""
    rows = x.reshape(-1, x.shape[-1])
    if not rows.is_contiguous():
        rows = rows.contiguous()
    return rows if rows.data_ptr() % _ALIGNMENT == 0 else rows.clone()


def _call_cuda(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    if not arrays:
        raise Error(
            f"{product}: the weight is not laid out for {x.device}: call the layer's "
            "prepare() after its data were set"
        )
    rows = _get_rows(x)
    inputs = (rows, *arrays) if bias is None else (rows, *arrays, bias)
    with torch.cuda.device(x.device):
        (y,) = _find_program(product, x.device).call_cuda(inputs, rows, x.device.index)
    result: torch.Tensor = y if x.dim() == 2 else y.view(*x.shape[:-1], y.shape[-1])
    return result


def _call_cpu(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    if not arrays:
        return _compute(x, values, positions, bias, product)
    rows = _get_rows(x)
    inputs = (rows, *arrays) if bias is None else (rows, *arrays, bias)
    (y,) = _find_program(product, x.device)(*inputs, device="emulator")
    result: torch.Tensor = y.view(*x.shape[:-1], y.shape[-1])
    return result


def _compute(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    bias: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    """The product by PyTorch's ops, of the dense weight that is made for it."""
    return torch.nn.functional.linear(x, _expand(values, positions, product), bias)


def _expand(
    values: list[torch.Tensor], positions: list[torch.Tensor], product: str
) -> torch.Tensor:
    """The dense weights beside each other, [n, k]."""
    of = LinearProduct.parse(product)
    return torch.cat(
        [expand(*parts, of.pattern, of.k) for parts in zip(values, positions)]
    )


def _make_fake(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], LinearProduct.parse(product).n))


_library.impl("linear", _call_cuda, "CUDA")
_library.impl("linear", _call_cpu, "CPU")
torch.library.register_fake("nm::linear", _make_fake, lib=_library)


def _save_for_gradient(ctx: Any, inputs: Any, output: torch.Tensor) -> None:
    _, values, positions, arrays, bias, product = inputs
    if any(one.requires_grad for one in values):
        raise Error(
            "the weight of an nm.nn.Linear has no gradient: keep it frozen "
            "(requires_grad_(False)), and train adapters beside it, or the dense model"
        )
    ctx.product = product
    ctx.has_bias, ctx.count = bias is not None, len(arrays)
    ctx.save_for_backward(*values, *positions)


def _propagate(context: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
    saved = context.saved_tensors
    count = len(saved) // 2
    values, positions = list(saved[:count]), list(saved[count:])
    of_x = of_bias = None
    if context.needs_input_grad[0]:
        of_x = gradient @ _expand(values, positions, context.product)
    if context.has_bias and context.needs_input_grad[4]:
        of_bias = gradient.flatten(0, -2).sum(0)
    none = [None] * count
    return of_x, none, none, [None] * context.count, of_bias, None


torch.library.register_autograd(
    "nm::linear", _propagate, setup_context=_save_for_gradient, lib=_library
)
