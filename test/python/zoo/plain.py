"""Models of torch.nn alone, in the forms that importers trip over.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from zoo.case import Built, Case, dim, randomize
from zoo.text import BF16, F16

EW = (1, 1)


class Lambda(nn.Module):
    """Layers and a function of them and the inputs."""

    def __init__(self, body: Callable[..., Any], *layers: nn.Module):
        super().__init__()
        self.body = body
        self.layers = nn.ModuleList(layers)

    def forward(self, *args: torch.Tensor) -> Any:
        return self.body(self.layers, *args)


def mlp(*widths: int, rows: int, act: type[nn.Module] = nn.GELU, dyn: int = 0) -> Built:
    layers: list[nn.Module] = []
    for k, n in zip(widths, widths[1:]):
        layers += [nn.Linear(k, n), act()]
    shapes = None
    x = torch.randn(rows, widths[0])
    if dyn == 1:
        shapes = ({0: dim("rows")},)
    if dyn == 2:
        x = torch.randn(3, rows, widths[0])
        shapes = ({0: dim("batch"), 1: dim("rows")},)
    return nn.Sequential(*layers[:-1]), (x,), shapes


def swiglu(dynamic: bool = False) -> Built:
    layers = nn.Linear(64, 128, False), nn.Linear(64, 128, False), nn.Linear(128, 64)
    model = Lambda(lambda l, x: x + l[2](F.silu(l[0](x)) * l[1](x)), *layers)
    shapes = (({1: dim("tokens")},),) if dynamic else None
    return model, (torch.randn(2, 10, 64),), shapes


def transformer_encoder(first: bool = True, act: str = "gelu") -> Built:
    layer = nn.TransformerEncoderLayer(
        64, 4, 128, 0.0, act, batch_first=True, norm_first=first
    )
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    return randomize(model), (torch.randn(2, 12, 64),), None


def transformer_decoder() -> Built:
    layer = nn.TransformerDecoderLayer(64, 4, 128, 0.0, batch_first=True)
    model = nn.TransformerDecoder(layer, 1)
    return randomize(model), (torch.randn(2, 9, 64), torch.randn(2, 7, 64)), None


def attention(cross: bool, batch_first: bool, dynamic: bool = False) -> Built:
    packed = nn.MultiheadAttention(64, 4, batch_first=batch_first)
    if cross:
        model = Lambda(lambda l, q, kv: l[0](q, kv, kv)[0], packed)
        return model, (torch.randn(2, 6, 64), torch.randn(2, 9, 64)), None
    model = Lambda(lambda l, x: l[0](x, x, x, need_weights=False)[0], packed)
    shapes = (({1: dim("tokens")},),) if dynamic else None
    return model, (torch.randn(3, 8, 64),), shapes


def cells() -> Built:
    def body(
        layers: nn.ModuleList, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor
    ) -> Any:
        h, c = layers[0](x, (h, c))
        return layers[1](h, x), c

    model = Lambda(body, nn.LSTMCell(64, 64), nn.GRUCell(64, 64))
    return model, tuple(torch.randn(4, 64) for _ in range(3)), None


def lstm() -> Built:
    model = Lambda(lambda l, x: l[0](x)[0], nn.LSTM(32, 64, batch_first=True))
    return model, (torch.randn(2, 5, 32),), None


class Int8Linear(nn.Module):
    """A weight of int8 with a scale per output, applied before the product."""

    def __init__(self, k: int, n: int, dtype: torch.dtype = torch.float32):
        super().__init__()
        weight = torch.randn(n, k).view(n, k // 4, 4)
        kept = weight.abs().argsort(dim=2, descending=True) < 2
        weight = (weight * kept).view(n, k)
        scale = weight.abs().amax(1, keepdim=True) / 127
        self.register_buffer("weight", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale.to(dtype))
        self.bias = nn.Parameter(torch.randn(n))

    def forward(self, x: torch.Tensor) -> Any:
        return F.linear(x, self.weight.to(x.dtype) * self.scale, self.bias.to(x.dtype))


def int8_weights(dtype: torch.dtype = torch.float32) -> Built:
    model = nn.Sequential(
        Int8Linear(64, 128, dtype), nn.ReLU(), Int8Linear(128, 48, dtype)
    )
    return model, (torch.randn(2, 5, 64),), None


def int8_product() -> Built:
    layer = Int8Linear(64, 96)

    def body(layers: nn.ModuleList, x: torch.Tensor) -> Any:
        scale = x.abs().amax(1, keepdim=True) / 127
        q = (x / scale).round().to(torch.int8)
        # aten.mm of int8 would overflow in PyTorch: it is done on int32.
        product = torch.mm(q.to(torch.int32), layers[0].weight.t().to(torch.int32))
        return product.float() * scale * layers[0].scale.t() + layers[0].bias

    return Lambda(body, layer), (torch.randn(7, 64),), None


def experts() -> Built:
    class Experts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.is_transposed = True  # [experts, k, n]: how nm.prune reads them
            self.up = nn.Parameter(torch.randn(4, 64, 96) / 8)
            self.down = nn.Parameter(torch.randn(4, 96, 64) / 8)

        def forward(self, x: torch.Tensor, weights: torch.Tensor) -> Any:
            hidden = F.relu(torch.bmm(x.expand(4, -1, -1), self.up))
            return (torch.bmm(hidden, self.down) * weights.t()[..., None]).sum(0)

    def body(layers: nn.ModuleList, x: torch.Tensor) -> Any:
        best, which = layers[0](x).softmax(-1).topk(2)
        weights = torch.zeros(x.shape[0], 4).to(x.dtype).scatter(1, which, best)
        return layers[1](x, weights)

    return Lambda(body, nn.Linear(64, 4), Experts()), (torch.randn(10, 64),), None


def gathered_experts() -> Built:
    """Each token takes the weights of its expert: a bmm with weights that an
    index of the run chooses."""

    class Gathered(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.is_transposed = True  # [experts, k, n]: how nm.prune reads them
            self.up = nn.Parameter(torch.randn(4, 64, 96) / 8)
            self.down = nn.Parameter(torch.randn(4, 96, 64) / 8)

        def forward(self, x: torch.Tensor, which: torch.Tensor) -> Any:
            hidden = F.relu(torch.bmm(x[:, None], self.up[which]))
            return torch.bmm(hidden, self.down[which])[:, 0]

    def body(layers: nn.ModuleList, x: torch.Tensor) -> Any:
        return layers[1](x, layers[0](x).argmax(-1))

    return Lambda(body, nn.Linear(64, 4), Gathered()), (torch.randn(10, 64),), None


def packed() -> Built:
    """Projections that the user packs, and parts of one that is packed."""
    layers = [nn.Linear(64, n, False) for n in (64, 32, 32)]
    whole = nn.Linear(64, 96, False)

    def body(layers: nn.ModuleList, x: torch.Tensor) -> Any:
        weight = torch.cat([layer.weight for layer in layers])
        q, k, v = F.linear(x, weight[:128]).split((64, 32, 32), -1)
        part = torch.cat([layers[3].weight, layers[0].weight])[8:40]
        return q, k, v, F.linear(x, part)

    return Lambda(body, *layers, whole), (torch.randn(2, 6, 64),), None


def other_forms() -> Built:
    """Products that no nn.Linear makes: W @ x, einsum, a slice of a weight."""
    a, b, c = nn.Linear(64, 48), nn.Linear(48, 32), nn.Linear(32, 64)

    def body(layers: nn.ModuleList, x: torch.Tensor) -> Any:
        left = torch.matmul(layers[0].weight, x.transpose(1, 2))
        mixed = torch.einsum("bnm,on->bmo", left, layers[1].weight)
        halves = [F.linear(mixed, half) for half in layers[2].weight.chunk(2)]
        return torch.mv(layers[0].weight, x[0, 0]), torch.cat(halves, -1)

    return Lambda(body, a, b, c), (torch.randn(2, 6, 64),), None


def dense() -> Built:
    return mlp(64, 128, 64, rows=5)


def embedding_bag() -> Built:
    def body(layers: nn.ModuleList, ids: torch.Tensor, mask: torch.Tensor) -> Any:
        x = layers[0](ids)
        weights = mask.to(x.dtype)[..., None]
        mean = (x * weights).sum(1) / weights.sum(1).clamp(min=1)
        return F.log_softmax(layers[1](mean), -1), mean.argmax(-1)

    model = Lambda(body, nn.Embedding(50, 64), nn.Linear(64, 40))
    mask = torch.rand(3, 8) > 0.3
    return model, (torch.randint(0, 50, (3, 8)), mask), None


class QuantizedLinear(nn.Module):
    """What PyTorch's PT2E flow makes of a linear layer, weights pruned before."""

    def __init__(self, k: int, n: int):
        super().__init__()
        layer = Int8Linear(k, n)
        self.register_buffer("weight", layer.weight)
        self.scale = float(layer.scale.mean())
        self.bias = layer.bias

    def forward(self, x: torch.Tensor) -> Any:
        import torch.ao.quantization.fx._decomposed  # noqa: F401  registers the ops

        ops = torch.ops.quantized_decomposed
        byte = (-128, 127, torch.int8)
        q = ops.quantize_per_tensor(x, 0.03, 5, *byte)
        x = ops.dequantize_per_tensor(q, 0.03, 5, *byte)
        weight = ops.dequantize_per_tensor(self.weight, self.scale, 0, *byte)
        return F.linear(x, weight, self.bias)


