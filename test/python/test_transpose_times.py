"""What transpose_times.py measures, in the emulator; nothing is timed.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import types

import pytest
from conftest import need

need("torch")

import device_times  # noqa: E402
import torch  # noqa: E402
import transpose_times  # noqa: E402

import nm  # noqa: E402


def compile_move(text, dtype):
    module = nm.Module(transpose_times.write_module(transpose_times.parse_move(text), dtype))
    return nm.compile(module, chip=device_times.CHIP)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "i8"])
@pytest.mark.parametrize("text", ["70x96", "?70x?96", "?2x?5x3x40:0213", "2x35x?33x3:0213"])
def test_the_module_reorders(text, dtype):
    move = transpose_times.parse_move(text)
    program = compile_move(text, dtype)
    x = (10 * torch.randn(move.shape)).to(device_times.get_dtype(torch, dtype))
    assert torch.equal(program(x)[0], x.permute(move.order))
    # Where neither rows nor columns are known, the call chooses between three kernels.
    are_unknown = text == "?70x?96"
    assert len(program.report["kernels"]) == (3 if are_unknown else 1)


@pytest.mark.parametrize("text", ["", "64", "64xa", "0x64", "2x3x4", "2x3:00", "2x3:012", "2x?:10"])
def test_a_wrong_move(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"expected SHAPE\[:ORDER\]"):
        transpose_times.parse_move(text)


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
    move = transpose_times.parse_move("64x64")
    row = transpose_times.measure(cpu, compile_move("64x64", "bf16"), move, "bf16")
    assert row == {"transposed_us": 20, "copied_us": 10, "torch_us": 40, "of_copy": 0.5}


def test_a_wrong_result_is_not_timed(cpu):
    move = transpose_times.parse_move("?64x64")
    with pytest.raises(SystemExit, match=r"'shape': '\?64x64', 'order': '10'} of bf16: it is wrong"):
        transpose_times.measure(cpu, lambda x: (x,), move, "bf16")
