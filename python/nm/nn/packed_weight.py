"""A condensed weight as data: what is stored of an N:M-sparse matrix.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nm.errors import PatternError
from nm.pattern import Pattern
from nm.pruning.find_pattern import get_positions_type, select_positions

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class PackedWeight:
    """The condensed form of a weight B[k, n] (docs/Spec.md, 2), which is independent of
    chips, schedules and nm's version.

    Attributes:
        values: [w, n], w = ceil(k / (M Bk)) N Bk: row (window N + slot) Bk + r has row r
            of the unit that is kept in that slot; zeros beyond k.
        positions: [w / Bk, ceil(n / Bn)]: of each kept unit its position in its window,
            ascending along the slots; uint8 for windows of at most 256 units, int16
            (without a sign) for at most 65536, else int32.
        pattern: N:M, and the unit Bk x Bn.
        k: rows of the dense weight; n is the last extent of `values`.
        scale: [n] of f32, by which a column of `values` of int8 is multiplied; None for
            values that are floats.
    """

    values: torch.Tensor
    positions: torch.Tensor
    pattern: Pattern
    k: int
    scale: torch.Tensor | None = None

    def __post_init__(self) -> None:
        expected = (self.pattern.height(self.k), self.n)
        shape, dtype = get_positions_type(self.k, self.n, self.pattern)
        if tuple(self.values.shape) != expected:
            raise PatternError(
                f"expected values of shape {list(expected)} for {self.pattern} of "
                f"{self.k}x{self.n}, got {list(self.values.shape)}"
            )
        scale = self.scale
        if scale is not None and (
            tuple(scale.shape) != (self.n,) or str(scale.dtype) != "torch.float32"
        ):
            raise PatternError(
                f"expected a scale of shape [{self.n}] and torch.float32, got "
                f"{list(scale.shape)} and {scale.dtype}"
            )
        if tuple(self.positions.shape) != shape or self.positions.dtype != dtype:
            raise PatternError(
                f"expected positions of shape {list(shape)} and {dtype} for "
                f"{self.pattern} of {self.k}x{self.n}, got "
                f"{list(self.positions.shape)} and {self.positions.dtype}"
            )

    @property
    def n(self) -> int:
        """Columns of the dense weight: outputs of the product."""
        return self.values.shape[-1]

    @staticmethod
    def from_dense(weight: torch.Tensor, pattern: Pattern) -> PackedWeight:
        """Condenses a weight [n, k], as torch.nn.Linear has it.

        Raises:
            PatternError: the weight does not satisfy the pattern; names the first
                window that does not.
        """
        k = weight.shape[-1]
        positions = select_positions(weight, pattern).to(weight.device)
        rows = _get_rows(positions, pattern, k)
        width, n = pattern.unit[1], weight.shape[0]
        values = weight.new_empty((rows.shape[0], n))
        # Whole unit columns, and then what is left, so that an index is of a unit column.
        for begin, count, size in ((0, n // width, width), (n // width * width, 1, n % width)):
            if count == 0 or size == 0:
                continue
            end = begin + count * size
            index = rows[:, begin // width :][:, :count, None]
            dense = weight.detach()[begin:end].view(count, size, k).permute(2, 0, 1)
            kept = dense.gather(0, index.clamp(max=k - 1).expand(-1, -1, size))
            # A place beyond k, of a last window that k cuts short, holds zero.
            kept.masked_fill_(index >= k, 0)
            values[:, begin:end] = kept.flatten(1)
        return PackedWeight(values, positions, pattern, k)

    def to_dense(self, dtype: torch.dtype | None = None) -> torch.Tensor:
        """The weight [n, k], with zeros at the pruned places, of `dtype`; by default of the
        values' type, or f32 where these have a scale."""
        dense = expand(self.values, self.positions, self.pattern, self.k)
        if self.scale is not None:
            dense = dense * self.scale[:, None]
        return dense if dtype is None else dense.to(dtype)

    def quantize(self) -> PackedWeight:
        """The weight with values of int8: those nearest to the floats over the scale, which
        is the largest of a column over 127."""
        import torch

        values = self.values.float()
        largest = values.abs().amax(0)
        scale = torch.where(largest > 0, largest / 127, 1)
        codes = (values / scale).round_().clamp_(-127, 127).to(torch.int8)
        return PackedWeight(codes, self.positions, self.pattern, self.k, scale)

    def check_positions(self) -> None:
        """Raises PatternError unless positions lie in their windows and ascend along the
        slots, as those that come from a file need not; names the first that do not."""
        kept = _to_int64(self.positions)
        kept = kept.view(-1, self.pattern.keep, kept.shape[1])
        wrong = (kept >= self.pattern.units(self.k)).any(1)
        wrong |= (kept.diff(dim=1) <= 0).any(1)
        if wrong.any():
            window, column = wrong.nonzero()[0].tolist()
            raise PatternError(
                f"expected positions below {self.pattern.units(self.k)} that ascend, got "
                f"{kept[window, :, column].tolist()} in window {window} of unit column "
                f"{column}"
            )

    @staticmethod
    def cat(weights: Sequence[PackedWeight]) -> PackedWeight:
        """Weights of one input beside each other, along n: as of Q, K and V.

        Raises:
            PatternError: they differ in k, pattern or type, or one but the last has
                columns that are no whole units.
        """
        import torch

        first = weights[0]
        for one in weights:
            if (one.k, one.pattern, one.values.dtype) != (
                first.k,
                first.pattern,
                first.values.dtype,
            ):
                raise PatternError(
                    f"expected weights alike but for n, got {first} and {one}"
                )
        for one in weights[:-1]:
            if one.n % first.pattern.unit[1]:
                raise PatternError(
                    f"expected whole units of {first.pattern.unit[1]} columns of each "
                    f"weight but the last, got {one.n} columns"
                )
        scales = [one.scale for one in weights if one.scale is not None]
        return PackedWeight(
            torch.cat([one.values for one in weights], 1),
            torch.cat([one.positions for one in weights], 1),
            first.pattern,
            first.k,
            torch.cat(scales) if scales else None,
        )

    def __str__(self) -> str:
        dtype = str(self.values.dtype).removeprefix("torch.")
        return f"{self.pattern} of {self.k}x{self.n} {dtype}"


