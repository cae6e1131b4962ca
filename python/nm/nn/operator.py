"""nm::linear, the op that PyTorch sees in the place of F.linear.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor? packed, Tensor? bias,
           Tensor? dense, Tensor? scale, Tensor? residual, str product) -> Tensor
    packed_linear(Tensor x, Tensor packed, Tensor? bias, str product) -> Tensor
    dense(Tensor[] values, Tensor[] positions, Tensor? packed, Tensor? scale, str product)
         -> Tensor
    weight(Tensor values, SymInt[] shape, ScalarType dtype, str layer) -> Tensor

x is [..., k], of any strides and alignment. `values` and `positions` are condensed weights
(nm.nn.PackedWeight) that lie beside each other along n, and `packed` is what the program
takes of them (nm.nn.arrays): with it `linear` needs no values and positions, and `dense`,
which gives the weight [n, k], no values. `product` is the text of the LinearProduct. On the
CPU, the product is computed from the condensed weights by PyTorch's ops, or of the packed one
in the emulator; on a GPU there is a packed one. Where the weight [n, k] is there too, as the
operand `dense`, PyTorch computes with it what is faster so (nm.nn.choices). `scale` is [n], of
a weight of int8, and the residual [..., n] is added or multiplied behind an activation, as
the product says (nm.nn.fusion). `multiply` adds the gradients of x and of the bias.

`packed_linear` is `linear` with fewer operands, for which the host needs less time. `weight`
is what graphs have where a model asks a layer for its weight's type, shape or device: it has
no data, and reading them is an error.
"""

from __future__ import annotations

import concurrent.futures
import math
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from nm.errors import Error
from nm.nn.arrays import condense, find_values, get_dtype, split_packed
from nm.nn.bound_call import BoundCall, find_bound_call, keep
from nm.nn.choices import is_dense_faster
from nm.nn.epilogues import finish
from nm.nn.packed_weight import expand
from nm.nn.products import LinearProduct, get_chip, get_program
from nm.nn.weightless import Weightless
from nm.runtime.program import Program

if TYPE_CHECKING:
    from nm.nn.laid_out import LaidOut
    from nm.nn.linear import Linear

_ALIGNMENT = 16  # bytes: NM_ARRAY_ALIGNMENT of nm-c/Program.h

_Library: Any = torch.library.Library  # torch has no types for it
_library = _Library("nm", "DEF")
_library.define(
    "linear(Tensor x, Tensor[] values, Tensor[] positions, Tensor? packed, Tensor? bias, "
    "Tensor? dense, Tensor? scale, Tensor? residual, str product) -> Tensor"
)
_library.define(
    "packed_linear(Tensor x, Tensor packed, Tensor? bias, str product) -> Tensor"
)
_library.define(
    "dense(Tensor[] values, Tensor[] positions, Tensor? packed, Tensor? scale, "
    "str product) -> Tensor"
)
_library.define(
    "weight(Tensor values, SymInt[] shape, ScalarType dtype, str layer) -> Tensor"
)

linear: Callable[..., torch.Tensor] = torch.ops.nm.linear.default
packed_linear: Callable[..., torch.Tensor] = torch.ops.nm.packed_linear.default
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


def prepare_all(products: Iterable[str], device: torch.device) -> None:
    """Does what `prepare` does, for several products at a time."""
    texts = sorted(set(products))
    workers = max(1, min(len(texts), os.cpu_count() or 1))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda text: prepare(text, device), texts))


def _fit(x: torch.Tensor) -> torch.Tensor:
    """x, or a copy where kernels cannot read it as it lies."""
    if not x.is_contiguous():
        x = x.contiguous()
    return x if x.data_ptr() % _ALIGNMENT == 0 else x.clone()


def _get_rows(x: torch.Tensor) -> torch.Tensor:
    """x as a matrix that kernels can read."""
    return _fit(x).view(-1, x.shape[-1])


def _count_rows(x: torch.Tensor) -> int:
    return math.prod(x.shape[:-1])


def _launch(
    x: torch.Tensor,
    packed: torch.Tensor,
    bias: torch.Tensor | None,
    product: str,
    scale: torch.Tensor | None = None,
    residual: torch.Tensor | None = None,
) -> torch.Tensor:
    call = find_bound_call(product, packed, scale, bias)
    if call is None:
        made = BoundCall(prepare(product, x.device), packed, scale, bias)
        call = keep(product, made, packed)
    other = None if residual is None else _fit(residual)
    return call(_fit(x), packed, scale, bias, other)


def _emulate(
    x: torch.Tensor,
    packed: torch.Tensor,
    bias: torch.Tensor | None,
    product: str,
    scale: torch.Tensor | None = None,
    residual: torch.Tensor | None = None,
) -> torch.Tensor:
    program = prepare(product, x.device)
    other = None if residual is None else _get_rows(residual)
    inputs = (_get_rows(x), *split_packed(program, packed), scale, bias, other)
    (y,) = program(*(one for one in inputs if one is not None), device="emulator")
    result: torch.Tensor = y.view(*x.shape[:-1], y.shape[-1])
    return result


def _takes_dense(x: torch.Tensor, packed: torch.Tensor | None, product: str) -> bool:
    """Whether a product whose dense weight is there, too, is computed by that."""
    return packed is None or is_dense_faster(product, x.device, _count_rows(x))


