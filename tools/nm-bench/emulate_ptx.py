# emulate_ptx.py - Launches a kernel of any PTX text in nm's emulator.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For PTX that nm-compile did not make; needs libnm.so (NM_BIN, or the checkout's build).
All checks of the emulator are on: a race or a stray access is an error."""

import ctypes
import dataclasses
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from nm.runtime import _native  # noqa: E402


class Parameter(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint64 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("cluster", ctypes.c_uint32 * 3),
        ("sharedBytes", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("stream", ctypes.c_void_p),
        ("what", ctypes.c_char_p),
        ("parameters", ctypes.POINTER(Parameter)),
        ("parameterCount", ctypes.c_uint32),
    ]


class TensorMapConfig(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_void_p),
        ("extents", ctypes.c_uint64 * 5),
        ("strides", ctypes.c_uint64 * 4),
        ("box", ctypes.c_uint32 * 5),
        ("elementStrides", ctypes.c_uint32 * 5),
        ("rank", ctypes.c_uint32),
        ("elementType", ctypes.c_int32),
        ("interleave", ctypes.c_int32),
        ("swizzle", ctypes.c_int32),
        ("l2Promotion", ctypes.c_int32),
        ("outOfBounds", ctypes.c_int32),
    ]


TensorMap = ctypes.c_uint64 * 16
FLOAT32 = 7  # of CUtensorMapDataType


@dataclasses.dataclass(frozen=True)
class Boxes:
    """A matrix of f32 of which a kernel takes a tensor map, by which the copy engine fetches
    boxes of so many rows and columns."""

    array: np.ndarray
    box: tuple[int, int]

    def encode(self, pointer):
        rows, columns = self.array.shape
        config = TensorMapConfig(
            address=pointer, extents=(columns, rows), strides=(self.array.strides[0],),
            box=self.box[::-1], elementStrides=(1, 1), rank=2, elementType=FLOAT32)
        encoded = TensorMap()
        call("nmrtTensorMapEncode", ctypes.byref(config), ctypes.byref(encoded))
        return encoded


def call(name, *arguments):
    """Calls a function of Runtime.h on the emulator's context."""
    library = _native.library()
    function = getattr(library, name)
    if function.argtypes is None:
        # Integers among the arguments are pointers or sizes of 64 bits.
        arguments = [
            ctypes.c_uint64(one) if isinstance(one, int) else one for one in arguments
        ]
    _native.check(function(_native.context(_native.EMULATOR, 0), *arguments))


def get_kernel(ptx, name):
    text = ptx.encode("ascii")
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    call("nmrtModuleLoad", text, len(text), ctypes.byref(module))
    call("nmrtKernelGet", module, name.encode("ascii"), ctypes.byref(kernel))
    return kernel


def launch(ptx, name, grid, threads, shared_bytes, arguments):
    """Runs the kernel on copies of NumPy arrays, one a parameter, or Boxes of one, and writes
    back what it left in them."""
    kernel = get_kernel(ptx, name)
    arrays = [one.array if isinstance(one, Boxes) else one for one in arguments]
    pointers = [ctypes.c_void_p() for _ in arrays]
    for pointer, array in zip(pointers, arrays):
        call("nmrtAlloc", array.nbytes, ctypes.byref(pointer))
        call("nmrtUpload", pointer, array.ctypes.data, array.nbytes)
    values = [
        one.encode(pointer) if isinstance(one, Boxes) else pointer
        for one, pointer in zip(arguments, pointers)
    ]
    parameters = (Parameter * len(values))(
        *((ctypes.addressof(value), ctypes.sizeof(value)) for value in values)
    )
    config = LaunchConfig(
        grid=(*grid, 1, 1)[:3], block=(threads, 1, 1), sharedBytes=shared_bytes,
        parameters=parameters, parameterCount=len(values),
    )
    call("nmrtLaunch", kernel, ctypes.byref(config))
    for pointer, array in zip(pointers, arrays):
        call("nmrtDownload", array.ctypes.data, pointer, array.nbytes)
        call("nmrtFree", pointer)
