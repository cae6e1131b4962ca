"""Calls of a function of a program: the C structs, and memory for host arrays.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import sys
from ctypes import byref, c_int64, c_uint64, c_void_p
from typing import Any

from nm.errors import Error, ProgramError
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.numbers.arrays import (
    ELEMENTS,
    as_array,
    get_address,
    get_dtype_name,
    get_strides,
    make_array,
    to_host,
)
from nm.runtime import _native
from nm.runtime.results import make_result_type
from nm.runtime.signature import Function, Value


class Frame:
    """The C structs of calls of one function by one thread, made once."""

    def __init__(self, program: c_void_p, function: Function) -> None:
        self._program = program
        self.function = function
        self._native = _native.library()
        self.arguments = _make_structs(function.arguments)
        self.results = _make_structs(function.results)
        self.result_type = make_result_type(tuple(one.name for one in function.results))
        self.workspace_bytes = c_uint64()
        # What the last call took, for which the plan holds: numbers count as well.
        self._shapes: list[Any] = [None] * len(function.arguments)
        self._is_planned = False
        self._has_numbers = any(one.is_number for one in function.arguments)
        self._dtypes: list[Any] = []
        self._result_shapes: list[list[int]] = []
        self.allocated = [i for i, one in enumerate(function.results) if one.is_allocated]
        self.call = _native.Call(function.index)
        self.call.arguments = self.arguments
        self.call.results = self.results

    def set_arguments(self, inputs: tuple[Any, ...]) -> list[Any]:
        """Describes the inputs; returns what has their memory."""
        arrays = []
        for index, (value, given) in enumerate(zip(self.function.arguments, inputs)):
            array = self._take(value, given, index)
            arrays.append(array)
            self._set(self.arguments[index], value, array, index)
        return arrays

    def _take(self, value: Value, given: Any, index: int) -> Any:
        """The argument `given` as something with memory."""
        try:
            return as_array(given, value.element, value.is_number)
        except Error as error:
            raise ProgramError(1, f"{self._name(value, index)}: {error}") from error

    def _name(self, value: Value, index: int) -> str:
        """What messages call an argument."""
        name = f" ({value.name})" if value.name else ""
        return f"argument #{index} of {self.function.name}{name}"

    def set_tensors(self, inputs: tuple[Any, ...]) -> list[Any]:
        """As `set_arguments`, in little time for tensors that are as they must be."""
        torch = sys.modules["torch"]
        if not self._dtypes:
            self._dtypes = [
                None if one.is_number else getattr(torch, NUMERIC_TYPES[one.element].dtype)
                for one in self.function.arguments
            ]
        arrays = []
        for index, given in enumerate(inputs):
            if (
                isinstance(given, torch.Tensor)
                and given.dtype is self._dtypes[index]
                and given.layout is torch.strided
                and given.is_contiguous()
                and not given.is_conj()
                and not given.is_neg()
                and given.shape == self._shapes[index]
            ):
                place = self.arguments[index]
                place.strides = None
                place.data = given.data_ptr()
                arrays.append(given)
            else:
                value = self.function.arguments[index]
                arrays.append(self._take(value, given, index))
                self._set(self.arguments[index], value, arrays[-1], index)
        return arrays

    def _set(self, place: Any, value: Value, array: Any, index: int) -> None:
        element = ELEMENTS.get(get_dtype_name(array))
        shape = array.shape
        if element != value.element or len(shape) != len(value.shape):
            self._refuse(value, array, index)
        if shape != self._shapes[index]:
            self._is_planned = False
            self._shapes[index] = shape
            for axis, extent in enumerate(shape):
                place.extents[axis] = extent
        strides = get_strides(array)
        place.strides = (
            None if strides is None else (c_int64 * max(len(strides), 1))(*strides)
        )
        place.data = get_address(array)

    def _refuse(self, value: Value, array: Any, index: int) -> None:
        """Says what the library cannot be told, in its words; it says what else is
        wrong with an array that does not fit."""
        what = self._name(value, index)
        if len(array.shape) != len(value.shape):
            raise ProgramError(
                1,
                f"{what}: expected {len(value.shape)} dimensions, got "
                f"{len(array.shape)}",
            )
        got = ELEMENTS.get(get_dtype_name(array)) or get_dtype_name(array)
        row = NUMERIC_TYPES[value.element].dtype
        raise ProgramError(
            1,
            f"{what}: expected elements of type {value.element}, got {got}; convert it "
            f"first, .to(torch.{row}) or .astype({row!r})",
        )

    def plan(self, anew: bool = False) -> None:
        """Asks what the results and the workspace of the call take: where it is not known
        of arguments of these extents, or `anew`."""
        if self._is_planned and not self._has_numbers and not anew:
            return
        self._is_planned = False
        _native.check(
            self._native.nmProgramPlan(
                self._program,
                self.function.index,
                self.arguments,
                self.results,
                byref(self.workspace_bytes),
            )
        )
        self._is_planned = True
        self._result_shapes = [get_shape(place) for place in self.results]

    def make_results(self, like: Any) -> list[Any]:
        """Arrays for the results that the caller provides, where `like` is; None for
        each that the call allocates."""
        results: list[Any] = []
        for place, value, shape in zip(
            self.results, self.function.results, self._result_shapes
        ):
            if value.is_allocated:
                results.append(None)
                continue
            near = to_host(like) if value.is_number else like
            array = make_array(value.element, shape, near)
            place.data = get_address(array)
            results.append(array)
        return results

    def run(self, prepared: c_void_p, stream: int, workspace: int) -> None:
        """Enqueues the call."""
        self.call.stream = stream
        self.call.workspace = workspace
        self.call.workspaceBytes = self.workspace_bytes.value
        status = self._native.nmPreparedRun(prepared, byref(self.call))
        if status != 0:
            _native.fail(status)

    def take_result(self, index: int, like: Any, stream: int, context: c_void_p) -> Any:
        """A result that the call allocated, as a tensor of torch's own memory."""
        place = self.results[index]
        result = make_array(self.function.results[index].element, get_shape(place), like)
        try:
            _native.check(
                self._native.nmrtCopyOn(
                    context, stream, result.data_ptr(), place.data, count_bytes(place)
                )
            )
        finally:
            _native.check(self._native.nmrtFree(context, place.data))
        return result


