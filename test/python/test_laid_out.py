"""One copy of a converted weight: values that lie as kernels read them, and back.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Kernels are emulated, so that the CPU lays weights out as a GPU does.
"""

import copy
import pickle

import pytest
from conftest import need

need("torch", "transformers")

import torch  # noqa: E402
from sparse_models import SEED, make_layer  # noqa: E402

import nm  # noqa: E402
from nm.nn.arrays import condense, has_one_copy, make_packed, split_packed  # noqa: E402
from nm.nn.packed_weight import PackedWeight  # noqa: E402
from nm.nn.products import LinearProduct, get_program  # noqa: E402

# Tensor cores' layout: units of whole fragments, of a type that they take.
SHAPE = {"n": 128, "k": 256, "dtype": torch.bfloat16, "unit": (1, 32)}


@pytest.fixture(autouse=True)
def emulated(monkeypatch):
    monkeypatch.setenv("NM_EMULATE", "1")


class Joined(torch.nn.Module):
    """Two layers of one input, with as many columns as a block has."""

    def __init__(self):
        super().__init__()
        self.q = make_layer(**SHAPE)[0]
        self.k = make_layer(**SHAPE)[0]

    def forward(self, x):
        return torch.cat([self.q(x), self.k(x)], -1)


def make_converted(kind):
    """A converted model, its dense weights by layer, and an input."""
    model = make_layer(**SHAPE) if kind == "alone" else Joined()
    x = torch.randn(3, 256, dtype=torch.bfloat16)
    dense = {
        name: one.weight.detach().clone()
        for name, one in model.named_modules()
        if isinstance(one, torch.nn.Linear)
    }
    nm.convert(model, example=(x,))
    return model, dense, x


@pytest.fixture(params=["alone", "joined"])
def converted(request):
    return make_converted(request.param)


def get_layers(model, dense):
    return [(model.get_submodule(name), weight) for name, weight in dense.items()]


# Units of one and of two rows, tails of k and n, and what no tensor core takes.
@pytest.mark.parametrize(
    "k, n, keep, window, unit, element",
    [
        (256, 128, 8, 32, (1, 32), "bf16"),
        (256, 128, 16, 32, (1, 64), "f16"),
        (1100, 200, 8, 32, (1, 32), "bf16"),
        (256, 96, 4, 16, (2, 16), "f16"),
        (4096, 64, 2, 4, (1, 8), "bf16"),
        (128, 40, 8, 32, (1, 8), "f32"),
        (96, 24, 3, None, (1, 4), "f64"),
    ],
)
def test_arrays_are_those_of_the_library(
    monkeypatch, k, n, keep, window, unit, element
):
    torch.manual_seed(SEED)
    pattern = nm.Pattern(keep, window, unit)
    program = get_program(str(LinearProduct(k, n, pattern, element, element, False)), "sm_90a")
    (taken,) = program.find_function().weights
    dense = torch.randn(n, k, dtype=torch.float64)
    model = torch.nn.Sequential(torch.nn.Linear(k, n, bias=False).double())
    model[0].weight.data = dense
    nm.prune(model, keep, window, unit=unit)
    dtype = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
    weight = model[0].weight.detach().to(dtype.get(element, torch.float64))
    packed = PackedWeight.from_dense(weight, pattern)
    # In one piece, and in several.
    arrays = split_packed(program, make_packed(program, [packed]))
    monkeypatch.setattr("nm.nn.arrays._COLUMNS_AT_ONCE", 32)
    for one, other in zip(arrays, split_packed(program, make_packed(program, [packed]))):
        assert torch.equal(one, other)
    expected = {}
    for number, layout in enumerate(taken.layouts):
        values, indices = program.pack_weight(taken, number, packed.values, packed.positions)
        expected |= {layout.values: values, layout.indices: indices}
    assert len(arrays) == len(expected)
    for array, argument in zip(arrays, sorted(expected)):
        assert torch.equal(array, expected[argument]), argument
    first = arrays[sorted(expected).index(taken.layouts[0].values)]
    assert torch.equal(condense(program, first, packed.positions), packed.values)


def test_llama_products_have_one_copy():
    for k, n in ((4096, 12288), (4096, 4096), (4096, 22016), (11008, 4096)):
        product = LinearProduct(k, n, nm.Pattern(8, 32, (1, 32)), "bf16", "bf16", False)
        program = get_program(str(product), "sm_90a")
        assert has_one_copy(program), product
        arguments = program.find_function().arguments[1:]
        bytes_of = {"bf16": 2, "i8": 1, "u8": 1, "i32": 4}
        total = 0
        for argument in arguments:
            count = bytes_of[argument.element]
            for extent in argument.shape:
                count *= extent
            total += count
        assert total < 0.31 * k * n * 2, product


