"""Magnitude pruning of a PyTorch model to an N:M pattern.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from nm.errors import Error, PatternError
from nm.pattern import Pattern
from nm.pruning.criteria import Criteria
from nm.pruning.layers import OtherParameter, Weight, find_weights
from nm.pruning.masks import Masks
from nm.pruning.others import find_other_parameters
from nm.pruning.plan import Plan
from nm.pruning.prunable import find_missing_data, find_other_form
from nm.pruning.selection import select

if TYPE_CHECKING:
    import torch

    from nm.pruning.criteria import Scores


@dataclass(frozen=True)
class PrunedLayer:
    """What `prune` did with one weight.

    Attributes:
        name: the parameter's name in the model.
        kind: the class of its module.
        n, k: outputs and inputs of the product, as they are stored; 0 where they
            cannot be told (packed weights, lazy modules).
        copies: 1, or the number of experts.
        reason: why it was left dense; empty when it was pruned.
        zeros: share of its elements that are zero now, 0 to 1, counted in what the
            module has; NaN where they are no numbers, or there are none.
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
            (3x3 and grouped convolutions, parametrized and packed weights,
            parameters of modules that are not known), each with the reason, in the
            same order.
        masks: which elements of the pruned weights are kept, by name; a bit per
            element.
    """

    pattern: Pattern
    layers: list[PrunedLayer] = field(default_factory=list)
    others: list[OtherParameter] = field(default_factory=list)
    masks: Masks = field(default_factory=Masks, compare=False, repr=False)

    @property
    def pruned(self) -> list[PrunedLayer]:
        """The weights that were pruned, in the order of the model's modules."""
        return [layer for layer in self.layers if layer.pruned]

    def __str__(self) -> str:
        rows = [("layer", "module", "n x k", "zeros", "done")]
        for layer in self.layers:
            shape = f"{layer.n}x{layer.k}" if layer.n or layer.k else "?"
            if layer.copies > 1:
                shape = f"{layer.copies} of {shape}"
            done = f"left dense: {layer.reason}" if layer.reason else "pruned"
            zeros = "-" if math.isnan(layer.zeros) else f"{layer.zeros:.1%}"
            row = (layer.name, layer.kind, shape, zeros, done)
            rows.append(row)
        lines = _align(rows)
        counts = f"{len(self.pruned)} of {len(self.layers)} weights pruned"
        lines.append(f"{counts} to {self.pattern}")
        if self.others:
            lines.append("not considered:")
            lines += _align(
                [
                    (one.name, one.kind, "x".join(map(str, one.shape)) or "?", one.reason)
                    for one in self.others
                ]
            )
        return "\n".join(lines)