class HostCall:
    """A call on host arrays: copies them to memory of the device, and back."""

    def __init__(self, frame: Frame, context: c_void_p) -> None:
        self._frame = frame
        self._context = context
        self._native = _native.library()
        self._owned: list[int] = []

    def __enter__(self) -> HostCall:
        return self

    def __exit__(self, *error: object) -> None:
        for memory in self._owned:
            self._native.nmrtFree(self._context, memory)

    def run(self, prepared: c_void_p, inputs: tuple[Any, ...], like: Any) -> list[Any]:
        """The results, as tensors of the CPU where `like` is a tensor."""
        frame = self._frame
        host = to_host(like)
        arrays = frame.set_arguments(inputs)
        self._upload(arrays)
        frame.plan()
        results = frame.make_results(host)
        for place, value in zip(frame.results, frame.function.results):
            if not value.is_allocated and not value.is_number:
                place.data = self._allocate(count_bytes(place))
        frame.run(prepared, 0, self._allocate(frame.workspace_bytes.value))
        _native.check(self._native.nmrtSynchronizeOn(self._context, None))
        for index in frame.allocated:
            place = frame.results[index]
            self._owned.append(place.data)
            element = frame.function.results[index].element
            results[index] = make_array(element, get_shape(place), host)
        self._download(results)
        return results

    def _allocate(self, count: int) -> int:
        memory = c_void_p()
        _native.check(self._native.nmrtAlloc(self._context, count, byref(memory)))
        self._owned.append(memory.value or 0)
        return memory.value or 0

    def _upload(self, arrays: list[Any]) -> None:
        values = self._frame.function.arguments
        for place, value, array in zip(self._frame.arguments, values, arrays):
            # Arrays with gaps are refused by the plan, or by the call.
            if value.is_number or place.strides:
                continue
            memory, count = self._allocate(count_bytes(place)), count_bytes(place)
            address = get_address(array)
            _native.check(
                self._native.nmrtUpload(self._context, memory, address, count)
            )
            place.data = memory

    def _download(self, results: list[Any]) -> None:
        values = self._frame.function.results
        for place, value, array in zip(self._frame.results, values, results):
            if not value.is_number:
                count, address = count_bytes(place), get_address(array)
                _native.check(
                    self._native.nmrtDownload(self._context, address, place.data, count)
                )


def _make_structs(values: tuple[Value, ...]) -> Any:
    arrays = (_native.Array * max(len(values), 1))()
    for array, value in zip(arrays, values):
        array.element = value.type
        array.rank = len(value.shape)
        extents = (-1 if extent is None else extent for extent in value.shape)
        array.extents = (c_int64 * max(len(value.shape), 1))(*extents)
    return arrays


def get_shape(place: Any) -> list[int]:
    """The extents of a C struct."""
    return [place.extents[axis] for axis in range(place.rank)]


def count_bytes(place: Any) -> int:
    """Bytes of the array of a C struct."""
    count = place.element.bits // 8
    for axis in range(place.rank):
        count *= place.extents[axis]
    return int(count)
