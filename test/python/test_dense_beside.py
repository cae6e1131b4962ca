"""Converted layers that keep their dense weights, and layers that stay dense for speed.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

No time is measured here: what a GPU would tell is written by hand.
"""

import copy
import pickle
import types

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import get_output, make, make_layer  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

import nm  # noqa: E402
from nm.nn import choices  # noqa: E402


def spy(monkeypatch):
    """The numbers of rows that F.linear is called with."""
    calls = []
    original = torch.nn.functional.linear

    def call(x, *rest):
        calls.append(x.numel() // x.shape[-1])
        return original(x, *rest)

    monkeypatch.setattr(torch.nn.functional, "linear", call)
    return calls


@pytest.fixture
def beside(monkeypatch):
    """A layer with both weights, which is faster dense for 3 rows and more."""
    monkeypatch.setenv("NM_EMULATE", "1")
    monkeypatch.setattr(choices, "_measured", {})
    model = make_layer(bias=True)
    dense = copy.deepcopy(model)
    nm.convert(model, memory="both")
    product = model[0].describe()
    choices._measured[product, -1] = ((1, 2, 4), (False, False, True))
    return model, dense


@pytest.mark.parametrize("shape", [(1, 64), (2, 64), (3, 64), (5, 64), (2, 2, 64), (64,)])
def test_the_faster_weight_is_taken(beside, monkeypatch, shape):
    model, dense = beside
    x = torch.randn(shape)
    expected = dense(x)
    calls = spy(monkeypatch)
    assert torch.allclose(model(x), expected, atol=1e-5)
    rows = x.numel() // 64
    assert calls == ([rows] if rows > 2 else [])


def test_sparse_has_to_gain(beside, monkeypatch):
    """By 5 %, as a measurement errs."""
    model, _ = beside
    product = model[0].describe()
    monkeypatch.setattr(choices, "_measured", {})
    monkeypatch.setattr(choices, "ROWS", (1, 2, 4))
    monkeypatch.setattr(choices, "get_speedups", lambda *_: [1.2, 1.02, 0.9])
    on_gpu = types.SimpleNamespace(is_cuda=True, device=torch.device("cpu"))
    choices.measure(product, None, None, on_gpu)
    found = [choices.is_dense_faster(product, on_gpu.device, m) for m in (1, 2, 3)]
    assert found == [False, True, True]


class Ops(TorchDispatchMode):
    """The names of the ops that are called."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("rows", [2, 3])
def test_calls_have_the_op_that_takes_the_least_of_the_host(beside, rows):
    """The packed weight's has few operands, and the dense one needs none of nm's."""
    model, _ = beside
    with Ops() as ops, torch.no_grad():
        model(torch.randn(rows, 64))
    of_nm = [name for name in ops.names if name.startswith("nm.")]
    assert of_nm == (["nm.packed_linear.default"] if rows == 2 else [])


@pytest.mark.parametrize("rows", [2, 3])
def test_gradients_come_from_the_dense_weight(beside, rows):
    model, dense = beside
    model[0].bias.requires_grad_(True)
    x = torch.randn(rows, 64, requires_grad=True)
    y = x.detach().clone().requires_grad_(True)
    dense(y).square().sum().backward()
    model(x).square().sum().backward()
    assert torch.allclose(x.grad, y.grad, atol=1e-4)
    assert torch.allclose(model[0].bias.grad, dense[0].bias.grad, atol=1e-4)


@pytest.mark.parametrize("rows", [2, 3])
def test_the_weight_has_no_gradient(beside, rows):
    model, _ = beside
    model[0].values.requires_grad_(True)
    with pytest.raises(nm.Error, match="the weight of an nm.nn.Linear has no gradient"):
        model(torch.randn(rows, 64))


def test_it_is_moved_copied_and_kept_out_of_files(beside):
    model, dense = beside
    x = torch.randn(4, 64)
    layer = model[0]
    (one,) = nm.report(model).layers
    assert one.packed_bytes >= one.dense_bytes
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.allclose(other(x), dense(x), atol=1e-5)
        assert nm.report(other).layers == (one,)
    assert sum(t.nbytes for t in model.state_dict().values()) < one.dense_bytes
    model.bfloat16()
    assert layer.arrays[-1].dtype == torch.bfloat16
    assert torch.equal(layer.arrays[-1], dense[0].weight.bfloat16())


def test_graphs_take_both(beside):
    model, dense = beside
    torch._dynamo.reset()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=True)
    with torch.no_grad():
        for rows in (2, 5, 9):
            x = torch.randn(rows, 64)
            assert torch.allclose(compiled(x), dense(x), atol=1e-5)


def test_pytorch_computes_with_the_dense_weights_of_joined_layers(monkeypatch):
    model, inputs = make("llama")
    expected = get_output(model, inputs)
    report = nm.convert(model, memory="both")
    assert any(one.joined for one in report.layers)
    calls = spy(monkeypatch)
    assert torch.allclose(get_output(model, inputs), expected, atol=1e-5)
    # Four products of each of two blocks, and the head, which is dense.
    assert len(calls) == 9


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.small, self.large = make_layer(32, 64)[0], make_layer(128, 64)[0]


@pytest.fixture
def timed(monkeypatch):
    """Times of calls by the columns of their results: small layers are faster dense."""
    monkeypatch.setenv("NM_EMULATE", "1")
    times = []

    def time_call(call):
        rows, columns = call().shape
        times.append((rows, columns))
        is_sparse = len(times) % 2 == 0
        return 1.0 + is_sparse * (0.5 if columns == 32 else -0.5)

    monkeypatch.setattr(choices, "time_call", time_call)
    return times


def test_layers_stay_dense_that_are_faster_so(timed):
    model = Two()
    report = nm.convert(model, rows=[1, 5])
    assert [one.name for one in report.layers] == ["large"]
    assert report.dense == {
        "small.weight": "dense is faster (speedups by rows: 1: 0.67, 5: 0.67)"
    }
    assert timed == [(m, n) for n in (32, 128) for m in (1, 1, 5, 5)]


def test_what_is_refused(monkeypatch):
    with pytest.raises(nm.Error, match=r"memory: expected one of .*, got 'most'"):
        nm.convert(make_layer(), memory="most")
    with pytest.raises(nm.Error, match=r"rows: kernels are timed on a GPU, and 0.weight"):
        nm.convert(make_layer(), rows=[1])
    for rows in ([], [0], [1.5], [True]):
        with pytest.raises(nm.Error, match="rows: expected numbers of rows from 1 on"):
            nm.convert(make_layer(), rows=rows)


def test_all_that_is_faster_dense_is_an_error(timed):
    model = make_layer(32, 64)
    with pytest.raises(nm.Error, match="no layer is N:M-sparse .*0.weight: dense is faster"):
        nm.convert(model, rows=[1])
    assert type(model[0]) is torch.nn.Linear
