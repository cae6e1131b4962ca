"""The scores and masks that a caller of prune gives: what is refused of them.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nm.errors import PatternError
from nm.pruning.layers import OtherParameter, Weight
from nm.pruning.masks import why_no_mask, why_no_tensor

if TYPE_CHECKING:
    import torch

    Scores = (
        Mapping[str, torch.Tensor]
        | Callable[[str, torch.nn.Parameter], torch.Tensor | None]
    )


class Criteria:
    """Which scores or which mask decide about a weight.

    Args:
        scores, masks: as given to prune.
        weights: all weights of the model.
        others: what the model has that is none.
        dense: why weights stay dense, by name.

    Raises:
        PatternError: they are no mappings, name what is no weight, or a mask is of a
            weight that stays dense or has scores, too.
    """

    def __init__(
        self,
        scores: Scores | None,
        masks: Mapping[str, torch.Tensor] | None,
        weights: Iterable[Weight],
        others: Iterable[OtherParameter],
        dense: Mapping[str, str],
    ) -> None:
        if masks is not None and not isinstance(masks, Mapping):
            raise PatternError(
                "masks: expected a mapping from names of weights to bool tensors, got "
                f"{type(masks).__name__}"
            )
        if scores is not None and not isinstance(scores, Mapping) and not callable(scores):
            raise PatternError(
                "scores: expected a mapping from names of weights to tensors, or a "
                f"function of (name, parameter), got {type(scores).__name__}"
            )
        self._compute = None if isinstance(scores, Mapping) else scores
        self._scores = scores if isinstance(scores, Mapping) else {}
        self._masks: Mapping[str, torch.Tensor] = {} if masks is None else masks
        known = {weight.name: weight for weight in weights}
        reasons = {other.name: other.reason for other in others}
        _check_names("scores", self._scores, known, reasons)
        _check_names("masks", self._masks, known, reasons)
        for name in self._masks:
            if name in dense:
                raise PatternError(
                    f"masks: {name} is left dense: {dense[name]}; leave its mask out"
                )

    def find(
        self, weight: Weight, names: Sequence[str]
    ) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        """The scores and the mask of `weight`, of its shape and on its device.

        At most one is given; without either the magnitudes decide.

        Args:
            names: all names of its parameter, for it may be tied.
        """
        import torch

        mask = _look_up("masks", self._masks, names)
        scores = _look_up("scores", self._scores, names)
        if mask is not None and scores is not None:
            raise PatternError(
                f"{names[0]}: expected scores or a mask, got both; leave one out"
            )
        if mask is not None:
            return None, _check("masks", weight, mask)
        if self._compute is not None:
            with torch.no_grad():
                scores = self._compute(names[0], weight.parameter)
        return (None if scores is None else _check("scores", weight, scores)), None


def _check_names(
    what: str,
    given: Mapping[str, Any],
    known: Mapping[str, Weight],
    reasons: Mapping[str, str],
) -> None:
    """Refuses names that are no weights'."""
    for name in given:
        if name in known:
            continue
        text = f"{what}: {name!r} names no weight"
        if name in reasons:
            raise PatternError(f"{text} that prune considers: {reasons[name]}")
        close = difflib.get_close_matches(str(name), list(known), 1, 0)
        hint = f"; the closest is {close[0]!r}" if close else ", and the model has none"
        raise PatternError(text + hint)


def _look_up(what: str, given: Mapping[str, Any], names: Sequence[str]) -> Any:
    """What is given under one of the names of a parameter; None without an entry."""
    import torch

    entries = [name for name in names if name in given]
    if not entries:
        return None
    first = given[entries[0]]
    for name in entries[1:]:
        other = given[name]
        both = isinstance(first, torch.Tensor) and isinstance(other, torch.Tensor)
        if other is first or (both and torch.equal(first, other.to(first.device))):
            continue
        raise PatternError(
            f"{what}: {entries[0]} and {name} are one parameter; expected one entry, "
            "got two that differ; leave one out"
        )
    return first


def _check(what: str, weight: Weight, value: Any) -> torch.Tensor:
    """`value` on the weight's device, if it can be scores or a mask of `weight`."""
    import torch

    begin = f"{what}: {weight.name}: expected "
    if what == "masks":
        begin += "a bool tensor, True where kept"
        wrong = why_no_mask(value)
    else:
        begin += "a tensor of numbers"
        wrong = why_no_tensor(value)
        if wrong is None and not _is_real(value):
            wrong = f"{value.dtype}; convert it: scores.float()"
    if wrong is not None:
        raise PatternError(f"{begin}, got {wrong}")
    if tuple(value.shape) != weight.shape:
        raise PatternError(
            f"{what}: {weight.name}: expected the weight's shape {weight.shape}, got "
            f"{tuple(value.shape)}; give one for each element"
        )
    wrong = value.isnan().nonzero()
    if len(wrong):
        raise PatternError(
            f"{what}: {weight.name}: expected numbers, got NaN at "
            f"{tuple(wrong[0].tolist())}; replace it by what it should count"
        )
    checked: torch.Tensor = value.detach().to(weight.parameter.device)
    return checked


def _is_real(value: torch.Tensor) -> bool:
    """Whether torch orders and sums the elements."""
    import torch

    return value.dtype in (
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
    )
