# emulate_ptx.py - Launches a kernel of any PTX text in nm's emulator.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For PTX that nm-compile did not make; needs libnm.so (NM_BIN, or the checkout's build).
All checks of the emulator are on: a race or a stray access is an error."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from nm import _native  # noqa: E402


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


def launch(ptx, name, grid, threads, shared_bytes, arrays):
    """Runs the kernel on copies of NumPy arrays, one a parameter, and writes back what it
    left in them."""
    kernel = get_kernel(ptx, name)
    pointers = [ctypes.c_void_p() for _ in arrays]
    for pointer, array in zip(pointers, arrays):
        call("nmrtAlloc", array.nbytes, ctypes.byref(pointer))
        call("nmrtUpload", pointer, array.ctypes.data, array.nbytes)
    parameters = (Parameter * len(arrays))(
        *((ctypes.addressof(pointer), 8) for pointer in pointers)
    )
    config = LaunchConfig(
        grid=(*grid, 1, 1)[:3], block=(threads, 1, 1), sharedBytes=shared_bytes,
        parameters=parameters, parameterCount=len(arrays),
    )
    call("nmrtLaunch", kernel, ctypes.byref(config))
    for pointer, array in zip(pointers, arrays):
        call("nmrtDownload", array.ctypes.data, pointer, array.nbytes)
        call("nmrtFree", pointer)
