"""Decode steps: one token and a cache of keys and values in, the same out.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

import torch
import transformers as tf
from torch import nn

from zoo.case import Built, Case, dim, ids
from zoo.text import BF16, made, small

LAYERS = 2


class StaticStep(nn.Module):
    """A step whose cache has a fixed size and is written with index_copy."""

    def __init__(self, model: nn.Module, size: int):
        super().__init__()
        self.model = model
        self.size = size

    def forward(
        self, token: torch.Tensor, position: torch.Tensor, *cache: torch.Tensor
    ) -> Any:
        state = tf.StaticCache(config=self.model.config, max_cache_len=self.size)
        for layer, (keys, values) in zip(state.layers, zip(cache[0::2], cache[1::2])):
            layer.lazy_initialization(keys, values)
            layer.keys = keys
            layer.values = values
            layer.cumulative_length = position.clone()
        result = self.model(
            input_ids=token,
            position_ids=position[None],
            past_key_values=state,
            use_cache=True,
        )
        flat = [t for layer in state.layers for t in (layer.keys, layer.values)]
        return (result[0], *flat)


class GrowingStep(nn.Module):
    """A step whose cache grows by concatenation."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, token: torch.Tensor, *cache: torch.Tensor) -> Any:
        state = tf.DynamicCache(config=self.model.config)
        for layer, (keys, values) in enumerate(zip(cache[0::2], cache[1::2])):
            state.update(keys, values, layer)
        result = self.model(input_ids=token, past_key_values=state, use_cache=True)
        flat = [t for layer in state.layers for t in (layer.keys, layer.values)]
        return (result[0], *flat)


def model_of(name: str) -> Any:
    kv = {} if name == "GPT2" else {"num_key_value_heads": 2}
    return made(name + "Model", small(name + "Config", num_hidden_layers=LAYERS, **kv))


def caches(heads: int, tokens: int, batch: int = 1) -> tuple[torch.Tensor, ...]:
    return tuple(torch.randn(batch, heads, tokens, 16) for _ in range(2 * LAYERS))


def static(name: str) -> Built:
    heads = 4 if name == "GPT2" else 2
    args = (ids(1, 1), torch.tensor([9]), *caches(heads, 32))
    return StaticStep(model_of(name), 32), args, None


def growing(name: str, dynamic: bool = False) -> Built:
    heads = 4 if name == "GPT2" else 2
    cache = caches(heads, 10, 2)
    shapes = None
    if dynamic:
        past = dim("past", 2, 60)
        shapes = (None, tuple({2: past} for _ in cache))
    return GrowingStep(model_of(name)), (ids(2, 1), *cache), shapes


class IndexPut(nn.Module):
    """One attention layer that writes its cache in place by position."""

    def __init__(self, width: int = 64, heads: int = 4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(
        self,
        x: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        position: torch.Tensor,
    ) -> Any:
        batch, tokens, width = x.shape
        shape = (batch, tokens, self.heads, width // self.heads)
        q, k, v = (t.view(shape).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        keys = keys.index_copy(2, position, k)
        values = values.index_copy(2, position, v)
        mask = torch.arange(keys.shape[2]) <= position[-1]
        y = nn.functional.scaled_dot_product_attention(q, keys, values, mask[None])
        return self.out(y.transpose(1, 2).reshape(x.shape)), keys, values


def index_put() -> Built:
    cache = (torch.randn(1, 4, 32, 16), torch.randn(1, 4, 32, 16))
    return IndexPut(), (torch.randn(1, 1, 64), *cache, torch.tensor([11])), None


CASES = [
    Case("decode_llama_static_f32_2of4", lambda: static("Llama")),
    Case("decode_qwen3_static_bf16_2of4", lambda: static("Qwen2"), BF16),
    Case("decode_llama_growing_f32_2of4", lambda: growing("Llama")),
    Case("decode_gpt2_growing_dyn_f32_2of4", lambda: growing("GPT2", True)),
    Case("decode_kv_put_f32_8of32", index_put, pattern=(8, 32, (1, 1))),
]
