"""What calls give: tuples whose elements also have the names of the model's results.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class Results(tuple[Any, ...]):
        """A named tuple, of whichever names."""

        def __getattr__(self, name: str) -> Any: ...

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Results: ...

else:
    Results = tuple


@functools.lru_cache(maxsize=1024)
def make_result_type(names: tuple[str, ...]) -> type[Results]:
    """The named tuple for results of these names, as `collections.namedtuple` makes it
    with `rename`: what is no identifier, or there already, is called `_0`, `_1`.

    The class is made here and now, so that it can be looked up nowhere: its tuples are
    pickled and copied by their names.
    """
    make: Any = namedtuple  # whose names mypy wants to know
    made: type[Results] = make("Results", names, rename=True)
    setattr(made, "__reduce__", _reduce)
    return made


def name_results(names: Iterable[str], values: Iterable[Any]) -> Results:
    """`values` with the names that they have; with none where these are not known.

    Args:
        names: one for each value, or none at all.
        values: the results in order.
    """
    results, known = tuple(values), tuple(names)
    return make_result_type(known or ("",) * len(results))._make(results)


def _reduce(results: Any) -> Any:
    return name_results, (results._fields, tuple(results))


__all__ = ["Results", "make_result_type", "name_results"]
