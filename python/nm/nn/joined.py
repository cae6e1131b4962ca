"""Layers behind one input, such as Q, K and V, computed by one product.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from nm.nn.laid_out import LaidOut, check_preparation, describe
from nm.nn.operator import multiply

if TYPE_CHECKING:
    from nm.nn.linear import Linear


class JoinedLayers:
    """The product of one input with the weights of several layers beside each other.

    The first layer that is called with an input computes the product for all, and the
    others take their part of it: an input is known by being the same tensor, unchanged.
    Called in another order, or with other inputs, each layer gives what it would give
    alone. (Whether a tensor was changed in place cannot be seen while a graph is traced,
    nor of tensors of inference mode: that it is not is what `find_groups` has seen.)

    Args:
        members: two or more nm.nn.Linear, alike but for `out_features`, whose weights
            are whole units of the pattern wide, but for the last one's.
    """

    def __init__(self, members: Sequence[Linear]) -> None:
        self.members = list(members)
        # What messages call it.
        self.name = "+".join(member.name for member in members)
        self.laid_out = LaidOut()
        self._sizes = [member.out_features for member in self.members]
        # The input, and what each member gives of it, until the last one has asked. One
        # attribute, so that another thread sees both or neither.
        self._known: tuple[torch.Tensor, int, Sequence[torch.Tensor]] | None = None

    def prepare(self) -> bool:
        """Lays the weights out, and returns whether it did: only where all are on one
        device and of one type."""
        values = [member.values for member in self.members]
        first = values[0]
        if any((one.device, one.dtype) != (first.device, first.dtype) for one in values):
            return False
        bias = self._bias()
        bias = None if bias is None else bias.detach()
        self.laid_out.make(self.name, self.members, bias)
        return True

    def release(self) -> None:
        """Undoes `prepare`: members have their condensed weights again."""
        if self.laid_out.product:
            self.laid_out.release(self.members)

    def describe(self) -> str:
        """The text of the product."""
        has_bias = any(member.bias is not None for member in self.members)
        return describe(self.name, self.members, has_bias)

    def _bias(self) -> torch.Tensor | None:
        if all(member.bias is None for member in self.members):
            return None
        return torch.cat(
            [
                one.values.new_zeros(one.out_features, dtype=one.dtype)
                if one.bias is None
                else one.bias
                for one in self.members
            ]
        )

    def compute(self, member: int, x: torch.Tensor, is_traced: bool) -> torch.Tensor:
        """What member number `member` gives of x."""
        known = self._known
        version = 0 if is_traced else _get_version(x)
        if known is not None and (known[0] is not x or known[1] != version):
            known = None
        is_laid_out = self._is_laid_out(None if known is None else member, is_traced)
        if not is_laid_out and check_preparation(self.laid_out, self.name, is_traced):
            known = None
            if not self.prepare():
                return self.members[member].compute_alone(x, is_traced)
        if known is None:
            known = (x, version, self._multiply(x, is_traced))
        is_last = member == len(self.members) - 1
        self._known = None if is_last else known
        return known[2][member]

    def _is_laid_out(self, member: int | None, is_traced: bool) -> bool:
        """Whether the arrays are of the weights as they are now, of all members or of one:
        what another member gives of an input does not depend on this one's weight."""
        is_of = self.laid_out.is_of
        if member is not None:
            return is_of(member, self.members[member]._parameters, is_traced)
        for number, layer in enumerate(self.members):
            if not is_of(number, layer._parameters, is_traced):
                return False
        return True

    def _multiply(self, x: torch.Tensor, is_traced: bool) -> Sequence[torch.Tensor]:
        of = self.laid_out
        if not of.takes(x):
            x = self.members[0].fit(x)
        bias = of.bias
        if torch.is_grad_enabled() and any(
            one.bias is not None and one.bias.requires_grad for one in self.members
        ):
            bias = self._bias()  # through which the gradients of the biases go
        y = multiply(x, of, self.members, bias, is_traced)
        return y.split_with_sizes(self._sizes, -1)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known": None}


def _get_version(x: torch.Tensor) -> int:
    """How often x was changed in place, where that is known."""
    return 0 if x.is_inference() else x._version


def find_groups(
    layers: dict[str, torch.nn.Module], call: Callable[[], Any]
) -> list[list[str]]:
    """The names of those of `layers` that `call`, a forward pass, hands one tensor each:
    called one after another in one module. Layers that it calls more than once are in
    no group."""
    calls: list[tuple[str, torch.Tensor, int]] = []
    hooks = []
    for name, module in layers.items():

        def record(_: Any, inputs: tuple[torch.Tensor, ...], name: str = name) -> None:
            # The tensor is kept, so that no other one gets its address.
            calls.append((name, inputs[0], _get_version(inputs[0])))

        hooks.append(module.register_forward_pre_hook(record))
    try:
        with torch.no_grad():
            call()
    finally:
        for hook in hooks:
            hook.remove()
    return [group for group in _group(calls) if len(group) > 1]


def _group(calls: list[tuple[str, torch.Tensor, int]]) -> Iterator[list[str]]:
    names = [name for name, _, _ in calls]
    group: list[str] = []
    last: tuple[str, torch.Tensor, int] | None = None
    for name, x, version in calls:
        parent = name.rpartition(".")[0]
        fits = last is not None and (parent, version) == (last[0], last[2])
        if names.count(name) > 1 or not (fits and last is not None and x is last[1]):
            yield group
            group = []
        if names.count(name) == 1:
            group.append(name)
            last = (parent, x, version)
    yield group


def can_join(first: Linear, other: Linear) -> bool:
    """Whether the weight of `other` may lie behind that of `first`."""
    kinds = [
        (
            *(one.in_features, one.pattern, one.keeps_dense, one.dtype),
            *(one.values.dtype, one.values.device),
        )
        for one in (first, other)
    ]
    return kinds[0] == kinds[1] and first.out_features % first.pattern.unit[1] == 0
