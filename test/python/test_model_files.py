"""Files of converted models that are no model of transformers, and what is refused.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json

import pytest
from conftest import need

need("torch", "safetensors")

import torch  # noqa: E402
from safetensors.torch import load_file, safe_open, save_file  # noqa: E402
from sparse_models import make_layer  # noqa: E402

import nm  # noqa: E402
from nm.nn import Linear  # noqa: E402


class Model(torch.nn.Module):
    """Two layers of one input, one that is dense, and a weight that is tied."""

    def __init__(self):
        super().__init__()
        self.a, self.b = make_layer()[0], make_layer(bias=False)[0]
        self.head, self.tied = torch.nn.Linear(96, 8), torch.nn.Linear(96, 8)
        self.tied.weight = self.head.weight

    def forward(self, x):
        y = self.a(x) + self.b(x)
        return self.head(y) + self.tied(y)


@pytest.fixture
def saved(tmp_path):
    """A file, an input, and what the model gives of it."""
    model, x = Model().to(torch.bfloat16), torch.randn(2, 64, dtype=torch.bfloat16)
    nm.convert(model, example=(x,))
    path = tmp_path / "model.safetensors"
    nm.save(model, path)
    return path, x, model(x)


def rewrite(path, change):
    """Changes tensors and what the file says of layers."""
    with safe_open(path, "pt") as file:
        metadata = dict(file.metadata())
    tensors, said = load_file(path), json.loads(metadata["nm"])
    change(tensors, said)
    save_file(tensors, path, {**metadata, "nm": json.dumps(said)})


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_model_comes_back(saved, device):
    path, x, expected = saved
    dense = Model()
    dense.head.requires_grad_(False)
    dense.to(device).eval()
    model = nm.load(path, dense)
    assert torch.equal(model(x), expected)
    assert model.head.weight is model.tied.weight
    assert isinstance(model.a, Linear)
    assert model.a.joined is model.b.joined is not None
    assert not model.a.training
    # The file's types, and the model's own gradients.
    assert model.head.weight.dtype == torch.bfloat16
    assert not model.head.weight.requires_grad
    assert model.tied.bias.requires_grad


def test_a_file_is_replaced_whole(saved, monkeypatch):
    path, x, expected = saved
    before = path.read_bytes()
    model = nm.load(path, Model())
    monkeypatch.setattr("safetensors.torch.save_file", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        nm.save(model, path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_is_no_converted_model_is_refused(saved, tmp_path):
    path, _, _ = saved
    with pytest.raises(nm.Error, match="Model: expected a converted model"):
        nm.save(Model(), path)
    with pytest.raises(nm.Error, match=r"nm.load\(path\) loads programs"):
        save_file({"a": torch.zeros(2)}, tmp_path / "other.safetensors")
        nm.load(tmp_path / "other.safetensors", Model())
    with pytest.raises(FileNotFoundError):
        nm.load(tmp_path / "none", Model())
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(nm.Error, match="model.safetensors: .*damaged"):
        nm.load(path, Model())


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda t, said: said.update(version=2), "version 1 of nm's layers, got 2"),
        (lambda t, said: said.update(layers=[1]), r"expected numbers by names, got \[1\]"),
        (lambda t, said: said["layers"].update(c=[8, 32, 1, 16]), "expected a layer c"),
        (lambda t, said: said["layers"].update(a=[8, 32]), "a: expected .keep, window"),
        (lambda t, said: said["layers"].update(a=[33, 32, 1, 16]), "a: expected keep <="),
        (lambda t, said: said["layers"].update(a=[4, 16, 1, 16]), "a: expected 4:16"),
        (
            lambda t, said: said["layers"].update(a=[1 << 62, 1 << 62, 1, 16]),
            "a: .* would store 4611686018427387904 rows of a weight of 64x96",
        ),
        (lambda t, said: said["layers"]["a"].append("int8"), "a: expected .keep, window"),
        (
            lambda t, said: said["layers"]["a"].extend(["int8", "float64"]),
            "a: expected .keep, window",
        ),
        (
            lambda t, said: said["layers"]["a"].extend(["int8", ["float16"]]),
            "a: expected .keep, window",
        ),
        (lambda t, said: said["layers"]["a"].extend(["int8", "float16"]), "a.scale_bits"),
        (lambda t, said: said["layers"].pop("a"), "a.values"),
        (lambda t, said: said.update(joined=["ab"]), "expected names of layers, got 'ab'"),
        (lambda t, said: said.update(joined=[["a", "a"]]), "each once, got a"),
        (lambda t, said: said.update(joined=[["a"]]), "alike but for n"),
        (lambda t, said: t.pop("b.values"), "b.values"),
        (lambda t, said: t.update({"a.values": t["a.values"][:8]}), "size mismatch"),
        (lambda t, said: t["a.positions"][0].fill_(32), "a: .*positions below 32"),
        (lambda t, said: t["a.positions"][1].fill_(0), r"that ascend, got \[\d+, 0,"),
        (
            lambda t, said: t.update({"a.positions": t["a.positions"].int()}),
            "positions of .* torch.uint8",
        ),
    ],
)
def test_a_wrong_file_is_refused(saved, change, message):
    path, _, _ = saved
    rewrite(path, change)
    with pytest.raises(nm.Error, match=message):
        nm.load(path, Model())
