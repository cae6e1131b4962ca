"""Which elements of a weight stay: by magnitude, by scores, or by a mask.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nm.errors import PatternError
from nm.pattern import Pattern
from nm.pruning.layers import Weight

if TYPE_CHECKING:
    import torch


def select(
    weight: Weight,
    pattern: Pattern,
    scores: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
) -> torch.Tensor:
    """True where `weight` stays and False where it is pruned, in its shape.

    Args:
        scores: what is larger where it stays, of the weight's shape and on its device;
            None for magnitudes.
        mask: the result itself, if it holds the pattern; of the same shape and device.

    Raises:
        PatternError: NaN or an infinity of the weight would be dropped; a sum of
            scores is NaN; the mask keeps too many units of a window.
    """
    import torch

    data = weight.parameter.detach()
    kept = torch.empty(data.shape, dtype=torch.bool, device=data.device)
    given = scores if mask is None else mask
    matrices = weight.matrices(data)
    sources = matrices if given is None else weight.matrices(given)
    for expert, (matrix, source) in enumerate(zip(matrices, sources)):
        place = f" of expert {expert}" if len(matrices) > 1 else ""
        if mask is not None:
            _check_mask(weight.name, source, pattern, place)
            one = source
        else:
            values = matrix.abs() if scores is None else source
            sums = _sum_units(values, pattern)
            if scores is not None:
                _check_sums(weight.name, sums, pattern, place)
            one = _keep_largest(sums, pattern, (weight.n, weight.k))
        _check_lost(weight, matrix, ~one, pattern, place, scores is None and mask is None)
        weight.matrices(kept)[expert].copy_(one)
    return kept


def _sum_units(values: torch.Tensor, pattern: Pattern) -> torch.Tensor:
    """The sums of `values` [n, k] by unit: [columns of units, windows, window].

    Outside of the weight they are -inf: below all that is inside, or equal to it and
    later.
    """
    import torch

    n, k = values.shape
    rows, columns = pattern.unit
    window = pattern.units(k)
    unit_columns, units = -(-n // columns), -(-k // rows)
    windows = -(-units // window)
    # Whole numbers are counted in double, so that large ones stay apart.
    single = values.is_floating_point() or values.dtype == torch.bool
    least = torch.float32 if single else torch.float64
    # Padded to whole units and windows.
    padded = torch.zeros(
        unit_columns * columns,
        windows * window * rows,
        dtype=torch.promote_types(values.dtype, least),
        device=values.device,
    )
    padded[:n, :k] = values
    sums = padded.view(unit_columns, columns, windows, window, rows).sum((1, 4))
    inside = torch.arange(windows * window, device=values.device) < units
    return torch.where(inside.view(windows, window), sums, -torch.inf)


def _keep_largest(
    sums: torch.Tensor, pattern: Pattern, shape: tuple[int, int]
) -> torch.Tensor:
    """True in the units of the largest `sums`, in a matrix [n, k] of that shape."""
    import torch

    n, k = shape
    rows, columns = pattern.unit
    # Sorting puts NaN first, then infinities.
    kept = sums.sort(dim=2, descending=True, stable=True).indices[..., : pattern.keep]
    mask = torch.zeros_like(sums, dtype=torch.bool).scatter_(2, kept, True)
    mask = mask[:, None, :, :, None].expand(-1, columns, -1, -1, rows)
    return mask.reshape(sums.shape[0] * columns, -1)[:n, :k]


def _check_mask(name: str, mask: torch.Tensor, pattern: Pattern, place: str) -> None:
    """Refuses a mask [n, k] with more kept units in a window than the pattern has."""
    n, k = mask.shape
    counts = (_sum_units(mask, pattern) > 0).sum(2)
    wrong = (counts > pattern.keep).nonzero()
    if not len(wrong):
        return
    column, window = wrong[0].tolist()
    rows, columns = pattern.unit
    length = pattern.units(k) * rows
    raise PatternError(
        f"masks: {name}: expected at most {pattern.keep} kept units in each window "
        f"({pattern}), got {int(counts[column, window])}{place} at n = "
        f"{_range(column * columns, columns, n)}, k = "
        f"{_range(window * length, length, k)}; drop the others there, or prune to the "
        "pattern that the mask was made for"
    )


def _range(first: int, count: int, end: int) -> str:
    """Places from `first` on, before `end`: "3", or "4 to 7"."""
    last = min(first + count, end) - 1
    return str(first) if last == first else f"{first} to {last}"


def _check_sums(name: str, sums: torch.Tensor, pattern: Pattern, place: str) -> None:
    """Refuses scores whose sum over a unit is NaN, which none of them is."""
    wrong = sums.isnan().nonzero()
    if not len(wrong):
        return
    column, window, unit = wrong[0].tolist()
    rows, columns = pattern.unit
    raise PatternError(
        f"scores: {name}: the unit{place} at n = {column * columns}, k = "
        f"{(window * sums.shape[2] + unit) * rows} has both inf and -inf; expected at "
        "most one of them in a unit, for its scores are summed"
    )


def _check_lost(
    weight: Weight,
    matrix: torch.Tensor,
    dropped: torch.Tensor,
    pattern: Pattern,
    place: str,
    by_magnitude: bool,
) -> None:
    """Refuses to drop NaN or an infinity of a slice of `weight`: zeros would hide that
    it is damaged."""
    lost = (dropped & ~matrix.isfinite()).nonzero()
    if not len(lost):
        return
    n, k = lost[0].tolist()
    why = "the scores or the mask given for it say so"
    if by_magnitude:
        why = (
            "its window has more units that are not finite than the "
            f"{pattern.keep} to keep"
        )
    raise PatternError(
        f"{weight.name} of shape n x k = {weight.n}x{weight.k}: {pattern} would drop "
        f"{float(matrix[n, k])}{place} at n = {n}, k = {k}: {why}; repair the weight, or "
        f'leave it dense: skip=["{weight.name}"]'
    )
