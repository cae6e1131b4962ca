"""Which argument of a function each value of a call is: by position, or by name.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nm.errors import ArgumentError

# What calls take by these names is theirs, also where a model's argument has the name.
KEYWORDS = ("function", "device", "state", "entry", "chip")


@dataclass(frozen=True)
class Parameters:
    """What a call of a function is given, but for the state.

    Attributes:
        function: its name.
        names: the arguments' names, in order; "" for one that has none.
        listed: the arguments as messages list them.
        state: the names of the state, which a call takes together.
    """

    function: str
    names: tuple[str, ...]
    listed: tuple[str, ...]
    state: tuple[str, ...] = ()

    def bind(self, inputs: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The arguments in order, of which `named` has those after `inputs` by name.

        Raises:
            ArgumentError: one is missing, unknown, or given twice.
        """
        if not named and len(inputs) == len(self.names):
            return inputs
        if len(inputs) > len(self.names):
            raise self._refuse(f": expected {len(self.names)} arguments, got {len(inputs)}")
        for name in named:
            self._check_name(name, len(inputs))
        rest = self.names[len(inputs) :]
        missing = [i for i, name in enumerate(rest, len(inputs)) if name not in named]
        if missing:
            raise self._refuse(self._say_missing(missing))
        return (*inputs, *(named[name] for name in rest))

    def _check_name(self, name: str, given: int) -> None:
        """Raises where `name` is none that a call with `given` values by position may
        give."""
        count = self.names.count(name) if name else 0
        if count > 1:
            raise self._refuse(
                f"() has {count} arguments called '{name}': pass them by position"
            )
        if count == 0:
            raise self._refuse(self._say_unknown(name))
        if name in self.names[:given]:
            raise self._refuse(f"() got multiple values for argument '{name}'")

    def _say_unknown(self, name: str) -> str:
        if name in self.state:
            return (
                f"() takes '{name}' as state: pass all of it, "
                f"state=[{', '.join(self.state)}]"
            )
        text = f"() got an unexpected keyword argument '{name}'"
        if self.names and not any(self.names):
            return text + ": its arguments have no names, pass them by position"
        known = [one for one in self.names if one]
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        return text + (f": did you mean {close[0]!r}?" if close else "")

    def _say_missing(self, missing: list[int]) -> str:
        names = [repr(self.names[i]) if self.names[i] else f"#{i}" for i in missing]
        plural = "s" if len(names) > 1 else ""
        text = f"() is missing {len(names)} argument{plural}: {', '.join(names)}"
        for index in missing:
            if self.names[index] in KEYWORDS:
                name = self.names[index]
                text += f"; pass '{name}' by position, for {name}= is the call's own"
        return text

    def _refuse(self, what: str) -> ArgumentError:
        return ArgumentError(
            f"{self.function}{what}; it takes ({', '.join(self.listed)})"
        )


def check_keywords(**given: Any) -> None:
    """Raises where a keyword of a call has been given an argument of the model, which
    has the same name.

    Raises:
        ArgumentError: a value is data.
    """
    for name, value in given.items():
        if is_data(value):
            raise ArgumentError(
                f"{name}= is the call's own keyword, got a {type(value).__name__}: pass "
                f"the model's argument '{name}' by position"
            )


def is_data(value: Any) -> bool:
    """Whether `value` is an array, a tensor or a number, as arguments are."""
    return hasattr(value, "__array__") or isinstance(value, (int, float, complex))


def list_names(names: Sequence[str]) -> tuple[str, ...]:
    """How messages list arguments of which only the names are known."""
    return tuple(name or f"#{index}" for index, name in enumerate(names))
