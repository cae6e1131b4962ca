"""The weights of an exported module: the model's own tensors."""

import copy
import pickle

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from nm.numbers import weights  # noqa: E402
from torch import nn  # noqa: E402


@pytest.fixture
def module():
    model = nn.Linear(64, 32, bias=False)
    nm.prune(model, 2, 4)
    return model, nm.export(model, (torch.ones(2, 64),))


def test_they_are_no_copies(module):
    model, exported = module
    assert exported.weights["weight"].data_ptr() == model.weight.data_ptr()
    assert len(exported.text) < 10_000


def test_a_change_is_noticed(module):
    model, exported = module
    with torch.no_grad():
        model.weight.mul_(2)
    for use in (nm.compile, lambda one: one.save("never"), pickle.dumps):
        with pytest.raises(nm.Error, match="expected weight as it was exported"):
            use(exported)


def test_copies_are_their_own(module):
    model, exported = module
    x = torch.rand(2, 64)
    copies = [copy.deepcopy(exported), pickle.loads(pickle.dumps(exported))]
    with torch.no_grad():
        expected = model(x)
        model.weight.mul_(2)
    for one in copies:
        torch.testing.assert_close(nm.compile(one)(x)[0], expected)


def test_saved_text_is_the_same_module(module, tmp_path):
    _, exported = module
    x = torch.rand(2, 64)
    path = exported.save(tmp_path / "saved.mlir")
    (saved,), (direct,) = nm.compile(path)(x), nm.compile(exported)(x)
    assert torch.equal(saved, direct)


@pytest.mark.parametrize("pieces", [7, 1 << 20])
def test_other_programs_read_the_file(pieces, tmp_path, monkeypatch):
    """Types of all widths, tensors that are no rows, and any pieces."""
    monkeypatch.setattr(weights, "_PIECE", pieces)
    tensors = {
        "a b": torch.arange(24, dtype=torch.int8).reshape(2, 3, 4).permute(2, 0, 1),
        "half": torch.randn(5, 3, dtype=torch.float16).T,
        "brain": torch.randn(7, dtype=torch.bfloat16)[::2],
        "wide": torch.randn(3, 3, dtype=torch.float64),
        "truth": torch.tensor([True, False]),
        "none": torch.empty(0, 4),
        "number": torch.tensor(3),
        "complex": torch.randn(3, dtype=torch.complex64),
    }
    path = tmp_path / "w.safetensors"
    weights.write_weights(tensors, path)
    need("safetensors")
    from safetensors.torch import load_file

    read = load_file(path)
    assert set(read) == set(tensors)
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype and torch.equal(read[name], tensor)
