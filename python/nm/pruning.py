"""Magnitude pruning of a PyTorch model to an N:M pattern.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from nm.errors import PatternError
from nm.layers import OtherParameter, Weight, find_other_parameters, find_weights
from nm.pattern import Pattern

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class PrunedLayer:
    """What `prune` did with one weight.

    Attributes:
        name: the parameter's name in the model.
        kind: the class of its module.
        n, k: outputs and inputs of the product.
        copies: 1, or the number of experts.
        reason: why it was left dense; empty when it was pruned.
        zeros: share of its elements that are zero now, 0 to 1.
    """

    name: str
    kind: str
    n: int
    k: int
    copies: int
    reason: str
    zeros: float

    @property
    def pruned(self) -> bool:
        """Whether it was pruned; if not, `reason` says why."""
        return not self.reason


@dataclass(frozen=True)
class PruneReport:
    """What `prune` did; str() gives it as a table.

    Attributes:
        pattern: what the weights were pruned to.
        layers: one entry a weight, in the order of the model's modules.
        others: the parameters of two or more dimensions that were not considered
            (3x3 and grouped convolutions, parametrized weights, parameters of
            modules that are not known), each with the reason, in the same order.
    """

    pattern: Pattern
    layers: list[PrunedLayer] = field(default_factory=list)
    others: list[OtherParameter] = field(default_factory=list)

    @property
    def pruned(self) -> list[PrunedLayer]:
        """The weights that were pruned, in the order of the model's modules."""
        return [layer for layer in self.layers if layer.pruned]

    def __str__(self) -> str:
        rows = [("layer", "module", "n x k", "zeros", "done")]
        for layer in self.layers:
            shape = f"{layer.n}x{layer.k}"
            if layer.copies > 1:
                shape = f"{layer.copies} of {shape}"
            done = f"left dense: {layer.reason}" if layer.reason else "pruned"
            row = (layer.name, layer.kind, shape, f"{layer.zeros:.1%}", done)
            rows.append(row)
        lines = _align(rows)
        counts = f"{len(self.pruned)} of {len(self.layers)} weights pruned"
        lines.append(f"{counts} to {self.pattern}")
        if self.others:
            lines.append("not considered:")
            lines += _align(
                [
                    (other.name, other.kind, "x".join(map(str, other.shape)), other.reason)
                    for other in self.others
                ]
            )
        return "\n".join(lines)


