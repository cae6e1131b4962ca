"""nm::linear, the op that PyTorch sees in the place of F.linear.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, Tensor? bias,
           Tensor? dense, str product) -> Tensor
    fused(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, Tensor? bias,
          Tensor? dense, str product, Tensor? residual, Tensor? scale) -> Tensor
    dense(Tensor[] values, Tensor[] positions, Tensor[] arrays, Tensor? scale, str product)
         -> Tensor
    weight(Tensor values, SymInt[] shape, ScalarType dtype, str layer) -> Tensor

x is [..., k], of any strides and alignment; `values` and `positions` are condensed
weights (nm.nn.PackedWeight) that lie beside each other along n, and `arrays` what the
program takes of them, in all layouts: with arrays, `linear` needs no values and positions,
and `dense`, which gives the weight [n, k], no values. `product` is the text of the
LinearProduct. On the CPU, the product is computed from the condensed weights by PyTorch's
ops, or with arrays in the emulator; on a GPU there are arrays. Where the weight [n, k] is
there too, as the operand `dense`, PyTorch computes with it what is faster so
(nm.nn.choices). `multiply` adds the gradients of x and of the bias.

`fused` is a product with more operands: the scale [n] of a weight of int8, and what
nm.nn.fusion puts in the place of ops behind a product, an activation and a residual [..., n]
that is added or multiplied. `weight` is what graphs have where a model asks a layer for its
weight's type, shape or device: it has no data, and reading them is an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from nm.errors import Error
from nm.nn.arrays import condense, find_values
from nm.nn.bound_call import BoundCall, find_bound_call, keep
from nm.nn.choices import is_dense_faster
from nm.nn.epilogues import finish
from nm.nn.packed_weight import expand
from nm.nn.products import LinearProduct, get_chip, get_program
from nm.nn.weightless import Weightless
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.runtime.program import Program

_ALIGNMENT = 16  # bytes: NM_ARRAY_ALIGNMENT of nm-c/Program.h

_Library: Any = torch.library.Library  # torch has no types for it
_library = _Library("nm", "DEF")
_library.define(
    "linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, "
    "Tensor? bias, Tensor? dense, str product) -> Tensor"
)
_library.define(
    "fused(Tensor x, Tensor[] values, Tensor[] positions, Tensor[] arrays, "
    "Tensor? bias, Tensor? dense, str product, Tensor? residual, Tensor? scale) -> Tensor"
)
_library.define(
    "dense(Tensor[] values, Tensor[] positions, Tensor[] arrays, Tensor? scale, "
    "str product) -> Tensor"
)
_library.define(
    "weight(Tensor values, SymInt[] shape, ScalarType dtype, str layer) -> Tensor"
)

linear: Callable[..., torch.Tensor] = torch.ops.nm.linear.default
fused: Callable[..., torch.Tensor] = torch.ops.nm.fused.default
dense: Callable[..., torch.Tensor] = torch.ops.nm.dense.default
weight: Callable[..., torch.Tensor] = torch.ops.nm.weight.default

# The programs of calls, by product and device: looked up before each launch.
_programs: dict[tuple[str, int], Program] = {}


def prepare(product: str, device: torch.device) -> Program:
    """The program of a product, with its kernels loaded on a device: compiled when first
    asked for, which a call that is captured into a CUDA graph cannot do."""
    ordinal = -1 if device.type == "cpu" else device.index
    program = _programs.get((product, ordinal))
    if program is None:
        program = get_program(product, get_chip(device))
        program.prepare("emulator" if ordinal < 0 else f"cuda:{ordinal}")
        _programs[product, ordinal] = program
    return program


def _get_rows(x: torch.Tensor) -> torch.Tensor:
    """x as a matrix that kernels can read: a copy where it does not lie so."""
    rows = x.reshape(-1, x.shape[-1])
    if not rows.is_contiguous():
        rows = rows.contiguous()
    return rows if rows.data_ptr() % _ALIGNMENT == 0 else rows.clone()


def _count_rows(x: torch.Tensor) -> int:
    return math.prod(x.shape[:-1])


def _call_cuda(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    dense: torch.Tensor | None,
    product: str,
    residual: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> torch.Tensor:
    if dense is not None and is_dense_faster(product, x.device, _count_rows(x)):
        return finish(torch.nn.functional.linear(x, dense, bias), product, residual)
    if not arrays:
        raise Error(
            f"{product}: the weight is not laid out for {x.device}: call the layer's "
            "prepare() after its data were set"
        )
    call = find_bound_call(product, arrays, scale, bias)
    if call is None:
        made = BoundCall(prepare(product, x.device), arrays, scale, bias, x.device)
        call = keep(product, made, arrays)
    other = None if residual is None else _get_rows(residual)
    y = call(_get_rows(x), (*arrays, scale, bias), other)
    return y if x.dim() == 2 else y.view(*x.shape[:-1], y.shape[-1])


def _call_cpu(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    dense: torch.Tensor | None,
    product: str,
    residual: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> torch.Tensor:
    if dense is None and not arrays:
        dense = _expand(values, positions, [], scale, product)
    if dense is not None and (
        not arrays or is_dense_faster(product, x.device, _count_rows(x))
    ):
        return finish(torch.nn.functional.linear(x, dense, bias), product, residual)
    inputs = [_get_rows(x), *arrays]
    inputs += [one for one in (scale, bias) if one is not None]
    inputs += [] if residual is None else [_get_rows(residual)]
    (y,) = prepare(product, x.device)(*inputs, device="emulator")
    result: torch.Tensor = y.view(*x.shape[:-1], y.shape[-1])
    return result


def _expand(
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    """The dense weights beside each other, [n, k], of x's type."""
    of = LinearProduct.parse(product)
    if arrays:
        program = prepare(product, positions[0].device)
        whole = torch.cat(positions, 1)
        condensed = condense(program, arrays[find_values(program)], whole)
        weight = expand(condensed, whole, of.pattern, of.k)
    else:
        weight = torch.cat(
            [expand(*parts, of.pattern, of.k) for parts in zip(values, positions)]
        )
    return weight if scale is None else (weight * scale[:, None]).to(_get_dtype(of.x))


