"""Which tensors share memory, and which overlap themselves.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

All tensors here are plain: strided, with data that have an address.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Span:
    """The bytes from a tensor's first to its last element.

    Attributes:
        tensor: the tensor; it has elements.
        start, end: addresses on its device, of the first byte and behind the last.
    """

    tensor: torch.Tensor
    start: int
    end: int

    @staticmethod
    def of(tensor: torch.Tensor) -> Span:
        last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride()))
        start = tensor.data_ptr()
        return Span(tensor, start, start + (last + 1) * tensor.element_size())

    @property
    def is_solid(self) -> bool:
        """Whether it has no gaps, and no element twice."""
        size = self.tensor.numel() * self.tensor.element_size()
        return self.end - self.start == size and not overlaps_itself(self.tensor)

    def mark(self, marks: torch.Tensor, first: int, granule: int) -> torch.Tensor:
        """Its elements in `marks`, which has a bool for every `granule` bytes from
        address `first`: a view."""
        scale = self.tensor.element_size() // granule
        # What is repeated is marked once; writing to it twice is refused by torch.
        steps = [
            (size, step * scale)
            for size, step in zip(self.tensor.shape, self.tensor.stride())
            if step
        ] + [(scale, 1)]
        sizes, strides = zip(*steps)
        return marks.as_strided(sizes, strides, (self.start - first) // granule)


def overlaps_itself(tensor: torch.Tensor) -> bool:
    """Whether two elements of `tensor` are at one address."""
    import torch

    steps = [
        (step, size) for size, step in zip(tensor.shape, tensor.stride()) if size > 1
    ]
    if not tensor.numel() or not steps:
        return False
    if any(step == 0 for step, _ in steps):
        return True
    reach = 0
    nested = True
    for step, size in sorted(steps):
        nested = nested and step > reach
        reach += step * (size - 1)
    if nested:
        return False
    # Dimensions that interleave may still be disjoint: count what they touch.
    marks = torch.zeros(reach + 1, dtype=torch.bool)
    marks.as_strided(tensor.shape, tensor.stride()).fill_(True)
    return int(marks.sum()) < tensor.numel()


def is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both are the same elements in the same order."""
    return one is other or (
        one.device == other.device
        and one.data_ptr() == other.data_ptr()
        and one.dtype == other.dtype
        and one.shape == other.shape
        and one.stride() == other.stride()
    )


def find_sharing(tensors: Sequence[torch.Tensor]) -> Iterator[tuple[int, int]]:
    """Pairs of `tensors`, by their places, that have bytes in common: the smaller
    place first."""
    spans = [(place, Span.of(one)) for place, one in enumerate(tensors) if one.numel()]
    by_device: dict[str, list[tuple[int, Span]]] = {}
    for place, span in spans:
        by_device.setdefault(str(span.tensor.device), []).append((place, span))
    for group in by_device.values():
        group.sort(key=lambda entry: entry[1].start)
        open_spans: list[tuple[int, Span]] = []
        for place, span in group:
            open_spans = [entry for entry in open_spans if entry[1].end > span.start]
            for other_place, other in open_spans:
                if _share(other, span):
                    yield min(place, other_place), max(place, other_place)
            open_spans.append((place, span))


def _share(one: Span, other: Span) -> bool:
    """Whether two spans that intersect have elements that do."""
    import torch

    if is_same(one.tensor, other.tensor):
        return True
    for solid, loose in ((one, other), (other, one)):
        ends = (loose.start, loose.end - 1)
        if solid.is_solid and any(solid.start <= at < solid.end for at in ends):
            return True
    first = min(one.start, other.start)
    granule = math.gcd(
        one.tensor.element_size(),
        other.tensor.element_size(),
        abs(one.start - other.start),
    )
    length = (max(one.end, other.end) - first) // granule
    marks = torch.zeros(length, dtype=torch.bool)
    one.mark(marks, first, granule).fill_(True)
    return bool(other.mark(marks, first, granule).any())
