"""Programs: compiled modules that are called in this process.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import weakref
from collections.abc import Sequence
from ctypes import byref, c_uint64, c_void_p
from pathlib import Path
from typing import Any, BinaryIO

from nm.errors import Error
from nm.numbers.arrays import get_address, make_array, to_host
from nm.pruning.comparison import Comparison, compare
from nm.pruning.prune import PruneReport
from nm.runtime import _native
from nm.runtime._files import replace_file
from nm.runtime.calls import Frame, HostCall
from nm.runtime.parameters import check_keywords
from nm.runtime.program_weights import ProgramWeight, order, pack
from nm.runtime.results import Results
from nm.runtime.signature import Function, Value, describe

_LEGACY_STREAM = 1  # CUDA's name for torch's default stream, whose handle is 0


class Program:
    """A compiled module. Call it with the arguments of its function, in order or by the
    names that they have in the model:

        program = nm.load("model.nm")
        (y,) = program(x)
        hidden = program(tokens, attention_mask=mask).output0

    CUDA tensors are used where they lie, on torch's current stream of their device;
    results and temporaries come from torch's allocator, and the call only enqueues
    kernels, so that it can be captured by `torch.cuda.graph`. CPU tensors and numpy
    arrays are computed in the emulator, or copied to the GPU that `device` names. A
    program may be called from several threads; it is prepared on a device by the first
    call there, or by `prepare`.

    Attributes:
        functions: its functions by name.
        report: what was done with each product and kernel (docs/Report.md).
        chip: what its kernels were chosen for, such as "sm_90".
        version: of the nm that made it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lock = threading.Lock()
        self._prepared: dict[tuple[int, int], c_void_p] = {}
        self._frames = threading.local()
        native = _native.library()
        handle = c_void_p()
        # What `save` reads, also when the name is gone.
        # A pipe is no program: opening one that nobody writes to is not to wait.
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        weakref.finalize(self, os.close, self._file)
        _native.check(native.nmProgramLoad(os.fsencode(path), byref(handle)))
        self._handle = handle
        # Prepared programs go before the program, whichever way this one ends.
        weakref.finalize(self, _release, handle, self._prepared)
        info = _native.ProgramInfo()
        _native.check(native.nmProgramGetInfo(handle, byref(info)))
        self.version = info.version.decode()
        self.chip = info.chip.decode()
        self.report: dict[str, Any] = json.loads(info.report or b"{}")
        described = [describe(handle, index) for index in range(info.functions)]
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

        def copy(file: BinaryIO) -> None:
            while piece := os.pread(self._file, 1 << 20, file.tell()):
                file.write(piece)

        replace_file(target, copy)
        return target

    def compare(self, pruned: PruneReport) -> Comparison:
        """What became of the weights that `nm.prune` pruned before the model was
        exported: which are computed sparsely, which are not, and why.

        Args:
            pruned: what `nm.prune` returned.
        """
        return compare(self.report, pruned)

    def verify(self) -> None:
        """Reads the data of all constants; otherwise it is seen when the program is
        prepared on a device that they are damaged.

        Raises:
            ProgramError: they are.
        """
        _native.check(_native.library().nmProgramVerify(self._handle))

    def prepare(self, device: Any = "emulator") -> None:
        """Loads the kernels and uploads the weights, which the first call on a device
        does otherwise.

        Args:
            device: "emulator", or what torch.device takes for a GPU: "cuda:0".

        Raises:
            ProgramError: there is no such device, or nothing of the program runs there.
        """
        self.get_prepared(*parse_device(device))

    def check(self, device: Any = "emulator") -> None:
        """Raises what an assertion of a kernel said since the last check. Waits for
        nothing: what is still running says it later (`torch.cuda.synchronize`)."""
        native = _native.library()
        _native.check(
            native.nmrtCheckAssertions(_native.context(*parse_device(device)))
        )

    def initial_state(
        self, function: str | None = None, like: Any | None = None
    ) -> tuple[Any, ...]:
        """What the state of a function begins with, for a first call.

        Args:
            function: its name; by default the only one.
            like: a tensor on whose device the state is made; without one, numpy arrays.

        Returns:
            Arrays of the types of the arguments that are state; () if none is.
        """
        chosen = self.find_function(function)
        return tuple(
            self._make_initial(chosen, index, like) for index in range(len(chosen.state))
        )

    def _make_initial(self, function: Function, index: int, like: Any | None) -> Any:
        data, count = c_void_p(), c_uint64()
        _native.check(
            _native.library().nmProgramGetInitialState(
                self._handle, function.index, index, byref(data), byref(count)
            )
        )
        value = function.arguments[index]
        shape = [extent or 0 for extent in value.shape]  # the file says it is static
        array = make_array(value.element, shape, to_host(like))
        ctypes.memmove(get_address(array), data, count.value)
        return array if like is None else array.to(like.device)

    def __call__(
        self,
        /,
        *inputs: Any,
        function: str | None = None,
        device: Any | None = None,
        state: Sequence[Any] | None = None,
        **named: Any,
    ) -> Results:
        """Calls a function, by default the only one.

        Args:
            inputs: its arguments in order, but for the state: tensors or arrays of
                exactly its types and shapes, row-major and without gaps, and numbers.
                All tensors are on one device.
            function: its name. An argument of the model that is called `function`,
                `device` or `state` is given by position.
            device: "emulator" (also "cpu", where its arrays are: there are no other
                kernels for a CPU), or a GPU such as "cuda:0", for arrays in host memory,
                which are copied there, and the results back.
            state: the values of the state, in order; by default `initial_state`. The
                results begin with the new ones.
            named: the arguments after `inputs`, by their names in the model, which
                `functions` and the program's repr() tell.

        Returns:
            The results in order: tensors, where the inputs are, if any input is one,
            else numpy arrays. A tuple whose elements also have the names of the model's
            results (`collections.namedtuple`): `_0` for the first if its name is no
            identifier of Python, or is another's as well.

        Raises:
            ArgumentError: an argument is missing, unknown, or given twice.
            ProgramError: an argument does not fit, an assertion of the model failed,
                or the device did; nothing has run unless str() says otherwise.
            Error: the inputs are of several devices, or are no arrays.
        """
        if function is not None or device is not None:
            check_keywords(function=function, device=device)
        chosen = self.find_function(function)
        inputs = chosen.parameters.bind(inputs, named)
        like, found = _find_tensors(inputs if state is None else (*inputs, *state))
        if chosen.state:
            inputs = (*self._get_state(chosen, state, like), *inputs)
        elif state is not None and len(state) > 0:
            raise Error(f"state: expected none, got {len(state)} values")
        frame = self._get_frame(chosen)
        if found is not None and (device is None or parse_device(device) == found):
            return self._call_cuda(frame, inputs, like, found[1])
        if found is not None:
            raise Error(f"expected tensors of {device}, or of the CPU, got cuda:{found[1]}")
        kind, ordinal = parse_device("emulator" if device is None else device)
        prepared = self.get_prepared(kind, ordinal)
        with HostCall(frame, _native.context(kind, ordinal)) as call:
            return frame.result_type._make(call.run(prepared, inputs, like))

    def _get_state(
        self, function: Function, state: Sequence[Any] | None, like: Any | None
    ) -> Sequence[Any]:
        if state is None:
            return self.initial_state(function.name, like)
        if len(state) != len(function.state):
            raise Error(
                f"state: expected {len(function.state)} ({', '.join(function.state)}), "
                f"got {len(state)} values"
            )
        return state

    def find_function(self, name: str | None = None) -> Function:
        """The function `name`, or the only one.

        Raises:
            Error: there is none; says which there are.
        """
        if name is None and len(self.functions) == 1:
            return next(iter(self.functions.values()))
        if name is None or name not in self.functions:
            known = ", ".join(self.functions)
            raise Error(f"expected function= of one of {known}, got {name}")
        return self.functions[name]

    def pack_weight(
        self, weight: ProgramWeight, layout: int, values: Any, positions: Any
    ) -> tuple[Any, Any]:
        """The arrays of a layout of a weight that the only function takes.

        Args:
            weight: one of that function's `weights`.
            layout: its number among the weight's.
            values, positions: the condensed form (docs/Spec.md, 2): tensors or numpy
                arrays in host memory, row-major. Without values (None) the indices
                alone are made.

        Returns:
            Values (or None) and indices, of the kind of `positions`: what the arguments
            are that `weight.layouts[layout]` names.

        Raises:
            ProgramError: positions do not ascend in their windows.
            Error: the arrays are not those of the weight's condensed form.
        """
        function = self.find_function()
        which = weight.layouts[layout]
        weight.check(values, positions)
        made: list[Any] = []
        for argument in (which.values, which.indices):
            value = function.arguments[argument]
            shape = [extent or 0 for extent in value.shape]  # arrays of weights are static
            wanted = values is not None or argument == which.indices
            made.append(make_array(value.element, shape, positions) if wanted else None)
        given = [
            0 if array is None else get_address(array)
            for array in (values, positions, *made)
        ]
        pack(self._handle, function.index, weight.number, layout, *given)
        return made[0], made[1]

    def order_weight(self, weight: ProgramWeight, layout: int, positions: Any) -> Any:
        """The order of the rows of a layout (`WeightLayout`): [rows / rows of a unit,
        columns / order_columns] int32, of the kind of `positions`: which unit row of
        the condensed form, or of the zeros behind it, lies in each place. Arguments and
        errors are those of `pack_weight`."""
        which = weight.layouts[layout]
        weight.check(None, positions)
        shape = [which.rows // weight.pattern.unit[0], which.columns // which.order_columns]
        made = make_array("i32", shape, positions)
        order(
            self._handle,
            self.find_function().index,
            weight.number,
            layout,
            get_address(positions),
            get_address(made),
        )
        return made

    def _get_frame(self, function: Function) -> Frame:
        frames: dict[int, Frame] | None = getattr(self._frames, "all", None)
        if frames is None:
            frames = self._frames.all = {}
        if function.index not in frames:
            frames[function.index] = Frame(self._handle, function)
        return frames[function.index]

    def make_frame(self, function: str | None = None) -> Frame:
        """The C structs of calls of a function, by default the only one."""
        return Frame(self._handle, self.find_function(function))

    def get_prepared(self, kind: int, ordinal: int) -> c_void_p:
        """What the program is on a device (`parse_device`): prepared when first asked
        for."""
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
        self, frame: Frame, inputs: tuple[Any, ...], like: Any, ordinal: int
    ) -> Results:
        torch = sys.modules["torch"]
        prepared = self.get_prepared(_native.CUDA, ordinal)
        stream = torch._C._cuda_getCurrentRawStream(ordinal) or _LEGACY_STREAM
        arrays = frame.set_tensors(inputs)
        frame.plan()
        results = frame.make_results(like)
        workspace = None
        if frame.workspace_bytes.value:
            workspace = torch.empty(
                frame.workspace_bytes.value, dtype=torch.uint8, device=like.device
            )
        frame.run(prepared, stream, workspace.data_ptr() if workspace is not None else 0)
        for index in frame.allocated:
            context = _native.context(_native.CUDA, ordinal)
            results[index] = frame.take_result(index, like, stream, context)
        del arrays
        return frame.result_type._make(results)


