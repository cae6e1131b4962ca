"""nm.export: buffers that a model writes are state that goes in and comes back.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import functools

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


@pytest.mark.filterwarnings("ignore::nm.DenseWarning")
def test_static_cache_of_transformers():
    """Registered by transformers itself, and with its default experts beside it."""
    need("transformers")
    import transformers
    from transformers.integrations.executorch import TorchExportableModuleWithStaticCache

    config = transformers.OlmoeConfig(
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        num_experts=4,
        num_experts_per_tok=2,
        vocab_size=64,
        max_position_embeddings=32,
        pad_token_id=0,
        eos_token_id=2,
    )
    model = transformers.OlmoeForCausalLM(config).eval()
    nm.prune(model, 2, 4)
    model.generation_config.cache_implementation = "static"
    step = TorchExportableModuleWithStaticCache(model, batch_size=1, max_cache_len=8)

    def args_of(at):
        return {"input_ids": torch.tensor([[7 + at]]), "cache_position": torch.tensor([at])}

    module = nm.export(step, (), args_of(0), strict=True)
    assert sorted(module.state) == ["cumulative_length_0", "key_cache_0", "value_cache_0"]
    program, buffers = nm.compile(module), dict(step.named_buffers())
    for call in (functools.partial(nm.run, module, device="cpu"), program):
        for name in module.state:
            buffers[name].zero_()
        state = module.initial_state
        # A new sequence begins at a place that was written before.
        for at in (0, 1, 2, 1):
            *state, logits = call(**args_of(at), state=state)
            with torch.no_grad():
                expected = step(**args_of(at))
            torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-5)
            for actual, name in zip(state, module.state):
                torch.testing.assert_close(actual, buffers[name], rtol=1e-4, atol=1e-5)
