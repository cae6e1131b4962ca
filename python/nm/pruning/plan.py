"""What prune leaves dense, and what it refuses, before it changes anything.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from nm.errors import PatternError
from nm.pattern import Pattern
from nm.pruning.layers import OtherParameter, Weight, join
from nm.pruning.overlaps import find_sharing, is_same, overlaps_itself
from nm.pruning.prunable import (
    find_misshape,
    find_missing_data,
    find_other_form,
    has_memory,
    is_adapter,
)

if TYPE_CHECKING:
    import torch


class Plan:
    """Which weights of a model are pruned.

    Attributes:
        dense: why the others stay dense, by name.

    Args:
        model: the model.
        weights: all its weights.
        skip: names of modules or parameters to leave dense, with * and ?.
        skip_adapters: whether the weights of LoRA adapters stay dense.

    Raises:
        PatternError: an entry of `skip` names no weight; a weight that is not left
            dense has no data, or overlaps itself or another.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        weights: list[Weight],
        skip: list[str],
        skip_adapters: bool,
    ) -> None:
        self._weights = {weight.name: weight for weight in weights}
        self.dense = _skipped(weights, skip)
        self._other_forms: list[str] = []
        self._ties: dict[str, set[str]] = {name: {name} for name in self._weights}
        self._leave_shared(model)
        if skip_adapters:
            for weight in weights:
                if is_adapter(weight.name):
                    self.dense.setdefault(
                        weight.name, "a LoRA adapter: merge it to prune it with its layer"
                    )
        self._leave_other_forms()
        self._examine_memory(model)

    def weight(self, name: str) -> Weight:
        """The weight of that name."""
        return self._weights[name]

    def groups(self) -> Iterator[list[str]]:
        """The names of each weight to prune, in the order of the model: several for
        tied ones."""
        done: set[str] = set()
        for name in self._weights:
            if name not in self.dense and name not in done:
                names = [one for one in self._weights if one in self._ties[name]]
                done.update(names)
                yield names

    def refuse_if_empty(self, others: Sequence[OtherParameter]) -> None:
        """Refuses a model of which nothing is pruned because of how it holds weights."""
        if len(self.dense) < len(self._weights):
            return
        held = [(name, self.dense[name]) for name in self._other_forms]
        held += [(one.name, one.reason) for one in others if one.convertible]
        if held:
            more = f"; and {len(held) - 1} more" if len(held) > 1 else ""
            name, reason = held[0]
            raise PatternError(f"nothing is left to prune: {name}: {reason}{more}")

    def leave_misfits(self, pattern: Pattern, refuse: bool) -> None:
        """Leaves dense what `pattern` does not fit, or refuses it."""
        unfit = {
            name: misfit
            for name, weight in self._to_prune()
            if (misfit := pattern.misfit(weight.k, weight.n)) is not None
        }
        if unfit and refuse:
            weight = self._weights[next(iter(unfit))]
            names = ", ".join(f'"{name}"' for name in unfit)
            raise PatternError(
                f"{weight.name} of shape n x k = {weight.n}x{weight.k}: {pattern} does "
                f"not fit: {unfit[weight.name]}; choose a smaller pattern, or leave dense "
                f'what it does not fit: misfits="skip", or skip=[{names}]'
            )
        self.dense |= {name: f"does not fit: {why}" for name, why in unfit.items()}

    def _to_prune(self) -> list[tuple[str, Weight]]:
        return [entry for entry in self._weights.items() if entry[0] not in self.dense]

    def _leave_shared(self, model: torch.nn.Module) -> None:
        """Leaves dense what is the parameter of a module of another kind, too."""
        users = {id(one): name for name, one in _find_tensors(model, self._weights)}
        for name, weight in self._weights.items():
            user = users.get(id(weight.parameter))
            if user:
                self.dense.setdefault(name, f"shared with {user}")

    def _leave_other_forms(self) -> None:
        """Leaves dense what holds no plain numbers, and refuses what has no data."""
        for name, weight in self._to_prune():
            missing = find_missing_data(weight)
            if missing is not None:
                raise PatternError(
                    f'{name} ({weight.kind}) {missing}; or leave it dense: skip=["{name}"]'
                )
            other = find_other_form(weight.parameter) or find_misshape(weight)
            if other is not None:
                self.dense[name] = other
                self._other_forms.append(name)

    def _examine_memory(self, model: torch.nn.Module) -> None:
        """Leaves dense what shares memory with what stays dense, notes which weights
        are tied, and refuses what cannot be pruned on its own."""
        for name, weight in self._to_prune():
            if overlaps_itself(weight.parameter):
                raise PatternError(
                    f"{name} ({weight.kind}) overlaps itself: elements share memory "
                    f"(strides {tuple(weight.parameter.stride())}); give it memory of "
                    'its own (clone()), or leave it dense: skip=["' + name + '"]'
                )
        parameters = ((name, one.parameter) for name, one in self._weights.items())
        tensors = [
            (name, one)
            for name, one in chain(parameters, _find_tensors(model, self._weights))
            if has_memory(one)
        ]
        pairs = [
            (tensors[one][0], tensors[other][0])
            for one, other in find_sharing([tensor for _, tensor in tensors])
        ]
        # Where addresses say nothing, at least what is the same parameter.
        first: dict[int, str] = {}
        for name, weight in self._weights.items():
            before = first.setdefault(id(weight.parameter), name)
            if before != name and not has_memory(weight.parameter):
                pairs.append((before, name))
        self._spread(pairs)
        pruned = dict(self._to_prune())
        for one, other in pairs:
            if one in pruned and other in pruned:
                self._tie(one, other)

    def _spread(self, pairs: list[tuple[str, str]]) -> None:
        """Leaves dense whatever shares memory with something dense, and so on."""
        waiting = True
        while waiting:
            waiting = False
            for name, user in pairs + [(other, one) for one, other in pairs]:
                stays = user not in self._weights or user in self.dense
                if stays and name in self._weights and name not in self.dense:
                    ending = ", which stays dense" if user in self.dense else ""
                    self.dense[name] = f"shares memory with {user}{ending}"
                    waiting = True

    def _tie(self, one: str, other: str) -> None:
        """Notes that two weights are one, or refuses that they overlap."""
        first, second = self._weights[one], self._weights[other]
        same = is_same(first.parameter, second.parameter)
        if not same or first.form != second.form:
            raise PatternError(
                f"{one} ({first.kind}) and {other} ({second.kind}) share memory, but not "
                "as one weight: what is pruned in one changes the other; give each its "
                f'own (clone()), or leave both dense: skip=["{one}", "{other}"]'
            )
        tied = self._ties[one] | self._ties[other]
        for name in tied:
            self._ties[name] = tied


def _skipped(weights: list[Weight], skip: list[str]) -> dict[str, str]:
    """Why weights stay dense that `skip` names."""
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
    return reasons


def _find_tensors(
    model: torch.nn.Module, weights: dict[str, Weight]
) -> Iterator[tuple[str, torch.Tensor]]:
    """The parameters and buffers of `model` that are none of `weights`."""
    for path, module in model.named_modules():
        parameters = module.named_parameters(recurse=False)
        for name, tensor in chain(parameters, module.named_buffers(recurse=False)):
            full = join(path, name)
            if full not in weights:
                yield full, tensor