def expand(
    values: torch.Tensor, positions: torch.Tensor, pattern: Pattern, k: int
) -> torch.Tensor:
    """The dense weight [n, k] of a condensed form."""
    n = values.shape[1]
    columns = _spread(_get_rows(positions, pattern, k), pattern.unit[1], n)
    # Rows beyond k, of a last window that k cuts short, are cut off.
    rows = -(-k // (pattern.units(k) * pattern.unit[0])) * pattern.units(k)
    dense = values.new_zeros((rows * pattern.unit[0], n))
    return dense.scatter_(0, columns, values)[:k].t().contiguous()


def _get_rows(positions: torch.Tensor, pattern: Pattern, k: int) -> torch.Tensor:
    """Which row of the dense weight each row of the condensed form is, [w, unit
    columns]."""
    import torch

    kept = _to_int64(positions)
    slots = torch.arange(kept.shape[0], device=kept.device) // pattern.keep
    units = kept + (slots * pattern.units(k))[:, None]
    rows = torch.arange(pattern.unit[0], device=kept.device)
    return (units[:, None, :] * pattern.unit[0] + rows[None, :, None]).flatten(0, 1)


def _to_int64(positions: torch.Tensor) -> torch.Tensor:
    """Positions as numbers: the stored ones have no sign."""
    import torch

    bits = {torch.uint8: 0xFF, torch.int16: 0xFFFF, torch.int32: 0xFFFFFFFF}
    return positions.to(torch.int64) & bits[positions.dtype]


def _spread(rows: torch.Tensor, width: int, n: int) -> torch.Tensor:
    """`rows` of unit columns for each of n columns."""
    return rows.repeat_interleave(width, 1)[:, :n]
