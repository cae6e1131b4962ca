"""Sparse layers in PyTorch models: nm.convert and nm.nn.Linear.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import io
import pickle
import threading
import weakref

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
import torch.nn.utils.prune  # noqa: E402
from sparse_models import (  # noqa: E402
    MODELS,
    SEED,
    TOKENS,
    get_output,
    make,
    make_layer,
)

import nm  # noqa: E402
from nm.nn import Linear  # noqa: E402
from nm.nn.products import LinearProduct, count_compiled  # noqa: E402

@pytest.fixture
def emulated(monkeypatch):
    monkeypatch.setenv("NM_EMULATE", "1")


#
# The layer
#


@pytest.mark.parametrize("rows", [1, 3, 70])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_kernels_compute_what_pytorch_does(emulated, dtype, bias, rows):
    model = make_layer(dtype=dtype, bias=bias)
    dense = copy.deepcopy(model)
    nm.convert(model)
    x = torch.randn(rows, 64).to(dtype)
    expected = dense.double()(x.double())
    error = (model(x).double() - expected).norm() / expected.norm()
    assert error < {torch.float32: 1e-6, torch.float16: 1e-3}.get(dtype, 8e-3)


def test_layers_of_one_shape_share_a_program(emulated):
    before = count_compiled()
    model = torch.nn.Sequential(*[make_layer(80, 80)[0] for _ in range(3)])
    nm.convert(model)
    assert count_compiled() == before + 1


@pytest.mark.parametrize("kernels", [False, True])
def test_inputs_may_have_any_strides(monkeypatch, kernels):
    monkeypatch.setenv("NM_EMULATE", str(int(kernels)))
    model = make_layer()
    dense = copy.deepcopy(model)
    nm.convert(model)
    base = torch.randn(5, 4, 130)
    views = [
        base[..., 2:66], base[:, 1, ::2][:, :64], base.transpose(0, 1)[..., :64],
        torch.randn(1, 64).expand(6, 64), base[:0, :, :64], base[0, 0, :64],
        torch.randn(64, 9).t(), torch.randn(6 * 64 + 3)[3:].view(6, 64),
    ]
    for x in views:
        assert torch.allclose(model(x), dense(x), atol=1e-5), x.shape


def test_an_input_of_another_type_or_device_is_refused():
    model = make_layer()
    nm.convert(model)
    with pytest.raises(nm.Error, match=r"^0: expected \[..., 64\] of torch.float32 on cpu, got"):
        model(torch.randn(2, 64).half())
    with pytest.raises(nm.Error, match=r"got \[2, 32\]"):
        model(torch.randn(2, 32))
    with pytest.raises(nm.Error, match=r"on meta; .*to one type and device"):
        model(torch.empty(2, 64, device="meta"))


def test_autocast_casts_the_input():
    model = make_layer(dtype=torch.bfloat16)
    nm.convert(model)
    with torch.autocast("cpu", torch.bfloat16):
        assert model(torch.randn(2, 64)).dtype == torch.bfloat16


def test_the_weight_tells_what_it_is_and_has_no_data():
    model = make_layer()
    dense = copy.deepcopy(model)
    nm.convert(model)
    weight, x = model[0].weight, torch.randn(2, 64)
    assert weight.shape == (96, 64)
    assert weight.dtype == torch.float32
    assert weight.device.type == "cpu"
    assert weight.numel() == 96 * 64
    for bias in (None, model[0].bias, torch.ones(96)):
        expected = torch.nn.functional.linear(x, dense[0].weight, bias)
        assert torch.allclose(torch.nn.functional.linear(x, weight, bias), expected, atol=1e-6)
    for read in (lambda: weight + 1, lambda: weight.sum(), lambda: weight[0],
                 weight.tolist, lambda: x @ weight.t(), lambda: weight.data):
        with pytest.raises(nm.Error, match=r"^0: the weight has no dense data"):
            read()


def test_gradients_are_those_of_the_input_and_the_bias():
    model = make_layer()
    dense = copy.deepcopy(model)
    nm.convert(model)
    model[0].bias.requires_grad_()
    inputs = [torch.randn(3, 5, 64, requires_grad=True) for _ in range(2)]
    inputs[1].data.copy_(inputs[0].data)
    for one, x in zip((model, dense), inputs):
        one(x).square().sum().backward()
    assert torch.allclose(inputs[0].grad, inputs[1].grad, atol=1e-4)
    assert torch.allclose(model[0].bias.grad, dense[0].bias.grad, atol=1e-4)
    model[0].values.requires_grad_()
    with pytest.raises(nm.Error, match="no gradient: keep it frozen"):
        model(torch.randn(2, 64))


def test_a_layer_moves_between_types(emulated):
    model = make_layer()
    expected = model.double()(torch.ones(2, 64).double())
    nm.convert(model.float())
    model.half()
    assert model[0].values.dtype == torch.float16
    assert torch.allclose(model(torch.ones(2, 64).half()).double(), expected, atol=1e-2)
    with pytest.raises(nm.Error, match="float8.*: convert the dense model instead"):
        model.to(torch.float8_e4m3fn)


def test_copies_and_files(emulated):
    model = make_layer()
    x = torch.randn(3, 64)
    nm.convert(model)
    expected = model(x)
    assert torch.equal(copy.deepcopy(model)(x), expected)
    text = pickle.dumps(model)
    # The arrays of kernels are no part of a file.
    assert len(text) < 2 * sum(one.nbytes for one in model.state_dict().values())
    assert torch.equal(pickle.loads(text)(x), expected)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    other = make_layer()
    other[0].weight.data.mul_(2)
    nm.convert(other)
    file.seek(0)
    other.load_state_dict(torch.load(file))
    assert torch.equal(other(x), expected)
    # And the dense layer again.
    assert torch.allclose(model[0].to_dense()(x), expected, atol=1e-6)


def test_a_state_of_another_pattern_is_refused():
    model, other = make_layer(), make_layer(keep=4, window=16)
    nm.convert(model)
    nm.convert(other)
    with pytest.raises(nm.PatternError, match=r"0: expected 8:32.*got a weight of \[64, 4, 16"):
        model.load_state_dict(other.state_dict())


def test_threads_share_a_model(emulated):
    model, inputs = make("llama")
    dense = copy.deepcopy(model)
    nm.convert(model)
    results = {}

    def call(number):
        ids = torch.full((1, 5), number)
        results[number] = get_output(model, {"input_ids": ids})

    threads = [threading.Thread(target=call, args=(one,)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, got in results.items():
        expected = get_output(dense, {"input_ids": torch.full((1, 5), number)})
        assert torch.allclose(got, expected, atol=1e-5)


#
# Models
#


@pytest.mark.parametrize("name", MODELS)
def test_a_converted_model_computes_the_pruned_one(name):
    model, inputs = make(name)
    expected = get_output(model, inputs)
    report = nm.convert(model)
    assert len(report.layers) >= 8
    assert torch.allclose(get_output(model, inputs), expected, atol=1e-5)
    assert torch.allclose(get_output(copy.deepcopy(model), inputs), expected, atol=1e-5)
    again = nm.report(model)
    assert again.layers == report.layers
    assert report.layers[0].name in str(report)


@pytest.mark.parametrize("name", ["llama", "t5"])
def test_kernels_compute_a_model(emulated, name):
    model, inputs = make(name)
    expected = get_output(model, inputs)
    report = nm.convert(model)
    assert all(one.packed_bytes or one.joined for one in report.layers)
    assert torch.allclose(get_output(model, inputs), expected, atol=1e-5)
    if name == "llama":
        joined = {one.joined.replace("model.layers.0.", "") for one in report.layers[:7]}
        assert "self_attn.q_proj+self_attn.k_proj+self_attn.v_proj" in joined
        assert "mlp.gate_proj+mlp.up_proj" in joined


def test_a_graph_of_any_number_of_rows(emulated):
    model, _ = make("llama")
    dense = copy.deepcopy(model)
    nm.convert(model)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(model, fullgraph=True)
    for length in (7, 9, 5):
        inputs = {"input_ids": torch.randint(0, TOKENS, (2, length))}
        assert torch.allclose(
            get_output(compiled, inputs), get_output(dense, inputs), atol=1e-5
        )
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] <= 2


def test_a_converted_model_is_exported():
    model, _ = make("llama")
    nm.convert(model)
    block, x = model.model.layers[0].mlp, torch.randn(2, 3, 64)
    program = torch.export.export(block, (x,))
    assert torch.allclose(program.module()(x), block(x), atol=1e-6)
    targets = [str(node.target) for node in program.graph.nodes]
    assert targets.count("nm.linear.default") == 2  # gate and up are one


def test_generation_is_that_of_the_pruned_model():
    model, inputs = make("llama")
    options = {"max_new_tokens": 6, "do_sample": False, "pad_token_id": 0}
    expected = model.generate(**inputs, **options)
    nm.convert(model)
    assert torch.equal(model.generate(**inputs, **options), expected)


def test_layers_called_with_other_inputs_than_the_example():
    """What is joined still computes each layer for itself."""
    model, _ = make("llama")
    block = copy.deepcopy(model.model.layers[0].mlp)
    nm.convert(model)
    joined = model.model.layers[0].mlp
    x, y = torch.randn(2, 64), torch.randn(2, 64)
    for gate, up in ((x, y), (y, x), (x, x)):
        assert torch.allclose(joined.up_proj(up), block.up_proj(up), atol=1e-6)
        assert torch.allclose(joined.gate_proj(gate), block.gate_proj(gate), atol=1e-6)
        x += 1  # in place: known inputs are other numbers now


def test_an_example_joins_layers():
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = make_layer()[0], make_layer(bias=False)[0]

        def forward(self, x):
            return self.a(x) + self.b(x)

    x = torch.randn(2, 64)
    model = Two()
    expected = model(x)
    report = nm.convert(model, example=(x,))
    assert {one.joined for one in report.layers} == {"a+b"}
    assert torch.allclose(model(x), expected, atol=1e-5)
    assert not any(one.joined for one in nm.convert(Two()).layers)


def test_dummy_inputs_that_a_model_refuses_are_named():
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = make_layer()[0], make_layer()[0]
            self.dummy_inputs = {"x": torch.zeros(2, 3)}

        def forward(self, x):
            return self.a(x) + self.b(x)

    report = nm.convert(Two())
    assert not any(one.joined for one in report.layers)
    assert report.refusal.startswith("RuntimeError: ")
    assert "hand over example= (RuntimeError: " in str(report)


def test_a_layer_in_several_places_is_replaced_in_all_and_freed():
    layer = make_layer()[0]
    model = torch.nn.Module()
    model.a = model.b = layer
    model.inner = torch.nn.Sequential(layer)
    dense = weakref.ref(layer)
    del layer
    nm.convert(model)
    assert model.a is model.b is model.inner[0]
    assert dense() is None


#
# What stays
#


def test_what_stays_says_why():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            sparse = make_layer()[0]
            self.sparse, self.skipped = sparse, make_layer()[0]
            self.dense = torch.nn.Linear(64, 96)
            self.tied, self.embedding = make_layer()[0], torch.nn.Embedding(96, 64)
            self.embedding.weight = self.tied.weight
            self.attention = torch.nn.MultiheadAttention(64, 4)
            self.hooked = make_layer()[0]
            self.hooked.register_forward_hook(lambda *_: None)
            self.masked = torch.nn.Linear(64, 96)
            torch.nn.utils.prune.random_unstructured(self.masked, "weight", 0.75)
            self.half_bias = make_layer()[0]
            self.half_bias.bias.data = self.half_bias.bias.data.half()

    model = Model()
    report = nm.convert(model, skip=["skipped"])
    assert [one.name for one in report.layers] == ["sparse"]
    assert isinstance(model.sparse, Linear)
    reasons = {
        "skipped.weight": "skipped by the caller",
        "dense.weight": "not N:M-sparse along k",
        "tied.weight": "tied to embedding.weight",
        "attention.in_proj_weight": "MultiheadAttention reads its weights itself",
        "attention.out_proj.weight": "MultiheadAttention reads its weights itself",
        "hooked.weight": "has hooks",
        "half_bias.weight": "its bias is of torch.float16",
    }
    for name, reason in reasons.items():
        assert reason in report.dense[name], name
        assert f"dense: {name}" in str(report)


def test_nothing_to_convert_is_an_error():
    model = torch.nn.Sequential(torch.nn.Linear(64, 96))
    with pytest.raises(nm.Error, match="Sequential: no layer is N:M-sparse .*0.weight: not"):
        nm.convert(model)
    with pytest.raises(nm.Error, match="got a Linear itself"):
        nm.convert(make_layer()[0])
    with pytest.raises(nm.Error, match="got `none`, which none of 0 fits"):
        nm.convert(make_layer(), skip=["none"])


def test_texts_of_products():
    product = LinearProduct(64, 96, nm.Pattern(2, None, (4, 1)), "bf16", "bf16", True)
    assert LinearProduct.parse(str(product)) == product
    with pytest.raises(nm.Error, match="expected the text of an nm.nn.Linear's product"):
        LinearProduct.parse("linear")


@pytest.mark.parametrize("compiled", [False, True])
def test_adapters_train_beside_frozen_weights(compiled):
    class Adapted(torch.nn.Module):
        def __init__(self, base):
            super().__init__()
            torch.manual_seed(SEED)
            self.base = base
            self.down, self.up = torch.nn.Linear(64, 4), torch.nn.Linear(4, 96)
            self.before = torch.nn.Linear(64, 64)

        def forward(self, x):
            x = self.before(x)
            return self.base(x) + self.up(self.down(x))

    model = make_layer()
    dense = copy.deepcopy(model)
    nm.convert(model)
    x = torch.randn(5, 64)
    torch._dynamo.reset()
    gradients = []
    for layer in (model[0], dense[0]):
        adapted = Adapted(layer)
        call = torch.compile(adapted, fullgraph=True) if compiled else adapted
        call(x).square().sum().backward()
        parts = (adapted.down, adapted.up, adapted.before)
        gradients.append([one.weight.grad for one in parts])
    for got, expected in zip(*gradients):
        assert torch.allclose(got, expected, rtol=1e-4, atol=1e-4)
