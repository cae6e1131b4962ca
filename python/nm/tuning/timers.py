"""How long a program of one product takes.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from ctypes import byref, c_void_p
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nm.errors import Error
from nm.runtime import _native
from nm.runtime.calls import Frame, count_bytes
from nm.runtime.program import Program, parse_device
from nm.tuning.products import draw_numbers

_SEED = 2
_WARM_UP = 3  # calls
_BATCHES = 5  # of which the median counts
_BATCH_MILLISECONDS = 10.0
_MOST_CALLS = 10  # in a graph
_GRAPH_WORK = 2e10  # multiply-adds in a graph, about, so that the host does not count


class Timer(Protocol):
    """What measures programs.

    Attributes:
        capability: of the device they are compiled for, such as 90.
        gpu: the name of the device.
        driver: the version of its driver.
    """

    capability: int
    gpu: str
    driver: str

    def measure(self, path: Path, work: float) -> float:
        """Microseconds of a call of the program, which does `work` multiply-adds."""


class RandomCall:
    """A call of a program's only function on random data that is on the device."""

    def __init__(self, program: Program, kind: int, ordinal: int) -> None:
        self._native = _native.library()
        self._context = _native.context(kind, ordinal)
        self._memory: list[int] = []
        self._program = program  # which what is prepared belongs to
        self._prepared = program.get_prepared(kind, ordinal)
        self._frame = frame = program.make_frame()
        rng = np.random.default_rng(_SEED)
        for place, value in zip(frame.arguments, frame.function.arguments):
            count = count_bytes(place)
            data = draw_numbers(value.element, count * 8 // place.element.bits, rng)
            place.data = self._allocate(count)
            address = data.ctypes.data
            _native.check(self._native.nmrtUpload(self._context, place.data, address, count))
        frame.plan()
        for place in frame.results[: len(frame.function.results)]:
            place.data = self._allocate(count_bytes(place))
        self._workspace = self._allocate(frame.workspace_bytes.value)

    def __enter__(self) -> RandomCall:
        return self

    def __exit__(self, *error: object) -> None:
        for memory in self._memory:
            self._native.nmrtFree(self._context, memory)

    def _allocate(self, count: int) -> int:
        memory = c_void_p()
        _native.check(self._native.nmrtAlloc(self._context, count, byref(memory)))
        self._memory.append(memory.value or 0)
        return memory.value or 0

    def synchronize(self) -> None:
        """Waits for the uploads."""
        _native.check(self._native.nmrtSynchronizeOn(self._context, None))

    def enqueue(self, stream: int) -> None:
        """Enqueues the call on a stream."""
        self._frame.run(self._prepared, stream, self._workspace)


class CudaTimer:
    """Times on a GPU, warm, by its own events: of a graph of several calls, the median
    of some batches of launches.

    Raises:
        Error: there is no such GPU.
    """

    def __init__(self, device: str = "cuda:0") -> None:
        from nm.tuning._cuda import Stream, get_driver_version

        self._kind, self._ordinal = parse_device(device)
        if self._kind != _native.CUDA:
            raise Error(f"expected a GPU such as cuda:0, got {device}")
        context = _native.context(self._kind, self._ordinal)
        native = _native.library()
        self.capability = int(native.nmrtDeviceCapability(context))
        self.gpu = native.nmrtDeviceName(context).decode()
        self._stream = Stream(self._ordinal)
        self.driver = get_driver_version(self._stream)

    def measure(self, path: Path, work: float) -> float:
        """As Timer says.

        Raises:
            ProgramError: the program cannot be loaded or called.
            Error: the driver refuses something.
        """
        with RandomCall(Program(path), self._kind, self._ordinal) as call:
            call.synchronize()
            # The first call may load what later ones have.
            call.enqueue(self._stream.handle)
            calls = max(1, min(_MOST_CALLS, int(_GRAPH_WORK / max(work, 1))))

            def enqueue() -> None:
                for _ in range(calls):
                    call.enqueue(self._stream.handle)

            with self._stream.captured(enqueue) as launch:
                return get_median(self._stream.time, launch) * 1e3 / calls


def get_median(
    time: Callable[[Any, int], float], launch: Callable[[], None]
) -> float:
    """Milliseconds of a launch, by `time(launch, count)`, which gives those of many."""
    time(launch, _WARM_UP)
    count = max(5, min(50, int(_BATCH_MILLISECONDS / max(time(launch, 1), 0.01))))
    return statistics.median(time(launch, count) / count for _ in range(_BATCHES))
