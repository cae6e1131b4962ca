"""Weights among the arguments of programs: which arrays they take, and making these.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import Any

from nm.errors import Error
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.numbers.arrays import get_dtype_name, get_strides
from nm.numbers.formats import is_tensor
from nm.pattern import Pattern
from nm.runtime import _native


@dataclass(frozen=True)
class WeightLayout:
    """How a weight lies for some kernels of a function.

    Attributes:
        values, indices: the numbers of the arguments that are its arrays.
        values_key, indices_key: what these are called: arrays of one weight that have
            one key are equal, whichever programs take them.
        rows, columns: of the values, filled up with zeros behind the condensed form.
        panel_columns: columns of a panel: values are [columns / panel_columns,
            rows / lane_rows, panel_columns lane_rows].
        lane_rows: rows of a column that follow each other.
        is_fragments: whether 16 rows and columns are a fragment of mma.m16n8k16
            (docs/Spec.md, 2).
        is_ordered: whether rows stand in another order than that of k.
        order_columns: columns beside each other that have one order.
    """

    values: int
    indices: int
    values_key: str
    indices_key: str
    rows: int
    columns: int
    panel_columns: int
    lane_rows: int
    is_fragments: bool
    is_ordered: bool
    order_columns: int


@dataclass(frozen=True)
class ProgramWeight:
    """A weight [k, n] that a function takes as arrays, in all its layouts.

    Attributes:
        element: the type of the values, such as "bf16".
        layouts: each with its arguments, which layouts may share.
    """

    element: str
    k: int
    n: int
    pattern: Pattern
    layouts: tuple[WeightLayout, ...]
    number: int = field(default=0, repr=False)

    def check(self, values: Any, positions: Any) -> None:
        """Raises Error unless these are the arrays of the condensed form of such a
        weight, row-major in host memory (docs/Spec.md, 2). None stands for an array
        that is not looked at."""
        rows = self.pattern.height(self.k)
        bits = self.pattern.position_bits(self.k)
        columns = -(-self.n // self.pattern.unit[1])
        dtype = NUMERIC_TYPES[self.element].dtype
        integers = (f"uint{bits}",) if bits == 8 else (f"int{bits}", f"uint{bits}")
        shapes = (rows, self.n), (rows // self.pattern.unit[0], columns)
        for name, array, shape, types in (
            ("values", values, shapes[0], (dtype,)),
            ("positions", positions, shapes[1], integers),
        ):
            if array is None:
                continue
            got = f"{get_dtype_name(array)} {list(array.shape)}"
            on_host = not is_tensor(array) or array.device.type == "cpu"
            if get_dtype_name(array) not in types or tuple(array.shape) != shape:
                raise Error(f"{name}: expected {' or '.join(types)} {list(shape)}, got {got}")
            if not on_host or get_strides(array) is not None:
                raise Error(f"{name}: expected a row-major array in host memory, got {got}")


def describe_weights(
    program: c_void_p, function: int, count: int
) -> tuple[ProgramWeight, ...]:
    """The `count` weights of a function."""
    native = _native.library()
    weights = []
    for number in range(count):
        info = _native.WeightInfo()
        _native.check(native.nmProgramGetWeight(program, function, number, byref(info)))
        layouts = []
        for index in range(info.layouts):
            layout = _native.WeightLayout()
            _native.check(
                native.nmProgramGetWeightLayout(
                    program, function, number, index, byref(layout)
                )
            )
            keys = layout.valuesKey.decode(), layout.indicesKey.decode()
            layouts.append(
                WeightLayout(
                    layout.values,
                    layout.indices,
                    *keys,
                    layout.rows,
                    layout.columns,
                    layout.panelColumns,
                    layout.laneRows,
                    layout.isFragments,
                    layout.isOrdered,
                    layout.orderColumns,
                )
            )
        pattern = Pattern(info.keep, info.window or None, (info.unitK, info.unitN))
        element = info.element.decode()
        weights.append(
            ProgramWeight(element, info.k, info.n, pattern, tuple(layouts), number)
        )
    return tuple(weights)


def pack(
    program: c_void_p,
    function: int,
    weight: int,
    layout: int,
    values: int,
    positions: int,
    packed_values: int,
    packed_indices: int,
) -> None:
    """Makes the arrays of a layout of the condensed form; all are addresses in host
    memory, 0 for an array that is not wanted.

    Raises:
        ProgramError: the positions are not those of units.
    """
    _native.check(
        _native.library().nmProgramPackWeight(
            program, function, weight, layout, values, positions, packed_values,
            packed_indices,
        )
    )


def order(
    program: c_void_p, function: int, weight: int, layout: int, positions: int, out: int
) -> None:
    """Writes the order of a layout's rows to `out`; both are addresses in host memory.

    Raises:
        ProgramError: the positions are not those of units.
    """
    _native.check(
        _native.library().nmProgramOrderWeight(
            program, function, weight, layout, positions, out
        )
    )
