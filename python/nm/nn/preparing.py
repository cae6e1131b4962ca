"""Laying out the layers of a model, joined or by themselves.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from nm.nn.joined import JoinedLayers
from nm.nn.laid_out import has_kernels
from nm.nn.linear import Linear
from nm.nn.operator import prepare_all


def join_and_prepare(
    layers: Mapping[str, Linear], groups: Sequence[Sequence[str]]
) -> None:
    """Lets the layers of each group be computed together, and lays all out for their
    device; their programs are compiled at once.

    Args:
        layers: nm.nn.Linear by name.
        groups: names of layers that one product computes.
    """
    for group in groups:
        members = [layers[name] for name in group]
        joined = JoinedLayers(members)
        for number, member in enumerate(members):
            member.set_joined(joined, number)
    prepared = [
        layer
        for layer in layers.values()
        if layer.joined is None or layer is layer.joined.members[0]
    ]
    products: dict[torch.device, set[str]] = {}
    for layer in prepared:
        device = layer.values.device
        if has_kernels(device):
            products.setdefault(device, set()).add(layer.describe())
    for device, texts in products.items():
        prepare_all(texts, device)
    for layer in prepared:
        layer.prepare()
