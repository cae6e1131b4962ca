"""Fake quantization whose scales are tensors, in ops that torch-mlir lowers.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Quantization-aware training leaves these: a scale and a zero point for each channel, or
learned ones for all. torch-mlir 20261001 knows only those of scales that are numbers.
"""

from __future__ import annotations

from typing import Any

import torch

from nm.exporting.rewrites.rewriting import insert_call

_CHANNELS = torch.ops.aten.fake_quantize_per_channel_affine_cachemask.default
_TENSORS = torch.ops.aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default


def round_by_scales(graph: torch.fx.Graph) -> None:
    """Writes fake quantization of `graph` as rounding, where only its values are used."""
    for node in list(graph.nodes):
        if node.target not in (_CHANNELS, _TENSORS):
            continue
        users = list(node.users)
        if any(user.args[1] != 0 for user in users):
            continue  # which elements were clamped: gradients ask for it
        value = _write(node)
        for user in users:
            user.replace_all_uses_with(value)
            graph.erase_node(user)
        graph.erase_node(node)


def _write(node: torch.fx.Node) -> Any:
    """What `node` gives: (clamp(round(x / scale) + zero) - zero) * scale."""
    aten = torch.ops.aten
    place = next(iter(node.users))
    x, scale, zero, which, lowest, highest = node.args
    dtype = x.meta["val"].dtype  # type: ignore[union-attr]
    if node.target is _CHANNELS:
        scale, zero = (_spread(place, one, x, which) for one in (scale, zero))
    # As PyTorch rounds: a quotient by the scale may be another number.
    inverse = insert_call(place, aten.reciprocal.default, scale)
    steps = insert_call(place, aten.mul.Tensor, x, inverse)
    whole = insert_call(place, aten.round.default, steps)
    shifted = insert_call(place, aten.add.Tensor, whole, zero)
    held = insert_call(place, aten.clamp.default, shifted, lowest, highest)
    centred = insert_call(place, aten.sub.Tensor, held, zero)
    value = insert_call(place, aten.mul.Tensor, centred, scale)
    if node.target is _TENSORS:
        enabled = insert_call(place, aten.ne.Scalar, which, 0)
        value = insert_call(place, aten.where.self, enabled, value, x)
    if value.meta["val"].dtype is not dtype:
        value = insert_call(place, torch.ops.prims.convert_element_type.default, value, dtype)
    return value


def _spread(place: torch.fx.Node, numbers: Any, x: Any, axis: Any) -> Any:
    """`numbers`, one a channel, in the dimension `axis` of `x`."""
    shape = [1] * x.meta["val"].ndim
    shape[axis] = numbers.meta["val"].shape[0]
    return insert_call(place, torch.ops.aten.view.default, numbers, shape)
