#!/usr/bin/env python3
# generate_numeric_types.py - The Python package's table of types of numbers.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints python/nm/numbers/_numeric_types.py from NumericTypes.def (generate_docs.sh).

The package must know the types before it finds any tool of nm, so that the rows
are copied into it rather than asked of one."""

import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parents[2] / "include/nm/Numbers/NumericTypes.def"
COLUMNS = (
    "id mlir name kind bits bytes precision npy dtype safetensors dlpack "
    "tolerance accumulator is_result part read write"
).split()

HEADER = '''"""The types of numbers that nm knows; generated, see generate_numeric_types.py.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from typing import NamedTuple


class NumericType(NamedTuple):
    """A row of include/nm/Numbers/NumericTypes.def."""

    dtype: str
    """Its name in torch, and in numpy or ml_dtypes."""
    npy: str
    """What a .npy file calls it."""
    safetensors: str
    """Its name in such a file; "" for a complex number that lies there as its parts."""
    tolerance: float
    """The relative error that nm-run allows."""

    @property
    def is_opaque(self) -> bool:
        """Whether numpy lacks it: nm's files have it as an f32."""
        return self.npy[1] == "V"

    @property
    def is_float(self) -> bool:
        """Whether it is a float, of numpy's or not."""
        return self.npy[1] in "fV"


NUMERIC_TYPES = {'''


def read_rows() -> list[dict[str, str]]:
    rows = []
    for line in TABLE.read_text().splitlines():
        if match := re.fullmatch(r"NM_NUMERIC_TYPE\((.*)\)", line):
            fields = [field.strip().strip('"') for field in match[1].split(",")]
            rows.append(dict(zip(COLUMNS, fields, strict=True)))
    return rows


def main() -> None:
    print(HEADER)
    for row in read_rows():
        print(f'    "{row["name"]}": NumericType("{row["dtype"]}", "{row["npy"]}", '
              f'"{row["safetensors"]}", {float(row["tolerance"])}),')
    print("}")


if __name__ == "__main__":
    main()
