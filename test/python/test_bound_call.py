"""What a call of a layer on a GPU hands to the runtime; without a GPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import copy
import dataclasses
import math

import pytest
from conftest import need

need("torch")

import torch  # noqa: E402

import nm  # noqa: E402
from nm.nn import PackedWeight, bound_call  # noqa: E402
from nm.nn.arrays import make_packed, split_packed  # noqa: E402
from nm.nn.bound_call import BoundCall, find_bound_call, keep  # noqa: E402
from nm.nn.products import LinearProduct, get_program  # noqa: E402

K, N = 64, 96


class Run:
    """Stands for nmPreparedRun: keeps what it is given."""

    def __init__(self, count):
        self.count = count

    def __call__(self, prepared, call):
        given = call._obj
        self.data = [given.arguments[i].data for i in range(self.count)]
        self.rows = given.arguments[0].extents[0]
        self.residual_rows = given.arguments[self.count - 1].extents[0]
        self.y = given.results[0].data, given.results[0].extents[0]
        self.stream = given.stream
        return 0


@pytest.fixture(params=["", "bias", "bias residual", "scale bias residual"])
def bound(request, monkeypatch):
    """A call, what it runs, and the operands that it is bound to, by name."""
    parts = request.param.split()
    torch.manual_seed(47)
    dense = torch.nn.Sequential(torch.nn.Linear(K, N).bfloat16())
    nm.prune(dense, 8, 32, unit=(1, 32))
    pattern = nm.Pattern(8, 32, (1, 32))
    weight = PackedWeight.from_dense(dense[0].weight, pattern)
    if "scale" in parts:
        weight = weight.quantize()
    product = LinearProduct(
        K, N, pattern, "bf16", "i8" if "scale" in parts else "bf16", "bias" in parts,
        combine="add" if "residual" in parts else "",
    )
    program = get_program(str(product), "sm_90a")
    packed = make_packed(program, [weight])
    # A GPU's part of it.
    monkeypatch.setattr(type(program), "get_prepared", lambda *_: None)
    monkeypatch.setattr(
        torch._C, "_cuda_getCurrentRawStream", lambda _: 0, raising=False
    )
    bias = dense[0].bias.detach() if "bias" in parts else None
    call = BoundCall(program, packed, weight.scale, bias)
    call._run = Run(len(program.find_function().arguments))
    residual = torch.ones(5, N).bfloat16() if "residual" in parts else None
    return call, packed, weight.scale, bias, residual, split_packed(program, packed)


def test_operands_are_in_the_order_of_the_arguments(bound):
    call, packed, scale, bias, residual, arrays = bound
    for rows in (5, 3):
        x = torch.ones(rows, K).bfloat16()
        r = None if residual is None else residual[:rows].clone()
        y = call(x, packed, scale, bias, r)
        expected = [one for one in (x, *arrays, scale, bias, r) if one is not None]
        assert call._run.data == [one.data_ptr() for one in expected]
        assert call._run.rows == rows
        assert call._run.y == (y.data_ptr(), rows)
        assert (y.shape, y.dtype) == ((rows, N), torch.bfloat16)
        assert call._run.stream == bound_call._LEGACY_STREAM
        if r is not None:
            assert call._run.residual_rows == rows


@pytest.mark.parametrize("shape", [(), (2, 3), (0,), (1, 1, 4)], ids=str)
def test_x_has_any_leading_extents(bound, shape):
    call, packed, scale, bias, residual, _ = bound
    r = None if residual is None else torch.ones(*shape, N).bfloat16()
    y = call(torch.ones(*shape, K).bfloat16(), packed, scale, bias, r)
    assert y.shape == (*shape, N)
    assert call._run.rows == math.prod(shape)
    assert call._run.y == (y.data_ptr() or None, math.prod(shape))


def test_calls_are_kept_by_product_and_operands(bound):
    call, packed, scale, bias, _, _ = bound
    keep("a", call, packed)
    assert find_bound_call("a", packed, scale, bias) is call
    assert find_bound_call("b", packed, scale, bias) is None
    assert find_bound_call("a", packed, scale, torch.ones(N)) is None
    # A copy has other addresses.
    assert find_bound_call("a", copy.deepcopy(packed), scale, bias) is None


# Rows that the kernels for 65 to 512 of them want transposed have a place in the workspace.
def test_calls_allocate_nothing():
    product = LinearProduct(1024, 1024, nm.Pattern(8, 32, (1, 32)), "bf16", "bf16", False)
    program = get_program(str(product), "sm_90a")
    assert not program.find_function().allocates
    frame = program.make_frame()
    workspaces = {}
    for rows in (1, 64, 100):
        frame.arguments[0].extents[0] = rows
        frame.plan(anew=True)
        workspaces[rows] = frame.workspace_bytes.value
    assert workspaces == {1: 0, 64: 0, 100: 1024 * 128 * 2}


def test_products_between_pytorchs_kernels_say_so():
    product = LinearProduct(64, 64, nm.Pattern(8, 32, (1, 32)), "bf16", "bf16", False, "silu")
    assert "attributes {nm.behind_others}" in product.write_module().text
    # Its residual is mostly another product.
    product = dataclasses.replace(product, combine="mul")
    assert "behind_others" not in product.write_module().text