def _get_dtype(element: str) -> torch.dtype:
    dtype: torch.dtype = getattr(torch, NUMERIC_TYPES[element].dtype)
    return dtype


def _make_fake(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    bias: torch.Tensor | None,
    dense: torch.Tensor | None,
    product: str,
    residual: torch.Tensor | None = None,
    scale: torch.Tensor | None = None,
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], LinearProduct.parse(product).n))


for _name in ("linear", "fused"):
    _library.impl(_name, _call_cuda, "CUDA")
    _library.impl(_name, _call_cpu, "CPU")
    torch.library.register_fake(f"nm::{_name}", _make_fake, lib=_library)


def _make_fake_dense(
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    of = LinearProduct.parse(product)
    return positions[0].new_empty((of.n, of.k), dtype=_get_dtype(of.x))


_library.impl("dense", _expand, "CompositeExplicitAutograd")
torch.library.register_fake("nm::dense", _make_fake_dense, lib=_library)


def _make_weight(
    values: torch.Tensor, shape: list[int], dtype: torch.dtype, layer: str
) -> torch.Tensor:
    weight: torch.Tensor = Weightless(shape, dtype, values.device, layer)
    return weight


def _make_fake_weight(
    values: torch.Tensor, shape: list[int], dtype: torch.dtype, layer: str
) -> torch.Tensor:
    return values.new_empty(shape, dtype=dtype)


_library.impl("weight", _make_weight, "CompositeExplicitAutograd")
torch.library.register_fake("nm::weight", _make_fake_weight, lib=_library)


def _multiply(
    x: torch.Tensor,
    bias: torch.Tensor | None,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    arrays: list[torch.Tensor],
    weight: torch.Tensor | None,
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    if scale is None:
        return linear(x, values, positions, arrays, bias, weight, product)
    return fused(x, values, positions, arrays, bias, weight, product, None, scale)


class _WithGradient(torch.autograd.Function):
    """The op with the gradients of x and of the bias."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        bias: torch.Tensor | None,
        values: list[torch.Tensor],
        positions: list[torch.Tensor],
        arrays: list[torch.Tensor],
        weight: torch.Tensor | None,
        scale: torch.Tensor | None,
        product: str,
    ) -> torch.Tensor:
        ctx.product, ctx.count = product, len(positions)
        # Values that lie as kernels read them are parts of the arrays.
        kept = [*positions, *(arrays or values)] if weight is None else []
        ctx.save_for_backward(weight, scale, *kept)
        ctx.has_arrays = bool(arrays)
        return _multiply(x, bias, values, positions, arrays, weight, scale, product)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        (gradient,) = gradients
        of_x = of_bias = None
        if ctx.needs_input_grad[0]:
            of_x = gradient @ _WithGradient._get_dense(ctx)
        if ctx.needs_input_grad[1]:
            of_bias = gradient.flatten(0, -2).sum(0)
        return of_x, of_bias, None, None, None, None, None, None

    @staticmethod
    def _get_dense(ctx: Any) -> torch.Tensor:
        weight, scale, *saved = ctx.saved_tensors
        if weight is not None:
            known: torch.Tensor = weight
            return known
        positions, rest = saved[: ctx.count], saved[ctx.count :]
        parts = ([], positions, rest) if ctx.has_arrays else (rest, positions, [])
        return dense(*parts, scale, ctx.product)


def multiply(
    x: torch.Tensor,
    values: Sequence[torch.Tensor],
    positions: Sequence[torch.Tensor],
    arrays: Sequence[torch.Tensor],
    bias: torch.Tensor | None,
    weight: torch.Tensor | None,
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    """The op, with gradients where they are asked for; `weight` is its `dense`. A kernel of
    the op's own for gradients would be asked, in Python, by each call.

    Raises:
        Error: a weight has requires_grad.
    """
    if torch.is_grad_enabled():
        if any(one.requires_grad for one in values):
            raise Error(
                "the weight of an nm.nn.Linear has no gradient: keep it frozen "
                "(requires_grad_(False)), and train adapters beside it, or the dense model"
            )
        if x.requires_grad or (bias is not None and bias.requires_grad):
            y: torch.Tensor = _WithGradient.apply(  # type: ignore[no-untyped-call]
                x, bias, values, positions, arrays, weight, scale, product
            )
            return y
    if arrays or weight is not None:
        values = positions = ()
    parts = list(values), list(positions), list(arrays)
    return _multiply(x, bias, *parts, weight, scale, product)
