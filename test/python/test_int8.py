"""Converted layers whose weights are int8 with a scale a column.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import pickle

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import SEED, get_output, make, make_layer  # noqa: E402

import nm  # noqa: E402
from nm.nn import PackedWeight  # noqa: E402

HALVES = [torch.float16, torch.bfloat16]


@pytest.fixture(params=[False, True], ids=["pytorch", "kernels"])
def kernels(request, monkeypatch):
    monkeypatch.setenv("NM_EMULATE", str(int(request.param)))
    return request.param


def make_both(dtype=torch.bfloat16, bias=True, **more):
    """A converted layer, and the dense one with the weight that it has."""
    model = make_layer(128, 128, dtype=dtype, bias=bias, unit=(1, 32), **more)
    dense = copy.deepcopy(model)
    nm.convert(model, weight_dtype="int8")
    dense[0].weight.data = model[0].pack().to_dense(dtype)
    return model, dense


def is_close(got, expected):
    return torch.allclose(got.float(), expected.float(), rtol=0.02, atol=0.02)


def test_codes_are_the_nearest():
    weight = make_layer(64, 128)[0].weight
    weight.data[3] = 0
    pattern = nm.find_pattern(weight)
    packed = PackedWeight.from_dense(weight, pattern).quantize()
    assert packed.values.dtype == torch.int8
    assert packed.scale.dtype == torch.float32
    assert int(packed.values.abs().amax()) == 127
    error = (packed.to_dense() - weight).abs().amax(1)
    assert bool((error <= 0.501 * packed.scale).all())
    # What is pruned stays so, and columns of zeros are none.
    assert not packed.to_dense()[weight == 0].any()
    assert packed.scale[3] == 1
    joined = PackedWeight.cat([packed, packed])
    assert torch.equal(joined.to_dense(), torch.cat([packed.to_dense()] * 2))
    with pytest.raises(nm.PatternError, match=r"expected a scale of shape \[64\] and torch"):
        PackedWeight(packed.values, packed.positions, pattern, 128, packed.scale[:5])


@pytest.mark.parametrize("rows", [1, 9, 70, 140])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_a_layer_computes_with_its_codes(kernels, dtype, bias, rows):
    model, dense = make_both(dtype, bias)
    torch.manual_seed(SEED)
    x = torch.randn(rows, 128).to(dtype)
    exact = x.double() @ model[0].pack().to_dense().double().t()
    exact += dense[0].bias.double() if bias else 0
    error = (model(x).double() - exact).norm() / exact.norm()
    assert error < {torch.float16: 1e-3, torch.bfloat16: 8e-3}[dtype]


def test_memory_is_halved(monkeypatch):
    monkeypatch.setenv("NM_EMULATE", "1")
    (one,) = nm.report(make_both()[0]).layers
    assert one.bytes <= (8 / 32 / 2 + 0.06) * one.dense_bytes


def test_it_moves_between_types(kernels):
    model, dense = make_both()
    layer, x = model[0], torch.randn(3, 128)
    assert layer.weight.dtype == torch.bfloat16
    assert "weight_dtype=int8" in str(layer)
    codes, scale = layer.pack().values.clone(), layer.scale.clone()
    model.half()
    dense.half()
    assert layer.weight.dtype == layer.bias.dtype == torch.float16
    assert torch.equal(layer.pack().values, codes)
    assert torch.equal(layer.scale, scale)
    assert is_close(model(x.half()), dense(x.half()))
    with pytest.raises(nm.Error, match=r"of torch.float16 on cpu, got .* of torch.bfloat16"):
        model(x.bfloat16())


def test_copies_and_states(kernels):
    model, dense = make_both()
    x = torch.randn(3, 128).bfloat16()
    expected = model(x)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other(x), expected)
    state = model.state_dict()
    assert state["0.values"].dtype == torch.int8
    other, _ = make_both()
    other[0].scale.mul_(2)
    assert not is_close(other(x), expected)
    other.load_state_dict(state)
    assert torch.equal(other(x), expected)
    assert is_close(model[0].to_dense()(x), expected)


def test_gradients(kernels):
    model, dense = make_both()
    inputs = [torch.ones(3, 128).bfloat16().requires_grad_() for _ in range(2)]
    for one, x in zip((model, dense), inputs):
        one(x).square().sum().backward()
    assert is_close(inputs[0].grad, inputs[1].grad)


def test_both_weights(monkeypatch):
    model = make_layer(128, 128, dtype=torch.bfloat16)
    nm.convert(model, weight_dtype="int8", memory="both")
    x = torch.randn(3, 128).bfloat16()
    assert torch.equal(model(x), model[0].to_dense()(x))


def test_a_graph(kernels):
    model, dense = make_both()
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=True)
    with torch.no_grad():
        for rows in (2, 5):
            x = torch.randn(rows, 128).bfloat16()
            assert is_close(compiled(x), dense(x))


@pytest.mark.parametrize("name", ["llama", "gpt2"])
def test_models_and_their_files(name, tmp_path):
    need("safetensors")
    model, inputs = make(name)
    model.bfloat16()
    report = nm.convert(model, weight_dtype="int8")
    expected = get_output(model, inputs)
    dense = copy.deepcopy(model)
    for one in report.layers:
        parent, _, last = one.name.rpartition(".")
        of = dense.get_submodule(parent)
        setattr(of, last, getattr(of, last).to_dense())
    error = (get_output(dense, inputs).float() - expected.float()).abs().max()
    assert error < 0.02
    model.save_pretrained(tmp_path / "folder")
    nm.save(model, tmp_path / "file")
    kind = type(model)
    for again in (
        kind.from_pretrained(tmp_path / "folder"),
        nm.load(tmp_path / "file", kind(model.config).eval()),
    ):
        # model.bfloat16() rounds what loading makes anew, such as a rotation's frequencies.
        assert (get_output(again, inputs).float() - expected.float()).abs().max() < 5e-3
        states = again.state_dict(), model.state_dict()
        assert all(torch.equal(states[0][one], states[1][one]) for one in states[1])
        layer = again.get_submodule(report.layers[0].name)
        assert (layer.values.dtype, layer.scale.dtype) == (torch.int8, torch.float32)
        assert layer.dtype == torch.bfloat16
        assert nm.report(again).layers == report.layers
    half = kind.from_pretrained(tmp_path / "folder", dtype=torch.float16)
    assert half.get_submodule(report.layers[0].name).dtype == torch.float16
    assert (get_output(half, inputs).float() - expected.float()).abs().max() < 0.05


def test_what_is_refused():
    with pytest.raises(nm.Error, match="weight_dtype: expected int8 or None, got 'int4'"):
        nm.convert(make_layer(), weight_dtype="int4")
    with pytest.raises(nm.Error, match="kernels of int8 take inputs of float16 or bfloat16"):
        nm.convert(make_layer(), weight_dtype="int8")
