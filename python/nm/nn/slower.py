"""Which layers are faster dense, for the numbers of rows that a user names.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch

from nm.errors import Error
from nm.nn.arrays import make_packed
from nm.nn.choices import get_mean, get_speedups
from nm.nn.laid_out import has_kernels
from nm.nn.operator import prepare, prepare_all
from nm.nn.packed_weight import PackedWeight
from nm.nn.products import LinearProduct, get_element
from nm.pattern import Pattern
from nm.pruning.layers import Weight


def check_rows(rows: Iterable[int]) -> list[int]:
    """The numbers of rows that a user named.

    Raises:
        Error: they are none.
    """
    named = list(rows)
    if not named or any(type(one) is not int or one < 1 for one in named):
        raise Error(f"rows: expected numbers of rows from 1 on, got {named}")
    return named


def find_slower(
    weights: Sequence[Weight],
    patterns: Mapping[str, Pattern],
    rows: Sequence[int],
    weight_dtype: str | None,
) -> dict[str, str]:
    """Why layers are left dense: the names of weights whose sparse product is slower than
    the dense one, by the geometric mean over `rows`, with the reason.

    One layer of each shape, pattern and type is measured, by itself, where it is.

    Raises:
        Error: a layer is where no kernel runs.
    """
    named: dict[str, str] = {}
    of_each: dict[str, Weight] = {}
    for weight in weights:
        if not has_kernels(weight.parameter.device):
            raise Error(
                f"rows: kernels are timed on a GPU, and {weight.name} is on "
                f"{weight.parameter.device}: move the model there first"
            )
        named[weight.name] = _describe(weight, patterns[weight.name], weight_dtype)
        of_each.setdefault(named[weight.name], weight)
    prepare_all(of_each, weights[0].parameter.device)
    reasons = {}
    for product, weight in of_each.items():
        speedups = _measure(product, weight, patterns[weight.name], rows)
        if get_mean(speedups) < 1:
            found = ", ".join(f"{m}: {one:.2f}" for m, one in zip(rows, speedups))
            reasons[product] = f"dense is faster (speedups by rows: {found})"
    return {name: reasons[text] for name, text in named.items() if text in reasons}


def _get_parts(weight: Weight) -> tuple[torch.Tensor, torch.Tensor | None]:
    (matrix,) = weight.matrices(weight.parameter)
    bias = weight.module._parameters.get("bias")
    return matrix.detach(), None if bias is None else bias.detach()


def _describe(weight: Weight, pattern: Pattern, weight_dtype: str | None) -> str:
    matrix, bias = _get_parts(weight)
    n, k = matrix.shape
    element = get_element(matrix.dtype)
    if element is None:
        raise Error(
            f"{weight.name}: expected a weight of f16, bf16, f32 or f64, got {matrix.dtype}"
        )
    stored = element if weight_dtype is None else "i8"
    return str(LinearProduct(k, n, pattern, element, stored, bias is not None))


def _measure(
    product: str, weight: Weight, pattern: Pattern, rows: Sequence[int]
) -> list[float]:
    matrix, bias = _get_parts(weight)
    condensed = PackedWeight.from_dense(matrix, pattern)
    if LinearProduct.parse(product).weight == "i8":
        condensed = condensed.quantize()
    packed = make_packed(prepare(product, matrix.device), [condensed])
    dense = matrix.contiguous()
    return get_speedups(product, packed, bias, dense, rows, condensed.scale)
