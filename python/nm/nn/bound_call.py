"""Calls of a product whose weight stays: as little of the host's time as Python allows.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import threading
from ctypes import byref, c_void_p
from typing import Any

import torch

from nm.nn.arrays import split_packed
from nm.runtime import _native
from nm.runtime.calls import Frame
from nm.runtime.program import Program

_ATTRIBUTE = "_nm_bound_calls"  # of a packed weight: by product
_LEGACY_STREAM = 1  # CUDA's name for torch's default stream, whose handle is 0
_MOST_PLANS = 1024  # numbers of rows whose workspace is remembered


class _Frame:
    """The C structs of a thread, of which each call writes those of x and y, and the bytes of
    the workspace by rows. Looking them up in the frame would take as long as writing them."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.call = frame, frame.call
        self.reference = byref(frame.call)
        self.x, self.y = frame.arguments[0], frame.results[0]
        self.x_extents, self.y_extents = self.x.extents, self.y.extents
        self.plans: dict[int, int] = {}


class BoundCall:
    """A program's function with one weight on a GPU.

    Args:
        program: of a product.
        packed: the arrays that it takes of the weight (nm.nn.arrays).
        scale, bias: [n]; None for none.
    """

    def __init__(
        self,
        program: Program,
        packed: torch.Tensor,
        scale: torch.Tensor | None,
        bias: torch.Tensor | None,
    ) -> None:
        self._program = program
        self.addresses = get_addresses(packed, scale, bias)
        self._index: int = packed.device.index
        self._prepared: c_void_p = program.get_prepared(_native.CUDA, self._index)
        self._run: Any = _native.library().nmPreparedRun
        # The C structs of each thread.
        self._frames: dict[int, _Frame] = {}
        function = program.find_function()
        self._k = function.arguments[0].shape[1] or 1  # both are static
        self._n = function.results[0].shape[1] or 0
        self._residual = len(function.arguments) - 1  # behind all others

    def __deepcopy__(self, memo: Any) -> None:
        # Of a copy of the weight, which has other addresses.
        return None

    def __reduce__(self) -> Any:
        return (_make_none, ())

    def __call__(
        self,
        x: torch.Tensor,
        packed: torch.Tensor,
        scale: torch.Tensor | None,
        bias: torch.Tensor | None,
        residual: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """y [..., n] of x [..., k] and of a residual [..., n], if the product has one, which
        are row-major and aligned, with what the call is bound to."""
        thread = threading.get_ident()
        of = self._frames.get(thread)
        if of is None:
            of = self._make_frame(thread, x, packed, scale, bias, residual)
        # Views of x and y as matrices would take longer than the rest of this.
        m = x.numel() // self._k
        # torch.empty takes longer, as it is told the type and the device.
        y = x.new_empty((*x.shape[:-1], self._n))
        of.x.data, of.y.data = x.data_ptr(), y.data_ptr()
        of.x_extents[0] = of.y_extents[0] = m
        if residual is not None:
            r_struct = of.frame.arguments[self._residual]
            r_struct.data = residual.data_ptr()
            r_struct.extents[0] = m
        call = of.call
        count = of.plans.get(m)
        if count is None:
            count = self._plan(of.frame, of.plans, m)
        if count:
            workspace = x.new_empty((count,), dtype=torch.uint8)
            call.workspace = workspace.data_ptr()
        call.workspaceBytes = count
        call.stream = torch._C._cuda_getCurrentRawStream(self._index) or _LEGACY_STREAM
        status = self._run(self._prepared, of.reference)
        if status != 0:
            _native.fail(status)
        return y

    def _make_frame(
        self,
        thread: int,
        x: torch.Tensor,
        packed: torch.Tensor,
        scale: torch.Tensor | None,
        bias: torch.Tensor | None,
        residual: torch.Tensor | None,
    ) -> _Frame:
        frame = self._program.make_frame()
        rows = x.view(-1, self._k)
        other = None if residual is None else residual.view(-1, self._n)
        inputs = (rows, *split_packed(self._program, packed), scale, bias, other)
        # It has the addresses, and keeps none of the tensors.
        frame.set_arguments(tuple(one for one in inputs if one is not None))
        made = self._frames[thread] = _Frame(frame)
        return made

    @staticmethod
    def _plan(frame: Frame, plans: dict[int, int], m: int) -> int:
        frame.plan(anew=True)
        if len(plans) >= _MOST_PLANS:
            plans.clear()
        plans[m] = frame.workspace_bytes.value
        return plans[m]


def _make_none() -> None:
    return None


def get_addresses(
    packed: torch.Tensor,
    scale: torch.Tensor | None,
    bias: torch.Tensor | None,
) -> tuple[int, int, int]:
    """What a bound call is bound to; 0 for what there is not."""
    of_scale = 0 if scale is None else scale.data_ptr()
    of_bias = 0 if bias is None else bias.data_ptr()
    return packed.data_ptr(), of_scale, of_bias


def find_bound_call(
    product: str,
    packed: torch.Tensor,
    scale: torch.Tensor | None,
    bias: torch.Tensor | None,
) -> BoundCall | None:
    """The call that `keep` kept for a product and these tensors; None where there is
    none."""
    kept: dict[str, BoundCall] | None = getattr(packed, _ATTRIBUTE, None)
    found = None if kept is None else kept.get(product)
    if found is None or found.addresses != get_addresses(packed, scale, bias):
        return None
    return found


def keep(product: str, call: BoundCall, packed: torch.Tensor) -> BoundCall:
    """Keeps a call of a product as long as the weight."""
    kept = getattr(packed, _ATTRIBUTE, None)
    if kept is None:
        kept = {}
        setattr(packed, _ATTRIBUTE, kept)
    kept[product] = call
    return call
