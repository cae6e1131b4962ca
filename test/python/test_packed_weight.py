"""Condensed weights as data: nm.find_pattern and nm.nn.PackedWeight.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import importlib

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import SEED, make_layer  # noqa: E402

import nm  # noqa: E402
from nm.nn import PackedWeight  # noqa: E402


@pytest.mark.parametrize(
    "pattern",
    [
        nm.Pattern(8, 32, (1, 16)),
        nm.Pattern(2, 4),
        nm.Pattern(1, 4, (4, 4)),
        nm.Pattern(5, None),
        nm.Pattern(3, 7, (2, 3)),
        nm.Pattern(130, 300),
    ],
    ids=str,
)
@pytest.mark.parametrize("shape", [(96, 320), (33, 301)], ids=str)
def test_a_packed_weight_is_the_dense_one(pattern, shape):
    torch.manual_seed(SEED)
    layer = torch.nn.Linear(shape[1], shape[0])
    nm.prune(
        torch.nn.Sequential(layer), pattern.keep, pattern.window, unit=pattern.unit
    )
    packed = PackedWeight.from_dense(layer.weight, pattern)
    assert torch.equal(packed.to_dense(), layer.weight)
    assert packed.values.shape[0] == pattern.height(shape[1])


def test_the_pattern_is_found_in_the_data():
    model = make_layer()
    assert nm.find_pattern(model[0].weight) == nm.Pattern(8, 32, (1, 16))
    assert nm.find_pattern(torch.randn(32, 64)) is None
    assert nm.find_pattern(torch.zeros(32, 64)) is None
    # -0.0 is zero.
    negative = model[0].weight.detach().clone()
    negative[negative == 0] = -0.0
    assert nm.find_pattern(negative) == nm.Pattern(8, 32, (1, 16))
    with pytest.raises(nm.PatternError, match=r"\[n, k\] with elements, got \[3\]"):
        nm.find_pattern(torch.ones(3))


def test_patterns_of_many_weights_are_found_part_by_part(monkeypatch):
    search = importlib.import_module("nm.pruning.find_pattern")
    weights = [make_layer()[0].weight, torch.randn(7, 33), torch.zeros(3, 64)] * 9
    expected = list(map(nm.find_pattern, weights))
    monkeypatch.setattr(search, "_ELEMENTS_AT_ONCE", 1000)
    assert list(map(nm.find_pattern, weights)) == expected
    assert list(search.find_patterns(iter(weights))) == expected


def test_a_weight_that_has_not_the_pattern_is_refused():
    weight = make_layer()[0].weight.detach().clone()
    weight[5, :12] = 1
    with pytest.raises(nm.PatternError, match="window 0 .*column 0"):
        PackedWeight.from_dense(weight, nm.Pattern(8, 32, (1, 16)))


def test_weights_lie_beside_each_other():
    parts = [
        PackedWeight.from_dense(make_layer(n)[0].weight, nm.Pattern(8, 32, (1, 16)))
        for n in (32, 48, 40)
    ]
    whole = PackedWeight.cat(parts)
    assert torch.equal(whole.to_dense(), torch.cat([one.to_dense() for one in parts]))
    with pytest.raises(nm.PatternError, match="whole units of 16 columns .* got 40"):
        PackedWeight.cat(list(reversed(parts)))
    half = PackedWeight(parts[0].values.half(), parts[0].positions, parts[0].pattern, 64)
    with pytest.raises(nm.PatternError, match="alike but for n"):
        PackedWeight.cat([half, parts[1]])


def test_parts_of_wrong_shapes_are_refused():
    packed = PackedWeight.from_dense(make_layer()[0].weight, nm.Pattern(8, 32, (1, 16)))
    with pytest.raises(nm.PatternError, match=r"values of shape \[16, 96\]"):
        PackedWeight(packed.values[1:], packed.positions, packed.pattern, 64)
    with pytest.raises(nm.PatternError, match="positions of shape .* got .*int32"):
        PackedWeight(packed.values, packed.positions.int(), packed.pattern, 64)
