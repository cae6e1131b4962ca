"""What is known of converted layers, and changes between their calls.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import make_layer  # noqa: E402

import nm  # noqa: E402


@pytest.fixture
def emulated(monkeypatch):
    monkeypatch.setenv("NM_EMULATE", "1")


class Pair(torch.nn.Module):
    """Two layers behind one input."""

    def __init__(self):
        super().__init__()
        self.a, self.b = make_layer(96)[0], make_layer(64)[0]

    def forward(self, x):
        return torch.cat([self.a(x), self.b(x)], -1)


def make_pairs():
    """A converted pair, joined, and the dense one."""
    model = Pair()
    dense = copy.deepcopy(model)
    report = nm.convert(model, example=(torch.randn(2, 64),))
    assert {one.joined for one in report.layers} == {"a+b"}
    return model, dense


def test_weights_and_biases_that_are_changed_in_place(emulated):
    model, dense = make_pairs()
    x = torch.randn(3, 64)
    model(x)
    with torch.no_grad():
        for one in (model, dense):
            one.b.bias.add_(1)
            one.a.bias.mul_(2)
        model.b.values.mul_(3)
        dense.b.weight.mul_(3)
    assert torch.allclose(model(x), dense(x), atol=1e-5)


def test_a_bias_that_is_changed_between_calls_of_joined_layers(emulated):
    model, dense = make_pairs()
    x = torch.randn(3, 64)
    assert torch.allclose(model.a(x), dense.a(x), atol=1e-5)
    with torch.no_grad():
        for one in (model, dense):
            one.b.bias.add_(1)
    assert torch.allclose(model.b(x), dense.b(x), atol=1e-5)


def test_biases_of_joined_layers_have_gradients():
    model, dense = make_pairs()
    x = torch.randn(3, 64)
    for one in (model, dense):
        one.a.bias.requires_grad_()
        one.b.bias.requires_grad_()
        one(x).square().sum().backward()
    assert torch.allclose(model.a.bias.grad, dense.a.bias.grad, atol=1e-4)
    assert torch.allclose(model.b.bias.grad, dense.b.bias.grad, atol=1e-4)


def test_joined_layers_of_which_one_is_elsewhere():
    """As accelerate offloads them: each has its data while it is called."""
    model, dense = make_pairs()
    x = torch.randn(3, 64)
    kept = {name: dict(layer.named_parameters()) for name, layer in model.named_children()}
    for name, layer in model.named_children():
        for parameter in kept[name]:
            setattr(layer, parameter, torch.nn.Parameter(
                kept[name][parameter].to("meta"), requires_grad=False
            ))
    results = []
    for name, layer in model.named_children():
        away = {one: getattr(layer, one) for one in kept[name]}
        for parameter, value in kept[name].items():
            setattr(layer, parameter, value)
        results.append(layer(x))
        for parameter, value in away.items():
            setattr(layer, parameter, value)
    assert torch.allclose(torch.cat(results, -1), dense(x), atol=1e-5)
