"""Vision models: transformers' and a small convolutional network.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

import torch
import transformers as tf
from torch import nn

from zoo.case import Built, Case, Pick, dim, first, randomize
from zoo.text import BF16, F16, made, small

PATCHES = {"image_size": 32, "patch_size": 8, "num_channels": 3}


def images(batch: int = 2) -> torch.Tensor:
    return torch.randn(batch, 3, 32, 32)


def vit(name: str, attention: str = "sdpa", dynamic: bool = False) -> Built:
    sizes = {**PATCHES, "hidden_size": 64, "intermediate_size": 128}
    config = getattr(tf, name + "Config")(
        **sizes, num_hidden_layers=2, num_attention_heads=4
    )
    more = {} if name.startswith("Dino") else {"add_pooling_layer": False}
    model = made(name + "Model", config, attention, **more)
    shapes = (({0: dim("batch")},),) if dynamic else None
    return Pick(model, ["pixel_values"], first), (images(),), shapes


def convnext() -> Built:
    config = tf.ConvNextConfig(
        image_size=32, patch_size=4, hidden_sizes=[32, 64], depths=[1, 1], num_stages=2
    )
    model = randomize(tf.ConvNextModel(config))
    return Pick(model, ["pixel_values"], first), (images(1),), None


def resnet() -> Built:
    config = tf.ResNetConfig(
        embedding_size=16, hidden_sizes=[32, 64], depths=[1, 1], layer_type="bottleneck"
    )
    model = randomize(tf.ResNetModel(config))
    return Pick(model, ["pixel_values"], first), (images(1),), None


def clip() -> Built:
    text = small("CLIPTextConfig").to_dict()
    vision = {**PATCHES, "hidden_size": 64, "intermediate_size": 128}
    vision |= {"num_hidden_layers": 2, "num_attention_heads": 4}
    config = tf.CLIPConfig(text_config=text, vision_config=vision, projection_dim=32)
    model = made("CLIPModel", config)
    tokens = torch.randint(3, 128, (2, 12))
    tokens[:, -1] = 2
    names = ["input_ids", "pixel_values"]
    pick = Pick(model, names, lambda out: (out.logits_per_image, out.text_embeds))
    return pick, (tokens, images()), None


class Pointwise(nn.Module):
    """1x1 convolutions, a strided one among them, between batch norms."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(32, 64, 1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3, padding=1, groups=64),
            nn.SiLU(),
            nn.Conv2d(64, 96, 1, stride=2, bias=False),
        )

    def forward(self, x: torch.Tensor) -> Any:
        return self.layers(x)


def pointwise() -> Built:
    return randomize(Pointwise()), (torch.randn(2, 32, 8, 8),), None


def dinov2() -> Built:
    config = tf.Dinov2Config(
        **PATCHES,
        hidden_size=64,
        mlp_ratio=2,
        num_hidden_layers=2,
        num_attention_heads=4,
    )
    return Pick(made("Dinov2Model", config), ["pixel_values"], first), (images(),), None


def swin() -> Built:
    config = tf.SwinConfig(
        image_size=32,
        embed_dim=32,
        depths=[1, 2],
        num_heads=[2, 4],
        window_size=4,
        mlp_ratio=2,
    )
    model = made("SwinModel", config, "eager", add_pooling_layer=False)
    return Pick(model, ["pixel_values"], first), (images(1),), None


CASES = [
    Case("vit_f32_2of4", lambda: vit("ViT", "eager")),
    Case("vit_dynbatch_f16_2of4", lambda: vit("ViT", dynamic=True), F16),
    Case("deit_bf16_8of32v32", lambda: vit("DeiT"), BF16, (8, 32, (1, 32))),
    Case("dinov2_f32_4of8", dinov2, pattern=(4, 8, (1, 1))),
    Case("convnext_f32_2of4", convnext),
    Case("resnet_f32_2of4", resnet, pattern=(2, 4, (1, 1))),
    Case("clip_f32_2of4", clip),
    Case("swin_f32_2of4", swin),
    Case("pointwise_f32_2of4", pointwise),
]
