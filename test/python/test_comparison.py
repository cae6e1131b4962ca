"""What became of pruned layers: nm.Program.compare.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402

import nm  # noqa: E402

F = torch.nn.functional


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("plain", "rolled", "violated", "constant", "unused"):
            setattr(self, name, torch.nn.Linear(64, 64))
        self.register_buffer("k", torch.randn(2, 64))

    def forward(self, x):
        x = F.linear(self.plain(x), self.rolled.weight.roll(8, 0))
        return self.violated(x) + self.constant(self.k)


@pytest.mark.filterwarnings("ignore::nm.DenseWarning")
def test_states():
    torch.manual_seed(0)
    model, x = Model().eval(), torch.randn(2, 64)
    pruned = nm.prune(model, 2, 4)
    with torch.no_grad():
        model.violated.weight[0, :4] = 1.0
    compared = nm.compile(nm.export(model, (x,))).compare(pruned)
    assert [(one.name, one.state) for one in compared.layers] == [
        ("plain.weight", "sparse"),
        ("rolled.weight", "sparse"),
        ("violated.weight", "dense"),
        ("constant.weight", "folded"),
        ("unused.weight", "unused"),
    ]
    assert "1 of 1024 windows" in compared.layers[2].reason
    assert [one.name for one in compared.lost] == ["violated.weight", "constant.weight", "unused.weight"]
    text = str(compared)
    assert text.startswith("layer ") and text.endswith("2 of 5 pruned weights are sparse")


def test_a_weight_of_two_products():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = torch.nn.Linear(64, 64)

        def forward(self, x):
            return self.a(self.a(x)) @ self.a.weight

    model, x = Tied().eval(), torch.randn(2, 64)
    pruned = nm.prune(model, 2, 4)
    (layer,) = nm.compile(nm.export(model, (x,))).compare(pruned).layers
    # The last product reads it along the other dimension.
    assert layer.state == "dense" and layer.reason.startswith("1 of 3 products: ")
