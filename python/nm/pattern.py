"""N:M patterns, in the words of docs/Spec.md.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from dataclasses import dataclass

from nm.errors import PatternError


@dataclass(frozen=True)
class Pattern:
    """Of every `window` consecutive units along k, `keep` are kept.

    A unit is a block of `unit[0]` rows (along k) by `unit[1]` columns (along n)
    of the weight B[k, n]; a torch weight is its transpose, [n, k].

    Attributes:
        keep: N, the number of units KEPT (not pruned) of each window.
        window: M, or None for all of k (uniform sparsity).
        unit: (Bk, Bn), both at least 1.
    """

    keep: int
    window: int | None
    unit: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        for name, value in (("keep", self.keep), ("window", self.window)):
            if type(value) is not int and not (name == "window" and value is None):
                raise PatternError(f"{name}: expected a whole number, got {value!r}")
        if not isinstance(self.unit, tuple) or {type(e) for e in self.unit} != {int}:
            raise PatternError(f"expected unit=(Bk, Bn), two ints, got {self.unit!r}")
        if self.keep < 1:
            raise PatternError(f"expected keep >= 1, got {self.keep}")
        if self.window is not None and self.keep > self.window:
            raise PatternError(
                f"expected keep <= window, got keep={self.keep} of window="
                f"{self.window} (keep counts what is kept, not what is pruned)"
            )
        if len(self.unit) != 2 or min(self.unit) < 1:
            raise PatternError(f"expected unit=(Bk, Bn), both >= 1, got {self.unit}")

    def __str__(self) -> str:
        """As the IR prints it: "2:4", "8:32, unit = 1x32", "16:all"."""
        text = f"{self.keep}:{'all' if self.window is None else self.window}"
        if self.unit != (1, 1):
            text += f", unit = {self.unit[0]}x{self.unit[1]}"
        return text

    def units(self, k: int) -> int:
        """The units of a window for a weight of `k` rows."""
        return -(-k // self.unit[0]) if self.window is None else self.window

    def position_bits(self, k: int) -> int:
        """The bits in which the condensed form stores a kept unit's position in its
        window: 8, 16 or 32 (docs/Spec.md, 2)."""
        units = self.units(k)
        return 8 if units <= 1 << 8 else 16 if units <= 1 << 16 else 32

    def height(self, k: int) -> int:
        """The rows of the condensed form: what is stored of `k` rows."""
        units = -(-k // self.unit[0])
        return -(-units // self.units(k)) * self.keep * self.unit[0]

    def misfit(self, k: int, n: int) -> str | None:
        """Why this pattern does not fit a weight of `k` rows and `n` columns.

        k need not be a multiple of the window, nor n of the unit: the last
        window and the last column of units may be partial. But a window and a
        unit must lie within the weight, and something must be saved.
        """
        rows, columns = self.unit
        if rows > k or columns > n:
            return f"a unit of {rows}x{columns} is larger than the weight"
        if self.window is not None and self.window * rows > k:
            return f"a window of {self.window} units is {self.window * rows} rows long"
        if self.height(k) >= k:
            return f"it would store {self.height(k)} rows of {k}, which saves nothing"
        return None
