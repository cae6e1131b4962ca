"""The N:M pattern that a dense weight has, and its kept units.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import collections
import concurrent.futures
import os
from collections.abc import Iterable, Iterator
from ctypes import byref, c_bool
from typing import TYPE_CHECKING, Any

from nm.errors import PatternError
from nm.pattern import Pattern
from nm.runtime import _native

if TYPE_CHECKING:
    import torch

_WORD_BITS = 64  # of a column's bits: nm-c/Pattern.h

# Elements whose bits are found at once, which take two bytes each beside the weight. That is a
# guess at what keeps a GPU busy and is little memory.
_ELEMENTS_AT_ONCE = 8 << 20


def find_pattern(
    weight: torch.Tensor, *, max_ratio: float = 0.5, max_ratio_wide: float = 0.75
) -> Pattern | None:
    """The tightest N:M pattern that a weight has, as nm-compile searches for it.

    Args:
        weight: [n, k], as torch.nn.Linear has it, of any type and device.
        max_ratio: the largest share of a window's units that may be kept.
        max_ratio_wide: that share for units of 8 or more columns.

    Returns:
        The pattern; None where the weight is dense along k, or all zeros.

    Raises:
        PatternError: `weight` is no matrix.
    """
    return _search(*_get_bits(weight), max_ratio, max_ratio_wide)


def find_patterns(weights: Iterable[torch.Tensor]) -> Iterator[Pattern | None]:
    """What `find_pattern` finds in each of several weights, which are searched by threads
    while the bits of the next ones are read."""
    workers = os.cpu_count() or 1
    searches: collections.deque[concurrent.futures.Future[Pattern | None]]
    searches = collections.deque()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for weight in weights:
            # No more bits are held than are searched.
            if len(searches) >= workers:
                yield searches.popleft().result()
            searches.append(pool.submit(_search, *_get_bits(weight)))
        while searches:
            yield searches.popleft().result()


def _search(
    bits: Any, k: int, n: int, max_ratio: float = 0.5, max_ratio_wide: float = 0.75
) -> Pattern | None:
    found, pattern = c_bool(), _native.PatternStruct()
    _native.check(
        _native.library().nmPatternFind(
            bits.ctypes.data, k, n, max_ratio, max_ratio_wide, byref(pattern), byref(found)
        )
    )
    if not found.value:
        return None
    unit = (pattern.unitK, pattern.unitN)
    return Pattern(pattern.keep, pattern.window or None, unit)


def select_positions(weight: torch.Tensor, pattern: Pattern) -> torch.Tensor:
    """The positions of the units that a weight keeps, as its condensed form has them
    (docs/Spec.md, 2).

    Args:
        weight: [n, k].
        pattern: what it satisfies.

    Returns:
        [windows * keep, ceil(n / unit columns)], on the CPU: uint8 for windows of at
        most 256 units, int16 (without a sign) for at most 65536, else int32.

    Raises:
        PatternError: `weight` is no matrix, or does not satisfy `pattern`; names the
            first window that does not.
    """
    import torch

    bits, k, n = _get_bits(weight)
    shape, dtype = get_positions_type(k, n, pattern)
    positions = torch.empty(shape, dtype=dtype)
    struct = _native.PatternStruct(pattern.keep, pattern.window or 0, *pattern.unit)
    status = _native.library().nmPatternSelect(
        bits.ctypes.data, k, n, byref(struct), positions.data_ptr()
    )
    if status != 0:
        raise PatternError(_native.library().nmrtLastError().decode("utf-8", "replace"))
    return positions


def get_positions_type(
    k: int, n: int, pattern: Pattern
) -> tuple[tuple[int, int], torch.dtype]:
    """The shape and the type of the positions of a weight [k, n]."""
    import torch

    types = {8: torch.uint8, 16: torch.int16, 32: torch.int32}
    dtype = types[pattern.position_bits(k)]
    rows = pattern.height(k) // pattern.unit[0]
    return (rows, -(-n // pattern.unit[1])), dtype


def _get_bits(weight: torch.Tensor) -> tuple[Any, int, int]:
    """Which elements are not zero, in words of the host, with k and n."""
    import torch

    if weight.dim() != 2 or not weight.numel():
        raise PatternError(
            f"expected a weight [n, k] with elements, got {list(weight.shape)}"
        )
    n, k = weight.shape
    # Eight elements a byte where the weight is; copies are what takes time.
    padded = -(-k // _WORD_BITS) * _WORD_BITS
    at_once = max(1, _ELEMENTS_AT_ONCE // padded)
    octets = torch.empty((n, padded // 8), dtype=torch.uint8, device=weight.device)
    places = torch.tensor([1 << i for i in range(8)], dtype=torch.uint8)
    places = places.to(weight.device)
    for begin in range(0, n, at_once):
        rows = weight.detach()[begin : begin + at_once]
        mask = rows.new_zeros((len(rows), padded), dtype=torch.uint8)
        mask[:, :k] = rows != 0
        mask = mask.view(len(rows), padded // 8, 8).mul_(places)
        octets[begin : begin + at_once] = mask.sum(-1, dtype=torch.uint8)
    return octets.cpu().numpy(), k, n
