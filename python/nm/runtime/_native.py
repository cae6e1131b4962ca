"""libnm.so: the C interface of the runtime and of programs, by ctypes.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Structs and functions are those of include/nm-c (Runtime.h, Program.h, Pattern.h), by the
names that they have there.
"""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path

from nm.errors import Error, ProgramError

API_VERSION = 5
CUDA, EMULATOR = 0, 1
CHECK_ALL = 31


class ContextOptions(Structure):
    _fields_ = [
        ("apiVersion", c_uint32),
        ("device", c_int32),
        ("deviceOrdinal", c_int32),
        ("emulatorChecks", c_uint32),
        ("emulatorSeed", c_uint64),
        ("emulatorThreads", c_uint32),
        ("recordKernels", c_bool),
        ("emulatorCounters", c_bool),
        ("allocator", c_void_p * 3),
    ]


class Counters(Structure):
    _fields_ = [
        (name, c_uint64)
        for name in (
            "launches",
            "allocations",
            "driverAllocations",
            "frees",
            "synchronizations",
            "moduleLoads",
            "uploads",
            "downloads",
            "copies",
        )
    ]


class ElementType(Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class Array(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("element", ElementType),
        ("rank", c_int32),
        ("extents", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
    ]


class ProgramInfo(Structure):
    _fields_ = [
        ("version", c_char_p),
        ("llvmVersion", c_char_p),
        ("source", c_char_p),
        ("chip", c_char_p),
        ("report", c_char_p),
        ("functions", c_uint32),
        ("kernels", c_uint32),
        ("constants", c_uint32),
        ("constantBytes", c_uint64),
    ]


class FunctionInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("arguments", c_uint32),
        ("results", c_uint32),
        ("state", c_uint32),
        ("waits", c_bool),
        ("allocates", c_bool),
        ("weights", c_uint32),
    ]


class WeightInfo(Structure):
    _fields_ = [
        ("element", c_char_p),
        ("type", ElementType),
        ("k", c_int64),
        ("n", c_int64),
        ("keep", c_int64),
        ("window", c_int64),
        ("unitK", c_int64),
        ("unitN", c_int64),
        ("layouts", c_uint32),
    ]


class WeightLayout(Structure):
    _fields_ = [
        ("values", c_uint32),
        ("indices", c_uint32),
        ("valuesKey", c_char_p),
        ("indicesKey", c_char_p),
        ("rows", c_int64),
        ("columns", c_int64),
        ("panelColumns", c_int64),
        ("laneRows", c_int64),
        ("isFragments", c_bool),
        ("isOrdered", c_bool),
        ("orderColumns", c_int64),
    ]


class ValueInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("element", c_char_p),
        ("type", ElementType),
        ("isNumber", c_bool),
        ("isAllocated", c_bool),
        ("rank", c_int32),
        ("extents", POINTER(c_int64)),
    ]


class Call(Structure):
    _fields_ = [
        ("function", c_uint32),
        ("stream", c_void_p),
        ("arguments", POINTER(Array)),
        ("results", POINTER(Array)),
        ("workspace", c_void_p),
        ("workspaceBytes", c_uint64),
    ]


class PatternStruct(Structure):
    """nmPattern."""

    _fields_ = [(name, c_int64) for name in ("keep", "window", "unitK", "unitN")]


