"""What follows a product in its kernel, by PyTorch's ops.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch

from nm.nn.products import LinearProduct

# By the names of #nm.epilogue.
ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": torch.nn.functional.relu,
    "gelu_erf": torch.nn.functional.gelu,
    "gelu_tanh": functools.partial(torch.nn.functional.gelu, approximate="tanh"),
    "silu": torch.nn.functional.silu,
}


def finish(
    y: torch.Tensor, product: str, residual: torch.Tensor | None
) -> torch.Tensor:
    """What follows the product x W^T + b, by PyTorch's ops."""
    of = LinearProduct.parse(product)
    if of.epilogue:
        y = ACTIVATIONS[of.epilogue](y)
    if residual is not None:
        y = y * residual if of.combine == "mul" else y + residual
    return y