def _align(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lines of columns; the last column is of any width."""
    widths = [max(map(len, column)) for column in list(zip(*rows))[:-1]]
    return [
        "  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows
    ]


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise Error(f"{error}; nm.prune needs torch: pip install torch") from error


def prune(
    model: torch.nn.Module,
    keep: int,
    window: int | None,
    unit: tuple[int, int] = (1, 1),
    skip: Iterable[str] = (),
    *,
    misfits: Literal["refuse", "skip"] = "refuse",
    adapters: Literal["skip", "prune"] = "skip",
    scores: Scores | None = None,
    masks: Mapping[str, torch.Tensor] | None = None,
) -> PruneReport:
    """Prunes the weights of products of `model` to N:M, in place.

    In each window of `window` consecutive units along k, the `keep` units with
    the largest sum of magnitudes stay and the others become zero; of equals the
    first stay. NaN and infinities are larger than all numbers: they stay. Weights
    that already hold the pattern stay as they are. Known
    weights are those of torch.nn's Linear, MultiheadAttention,
    recurrent layers and 1x1 convolutions, of transformers' Conv1D and its stacks
    of experts. A weight that is also another module's (an embedding's, say) stays
    dense. Where k is not a multiple of the window, the last window is partial and
    keeps at most `keep` units as well (docs/Spec.md, section 1).

    A weight that holds no plain floating-point numbers (a tensor subclass, integer
    codes, fp8, complex numbers, a sparse layout) stays dense, and the report says
    why. Of tied weights, each is listed, and pruned as the first.

    Args:
        model: the model; its weights are changed.
        keep: N, the units KEPT of each window.
        window: M, or None for all of k.
        unit: (Bk, Bn), the rows (along k) and columns (along n) of a unit. 8 of 32
            for vectors of 32 outputs is `keep=8, window=32, unit=(1, 32)`.
        skip: names of modules or parameters to leave dense, with * and ?.
        misfits: what to do about weights that the pattern does not fit: "refuse"
            (nothing is changed) or "skip" (they stay dense; the report says why).
        adapters: what to do about the weights of LoRA adapters (modules `lora_A`,
            `lora_B` and the like): "skip" (they stay dense) or "prune". The layers
            that they adapt (`base_layer`) are weights like others.
        scores: what counts instead of magnitudes: tensors of the shapes of the
            weights by name, or a function of (name, parameter) that gives one. Larger
            ones stay; those of a unit are summed. Of a weight without an entry, or
            for which the function gives None, the magnitudes count.
        masks: what stays, decided already: bool tensors of the shapes of the weights
            by name, True where kept (`report.masks` of another call, say). They are
            checked against the pattern and applied as they are; a weight without an
            entry is pruned by `scores` or magnitudes.

    Returns:
        What was done with each weight, which parameters were not considered, and
        the masks; print it.

    Raises:
        PatternError: the pattern fits not every weight that is not skipped, and
            `misfits` is "refuse"; a weight has no data (meta tensors, lazy modules),
            overlaps itself or another; nothing would be pruned because of how the
            weights are held; NaN or an infinity would be dropped, as where a window
            has more units with them than it keeps; an entry of `skip`, `scores` or
            `masks` names no weight; scores or a mask are of another shape or type,
            have NaN, or do not hold the pattern. Nothing was changed then. Also:
            the zeros are not in the model after they were written.
        Error: torch is not installed.
    """
    _need_torch()
    pattern = Pattern(keep, window, tuple(unit) if isinstance(unit, list) else unit)
    if isinstance(skip, str):
        raise PatternError(f"skip: expected a list of names, got {skip!r}")
    if misfits not in ("refuse", "skip"):
        raise PatternError(f'misfits: expected "refuse" or "skip", got {misfits!r}')
    if adapters not in ("prune", "skip"):
        raise PatternError(f'adapters: expected "prune" or "skip", got {adapters!r}')
    weights = list(find_weights(model))
    others = list(find_other_parameters(model))
    plan = Plan(model, weights, list(skip), adapters == "skip")
    plan.leave_misfits(pattern, misfits == "refuse")
    plan.refuse_if_empty(others)
    criteria = Criteria(scores, masks, weights, others, plan.dense)
    # All places are chosen before the first weight changes.
    report = PruneReport(pattern, others=others)
    chosen = report.masks
    for names in plan.groups():
        weight = plan.weight(names[0])
        given, mask = criteria.find(weight, names)
        chosen._add(names, select(weight, pattern, given, mask))
    for weight in weights:
        reason = plan.dense.get(weight.name, "")
        if not reason:
            _write_zeros(weight, ~chosen[weight.name])
        layer = PrunedLayer(
            weight.name,
            weight.kind,
            weight.n,
            weight.k,
            weight.copies,
            reason,
            _count_zeros(weight),
        )
        report.layers.append(layer)
    return report


def _write_zeros(weight: Weight, dropped: torch.Tensor) -> None:
    """Zeroes `weight` where `dropped`, of its shape, is True.

    Raises:
        PatternError: torch refuses it, or the module still has something there.
    """
    import torch

    remedy = (
        "the model was changed: load it again, and give the module a parameter of its "
        f'own (clone()), or leave it dense: skip=["{weight.name}"]'
    )
    try:
        with torch.no_grad():
            weight.parameter.detach().masked_fill_(dropped, 0)
    except RuntimeError as error:
        said = str(error).splitlines()[0]
        raise PatternError(
            f"{weight.name} cannot be written to: {said}; {remedy}"
        ) from error
    used = weight.read()
    if not isinstance(used, torch.Tensor) or tuple(used.shape) != weight.shape:
        what = "is no tensor of its shape"
    elif (other := find_other_form(used)) is not None:
        what = other
    else:
        left = int(((used.detach() != 0) & dropped.to(used.device)).sum())
        what = f"has {left} non-zeros where zeros were written" if left else ""
    if what:
        raise PatternError(
            f"{weight.name}: expected the pattern in what {weight.kind} computes with, "
            f'but its "{weight.attribute}" {what}: it is not the parameter of that name; '
            + remedy
        )


def _count_zeros(weight: Weight) -> float:
    """The share of zeros in what the module has now; NaN for what has none to count."""
    import torch

    if find_missing_data(weight) is not None:
        return math.nan
    used = weight.read()
    countable = isinstance(used, torch.Tensor) and find_other_form(used) is None
    if not countable or not used.numel():
        return math.nan
    return 1 - int(used.detach().count_nonzero()) / int(used.numel())
