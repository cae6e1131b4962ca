"""Models that torch-mlir takes only as nm.export rewrites them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Routers that take the best experts in any order (DeepSeek-V2 and V3, Informer's
queries), and rotary embeddings by complex numbers (DeepSeek-V2, Llama 4).
"""

from __future__ import annotations

from typing import Any

import torch
import transformers as tf

from zoo.case import Built, Case, Pick, first, ids
from zoo.text import BF16, made, small


def routed(name: str, **config: Any) -> Built:
    """A model of text with routed experts: token ids to hidden states."""
    full = small(name + "Config", **config)
    full._experts_implementation = "batched_mm"
    return Pick(made(name + "Model", full), ["input_ids"], first), (ids(2, 8),), None


def deepseek(name: str, **config: Any) -> Built:
    sizes = {
        "q_lora_rank": 24,
        "kv_lora_rank": 16,
        "qk_rope_head_dim": 8,
        "qk_nope_head_dim": 16,
        "v_head_dim": 16,
        "n_routed_experts": 4,
        "n_shared_experts": 1,
        "moe_intermediate_size": 32,
        "num_experts_per_tok": 2,
        "num_key_value_heads": 4,
        "first_k_dense_replace": 1,
        "n_group": 2,
        "topk_group": 1,
    }
    return routed(name, **{**sizes, **config})


def llama4() -> Built:
    return routed(
        "Llama4Text",
        num_key_value_heads=2,
        head_dim=16,
        intermediate_size_mlp=128,
        num_local_experts=4,
        num_experts_per_tok=1,
        interleave_moe_layer_step=2,
        attention_chunk_size=8,
    )


def informer() -> Built:
    """Few enough tokens that all queries are among the best: what is random in the
    choice of keys, by which they are measured, changes nothing."""
    config = tf.InformerConfig(
        prediction_length=4,
        context_length=8,
        input_size=1,
        lags_sequence=[1, 2],
        num_time_features=1,
        scaling=None,
        distil=False,
        d_model=32,
        encoder_layers=2,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        use_cache=False,
    )
    model = made("InformerModel", config, "eager")
    past, future = torch.randn(2, 10), torch.randn(2, 4)
    args = {
        "past_values": past,
        "past_time_features": past[..., None],
        "past_observed_mask": torch.ones_like(past),
        "future_values": future,
        "future_time_features": future[..., None],
    }
    return Pick(model, list(args), first), tuple(args.values()), None


CASES = [
    Case(
        "deepseek_v2_grouped_f32_2of4",
        lambda: deepseek("DeepseekV2", topk_method="group_limited_greedy"),
        raises=16,
    ),
    Case(
        "deepseek_v2_greedy_bf16_2of4",
        lambda: deepseek("DeepseekV2", topk_method="greedy"),
        BF16,
        raises=16,
    ),
    Case("deepseek_v3_f32_2of4", lambda: deepseek("DeepseekV3"), raises=16),
    Case("llama4_f32_2of4", llama4, raises=15),
    Case("informer_f32_2of4", informer, raises=24),
]
