"""tools/nm-bench/row_kernel_times.py: its kernels in the emulator, and what it sums up.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import itertools

import pytest
import row_kernel_times
from conftest import need

need("torch")
import torch  # noqa: E402

TOLERANCES = {"f32": 1e-5, "f16": 2e-3, "bf16": 8e-3}
# A row that threads of a warp keep, several of a block, and one that a loop reads again.
SHAPES = ((3, 128), (2, 4096), (1, 50257))


KERNELS = list(itertools.product(row_kernel_times.OPS, TOLERANCES))


@pytest.mark.parametrize("op, element", KERNELS)
def test_kernels_give_what_pytorch_does(op, element):
    dtype = row_kernel_times.device_times.get_dtype(torch, element)
    torch.manual_seed(1)
    for rows, columns in SHAPES:
        program = row_kernel_times.compile_kernel((op, rows, columns, element))
        arrays = [torch.randn(rows, columns).to(dtype)]
        arrays += [torch.randn(columns).to(dtype) for _ in row_kernel_times.OPS[op][2]]
        got = torch.as_tensor(program(*arrays, device="emulator")[0]).double()
        function = row_kernel_times.make_function(torch, op, columns)
        expected = function(*(one.double() for one in arrays))
        error = (got - expected).abs().max() / expected.abs().max()
        assert error <= TOLERANCES[element], (rows, columns, float(error))


@pytest.mark.parametrize("dynamic", ["rows", "all"])
@pytest.mark.parametrize("op, element", KERNELS)
def test_kernels_of_any_extents(op, element, dynamic):
    dtype = row_kernel_times.device_times.get_dtype(torch, element)
    torch.manual_seed(3)
    for columns in (1201, 1200, 37, 512, 8):
        # The text has the number of columns as a constant, too.
        program = row_kernel_times.compile_kernel((op, 3, columns, element), dynamic)
        for rows in (3, 1):
            arrays = [torch.randn(rows, columns).to(dtype)]
            arrays += [torch.randn(columns).to(dtype) for _ in row_kernel_times.OPS[op][2]]
            got = torch.as_tensor(program(*arrays, device="emulator")[0]).double()
            function = row_kernel_times.make_function(torch, op, columns)
            expected = function(*(one.double() for one in arrays))
            assert (got - expected).abs().max() <= TOLERANCES[element] * expected.abs().max()
    # Of rows of any length there are two for short ones, and one for others.
    versions = 3 if dynamic == "all" and op != "gelu" else 1
    assert len(program.report["kernels"]) == versions


def test_the_mean_is_large_and_the_variance_is_not():
    program = row_kernel_times.compile_kernel(("layer_norm", 4, 768, "f32"))
    torch.manual_seed(2)
    x, weight, bias = torch.randn(4, 768) + 1e4, torch.ones(768), torch.zeros(768)
    got = torch.as_tensor(program(x, weight, bias, device="emulator")[0])
    expected = torch.nn.functional.layer_norm(x.double(), (768,))
    # 1e4 in f32 is known to 1e-3.
    assert (got - expected).abs().max() <= 2e-3


def test_the_furthest_kernels_are_named():
    rows = [
        {"op": "sum", "bytes": 16 << 20, "nm_us": 10.0, "copy_us": 9.0, "compiled_us": 10.0},
        {"op": "gelu", "bytes": 16 << 20, "nm_us": 20.0, "copy_us": 9.0, "compiled_us": 12.0},
        {"op": "softmax", "bytes": 1024, "nm_us": 2.0, "copy_us": 1.0},
    ]
    found = row_kernel_times.summarize(rows)
    assert (found["at_copy_speed"], found["large"]) == (1, 2)
    assert (found["as_compiled"], found["compared"]) == (1, 2)
    assert found["slowest"]["op"] == found["furthest"]["op"] == "gelu"
