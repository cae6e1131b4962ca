"""Models of sound.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import torch
import transformers as tf

from zoo.case import Built, Case, Pick, dim, first
from zoo.text import made

SAMPLES = 300


def wav2vec2() -> Built:
    """Convolutions of the samples, of which the first has a group norm, and of the
    positions, whose weight has a norm of its own."""
    config = tf.Wav2Vec2Config(
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=1,
        num_attention_heads=4,
        vocab_size=32,
        conv_dim=(32, 32, 32),
        conv_kernel=(10, 3, 3),
        conv_stride=(5, 2, 2),
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=4,
    )
    pick = Pick(made("Wav2Vec2Model", config), ["input_values"], first)
    return pick, (torch.randn(2, SAMPLES),), (({0: dim("batch", 1)},),)


CASES = [Case("wav2vec2_dynbatch_f32_2of4", wav2vec2)]