def test_values_are_a_part_of_the_array(converted):
    model, dense, x = converted
    report = nm.report(model)
    values = sum(weight.numel() // 4 * 2 for weight in dense.values())
    stored = values + sum(layer.positions.nbytes for layer, _ in get_layers(model, dense))
    assert sum(one.bytes for one in report.layers) == stored
    # What kernels have beside the values are indices.
    assert 0 < sum(one.packed_bytes for one in report.layers) < values / 4
    for layer, weight in get_layers(model, dense):
        assert layer.values.dim() == 3
        assert torch.equal(layer.pack().to_dense(), weight)
        assert torch.equal(layer.to_dense().weight, weight)


def test_state_is_condensed(converted):
    model, dense, x = converted
    expected = model(x)
    state = model.state_dict()
    for name, (layer, weight) in zip(dense, get_layers(model, dense)):
        assert state[f"{name}.values"].shape == (64, layer.out_features)
        packed = PackedWeight.from_dense(weight, layer.pattern)
        assert torch.equal(state[f"{name}.values"], packed.values)
    other = copy.deepcopy(model)
    for layer, _ in get_layers(other, dense):
        layer.values.data.zero_()
    other.load_state_dict(state)
    assert torch.equal(other(x), expected)
    assert torch.equal(pickle.loads(pickle.dumps(model))(x), expected)
    other.load_state_dict(state, assign=True)
    assert torch.equal(other(x), expected)


def id_of(tensor):
    return tensor.untyped_storage().data_ptr()


def test_a_copy_has_one_copy_of_its_own(converted):
    model, dense, x = converted
    expected = model(x)
    other = copy.deepcopy(model)
    for layer, _ in get_layers(model, dense):
        layer.values.data.zero_()
    assert torch.equal(other(x), expected)
    for layer, weight in get_layers(other, dense):
        assert layer.values.dim() == 3
        of = layer.joined.laid_out if layer.joined else layer._laid_out
        storages = {id_of(one) for one in (of.packed, layer.values, *of.arrays)}
        assert len(storages) == 1
        assert torch.equal(layer.pack().to_dense(), weight)
    assert [one.packed_bytes for one in nm.report(other).layers] == [
        one.packed_bytes for one in nm.report(model).layers
    ]


def test_a_layer_is_condensed_while_it_moves(converted):
    model, dense, x = converted
    expected = model(x)
    model.to(torch.float32)
    for layer, weight in get_layers(model, dense):
        assert torch.equal(layer.pack().to_dense(), weight.float())
    model.to(torch.bfloat16)
    assert torch.equal(model(x), expected)
    for layer, weight in get_layers(model, dense):
        layer.release()
        assert layer.values.shape == (64, layer.out_features)
    assert torch.equal(model(x), expected)


def test_values_that_were_moved_alone_are_refused(converted):
    model, dense, x = converted
    layer, _ = get_layers(model, dense)[0]
    layer.values = torch.nn.Parameter(layer.values.clone(), requires_grad=False)
    with pytest.raises(nm.Error, match=r"move the layer \(layer.to\)"):
        model(x)
    with pytest.raises(nm.Error, match="expected values of the condensed form"):
        model.state_dict()


def test_condensed_values_may_be_given(converted):
    model, dense, x = converted
    expected = model(x)
    layer, _ = get_layers(model, dense)[0]
    # As accelerate does for a layer that it keeps elsewhere.
    values = model.state_dict()[f"{next(iter(dense))}.values"]
    layer.values = torch.nn.Parameter(2 * values, requires_grad=False)
    got = model(x)
    n = layer.out_features
    bias = layer.bias.detach()
    assert torch.allclose(got[:, :n] - bias, 2 * (expected[:, :n] - bias), atol=0.05)
    assert torch.equal(got[:, n:], expected[:, n:])


def test_the_same_values_as_another_parameter_are_known(converted):
    model, dense, x = converted
    expected = model(x)
    layer, weight = get_layers(model, dense)[0]
    # As accelerate does where a parameter is on its device.
    layer.values = torch.nn.Parameter(layer.values.data, requires_grad=False)
    assert torch.equal(model(x), expected)
    assert torch.equal(layer.pack().to_dense(), weight)


def test_arrays_of_an_offloaded_layer_are_dropped(converted):
    need("accelerate")
    import accelerate

    model, dense, x = converted
    expected = model(x)
    accelerate.cpu_offload(model, execution_device="cpu")
    for _ in range(2):
        assert torch.allclose(model(x), expected, rtol=0.02, atol=0.02)
    layers = [layer for layer, _ in get_layers(model, dense)]
    assert all(layer.values.is_meta for layer in layers)
    # Of the last one they are there until another layer is laid out.
    assert sum(bool(layer.arrays) for layer in layers) == 1


def test_hooks_of_accelerate_stay():
    need("accelerate")
    from accelerate import hooks

    model = make_layer(**SHAPE)
    hooks.attach_align_device_hook(model, execution_device="cpu")
    hook = model[0]._hf_hook
    nm.convert(model)
    assert model[0]._hf_hook is hook
    assert model[0](torch.randn(3, 256, dtype=torch.bfloat16)).shape == (3, 128)
    # Nothing takes the values away after a call, so that they are laid out.
    assert model[0].values.dim() == 3


def test_gradients_come_from_the_arrays(converted):
    model, dense, x = converted
    x.requires_grad_(True)
    y = model(x)
    gradient = torch.randn_like(y)
    y.backward(gradient)
    whole = torch.cat(list(dense.values())).double()
    expected = gradient.double() @ whole
    assert (x.grad.double() - expected).norm() < 8e-3 * expected.norm()