# The parameters of each function that returns a status.
_FUNCTIONS = {
    "nmrtContextCreate": [
        POINTER(ContextOptions), POINTER(c_void_p), c_char_p, ctypes.c_size_t
    ],
    "nmrtAlloc": [c_void_p, c_uint64, POINTER(c_void_p)],
    "nmrtFree": [c_void_p, c_void_p],
    "nmrtUpload": [c_void_p, c_void_p, c_void_p, c_uint64],
    "nmrtDownload": [c_void_p, c_void_p, c_void_p, c_uint64],
    "nmrtCopyOn": [c_void_p, c_void_p, c_void_p, c_void_p, c_uint64],
    "nmrtSynchronizeOn": [c_void_p, c_void_p],
    "nmrtCheckAssertions": [c_void_p],
    "nmrtGetCounters": [c_void_p, POINTER(Counters)],
    "nmPatternFind": [
        c_void_p, c_int64, c_int64, c_double, c_double, POINTER(PatternStruct),
        POINTER(c_bool),
    ],
    "nmPatternSelect": [c_void_p, c_int64, c_int64, POINTER(PatternStruct), c_void_p],
    "nmProgramLoad": [c_char_p, POINTER(c_void_p)],
    "nmProgramVerify": [c_void_p],
    "nmProgramGetInfo": [c_void_p, POINTER(ProgramInfo)],
    "nmProgramGetFunction": [c_void_p, c_uint32, POINTER(FunctionInfo)],
    "nmProgramGetArgument": [c_void_p, c_uint32, c_uint32, POINTER(ValueInfo)],
    "nmProgramGetResult": [c_void_p, c_uint32, c_uint32, POINTER(ValueInfo)],
    "nmProgramGetInitialState": [
        c_void_p, c_uint32, c_uint32, POINTER(c_void_p), POINTER(c_uint64)
    ],
    "nmProgramGetWeight": [c_void_p, c_uint32, c_uint32, POINTER(WeightInfo)],
    "nmProgramGetWeightLayout": [
        c_void_p, c_uint32, c_uint32, c_uint32, POINTER(WeightLayout)
    ],
    "nmProgramOrderWeight": [c_void_p, c_uint32, c_uint32, c_uint32, c_void_p, c_void_p],
    "nmProgramPackWeight": [
        c_void_p, c_uint32, c_uint32, c_uint32, c_void_p, c_void_p, c_void_p, c_void_p
    ],
    "nmProgramPlan": [
        c_void_p, c_uint32, POINTER(Array), POINTER(Array), POINTER(c_uint64)
    ],
    "nmProgramPrepare": [c_void_p, c_void_p, POINTER(c_void_p)],
    "nmPreparedRun": [c_void_p, POINTER(Call)],
}


def _find_library() -> Path:
    """libnm.so of the package, or beside the tools (nm.runtime.tools.find_tool)."""
    name = "libnm.so"
    inside = Path(__file__).resolve().parents[1] / "lib" / name
    folder = os.environ.get("NM_BIN")
    checkout = Path(__file__).resolve().parents[3]
    built = checkout / "build" / "release" / "lib" / name
    places = [Path(folder).parent / "lib" / name] if folder else [inside, built]
    for place in places:
        if place.is_file():
            return place
    raise Error(
        f"{name} not found at {' nor at '.join(map(str, places))}: build nm "
        "(README.md), and set NM_BIN to the folder of its tools"
    )


@functools.cache
def library() -> ctypes.CDLL:
    """The library, loaded on first use.

    Raises:
        Error: there is none, or it is of another version.
    """
    path = _find_library()
    loaded = ctypes.CDLL(str(path))
    version = loaded.nmrtApiVersion()
    if version != API_VERSION:
        raise Error(
            f"expected version {API_VERSION} of the runtime, got {version} of {path}"
        )
    for name, parameters in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.argtypes = parameters
        function.restype = c_int32
    loaded.nmrtLastError.restype = c_char_p
    loaded.nmrtDeviceCapability.argtypes = [c_void_p]
    loaded.nmrtDeviceName.argtypes = [c_void_p]
    loaded.nmrtDeviceName.restype = c_char_p
    for name in ("nmProgramRelease", "nmPreparedRelease"):
        getattr(loaded, name).argtypes = [c_void_p]
        getattr(loaded, name).restype = None
    return loaded


def fail(status: int) -> None:
    """Raises the last error of this thread."""
    raise ProgramError(status, library().nmrtLastError().decode("utf-8", "replace"))


def check(status: int) -> None:
    if status != 0:
        fail(status)


@functools.cache
def context(kind: int, ordinal: int) -> c_void_p:
    """The context of a device: one a process, which lives as long as it."""
    options = ContextOptions(API_VERSION, kind, ordinal, CHECK_ALL, 0, 1)
    handle = c_void_p()
    error = ctypes.create_string_buffer(4096)
    status = library().nmrtContextCreate(
        byref(options), byref(handle), error, len(error)
    )
    if status != 0:
        raise ProgramError(status, error.value.decode("utf-8", "replace"))
    return handle
