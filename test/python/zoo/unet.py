"""U-Nets as people write them: convolutions down and up, and what is kept between.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from zoo.case import Built, Case, dim, randomize
from zoo.text import F16

WIDTH = 16


def convolve_twice(k: int, n: int, norm: str) -> nn.Module:
    layers: list[nn.Module] = []
    for inputs in (k, n):
        layers.append(nn.Conv2d(inputs, n, 3, padding=1, bias=False))
        layers.append(nn.BatchNorm2d(n) if norm == "batch" else nn.GroupNorm(8, n))
        layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


class Up(nn.Module):
    """Twice the size, beside what was kept on the way down: of sizes that are odd, the
    first is too small and is padded."""

    def __init__(self, k: int, n: int, norm: str, how: str):
        super().__init__()
        if how == "transposed":
            self.up: nn.Module = nn.ConvTranspose2d(k, n, 2, stride=2)
        else:
            corners = True if how == "bilinear" else None
            scaled = nn.Upsample(scale_factor=2, mode=how, align_corners=corners)
            self.up = nn.Sequential(scaled, nn.Conv2d(k, n, 1))
        self.body = convolve_twice(2 * n, n, norm)

    def forward(self, x: torch.Tensor, kept: torch.Tensor) -> Any:
        x = self.up(x)
        rows, columns = (kept.size(i) - x.size(i) for i in (2, 3))
        sides = [columns // 2, columns - columns // 2, rows // 2, rows - rows // 2]
        return self.body(torch.cat([kept, F.pad(x, sides)], dim=1))


class UNet(nn.Module):
    def __init__(self, norm: str, how: str):
        super().__init__()
        widths = [WIDTH, 2 * WIDTH, 4 * WIDTH]
        self.first = convolve_twice(3, WIDTH, norm)
        self.pool = nn.MaxPool2d(2)
        pairs = list(zip(widths, widths[1:]))
        self.down = nn.ModuleList(convolve_twice(k, n, norm) for k, n in pairs)
        self.up = nn.ModuleList(Up(n, k, norm, how) for k, n in reversed(pairs))
        self.last = nn.Conv2d(WIDTH, 8, 1)

    def forward(self, x: torch.Tensor) -> Any:
        kept = [self.first(x)]
        for layer in self.down:
            kept.append(layer(self.pool(kept[-1])))
        x = kept.pop()
        for layer in self.up:
            x = layer(x, kept.pop())
        return self.last(x)


def unet(norm: str, how: str, rows: int = 16, columns: int = 16, dynamic: bool = False) -> Built:
    model = randomize(UNet(norm, how))
    for name, buffer in model.named_buffers():
        if name.endswith("running_mean"):
            buffer.normal_(0, 0.1)
        elif name.endswith("running_var"):
            buffer.uniform_(0.5, 1.5)
    shapes = ({0: dim("batch", 1)},) if dynamic else None
    return model, (torch.randn(2, 3, rows, columns),), shapes


CASES = [
    # Of the convolutions those of one element a window are pruned, and not transposed ones.
    Case("unet_batch_transposed_dynbatch_f32_2of4", lambda: unet("batch", "transposed", dynamic=True)),
    Case("unet_group_bilinear_odd_f32_2of4", lambda: unet("group", "bilinear", 14, 19)),
    Case("unet_group_nearest_f16_2of4", lambda: unet("group", "nearest"), F16),
]
