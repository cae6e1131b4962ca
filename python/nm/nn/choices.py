"""Which of a sparse and a dense product is faster, measured where both weights are kept.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A product is measured once a device and process, when its first weight is laid out, at
numbers of rows between which another is like the next larger one. Calls only look it up,
as they may be captured into a CUDA graph.
"""

from __future__ import annotations

import bisect
import contextlib
import dataclasses
import functools
import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import torch

from nm.nn.products import LinearProduct

# Powers of two and half-way between them: tiles of both are 8 to 256 rows high.
ROWS = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
        3072, 4096)

# Written before each timed call: more than any GPU's L2, so that weights come from memory as
# they do in a model.
_FLUSH_BYTES = 256 << 20
# It is written so often, 80 us each on an H200, that the GPU is busy until the host has launched
# the call, whose time would be measured, too. Launching took 20 to 110 us there where other Python
# had run before (a throw-away run).
_FLUSHES = 4
# Calls are timed so many times, and the median counts; seven is a guess at what keeps one or
# two that were disturbed from counting.
_REPEATS = 7
# Of dense's time over sparse's, what a sparse product has to be measured to gain: a single call
# behind a flush errs by some hundredths, and no number of rows is to be slower than dense.
_LEAST_SPEEDUP = 1.05

# By product and number of the device: numbers of rows, ascending, and whether dense is
# faster for them.
_measured: dict[tuple[str, int], tuple[tuple[int, ...], tuple[bool, ...]]] = {}


def is_dense_faster(product: str, device: torch.device, rows: int) -> bool:
    """What `measure` found for the next larger number of rows, where sparse has to be
    faster by 5 %; sparse where it has not measured, as in the emulator, which tells
    nothing about time."""
    found = _measured.get((_get_measured(product), _get_number(device)))
    if found is None:
        return False
    points, dense = found
    return dense[min(bisect.bisect_left(points, rows), len(points) - 1)]


@functools.cache
def _get_measured(product: str) -> str:
    """The product that is measured for one that computes more behind it."""
    of = LinearProduct.parse(product)
    return str(dataclasses.replace(of, epilogue="", combine=""))


def measure(
    product: str,
    packed: torch.Tensor,
    bias: torch.Tensor | None,
    dense: torch.Tensor,
    scale: torch.Tensor | None = None,
) -> None:
    """Measures a product for `is_dense_faster`, unless it is known or nothing computes on
    a GPU.

    Args:
        product: the text of the product.
        packed: what its program takes of a weight.
        bias: [n]; None for none.
        dense: the weight [n, k].
        scale: [n], of a weight of int8; None for none.
    """
    key = product, _get_number(dense.device)
    if key in _measured or not dense.is_cuda:
        return
    speedups = get_speedups(product, packed, bias, dense, ROWS, scale)
    _measured[key] = (ROWS, tuple(one < _LEAST_SPEEDUP for one in speedups))


def get_speedups(
    product: str,
    packed: torch.Tensor,
    bias: torch.Tensor | None,
    dense: torch.Tensor,
    rows: Sequence[int],
    scale: torch.Tensor | None = None,
) -> list[float]:
    """For each number of rows the time of the dense product over that of the sparse one."""
    device = dense.device
    is_cuda = device.type == "cuda"
    speedups = []
    with torch.cuda.device(device) if is_cuda else contextlib.nullcontext():
        for count in rows:
            x = torch.randn(count, dense.shape[1], device=device).to(dense.dtype)

            def compute_sparse(x: torch.Tensor = x) -> torch.Tensor:
                y: torch.Tensor = torch.ops.nm.linear.default(
                    x, [], [], packed, bias, None, scale, None, product
                )
                return y

            def compute_dense(x: torch.Tensor = x) -> torch.Tensor:
                return torch.nn.functional.linear(x, dense, bias)

            with torch.no_grad():
                speedups.append(time_call(compute_dense) / time_call(compute_sparse))
    return speedups


def time_call(call: Callable[[], torch.Tensor]) -> float:
    """Milliseconds that the current GPU takes for a call, whose weight is not in its L2."""
    flush = torch.empty(_FLUSH_BYTES, dtype=torch.uint8, device="cuda")
    call()
    times: list[float] = []
    event: Any = torch.cuda.Event  # torch has no types for it
    for _ in range(_REPEATS):
        begin, end = (event(enable_timing=True) for _ in range(2))
        for _ in range(_FLUSHES):
            flush.zero_()
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def get_mean(speedups: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, speedups)))


def _get_number(device: torch.device) -> int:
    return -1 if device.index is None else device.index
