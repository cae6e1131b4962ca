"""Tensors with a static extent of zero (python/nm/exporting/rewrites/no_elements.py).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import nm  # noqa: E402
import torch  # noqa: E402

nn = torch.nn


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(32, 17)

    def forward(self, x):
        return (self.linear(torch.where(x.isnan(), torch.zeros(32), x)),)


class Reductions(nn.Module):
    def forward(self, x):
        return torch.cat([x, x.new_ones(2, 3)]), x.sum(), x.sum(0), x.reshape(3, 0).softmax(1), x * 2


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv1d(4, 8, 3), nn.LayerNorm(5)

    def forward(self, x):
        return self.norm(x), self.conv(x), x.transpose(1, 2).double()


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize(
    ("make", "shape"),
    [(Linear, (1, 0, 32)), (Linear, (0, 32)), (Reductions, (0, 3)), (Layers, (0, 4, 5))],
)
def test_results_are_torchs(make, shape, device):
    torch.manual_seed(0)
    model, x = make(), torch.zeros(shape)
    got = nm.run(nm.export(model, (x,)), x, device=device)
    for one, expected in zip(got, model(x), strict=True):
        torch.testing.assert_close(torch.as_tensor(one), expected)