def quantized() -> Built:
    return QuantizedLinear(64, 96), (torch.randn(5, 64),), None


CASES = [
    Case(
        "mlp_odd_f32_5of7",
        lambda: mlp(63, 33, 17, rows=7),
        pattern=(5, 7, EW),
        raises=0,
    ),
    Case(
        "mlp_odd_partial_f32_3of10",
        lambda: mlp(67, 45, 31, rows=9),
        pattern=(3, 10, EW),
    ),
    Case("mlp_partial_f32_2of4", lambda: mlp(42, 7, 64, rows=4)),
    Case(
        "mlp_partial_f16_3of4v8",
        lambda: mlp(43, 64, 24, rows=4),
        F16,
        (3, 4, (1, 8)),
    ),
    Case("mlp_f64_2of4", lambda: mlp(64, 128, 64, rows=5), torch.float64),
    Case(
        "mlp_silu_dyn_f64_8of32v32",
        lambda: mlp(64, 128, 64, rows=5, dyn=1, act=nn.SiLU),
        torch.float64,
        (8, 32, (1, 32)),
    ),
    Case("mlp_dynrows_f32_2of4", lambda: mlp(64, 128, 64, rows=5, dyn=1, act=nn.ReLU)),
    Case(
        "mlp_dyn2_f16_8of32v16",
        lambda: mlp(64, 128, 64, rows=5, dyn=2),
        F16,
        (8, 32, (1, 16)),
    ),
    Case(
        "mlp_tanh_bf16_uniform",
        lambda: mlp(96, 64, 32, rows=8, act=nn.Tanh),
        BF16,
        (16, None, EW),
    ),
    Case(
        "mlp_block_f32_2of4b4x4",
        lambda: mlp(64, 128, 64, rows=6, act=nn.SiLU),
        pattern=(2, 4, (4, 4)),
    ),
    Case(
        "mlp_row1_f32_1of4",
        lambda: mlp(64, 128, 8, rows=1, act=nn.Sigmoid),
        pattern=(1, 4, EW),
    ),
    Case(
        "mlp_row1_dyn_f32_uniform",
        lambda: mlp(100, 50, rows=3, dyn=1),
        pattern=(20, None, EW),
    ),
    Case("swiglu_bf16_2of4", swiglu, BF16),
    Case("swiglu_dyn_f16_8of32v64", lambda: swiglu(True), F16, (8, 32, (1, 64))),
    Case("nn_encoder_f32_2of4", transformer_encoder),
    Case(
        "nn_encoder_relu_f16_4of8",
        lambda: transformer_encoder(False, "relu"),
        F16,
        (4, 8, EW),
    ),
    Case("nn_decoder_f32_8of32", transformer_decoder, pattern=(8, 32, EW)),
    Case("mha_self_seqfirst_f32_2of4", lambda: attention(False, False)),
    Case("mha_self_dyn_f32_2of4", lambda: attention(False, True, True)),
    Case("mha_cross_bf16_2of4", lambda: attention(True, True), BF16),
    Case("cells_f32_2of4", cells, raises=4),
    Case("cells_f16_8of32", cells, F16, (8, 32, EW), raises=4),
    Case("lstm_f32_2of4", lstm, raises=6),
    Case("int8_weights_f32_2of4", int8_weights, pattern=None, raises=2),
    Case("int8_weights_bf16_2of4", lambda: int8_weights(BF16), BF16, None, raises=2),
    Case("int8_product_f32_2of4", int8_product, pattern=None, raises=1),
    Case("experts_f32_2of4", experts, skip=("layers.0",)),
    Case("experts_f16_8of32v32", experts, F16, (8, 32, (1, 32)), ("layers.0",)),
    Case("gathered_experts_f32_2of4", gathered_experts, skip=("layers.0",), raises=0),
    Case("packed_f32_2of4", packed, raises=2),
    Case("other_forms_f32_2of4", other_forms, raises=5),
    Case("dense_f32", dense, pattern=None, raises=0),
    Case("embedding_mask_f32_2of4", embedding_bag),
    Case("quantized_pt2e_f32_2of4", quantized, pattern=None, raises=1),
]
