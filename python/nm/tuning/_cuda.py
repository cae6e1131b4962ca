"""CUDA graphs and events, by ctypes on the driver: what it takes to time launches.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The runtime of nm launches kernels and has no graphs: who calls a program captures it
(torch.cuda.graph does). Here that is done without torch.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from ctypes import byref, c_char_p, c_float, c_int, c_uint, c_ulonglong, c_void_p

from nm.errors import Error

_NON_BLOCKING = 1  # a stream that does not wait for the null stream
_THREAD_LOCAL = 1  # what other threads do does not end a capture

_PARAMETERS = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [c_void_p],
    "cuDeviceGet": [c_void_p, c_int],
    "cuDevicePrimaryCtxRetain": [c_void_p, c_int],
    "cuCtxSetCurrent": [c_void_p],
    "cuStreamCreate": [c_void_p, c_uint],
    "cuStreamBeginCapture_v2": [c_void_p, c_int],
    "cuStreamEndCapture": [c_void_p, c_void_p],
    "cuGraphInstantiateWithFlags": [c_void_p, c_void_p, c_ulonglong],
    "cuGraphLaunch": [c_void_p, c_void_p],
    "cuGraphDestroy": [c_void_p],
    "cuGraphExecDestroy": [c_void_p],
    "cuEventCreate": [c_void_p, c_uint],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuEventSynchronize": [c_void_p],
    "cuEventElapsedTime": [c_void_p, c_void_p, c_void_p],
}


class Stream:
    """A stream on the GPU that the runtime uses under the same number, too.

    Attributes:
        handle: what the runtime takes.

    Raises:
        Error: there is no driver, or no such GPU.
    """

    def __init__(self, ordinal: int) -> None:
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Error(f"expected a GPU with CUDA's driver: {error}") from None
        device, self._context = c_int(), c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", byref(device), ordinal)
        # The one of the runtime.
        self._call("cuDevicePrimaryCtxRetain", byref(self._context), device)
        self._call("cuCtxSetCurrent", self._context)
        stream = c_void_p()
        self._call("cuStreamCreate", byref(stream), _NON_BLOCKING)
        self.handle = stream.value or 0
        self._events = [self._make_event() for _ in range(2)]

    def _call(self, name: str, *arguments: object) -> None:
        function = getattr(self._library, name)
        function.argtypes = _PARAMETERS[name]
        if status := function(*arguments):
            text = c_char_p()
            self._library.cuGetErrorString(c_int(status), byref(text))
            said = (text.value or b"unknown error").decode()
            raise Error(f"{name}: {said} (CUDA error {status})")

    def _make_event(self) -> c_void_p:
        event = c_void_p()
        self._call("cuEventCreate", byref(event), 0)
        return event

    def get_cuda_version(self) -> str:
        """The newest CUDA that the driver knows, such as "13.0"."""
        version = c_int()
        self._call("cuDriverGetVersion", byref(version))
        return f"{version.value // 1000}.{version.value % 1000 // 10}"

    @contextlib.contextmanager
    def captured(self, enqueue: Callable[[], None]) -> Iterator[Callable[[], None]]:
        """A call that launches what `enqueue` enqueues on this stream."""
        graph, executable = c_void_p(), c_void_p()
        self._call("cuStreamBeginCapture_v2", self.handle, _THREAD_LOCAL)
        try:
            enqueue()
        except BaseException:
            # What went wrong is said by whom it went wrong with.
            self._library.cuStreamEndCapture(c_void_p(self.handle), byref(graph))
            raise
        self._call("cuStreamEndCapture", self.handle, byref(graph))
        self._call("cuGraphInstantiateWithFlags", byref(executable), graph, 0)
        self._call("cuGraphDestroy", graph)
        try:
            yield lambda: self._call("cuGraphLaunch", executable, self.handle)
        finally:
            self._call("cuGraphExecDestroy", executable)

    def time(self, launch: Callable[[], None], count: int) -> float:
        """Milliseconds of `count` calls of `launch`, one after the other."""
        begin, end = self._events
        self._call("cuEventRecord", begin, self.handle)
        for _ in range(count):
            launch()
        self._call("cuEventRecord", end, self.handle)
        self._call("cuEventSynchronize", end)
        milliseconds = c_float()
        self._call("cuEventElapsedTime", byref(milliseconds), begin, end)
        return milliseconds.value


def get_driver_version(stream: Stream) -> str:
    """The version of the driver, such as "580.95.05", or else that of its CUDA."""
    text = ctypes.create_string_buffer(96)
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
        if not library.nvmlInit_v2():
            if not library.nvmlSystemGetDriverVersion(text, len(text)):
                return text.value.decode()
    except (OSError, AttributeError):
        pass
    return f"CUDA {stream.get_cuda_version()}"
