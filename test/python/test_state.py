"""nm.export: buffers that a model writes are state that goes in and comes back.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import nm
import pytest
from conftest import need

need("torch", "torch_mlir", "ml_dtypes")

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402


class Cache(nn.Module):
    """Keys at their positions, and how many there are."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4, bias=False)
        self.register_buffer("keys", torch.zeros(5, 4), persistent=False)
        self.register_buffer("count", torch.tensor(0))

    def forward(self, x):
        self.keys.index_copy_(0, self.count[None], self.project(x))
        self.count += 1
        return self.keys.sum(0)


class Statistics(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("variance", torch.ones(3))

    def forward(self, x):
        return F.batch_norm(x, self.mean, self.variance, training=True, momentum=0.5)


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize(
    "make, names, shape",
    [(Cache, ("keys", "count"), (1, 4)), (Statistics, ("mean", "variance"), (6, 3))],
    ids=["cache", "statistics"],
)
def test_state_of_several_calls(make, names, shape, device):
    model = make()
    calls = [torch.randn(shape) for _ in range(3)]
    module = nm.export(model, (calls[0],))
    assert module.state == names
    assert module.inputs[:2] == names and module.results == (*names, "output0")
    state = None
    for x in calls:
        *state, y = nm.run(module, x, device=device, state=state)
        with torch.no_grad():
            torch.testing.assert_close(y, model(x))
        for actual, name in zip(state, names):
            torch.testing.assert_close(actual, getattr(model, name))


def test_export_changes_no_buffer():
    model = Cache()
    module = nm.export(model, (torch.ones(1, 4),))
    nm.run(module, torch.ones(1, 4), device="cpu")
    assert model.count == 0 and module.initial_state[1] == 0
    model.count += 3
    assert module.initial_state[1] == 0


def test_state_before_arguments_that_are_written():
    class Both(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("x", torch.ones(2))

        def forward(self, x):
            x.mul_(2)
            self.x.add_(x)
            return x - self.x

    module = nm.export(Both(), (torch.ones(2),))
    assert module.inputs == ("x", "x") and module.results == ("x", "x", "output0")
    results = nm.run(module, torch.full((2,), 3.0), device="cpu")
    assert [result.tolist() for result in results] == [[7, 7], [6, 6], [-1, -1]]


def test_a_compiled_module_takes_state():
    model, x = Cache(), torch.ones(1, 4)
    compiled = nm.compile(nm.export(model, (x,)))
    assert compiled.functions["forward"].state == ("keys", "count")
    *state, _ = compiled(x)
    *state, _ = compiled(x, state=state)
    assert state[1] == 2 and state[1].dtype == torch.int64


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_a_file_keeps_the_state(device, tmp_path):
    path = nm.export(Cache(), (torch.ones(1, 4),)).save(tmp_path / "cache.mlir")
    *state, _ = nm.run(path, torch.ones(1, 4), device=device)
    assert state[1] == 1


def test_state_is_counted():
    module = nm.export(Cache(), (torch.ones(1, 4),))
    message = r"state: expected 2 \(keys, count\), got 1 values"
    with pytest.raises(nm.Error, match=message):
        nm.run(module, torch.ones(1, 4), state=[torch.zeros(5, 4)], device="cpu")
    module = nm.export(nn.Linear(4, 4), (torch.ones(1, 4),))
    with pytest.raises(nm.Error, match="state: expected none, got 1 values"):
        nm.run(module, torch.ones(1, 4), state=[1], device="cpu")


class Layer:
    """A cache of one layer, as transformers' StaticCache has: no module."""

    def __init__(self):
        self.keys = torch.zeros(4, 3)
        self.count = torch.zeros(1, dtype=torch.int64)

    def update(self, key):
        self.keys.index_copy_(0, self.count, key)
        self.count.add_(1)
        return self.keys


class Behind(nn.Module):
    """Buffers that forward reaches through another object."""

    def __init__(self):
        super().__init__()
        self.cache, self.linear = Layer(), nn.Linear(3, 3)
        self.register_buffer("keys", self.cache.keys, persistent=False)
        self.register_buffer("count", self.cache.count, persistent=False)

    def forward(self, x):
        return self.cache.update(self.linear(x)).sum(0)


@pytest.mark.parametrize("device", ["cpu", "emulator"])
def test_buffers_that_are_reached_through_other_objects(device):
    model, x = Behind(), torch.randn(1, 3)
    with pytest.raises(nm.ExportError, match="strict=True"):
        nm.export(model, (x,))
    module = nm.export(model, (x,), strict=True)
    assert sorted(module.state) == ["count", "keys"]
    state = module.initial_state
    with torch.no_grad():
        for _ in range(3):
            x = torch.randn(1, 3)
            *state, y = nm.run(module, x, device=device, state=state)
            torch.testing.assert_close(y, model(x))


def test_static_cache_of_transformers():
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        vocab_size=64,
        max_position_embeddings=32,
    )
    model = transformers.LlamaForCausalLM(config).eval()
    cache = transformers.StaticCache(config=config, max_cache_len=8)
    cache.early_initialization(1, 1, 16, torch.float32, "cpu")

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model
            for i, layer in enumerate(cache.layers):
                self.register_buffer(f"keys_{i}", layer.keys, persistent=False)
                self.register_buffer(f"values_{i}", layer.values, persistent=False)
                self.register_buffer(f"count_{i}", layer.cumulative_length, persistent=False)

        def forward(self, ids, at):
            return self.model(ids, position_ids=at, past_key_values=cache, use_cache=True).logits

    step = Step().eval()
    module = nm.export(step, (torch.tensor([[5]]), torch.tensor([[0]])), strict=True)
    assert sorted(module.state) == ["count_0", "keys_0", "values_0"]
    program, state = nm.compile(module), module.initial_state
    with torch.no_grad():
        for at in range(3):
            args = torch.tensor([[7 + at]]), torch.tensor([[at]])
            *state, logits = program(*args, state=state)
            torch.testing.assert_close(logits, step(*args), rtol=1e-4, atol=1e-5)
