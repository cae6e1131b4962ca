"""What the functions of a program take and give.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nm.runtime import _native
from nm.runtime.parameters import Parameters
from nm.runtime.program_weights import ProgramWeight, describe_weights


@dataclass(frozen=True)
class Value:
    """An argument or a result of a function.

    Attributes:
        name: its name in the model; "" if it has none.
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
        text = extents + self.element
        return f"{self.name}: {text}" if self.name else text


@dataclass(frozen=True)
class Function:
    """A function of a program.

    Attributes:
        name: its name.
        arguments: what it takes, in order, the state first.
        results: what it gives, in order, the new state first.
        state: the names of the buffers that the model writes; arguments and results
            begin with them.
        waits: whether a call may wait for the device, to read a number; such a call
            cannot be captured into a CUDA graph.
        allocates: whether a call may allocate, since a size depends on data.
        weights: those whose arrays are among the arguments.
    """

    name: str
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]
    state: tuple[str, ...]
    waits: bool
    allocates: bool
    index: int = field(default=0, repr=False)
    weights: tuple[ProgramWeight, ...] = ()

    @cached_property
    def parameters(self) -> Parameters:
        """What a call is given, but for the state."""
        values = self.arguments[len(self.state) :]
        names = tuple(value.name for value in values)
        return Parameters(self.name, names, tuple(map(str, values)), self.state)


def describe(program: c_void_p, index: int) -> Function:
    """Function `index` of a program."""
    native = _native.library()
    info = _native.FunctionInfo()
    _native.check(native.nmProgramGetFunction(program, index, byref(info)))

    def values(get: Any, count: int) -> tuple[Value, ...]:
        return tuple(_describe_value(get, program, index, i) for i in range(count))

    arguments = values(native.nmProgramGetArgument, info.arguments)
    return Function(
        info.name.decode(),
        arguments,
        values(native.nmProgramGetResult, info.results),
        tuple(value.name for value in arguments[: info.state]),
        info.waits,
        info.allocates,
        index,
        describe_weights(program, index, info.weights),
    )


def _describe_value(get: Any, program: c_void_p, index: int, number: int) -> Value:
    value = _native.ValueInfo()
    _native.check(get(program, index, number, byref(value)))
    extents = (value.extents[axis] for axis in range(value.rank))
    return Value(
        value.name.decode(),
        value.element.decode(),
        tuple(None if extent == -1 else extent for extent in extents),
        value.isNumber,
        value.isAllocated,
        # A copy: the struct above lives as long as this function.
        _native.ElementType(value.type.code, value.type.bits, value.type.lanes),
    )
