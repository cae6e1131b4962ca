"""Programs: compiled modules that are called in this process.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import weakref
from ctypes import byref, c_int64, c_uint64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nm import _native
from nm._numeric_types import NUMERIC_TYPES
from nm.arrays import (
    ELEMENTS,
    as_array,
    get_address,
    get_dtype_name,
    get_strides,
    make_array,
)
from nm.errors import Error, ProgramError
from nm.formats import is_tensor

_LEGACY_STREAM = 1  # CUDA's name for torch's default stream, whose handle is 0


@dataclass(frozen=True)
class Value:
    """An argument or a result of a function.

    Attributes:
        name: "" if it has none.
        element: the type of its elements, such as "f32".
        shape: its extents, None for one that differs from call to call.
        is_number: a number rather than an array.
    """

    name: str
    element: str
    shape: tuple[int | None, ...]
    is_number: bool
    is_allocated: bool = field(default=False, repr=False)
    type: Any = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        extents = "".join(f"{'?' if n is None else n}x" for n in self.shape)
        return f"{self.name}: {extents}{self.element}" if self.name else (
            extents + self.element
        )


@dataclass(frozen=True)
class Function:
    """A function of a program.

    Attributes:
        name: its name.
        arguments, results: what it takes and gives, in order.
        waits: whether a call may wait for the device, to read a number; such a call
            cannot be captured into a CUDA graph.
        allocates: whether a call may allocate, since a size depends on data.
    """

    name: str
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]
    waits: bool
    allocates: bool
    index: int = field(default=0, repr=False)


class Program:
    """A compiled module. Call it with the arguments of its function, in order:

        program = nm.load("model.nm")
        (y,) = program(x)

    CUDA tensors are used where they lie, on torch's current stream of their device;
    results and temporaries come from torch's allocator, and the call only enqueues
    kernels, so that it can be captured by `torch.cuda.graph`. CPU tensors and numpy
    arrays are computed in the emulator. A program may be called from several threads;
    it is prepared on a device by the first call there, or by `prepare`.

    Attributes:
        functions: its functions by name.
        report: what was done with each product and kernel (docs/Report.md).
        chip: what its kernels were chosen for, such as "sm_90".
        version: of the nm that made it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._prepared: dict[tuple[int, int], c_void_p] = {}
        self._frames = threading.local()
        native = _native.library()
        handle = c_void_p()
        _native.check(native.nmProgramLoad(os.fsencode(path), byref(handle)))
        self._handle = handle
        # Prepared programs go before the program, whichever way this one ends.
        weakref.finalize(self, _release, handle, self._prepared)
        info = _native.ProgramInfo()
        _native.check(native.nmProgramGetInfo(handle, byref(info)))
        self.version = info.version.decode()
        self.chip = info.chip.decode()
        self.report: dict[str, Any] = json.loads(info.report or b"{}")
        described = [_describe(handle, index) for index in range(info.functions)]
        self.functions = {function.name: function for function in described}

    def __repr__(self) -> str:
        functions = "; ".join(
            f"{one.name}({', '.join(map(str, one.arguments))}) -> "
            f"({', '.join(map(str, one.results))})"
            for one in self.functions.values()
        )
        return f"<nm.Program for {self.chip}: {functions}>"

    def __reduce__(self) -> Any:
        raise TypeError(
            "expected a program to be saved (program.save) and loaded (nm.load): it "
            "cannot be copied or pickled, for it holds memory of devices"
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the program to `path`, whole or not at all, and returns the path.

        Raises:
            OSError: the file cannot be written.
        """
        target = Path(path)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=target.name)
        try:
            with os.fdopen(descriptor, "wb") as file, open(self._path, "rb") as own:
                shutil.copyfileobj(own, file)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
        return target

    def prepare(self, device: Any = "emulator") -> None:
        """Loads the kernels and uploads the weights, which the first call on a device
        does otherwise.

        Args:
            device: "emulator", or what torch.device takes for a GPU: "cuda:0".

        Raises:
            ProgramError: there is no such device, or nothing of the program runs there.
        """
        self._get_prepared(*_parse_device(device))

    def check(self, device: Any = "emulator") -> None:
        """Raises what an assertion of a kernel said since the last check. Waits for
        nothing: what is still running says it later (`torch.cuda.synchronize`)."""
        native = _native.library()
        _native.check(
            native.nmrtCheckAssertions(_native.context(*_parse_device(device)))
        )

    def __call__(self, *inputs: Any, function: str | None = None) -> tuple[Any, ...]:
        """Calls a function, by default the only one.

        Args:
            inputs: its arguments in order: tensors or arrays of exactly its types and
                shapes, row-major and without gaps, and numbers. All tensors are on
                one device.
            function: its name.

        Returns:
            The results in order: tensors if any input is one, else numpy arrays.

        Raises:
            ProgramError: an argument does not fit, an assertion of the model failed,
                or the device did; nothing has run unless str() says otherwise.
            Error: the inputs are of several devices, or are no arrays.
        """
        chosen = self._choose(function)
        if len(inputs) != len(chosen.arguments):
            raise Error(
                f"{chosen.name}: expected {len(chosen.arguments)} arguments, got "
                f"{len(inputs)}"
            )
        frame = self._get_frame(chosen)
        like = next((one for one in inputs if is_tensor(one)), None)
        device = _find_device(inputs)
        if device is None:
            return self._call_emulator(frame, inputs, like)
        return self._call_cuda(frame, inputs, like, device)

    def _choose(self, name: str | None) -> Function:
        if name is None and len(self.functions) == 1:
            return next(iter(self.functions.values()))
        if name is None or name not in self.functions:
            known = ", ".join(self.functions)
            raise Error(f"expected function= of one of {known}, got {name}")
        return self.functions[name]

    def _get_frame(self, function: Function) -> _Frame:
        frames: dict[int, _Frame] | None = getattr(self._frames, "all", None)
        if frames is None:
            frames = self._frames.all = {}
        if function.index not in frames:
            frames[function.index] = _Frame(self._handle, function)
        return frames[function.index]

    def _get_prepared(self, kind: int, ordinal: int) -> c_void_p:
        found = self._prepared.get((kind, ordinal))
        if found is not None:
            return found
        with self._lock:
            if (kind, ordinal) not in self._prepared:
                prepared = c_void_p()
                _native.check(
                    _native.library().nmProgramPrepare(
                        self._handle, _native.context(kind, ordinal), byref(prepared)
                    )
                )
                self._prepared[kind, ordinal] = prepared
            return self._prepared[kind, ordinal]

    def _call_cuda(
        self, frame: _Frame, inputs: tuple[Any, ...], like: Any, ordinal: int
    ) -> tuple[Any, ...]:
        import torch

        prepared = self._prepared.get((_native.CUDA, ordinal))
        if prepared is None:
            prepared = self._get_prepared(_native.CUDA, ordinal)
        stream = torch._C._cuda_getCurrentRawStream(ordinal) or _LEGACY_STREAM
        arrays = frame.set_arguments(inputs)
        results = frame.make_results(like)
        workspace = None
        if frame.workspace_bytes.value:
            workspace = torch.empty(
                frame.workspace_bytes.value, dtype=torch.uint8, device=like.device
            )
        frame.run(prepared, stream, workspace.data_ptr() if workspace is not None else 0)
        for index in frame.allocated:
            results[index] = _take(frame, index, like, stream, ordinal)
        del arrays
        return tuple(results)

    def _call_emulator(
        self, frame: _Frame, inputs: tuple[Any, ...], like: Any
    ) -> tuple[Any, ...]:
        prepared = self._get_prepared(_native.EMULATOR, 0)
        with _HostCall() as call:
            arrays = frame.set_arguments(inputs)
            frame.upload_arguments(arrays, call)
            results = frame.make_results(like, call)
            frame.run(prepared, 0, call.allocate(frame.workspace_bytes.value))
            _native.check(_native.library().nmrtSynchronizeOn(call.context, None))
            for index in frame.allocated:
                results[index] = frame.adopt_result(index, like, call)
            frame.download_results(results, call)
        return tuple(results)


def load(path: str | os.PathLike[str]) -> Program:
    """The program in a file that `program.save` or `nm-compile --emit=program` wrote.

    The file is mapped: it must not change while the program lives (replacing it by
    another file is no such change).

    Raises:
        ProgramError: it is none, damaged, or of another version of the format.
        Error: libnm.so was not found.
    """
    return Program(path)


def _release(handle: c_void_p, prepared: dict[tuple[int, int], c_void_p]) -> None:
    native = _native.library()
    for one in prepared.values():
        native.nmPreparedRelease(one)
    native.nmProgramRelease(handle)


def _parse_device(device: Any) -> tuple[int, int]:
    name = str(device)
    if name in ("emulator", "cpu"):
        return _native.EMULATOR, 0
    kind, _, ordinal = name.partition(":")
    if kind == "cuda" and (ordinal.isdigit() or not ordinal):
        return _native.CUDA, int(ordinal or 0)
    raise Error(f"expected a device such as cuda:0 or emulator, got {name}")


def _find_device(inputs: tuple[Any, ...]) -> int | None:
    """The GPU that the inputs are on; None for host memory."""
    found: set[Any] = {one.device for one in inputs if is_tensor(one) and one.ndim}
    found |= {one.device for one in inputs if is_tensor(one) and one.is_cuda}
    if len(found) > 1:
        names = ", ".join(sorted(map(str, found)))
        raise Error(f"expected all tensors on one device, got {names}")
    device = next(iter(found), None)
    if device is None or device.type == "cpu":
        return None
    if device.type != "cuda":
        raise Error(f"expected tensors of the CPU or a GPU of CUDA, got {device}")
    return int(device.index)


def _describe(handle: c_void_p, index: int) -> Function:
    native = _native.library()
    info = _native.FunctionInfo()
    _native.check(native.nmProgramGetFunction(handle, index, byref(info)))

    def describe(get: Any, number: int) -> Value:
        value = _native.ValueInfo()
        _native.check(get(handle, index, number, byref(value)))
        shape = tuple(
            None if value.extents[axis] == -1 else value.extents[axis]
            for axis in range(value.rank)
        )
        kind = _native.ElementType(
            value.type.code, value.type.bits, value.type.lanes
        )
        return Value(
            value.name.decode(),
            value.element.decode(),
            shape,
            value.isNumber,
            value.isAllocated,
            kind,
        )

    return Function(
        info.name.decode(),
        tuple(describe(native.nmProgramGetArgument, i) for i in range(info.arguments)),
        tuple(describe(native.nmProgramGetResult, i) for i in range(info.results)),
        info.waits,
        info.allocates,
        index,
    )


class _HostCall:
    """Memory of the emulator for one call."""

    def __init__(self) -> None:
        self.context = _native.context(_native.EMULATOR, 0)
        self._owned: list[int] = []

    def __enter__(self) -> _HostCall:
        return self

    def __exit__(self, *error: object) -> None:
        for memory in self._owned:
            _native.library().nmrtFree(self.context, memory)

    def allocate(self, count: int) -> int:
        memory = c_void_p()
        native = _native.library()
        _native.check(native.nmrtAlloc(self.context, count, byref(memory)))
        self.own(memory.value or 0)
        return memory.value or 0

    def own(self, memory: int) -> None:
        self._owned.append(memory)


class _Frame:
    """The C structs of calls of one function by one thread, made once."""

    def __init__(self, handle: c_void_p, function: Function) -> None:
        self._handle = handle
        self.function = function
        self._native = _native.library()
        self.arguments = self._make(function.arguments)
        self.results = self._make(function.results)
        self.workspace_bytes = c_uint64()
        self._is_planned = False
        self._is_static = not any(
            None in one.shape or one.is_number for one in function.arguments
        )
        self.allocated = [i for i, one in enumerate(function.results) if one.is_allocated]
        self._types = [one.element for one in function.arguments]
        self._call = _native.Call(function.index)
        self._call.arguments = self.arguments
        self._call.results = self.results

    @staticmethod
    def _make(values: tuple[Value, ...]) -> Any:
        arrays = (_native.Array * max(len(values), 1))()
        for array, value in zip(arrays, values):
            array.element = value.type
            array.rank = len(value.shape)
            extents = (c_int64 * max(len(value.shape), 1))(
                *(-1 if extent is None else extent for extent in value.shape)
            )
            array.extents = extents
        return arrays

    def set_arguments(self, inputs: tuple[Any, ...]) -> list[Any]:
        """Describes the inputs; returns what has their memory."""
        arrays = []
        for index, (value, given) in enumerate(zip(self.function.arguments, inputs)):
            array = as_array(given, value.element, value.is_number)
            arrays.append(array)
            self._set(self.arguments[index], value, array, index)
        return arrays

    def _set(self, place: Any, value: Value, array: Any, index: int) -> None:
        element = ELEMENTS.get(get_dtype_name(array))
        shape = array.shape
        # The library says what is wrong with an array that does not fit; what it
        # cannot be told is said here, in its words.
        name = f" ({value.name})" if value.name else ""
        what = f"argument #{index} of {self.function.name}{name}"
        if element != value.element:
            got = element or get_dtype_name(array)
            row = NUMERIC_TYPES[value.element].dtype
            raise ProgramError(
                1,
                f"{what}: expected elements of type {value.element}, got {got}; convert "
                f"it first, .to(torch.{row}) or .astype({row!r})",
            )
        if len(shape) != len(value.shape):
            raise ProgramError(
                1, f"{what}: expected {len(value.shape)} dimensions, got {len(shape)}"
            )
        for axis, extent in enumerate(shape):
            place.extents[axis] = extent
        strides = get_strides(array)
        place.strides = (
            None if strides is None else (c_int64 * max(len(strides), 1))(*strides)
        )
        place.data = get_address(array)

    def make_results(self, like: Any, call: _HostCall | None = None) -> list[Any]:
        """Plans the call, and allocates what its caller provides: with `call`, memory
        of the emulator beside that of the host."""
        if not (self._is_static and self._is_planned):
            _native.check(
                self._native.nmProgramPlan(
                    self._handle,
                    self.function.index,
                    self.arguments,
                    self.results,
                    byref(self.workspace_bytes),
                )
            )
            self._is_planned = True
        results: list[Any] = []
        for place, value in zip(self.results, self.function.results):
            if value.is_allocated:
                results.append(None)
                continue
            shape = [place.extents[axis] for axis in range(place.rank)]
            host = like if call is None or not is_tensor(like) else like.cpu()
            if value.is_number and is_tensor(host):
                host = host.cpu()
            array = make_array(value.element, shape, host)
            results.append(array)
            if call is None or value.is_number:
                place.data = get_address(array)
            else:
                place.data = call.allocate(_count_bytes(place))
        return results

    def run(self, prepared: c_void_p, stream: int, workspace: int) -> None:
        self._call.stream = stream
        self._call.workspace = workspace
        self._call.workspaceBytes = self.workspace_bytes.value
        status = self._native.nmPreparedRun(prepared, byref(self._call))
        if status != 0:
            _native.fail(status)

    def upload_arguments(self, arrays: list[Any], call: _HostCall) -> None:
        for place, value, array in zip(
            self.arguments, self.function.arguments, arrays
        ):
            # Arrays with gaps are refused by the plan, which comes next.
            if value.is_number or place.strides:
                continue
            count = _count_bytes(place)
            memory = call.allocate(count)
            _native.check(
                self._native.nmrtUpload(
                    call.context, memory, get_address(array), count
                )
            )
            place.data = memory

    def adopt_result(self, index: int, like: Any, call: _HostCall) -> Any:
        place = self.results[index]
        call.own(place.data)
        shape = [place.extents[axis] for axis in range(place.rank)]
        return make_array(self.function.results[index].element, shape, like)

    def download_results(self, results: list[Any], call: _HostCall) -> None:
        for place, value, array in zip(self.results, self.function.results, results):
            if not value.is_number:
                _native.check(
                    self._native.nmrtDownload(
                        call.context, get_address(array), place.data, _count_bytes(place)
                    )
                )


def _count_bytes(place: Any) -> int:
    count = place.element.bits // 8
    for axis in range(place.rank):
        count *= place.extents[axis]
    return int(count)


def _take(frame: _Frame, index: int, like: Any, stream: int, ordinal: int) -> Any:
    """A result that the call allocated, as a tensor of torch's own memory."""
    native = _native.library()
    place = frame.results[index]
    context = _native.context(_native.CUDA, ordinal)
    shape = [place.extents[axis] for axis in range(place.rank)]
    result = make_array(frame.function.results[index].element, shape, like)
    try:
        _native.check(
            native.nmrtCopyOn(
                context, stream, result.data_ptr(), place.data, _count_bytes(place)
            )
        )
    finally:
        _native.check(native.nmrtFree(context, place.data))
    return result


__all__ = ["Function", "Program", "Value", "load"]
