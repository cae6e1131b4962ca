"""Condensed weights as kernels read them: the arrays of a program, and back.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Values are moved where they lie, by PyTorch's ops; the indices, which are few, are made on
the CPU by lib/Layout. All arrays of a weight are parts of one tensor of bytes, since
PyTorch converts each tensor of a list in each call.
"""

from __future__ import annotations

import concurrent.futures
import math
from collections.abc import Sequence

import torch
from torch.nn import functional

from nm.nn.packed_weight import PackedWeight
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.runtime.program import Program
from nm.runtime.program_weights import ProgramWeight, WeightLayout

_FRAGMENT = 16  # rows and columns of a fragment of mma.m16n8k16

# So many columns are moved at once, and take their bytes beside the array: 8 MB for 4096 rows
# of k at 8:32 in bf16. That is a guess at what keeps a GPU busy and is little memory.
_COLUMNS_AT_ONCE = 4096

# Arrays begin at multiples of so many bytes, as torch's tensors on a GPU do; kernels ask for
# less (NM_ARRAY_ALIGNMENT of nm-c/Program.h is 16).
_ALIGNMENT = 512


def _place(program: Program) -> tuple[dict[int, tuple[int, int]], int]:
    """Where the arrays of the program's weight begin and end, in bytes, by the numbers of
    the arguments that they are, and the bytes of all."""
    places, end = {}, 0
    for argument in _list_arguments(program):
        value = program.find_function().arguments[argument]
        begin = -(-end // _ALIGNMENT) * _ALIGNMENT
        extents = [extent or 0 for extent in value.shape]  # arrays of weights are static
        end = begin + math.prod(extents) * get_dtype(value.element).itemsize
        places[argument] = (begin, end)
    return places, end


def _list_arguments(program: Program) -> list[int]:
    layouts = _get_weight(program).layouts
    return sorted({one for layout in layouts for one in (layout.values, layout.indices)})


def split_packed(program: Program, packed: torch.Tensor) -> list[torch.Tensor]:
    """The arrays that a tensor of `make_packed` consists of, in the order of the program's
    arguments."""
    places, _ = _place(program)
    arrays = []
    for argument, (begin, end) in places.items():
        value = program.find_function().arguments[argument]
        array = packed[begin:end].view(get_dtype(value.element))
        arrays.append(array.view([extent or 0 for extent in value.shape]))
    return arrays


def get_dtype(element: str) -> torch.dtype:
    """The type of torch that nm calls `element`."""
    dtype: torch.dtype = getattr(torch, NUMERIC_TYPES[element].dtype)
    return dtype


def make_packed(program: Program, weights: Sequence[PackedWeight]) -> torch.Tensor:
    """The arrays of all layouts of weights beside each other, along n, on the weights'
    device, as one tensor of uint8.

    Raises:
        ProgramError: positions do not ascend in their windows.
        PatternError: the weights cannot lie beside each other (PackedWeight.cat).
    """
    taken = _get_weight(program)
    device = weights[0].values.device
    positions = _to_host(torch.cat([one.positions for one in weights], 1))
    # The layouts that have an array first.
    of_values = {one.values: n for n, one in reversed([*enumerate(taken.layouts)])}
    of_indices = {one.indices: n for n, one in reversed([*enumerate(taken.layouts)])}
    _, size = _place(program)
    made = torch.empty(size, dtype=torch.uint8, device=device)
    arrays = dict(zip(_list_arguments(program), split_packed(program, made)))
    with concurrent.futures.ThreadPoolExecutor(len(of_indices)) as pool:
        # The runtime makes each on one core, without Python's lock.
        packed = {
            argument: pool.submit(program.pack_weight, taken, number, None, positions)
            for argument, number in of_indices.items()
        }
        for argument, number in of_values.items():
            order = _find_order(program, number, positions, device)
            _lay_out(weights, order, taken.layouts[number], taken, arrays[argument])
        for argument, task in packed.items():
            arrays[argument].copy_(task.result()[1])
    return made


def has_one_copy(program: Program) -> bool:
    """Whether all layouts have the values as one array."""
    return len({layout.values for layout in _get_weight(program).layouts}) == 1


def find_values(program: Program) -> int:
    """The number among the arrays of the first layout's values."""
    first = _get_weight(program).layouts[0]
    return _list_arguments(program).index(first.values)


def get_panel_columns(program: Program) -> int:
    """Columns of a panel of the values: parts of the array are whole panels."""
    return _get_weight(program).layouts[0].panel_columns


def condense(
    program: Program, values: torch.Tensor, positions: torch.Tensor
) -> torch.Tensor:
    """The values [w, n] of the condensed form, of an array of the first layout."""
    taken = _get_weight(program)
    layout = taken.layouts[0]
    order = _find_order(program, 0, _to_host(positions), values.device)
    rows = _from_panels(values, layout)
    if order is not None:
        split = _split(rows, layout, taken)
        index = _spread(order, split)
        rows = torch.empty_like(split).scatter_(0, index, split).view_as(rows)
    height = taken.pattern.height(taken.k)
    return rows[:height, : taken.n].contiguous()


def _get_weight(program: Program) -> ProgramWeight:
    (weight,) = program.find_function().weights
    return weight


def _to_host(positions: torch.Tensor) -> torch.Tensor:
    return positions.detach().cpu().contiguous()


def _find_order(
    program: Program, number: int, positions: torch.Tensor, device: torch.device
) -> torch.Tensor | None:
    """Which unit row lies in each place, on `device`; None for the order of k."""
    taken = _get_weight(program)
    if not taken.layouts[number].is_ordered:
        return None
    order: torch.Tensor = program.order_weight(taken, number, positions)
    return order.to(device)


def _split(
    rows: torch.Tensor, layout: WeightLayout, weight: ProgramWeight
) -> torch.Tensor:
    """[rows, columns] as [unit rows, rows of a unit, runs of columns, columns of a run]."""
    width = layout.order_columns
    return rows.view(-1, weight.pattern.unit[0], rows.shape[1] // width, width)


def _spread(order: torch.Tensor, split: torch.Tensor) -> torch.Tensor:
    """An order as the index of `split`, whose rows it is of; takes no memory."""
    return order.long()[:, None, :, None].expand(split.shape)


def _lay_out(
    weights: Sequence[PackedWeight],
    order: torch.Tensor | None,
    layout: WeightLayout,
    weight: ProgramWeight,
    out: torch.Tensor,
) -> None:
    """Writes the array of the values of `weights` to `out`, some columns at a time."""
    together = math.lcm(layout.panel_columns, layout.order_columns)
    if any(one.n % together for one in weights[:-1]):
        weights = [PackedWeight.cat(weights)]
    parts = [one.values.detach() for one in weights]
    at_once = max(1, _COLUMNS_AT_ONCE // together) * together
    first = 0
    for number, values in enumerate(parts):
        is_last = number + 1 == len(parts)
        columns = layout.columns - first if is_last else values.shape[1]
        for begin in range(0, columns, at_once):
            count = min(at_once, columns - begin)
            piece = values[:, begin : begin + count]
            _lay_out_piece(piece, order, layout, weight, out, first + begin, count)
        first += columns


def _lay_out_piece(
    values: torch.Tensor,
    order: torch.Tensor | None,
    layout: WeightLayout,
    weight: ProgramWeight,
    out: torch.Tensor,
    first: int,
    columns: int,
) -> None:
    """Writes `columns` columns from `first` on, whole panels and runs, of which `values`
    has those that are not padding."""
    height, n = values.shape
    if (height, n) != (layout.rows, columns):
        values = functional.pad(values, (0, columns - n, 0, layout.rows - height))
    if order is not None:
        width = layout.order_columns
        split = _split(values.contiguous(), layout, weight)
        of_runs = order[:, first // width : (first + columns) // width]
        values = split.gather(0, _spread(of_runs, split)).view(layout.rows, columns)
    panels = _to_panels(values, layout)
    width = layout.panel_columns
    panels_of = out if out.dim() == 3 else out[None]
    panels_of[first // width : (first + columns) // width].copy_(panels)


# A lane of a fragment, 4 c + t, has rows 4 t + 2 h + e of columns c + 8 j: h and j count its
# words, and e the elements of a word (layout::Geometry::getFragmentPlace).
_ROWS, _COLUMNS = (4, 2, 2), (2, 8)  # t, h, e and j, c
_TO_FRAGMENTS = (4, 0, 5, 7, 1, 2, 6, 3)  # panel, group, fragment, c, t, h, j, e


def _to_panels(values: torch.Tensor, layout: WeightLayout) -> torch.Tensor:
    """Panels of [rows, columns] as [panels, rows / lane_rows, panel_columns lane_rows]."""
    lanes, width = layout.lane_rows, layout.panel_columns
    groups, panels = layout.rows // lanes, values.shape[1] // width
    if layout.is_fragments:
        split = values.reshape(groups, *_ROWS, panels, width // _FRAGMENT, *_COLUMNS)
        moved = split.permute(_TO_FRAGMENTS)
    else:
        moved = values.reshape(groups, lanes, panels, width).permute(2, 0, 3, 1)
    return moved.reshape(panels, groups, width * lanes)


def _from_panels(array: torch.Tensor, layout: WeightLayout) -> torch.Tensor:
    """The inverse of `_to_panels`."""
    lanes, width = layout.lane_rows, layout.panel_columns
    groups, panels = layout.rows // lanes, layout.columns // width
    if layout.is_fragments:
        t, h, e = _ROWS
        j, c = _COLUMNS
        split = array.reshape(panels, groups, width // _FRAGMENT, c, t, h, j, e)
        back = [_TO_FRAGMENTS.index(dim) for dim in range(len(_TO_FRAGMENTS))]
        moved = split.permute(back)
    else:
        moved = array.reshape(panels, groups, width, lanes).permute(1, 3, 0, 2)
    return moved.reshape(layout.rows, layout.columns)
