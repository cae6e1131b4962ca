"""The names of layers and weights, from the model to the report and to messages.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from torch import nn  # noqa: E402


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 32, bias=False)
        self.down = nn.Linear(32, 16, bias=False)
        self.register_buffer("mask", torch.tensor([True, False] * 8))

    def forward(self, x):
        return x + self.down(self.up(x).relu()) * self.mask


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Block(), Block())
        self.table = nn.Embedding(8, 16)
        self.head = nn.Linear(16, 8, bias=False)
        self.head.weight = self.table.weight

    def forward(self, ids):
        return self.head(self.layers(self.table(ids)))


@pytest.fixture(scope="module")
def module():
    torch.manual_seed(3)
    model = Model()
    nm.prune(model, 2, 4)
    return nm.export(model, (torch.zeros(2, 3, dtype=torch.int64),))


def test_the_report_names_layers(module):
    report = nm.compile(module).report
    sparse = [one for one in report["products"] if one["raised"]]
    names = [f"layers.{i}.{name}" for i in (0, 1) for name in ("up", "down")]
    assert [one["name"] for one in sparse] == names
    (dense,) = [one for one in report["products"] if not one["raised"]]
    assert dense["name"] == "head"
    for one in report["products"]:
        file, line = one["location"].rsplit(":", 1)
        assert file == __file__ and int(line) > 0
    layers = {kernel["name"]: kernel["layers"] for kernel in report["kernels"]}
    for one in sparse:
        assert one["name"] in layers[one["kernel"]]


def test_weights_have_their_names(module):
    for name in ("layers.1.down.weight", "layers.0.mask", "table.weight"):
        assert name in module.text and name in module.weights
    assert "head.weight" not in module.text  # tied: one constant


def test_messages_name_weights_and_layers(module):
    # What cannot run says which layer it is in.
    class Inner(nn.Module):
        def forward(self, x):
            return x.to(torch.float8_e4m3fnuz).to(torch.float32)  # no lowering knows it

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x)

    with pytest.raises(nm.Error, match="inner.*f8E4M3FNUZ"):
        nm.run(nm.export(Outer(), (torch.ones(8),)), torch.ones(8), device="emulator")


def test_odd_names():
    model = nn.Module()
    names = ["a b", "ümlaut", "a-b/c"]
    for name in names:
        model.register_buffer(name, torch.randn(3))
    model.forward = lambda x: sum((getattr(model, name) for name in names), x)
    x = torch.randn(3)
    (y,) = nm.run(nm.export(model, (x,)), x, device="cpu")
    torch.testing.assert_close(y, model.forward(x))


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float16,
        torch.bfloat16,
        torch.float64,
        torch.int8,
        torch.int32,
        torch.int64,
        torch.bool,
    ],
    ids=str,
)
def test_constants_of_all_types(dtype):
    class Constant(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("data", (torch.randn(5, 3) * 9).to(dtype).t())

        def forward(self, x):
            return x + self.data, self.data.clone()

    x = torch.zeros(3, 5, dtype=torch.float64)
    model = Constant()
    total, data = nm.run(nm.export(model, (x,)), x, device="cpu")
    assert torch.equal(total, x + model.data) and torch.equal(data, model.data)


def test_constants_without_elements():
    class Nothing(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("nothing", torch.zeros(0, 3))

        def forward(self, x):
            return torch.cat([x, self.nothing])

    x = torch.randn(2, 3)
    assert torch.equal(nm.run(nm.export(Nothing(), (x,)), x, device="cpu")[0], x)


class Embeddings(nn.Module):
    """Two tables of one size, whose kernels are equal but for what they say."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10, 8)
        self.kinds = nn.Embedding(10, 8)

    def forward(self, words, kinds):
        return self.words(words) + self.kinds(kinds)


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize("layer", ["words", "kinds"])
def test_a_failed_assertion_names_its_layer_and_line(layer, device):
    good, bad = torch.tensor([1, 2, 3]), torch.tensor([1, 2, 10])
    module = nm.export(Embeddings().eval(), (good, good))
    inputs = (bad, good) if layer == "words" else (good, bad)
    said = rf"in `{layer}`: index must be smaller than dim size \(test_names.py:\d+\)"
    with pytest.raises(nm.Error, match=said):
        nm.run(module, *inputs, device=device)
