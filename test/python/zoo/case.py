"""What one case of the zoo is, and how its reference is computed.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import nm
import torch
from torch import nn

# A model, its inputs, and what is dynamic (as torch.export takes it, or None).
Built = tuple[nn.Module, tuple[torch.Tensor, ...], Any]


@dataclass(frozen=True)
class Case:
    """One model to export.

    Attributes:
        name: of the case; says architecture, type and pattern.
        build: makes the model and its inputs, after a fixed seed.
        dtype: what the model is converted to.
        pattern: keep, window and unit of nm.prune, or None to leave it alone.
        skip: what nm.prune leaves dense.
        raises: products with an N:M constant, or None to count the calls of
            pruned layers.
    """

    name: str
    build: Callable[[], Built]
    dtype: torch.dtype = torch.float32
    pattern: tuple[int, int | None, tuple[int, int]] | None = (2, 4, (1, 1))
    skip: tuple[str, ...] = ()
    raises: int | None = None


class Pick(nn.Module):
    """A transformers model with positional inputs and only some outputs."""

    def __init__(self, model: nn.Module, names: list[str], pick: Callable[..., Any]):
        super().__init__()
        self.model = model
        self.names = names
        self.pick = pick

    def forward(self, *args: torch.Tensor) -> Any:
        return self.pick(self.model(**dict(zip(self.names, args))))


def first(output: Any) -> torch.Tensor:
    """The first result: the last hidden state, or the logits."""
    return output[0]


def randomize(model: nn.Module) -> nn.Module:
    """Norms, biases and tokens that are zero or one get random values too."""
    for parameter in model.parameters():
        spread = parameter.detach().float().std() if parameter.numel() > 1 else 0
        if spread == 0 and parameter.is_floating_point():
            parameter.data += 0.1 * torch.randn(parameter.shape)
    return model


def dim(name: str, low: int = 2, high: int = 64) -> Any:
    return torch.export.Dim(name, min=low, max=high)


def ids(batch: int, tokens: int, vocabulary: int = 128) -> torch.Tensor:
    return torch.randint(3, vocabulary, (batch, tokens))


def count_products(
    model: nn.Module, args: tuple[Any, ...], copies: dict[str, int]
) -> int:
    """How many products with pruned weights one call of the model computes.

    `copies` has the pruned weights by name: one, or the experts, a product each.
    """
    total = 0
    hooks = []

    def count(products: int) -> Callable[..., None]:
        def hook(module: nn.Module, args: Any, kwargs: Any, _: Any) -> None:
            nonlocal total
            total += products
            if isinstance(module, nn.MultiheadAttention):
                given = [*args, *kwargs.values()]
                total += given[0] is not given[1]  # q apart from k and v

        return hook

    for path, module in model.named_modules():
        own = [f"{path}.{name}" if path else name for name in module._parameters]
        products = sum(copies.get(name, 0) for name in own)
        if isinstance(module, nn.MultiheadAttention):
            # Packed in_proj; and out_proj, which is called as a function.
            products += f"{path}.out_proj.weight".lstrip(".") in copies
        if products:
            hooks.append(
                module.register_forward_hook(count(products), with_kwargs=True)
            )
    with torch.no_grad():
        model(*[arg.clone() for arg in args])
    for hook in hooks:
        hook.remove()
    return total


def prepare(case: Case) -> tuple[nn.Module, tuple[torch.Tensor, ...], Any, int | None]:
    """The pruned model, its inputs, what is dynamic, and the expected raises."""
    torch.manual_seed(zlib.crc32(case.name.encode()))
    model, args, dynamic = case.build()
    model = model.eval().to(case.dtype)
    args = tuple(x.to(case.dtype) if x.is_floating_point() else x for x in args)
    raises = case.raises
    if case.pattern:
        report = nm.prune(model, *case.pattern, skip=case.skip)
        if raises is None:
            copies = {layer.name: layer.copies for layer in report.pruned}
            raises = count_products(model, args, copies)
    return model, args, dynamic, raises
