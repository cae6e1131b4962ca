"""Weights that a model makes of its parameters are looked through (nm/fold_weights.py).

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import warnings

import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402

import nm  # noqa: E402

F = torch.nn.functional


class Model(torch.nn.Module):
    def __init__(self, make):
        super().__init__()
        self.a, self.b = torch.nn.Linear(64, 64), torch.nn.Linear(64, 64)
        self.make = make
        self.register_buffer("mask", torch.rand(64, 64) > 0.5)
        self.register_buffer("order", torch.randperm(64))

    def forward(self, x):
        return F.linear(self.a(x), self.make(self, self.b.weight))


MADE = {
    "cat": lambda m, w: torch.cat([w, w], 0),
    "clamp": lambda m, w: w.clamp(-0.1, 0.1),
    "expand": lambda m, w: w[None].expand(2, 64, 64).reshape(128, 64),
    "fake-quantize": lambda m, w: torch.fake_quantize_per_tensor_affine(w, 0.01, 0, -128, 127),
    "flip": lambda m, w: w.flip(0),
    "half": lambda m, w: w.half().float(),
    "mask": lambda m, w: w * m.mask,
    "masked-fill": lambda m, w: w.masked_fill(m.mask, 0.0),
    "norm-of-rows": lambda m, w: w / w.norm(dim=1, keepdim=True),
    "of-another": lambda m, w: w * torch.sigmoid(m.a.weight),
    "pad-k": lambda m, w: F.pad(w[:, :32], (0, 32)),
    "permute-n": lambda m, w: w[m.order],
    "repeat": lambda m, w: w.repeat(2, 1),
    "repeat-interleave": lambda m, w: w.repeat_interleave(2, 0),
    "roll": lambda m, w: w.roll(8, 0),
    "scale-by-maximum": lambda m, w: w * w.abs().amax(1, keepdim=True),
    "tanh": lambda m, w: w.tanh(),
    "through-i8": lambda m, w: (w * 127).round().to(torch.int8).float() / 127,
    "tril": lambda m, w: w.tril(),
    "where": lambda m, w: torch.where(m.mask, w, 0.0),
    "write-rows": lambda m, w: torch.zeros(80, 64).index_copy(0, torch.arange(64), w),
}


@pytest.mark.parametrize("name", MADE)
def test_the_zeros_are_found(name):
    torch.manual_seed(0)
    model, x = Model(MADE[name]).eval(), torch.randn(4, 64)
    nm.prune(model, 2, 4)
    module = nm.export(model, (x,))
    with warnings.catch_warnings():
        warnings.simplefilter("error", nm.DenseWarning)
        program = nm.compile(module)
    assert [one["raised"] for one in program.report["products"]] == [True, True]
    for device in ("cpu", "emulator"):
        (got,) = nm.run(module, x, device=device)
        torch.testing.assert_close(torch.as_tensor(got), model(x))


def test_what_grows_stays_as_it_is():
    model, x = Model(lambda m, w: w.repeat(16, 1)).eval(), torch.randn(4, 64)
    nm.prune(model, 2, 4)
    module = nm.export(model, (x,))
    assert sum(one.numel() for one in module.weights.values()) < 16 * 64 * 64
    (got,) = nm.run(module, x, device="cpu")
    torch.testing.assert_close(torch.as_tensor(got), model(x))


def test_each_layer_that_lost_its_pattern_is_named():
    torch.manual_seed(0)
    layers = [torch.nn.Linear(64, 64) for _ in range(4)]
    model, x = torch.nn.Sequential(*layers).eval(), torch.randn(2, 64)
    nm.prune(model, 2, 4)
    with torch.no_grad():
        layers[1].weight[5, 8:12] = 1.0
        layers[3].weight[0, :4] = 1.0
        layers[3].weight[7, 60:] = 1.0
    module = nm.export(model, (x,))
    with pytest.warns(nm.DenseWarning) as told:
        nm.compile(module, cache=False)
    assert [str(one.message).split(";")[0] for one in told if one.category is nm.DenseWarning] == [
        "layer `1` is computed densely, though its weight is N:M-sparse: the weight has the pattern "
        "2:4, unit 1x1 but for 1 of 1024 windows along k, of which the first keeps 4 of 4 units "
        "(k = 8 to 11, n = 5)",
        "layer `3` is computed densely, though its weight is N:M-sparse: the weight has the pattern "
        "2:4, unit 1x1 but for 2 of 1024 windows along k, of which the first keeps 4 of 4 units "
        "(k = 0 to 3, n = 0)",
    ]


def test_what_was_pruned_without_a_pattern_has_no_warning():
    torch.manual_seed(0)
    model, x = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.Linear(256, 256)), torch.randn(2, 256)
    nm.prune(model[0], 2, 4)
    with torch.no_grad():
        model[1].weight *= torch.rand(256, 256) > 0.6
    with warnings.catch_warnings():
        warnings.simplefilter("error", nm.DenseWarning)
        nm.compile(nm.export(model, (x,)), cache=False)