def _align(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lines of columns; the last column is of any width."""
    widths = [max(map(len, column)) for column in list(zip(*rows))[:-1]]
    return [
        "  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows
    ]


def prune(
    model: torch.nn.Module,
    keep: int,
    window: int | None,
    unit: tuple[int, int] = (1, 1),
    skip: Iterable[str] = (),
    *,
    misfits: Literal["refuse", "skip"] = "refuse",
) -> PruneReport:
    """Prunes the weights of products of `model` to N:M, in place.

    In each window of `window` consecutive units along k, the `keep` units with
    the largest sum of magnitudes stay and the others become zero; of equals the
    first stay. NaN and infinities are larger than all numbers: they stay. Known
    weights are those of torch.nn's Linear, MultiheadAttention,
    recurrent layers and 1x1 convolutions, of transformers' Conv1D and its stacks
    of experts. A weight that is also another module's (an embedding's, say) stays
    dense. Where k is not a multiple of the window, the last window is partial and
    keeps at most `keep` units as well (docs/Spec.md, section 1).

    Args:
        model: the model; its weights are changed.
        keep: N, the units KEPT of each window.
        window: M, or None for all of k.
        unit: (Bk, Bn), the rows (along k) and columns (along n) of a unit. 8 of 32
            for vectors of 32 outputs is `keep=8, window=32, unit=(1, 32)`.
        skip: names of modules or parameters to leave dense, with * and ?.
        misfits: what to do about weights that the pattern does not fit: "refuse"
            (nothing is changed) or "skip" (they stay dense; the report says why).

    Returns:
        What was done with each weight, and which parameters were not considered;
        print it.

    Raises:
        PatternError: the pattern fits not every weight that is not skipped, and
            `misfits` is "refuse"; a window has more units with NaN or infinities
            than it keeps; or an entry of `skip` names no weight. Nothing was
            changed then.
    """
    pattern = Pattern(keep, window, tuple(unit) if isinstance(unit, list) else unit)
    if isinstance(skip, str):
        raise PatternError(f"skip: expected a list of names, got {skip!r}")
    if misfits not in ("refuse", "skip"):
        raise PatternError(f'misfits: expected "refuse" or "skip", got {misfits!r}')
    weights = list(find_weights(model))
    reasons = _reasons_to_skip(model, weights, list(skip))
    unfit = {
        weight.name: misfit
        for weight in weights
        if weight.name not in reasons
        and (misfit := pattern.misfit(weight.k, weight.n)) is not None
    }
    if unfit and misfits == "refuse":
        weight = next(weight for weight in weights if weight.name in unfit)
        names = ", ".join(f'"{name}"' for name in unfit)
        raise PatternError(
            f"{weight.name} of shape n x k = {weight.n}x{weight.k}: {pattern} does "
            f"not fit: {unfit[weight.name]}; choose a smaller pattern, or leave dense "
            f'what it does not fit: misfits="skip", or skip=[{names}]'
        )
    reasons |= {name: f"does not fit: {misfit}" for name, misfit in unfit.items()}
    # All places are chosen before the first weight changes.
    chosen = {
        weight.name: [_dropped(weight, matrix, pattern) for matrix in weight.slices()]
        for weight in weights
        if weight.name not in reasons
    }
    report = PruneReport(pattern, others=list(find_other_parameters(model)))
    for weight in weights:
        reason = reasons.get(weight.name, "")
        if not reason:
            for matrix, dropped in zip(weight.slices(), chosen[weight.name]):
                matrix.masked_fill_(dropped, 0)
        copies = len(weight.slices())
        zeros = float((weight.parameter == 0).double().mean())
        layer = PrunedLayer(
            weight.name, weight.kind, weight.n, weight.k, copies, reason, zeros
        )
        report.layers.append(layer)
    return report


def _reasons_to_skip(
    model: torch.nn.Module, weights: list[Weight], skip: list[str]
) -> dict[str, str]:
    """Why weights stay dense, by name."""
    reasons: dict[str, str] = {}
    for entry in skip:
        wanted = [entry, entry + ".*"]
        named = [
            weight.name
            for weight in weights
            if any(fnmatch.fnmatchcase(weight.name, one) for one in wanted)
        ]
        if not named:
            raise PatternError(
                f"skip: {entry!r} names no weight; the weights are "
                + ", ".join(weight.name for weight in weights)
            )
        reasons.update(dict.fromkeys(named, "skipped"))
    known = {weight.name for weight in weights}
    other_users: dict[int, str] = {}
    for path, module in model.named_modules():
        for name, parameter in module.named_parameters(recurse=False):
            full = f"{path}.{name}" if path else name
            if full not in known:
                other_users[id(parameter)] = full
    for weight in weights:
        user = other_users.get(id(weight.parameter))
        if user:
            reasons.setdefault(weight.name, f"shared with {user}")
    return reasons


def _dropped(weight: Weight, matrix: torch.Tensor, pattern: Pattern) -> torch.Tensor:
    """True where `matrix` [n, k], a slice of `weight`, is pruned.

    Raises:
        PatternError: that would drop NaN or an infinity.
    """
    dropped = ~_kept(matrix, pattern)
    lost = dropped & ~matrix.isfinite()
    if lost.any():
        n, k = (int(index) for index in lost.nonzero()[0])
        raise PatternError(
            f"{weight.name} of shape n x k = {weight.n}x{weight.k}: {pattern} would "
            f"drop {float(matrix[n, k])} at n = {n}, k = {k}: its window has more "
            f"units that are not finite than the {pattern.keep} to keep; repair the "
            f'weight, or leave it dense: skip=["{weight.name}"]'
        )
    return dropped


def _kept(matrix: torch.Tensor, pattern: Pattern) -> torch.Tensor:
    """True where `matrix` [n, k] stays and False where it is pruned."""
    import torch

    n, k = matrix.shape
    rows, columns = pattern.unit
    window = pattern.units(k)
    unit_columns, units = -(-n // columns), -(-k // rows)
    windows = -(-units // window)
    # Padded to whole units and windows: what is outside scores below all inside.
    dtype = torch.promote_types(matrix.dtype, torch.float32)
    padded = torch.zeros(
        unit_columns * columns,
        windows * window * rows,
        dtype=dtype,
        device=matrix.device,
    )
    padded[:n, :k] = matrix.to(dtype).abs()
    # Sorting puts NaN first, then infinities.
    scores = padded.view(unit_columns, columns, windows, window, rows).sum((1, 4))
    inside = torch.arange(windows * window, device=matrix.device) < units
    scores = torch.where(inside.view(windows, window), scores, -1.0)
    kept = scores.sort(dim=2, descending=True, stable=True).indices[..., : pattern.keep]
    mask = torch.zeros_like(scores, dtype=torch.bool).scatter_(2, kept, True)
    mask = mask[:, None, :, :, None].expand(-1, columns, -1, -1, rows)
    return mask.reshape(padded.shape)[:n, :k]