def _release(handle: c_void_p, prepared: dict[tuple[int, int], c_void_p]) -> None:
    native = _native.library()
    for one in prepared.values():
        native.nmPreparedRelease(one)
    native.nmProgramRelease(handle)


def parse_device(device: Any) -> tuple[int, int]:
    """The kind and the number of a device such as "cuda:0" or "emulator", which "cpu",
    where its tensors are, stands for too.

    Raises:
        Error: it is none.
    """
    name = str(device)
    if name in ("emulator", "cpu"):
        return _native.EMULATOR, 0
    kind, _, ordinal = name.partition(":")
    if kind == "cuda" and (ordinal.isdigit() or not ordinal):
        return _native.CUDA, int(ordinal or 0)
    raise Error(f"expected a device such as cuda:0 or emulator, got {name}")


def _find_tensors(inputs: tuple[Any, ...]) -> tuple[Any, tuple[int, int] | None]:
    """The first tensor, and the GPU that they are on; None for neither."""
    torch = sys.modules.get("torch")
    like: Any = None
    device: Any = None
    for one in inputs if torch is not None else ():
        if not isinstance(one, torch.Tensor):  # type: ignore[union-attr]
            continue
        if like is None:
            like = one
        # A number may be on the CPU.
        if not (one.is_cuda or one.ndim):
            continue
        if device is not None and one.device != device:
            names = ", ".join(sorted(map(str, (device, one.device))))
            raise Error(f"expected all tensors on one device, got {names}")
        device = one.device
    if device is None or device.type == "cpu":
        return like, None
    if device.type != "cuda":
        raise Error(f"expected tensors of the CPU or a GPU of CUDA, got {device}")
    return like, (_native.CUDA, int(device.index))


__all__ = ["Function", "Program", "Value", "load"]
