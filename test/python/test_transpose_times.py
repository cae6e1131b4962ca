"""What transpose_times.py measures, in the emulator; nothing is timed.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import types

import pytest
from conftest import need

need("torch")

import device_times  # noqa: E402
import torch  # noqa: E402
import transpose_times  # noqa: E402

import nm  # noqa: E402


def compile_transposition(m, k, dtype):
    module = nm.Module(transpose_times.write_module(m, k, dtype))
    return nm.compile(module, chip=device_times.CHIP)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i8"])
def test_the_module_transposes(dtype):
    program = compile_transposition(70, 96, dtype)
    x = (10 * torch.randn(70, 96)).to(device_times.get_dtype(torch, dtype))
    assert torch.equal(program(x)[0], x.t())
    assert len(program.report["kernels"]) == 1


@pytest.fixture
def cpu(monkeypatch):
    """torch without a GPU: graphs are calls, and those of nm take twice as long."""
    monkeypatch.setattr(transpose_times.graph_times, "capture", lambda _, call: call())
    monkeypatch.setattr(
        transpose_times.graph_times, "time_by_turns", lambda _, graphs: [200.0, 100.0, 400.0]
    )
    return types.SimpleNamespace(
        randn=lambda *shape, device: torch.randn(*shape), empty_like=torch.empty_like,
        equal=torch.equal, bfloat16=torch.bfloat16, float32=torch.float32,
        float16=torch.float16, int8=torch.int8,
    )


def test_a_row(cpu):
    program = compile_transposition(64, 64, "bf16")
    row = transpose_times.measure(cpu, program, 64, 64, "bf16")
    assert row == {"transposed_us": 20, "copied_us": 10, "torch_us": 40, "of_copy": 0.5}


def test_a_wrong_transposition_is_not_timed(cpu):
    with pytest.raises(SystemExit, match="64x64 of bf16: the transposition is wrong"):
        transpose_times.measure(cpu, lambda x: (x,), 64, 64, "bf16")
