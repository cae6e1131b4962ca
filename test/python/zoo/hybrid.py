"""Models whose sequential layers are unrolled into thousands of small loops.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import torch
import transformers as tf

from zoo.case import Built, Case, Pick, first, ids, randomize
from zoo.text import made, small


def qwen3_next() -> Built:
    """A layer with a gated delta rule and one with attention; experts in both."""
    config = small(
        "Qwen3NextConfig",
        num_key_value_heads=2,
        head_dim=16,
        linear_num_value_heads=4,
        linear_num_key_heads=2,
        linear_key_head_dim=16,
        linear_value_head_dim=16,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=32,
        shared_expert_intermediate_size=32,
        layer_types=["linear_attention", "full_attention"],
    )
    config._experts_implementation = "batched_mm"
    model = made("Qwen3NextModel", config)
    return Pick(model, ["input_ids"], first), (ids(2, 16),), None


def zamba() -> Built:
    """State spaces, and an attention layer that two places share."""
    config = small(
        "ZambaConfig",
        num_hidden_layers=4,
        num_key_value_heads=4,
        attention_hidden_size=128,
        attention_head_dim=32,
        mamba_d_state=16,
        n_mamba_heads=2,
        attn_layer_period=2,
        attn_layer_offset=1,
        layers_block_type=["mamba", "hybrid", "mamba", "hybrid"],
    )
    model = made("ZambaModel", config)
    return Pick(model, ["input_ids"], first), (ids(2, 16),), None


def mobile_vit() -> Built:
    """Inverted bottlenecks and transformers on patches."""
    config = tf.MobileViTConfig(
        image_size=64,
        patch_size=2,
        hidden_sizes=[16, 24, 32],
        neck_hidden_sizes=[8, 8, 16, 16, 24, 32, 64],
        num_attention_heads=4,
    )
    model = randomize(tf.MobileViTModel(config))
    return Pick(model, ["pixel_values"], first), (torch.randn(1, 3, 64, 64),), None


CASES = [
    # The experts are gathered by an index: four products more, which are reported.
    Case("qwen3_next_f32_2of4", qwen3_next, raises=15),
    Case("zamba_f32_2of4", zamba),
    Case("mobile_vit_f32_2of4", mobile_vit),
]