def _compute(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    packed: torch.Tensor | None,
    bias: torch.Tensor | None,
    dense: torch.Tensor | None,
    scale: torch.Tensor | None,
    residual: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    if packed is None and dense is None and not x.is_cuda:
        dense = _expand(values, positions, None, scale, product)
    if dense is not None and _takes_dense(x, packed, product):
        return finish(torch.nn.functional.linear(x, dense, bias), product, residual)
    if packed is None:
        raise Error(
            f"{product}: the weight is not laid out for {x.device}: call the layer's "
            "prepare() after its data were set"
        )
    compute = _launch if x.is_cuda else _emulate
    return compute(x, packed, bias, product, scale, residual)


def _expand(
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    packed: torch.Tensor | None,
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    """The dense weights beside each other, [n, k], of x's type."""
    of = LinearProduct.parse(product)
    if packed is not None:
        program = prepare(product, positions[0].device)
        whole = torch.cat(positions, 1)
        array = split_packed(program, packed)[find_values(program)]
        condensed = condense(program, array, whole)
        weight = expand(condensed, whole, of.pattern, of.k)
    else:
        weight = torch.cat(
            [expand(*parts, of.pattern, of.k) for parts in zip(values, positions)]
        )
    return weight if scale is None else (weight * scale[:, None]).to(get_dtype(of.x))


def _make_fake(
    x: torch.Tensor,
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    packed: torch.Tensor | None,
    bias: torch.Tensor | None,
    dense: torch.Tensor | None,
    scale: torch.Tensor | None,
    residual: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], LinearProduct.parse(product).n))


def _make_fake_packed(
    x: torch.Tensor, packed: torch.Tensor, bias: torch.Tensor | None, product: str
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], LinearProduct.parse(product).n))


for _device in ("CUDA", "CPU"):
    _library.impl("linear", _compute, _device)
_library.impl("packed_linear", _launch, "CUDA")
_library.impl("packed_linear", _emulate, "CPU")
torch.library.register_fake("nm::linear", _make_fake, lib=_library)
torch.library.register_fake("nm::packed_linear", _make_fake_packed, lib=_library)


def _make_fake_dense(
    values: list[torch.Tensor],
    positions: list[torch.Tensor],
    packed: torch.Tensor | None,
    scale: torch.Tensor | None,
    product: str,
) -> torch.Tensor:
    of = LinearProduct.parse(product)
    return positions[0].new_empty((of.n, of.k), dtype=get_dtype(of.x))


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


class _WithGradient(torch.autograd.Function):
    """The op with the gradients of x and of the bias."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        bias: torch.Tensor | None,
        values: list[torch.Tensor],
        positions: list[torch.Tensor],
        packed: torch.Tensor | None,
        weight: torch.Tensor | None,
        scale: torch.Tensor | None,
        product: str,
    ) -> torch.Tensor:
        ctx.product, ctx.count = product, len(positions)
        # Values that lie as kernels read them are parts of the packed weight.
        kept = [] if weight is not None else [*positions, *(values if packed is None else [])]
        ctx.save_for_backward(weight, packed, scale, *kept)
        return linear(x, values, positions, packed, bias, weight, scale, None, product)

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
        weight, packed, scale, *saved = ctx.saved_tensors
        if weight is not None:
            known: torch.Tensor = weight
            return known
        positions, values = saved[: ctx.count], saved[ctx.count :]
        return dense(values, positions, packed, scale, ctx.product)


def _is_trained(layer: Linear) -> bool:
    # Parameters are looked up where they are, as attributes take longer.
    return bool(layer._parameters["values"].requires_grad)  # type: ignore[union-attr]


def multiply(
    x: torch.Tensor,
    of: LaidOut,
    layers: Sequence[Linear],
    bias: torch.Tensor | None,
    is_traced: bool,
) -> torch.Tensor:
    """The op, of layers' weights beside each other as they are laid out, with gradients
    where they are asked for. A kernel of the op's own for gradients would be asked, in
    Python, by each call.

    Raises:
        Error: a weight has requires_grad.
    """
    packed, dense, scale, product = of.packed, of.dense, of.scale, of.product
    is_trained = torch.is_grad_enabled()
    if is_trained and any(_is_trained(layer) for layer in layers):
        raise Error(
            "the weight of an nm.nn.Linear has no gradient: keep it frozen "
            "(requires_grad_(False)), and train adapters beside it, or the dense model"
        )
    # The op on the way to F.linear takes the host time (docs/performance.md, Converted
    # models). Graphs have the op, and it decides anew for each number of rows.
    if dense is not None and not is_traced and _takes_dense(x, packed, product):
        return torch.nn.functional.linear(x, dense, bias)
    if is_trained:
        if x.requires_grad or (bias is not None and bias.requires_grad):
            values = [layer.values for layer in layers]
            positions = [layer.positions for layer in layers]
            y: torch.Tensor = _WithGradient.apply(  # type: ignore[no-untyped-call]
                x, bias, values, positions, packed, dense, scale, product
            )
            return y
    # What is not traced and comes here is computed by the packed weight, if there is one.
    if packed is not None and scale is None and (dense is None or not is_traced):
        return packed_linear(x, packed, bias, product)
    # Products read the arrays alone, where there are any.
    parts = [] if packed is not None or dense is not None else layers
    values, positions = [one.values for one in parts], [one.positions for one in parts]
    return linear(x, values, positions, packed, bias, dense, scale, None, product)
