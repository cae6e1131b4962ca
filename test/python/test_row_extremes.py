"""Extremes and their places, and reductions of some elements of a row: kernels of rows in the
emulator against the loops that linalg says, on the CPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest
from conftest import need

need("ml_dtypes")

import ml_dtypes  # noqa: E402

import nm  # noqa: E402
from nm.runtime.compiler import compile_program  # noqa: E402

SEED = 20261130
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f64": np.float64,
         "i32": np.int32, "i8": np.int8}
BEGIN = {"max": {"f": "0xFF800000", "i": "-100"}, "min": {"f": "0x7F800000", "i": "100"}}
INFINITY = {"f16": "0x{}C00", "bf16": "0x{}F80", "f32": "0x{}F800000", "f64": "0x{}FF0000000000000"}

# An extreme of a dimension and its place. A comparison is false of NaN, as torch-mlir writes
# it, or finds the first NaN, as nm.export does, or is one of integers.
EXTREME = """
func.func @main(%x: tensor<{shape}x{t}>) -> (tensor<{kept}x{t}>, tensor<{kept}xi64>) {{
  %zero = arith.constant 0 : i64
  %begin = arith.constant {begin} : {t}
  %e = tensor.empty() : tensor<{kept}x{t}>
  %i = tensor.empty() : tensor<{kept}xi64>
  %f = linalg.fill ins(%begin : {t}) outs(%e : tensor<{kept}x{t}>) -> tensor<{kept}x{t}>
  %j = linalg.fill ins(%zero : i64) outs(%i : tensor<{kept}xi64>) -> tensor<{kept}xi64>
  %y:2 = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b)>,
      affine_map<(a, b) -> ({place})>, affine_map<(a, b) -> ({place})>],
      iterator_types = [{kinds}]}}
      ins(%x : tensor<{shape}x{t}>) outs(%f, %j : tensor<{kept}x{t}>, tensor<{kept}xi64>) {{
  ^bb0(%in: {t}, %out: {t}, %at: i64):
    %n = linalg.index {dim} : index
    %k = arith.index_cast %n : index to i64
    %v = arith.{combine} %in, %out : {t}
    {condition}
    %s = arith.select %c, %k, %at : i64
    linalg.yield %v, %s : {t}, i64
  }} -> (tensor<{kept}x{t}>, tensor<{kept}xi64>)
  return %y#0, %y#1 : tensor<{kept}x{t}>, tensor<{kept}xi64>
}}
"""

CONDITIONS = {
    "before": "%c = arith.cmpf o{order}, %in, %out : {t}",
    "first": "%b = arith.cmpf u{order}, %in, %out : {t}\n"
             "    %o = arith.cmpf ord, %out, %out : {t}\n    %c = arith.andi %b, %o : i1",
    "integer": "%c = arith.cmpi s{order}, %in, %out : {t}",
}


def write_extreme(extreme, element, condition, rows, columns, dim):
    kept, place = (rows, "a") if dim == 1 else (columns, "b")
    order = {"max": "gt", "min": "lt"}[extreme]
    is_float = condition != "integer"
    begin = BEGIN[extreme]["i"]
    if is_float:
        begin = INFINITY[element].format({"max": "F", "min": "7"}[extreme])
    kinds = ['"parallel"', '"parallel"']
    kinds[dim] = '"reduction"'
    return EXTREME.format(
        shape=f"{rows}x{columns}", kept=kept, place=place, t=element, dim=dim, begin=begin,
        kinds=", ".join(kinds), combine=f"{extreme}{'imumf' if is_float else 'si'}",
        condition=CONDITIONS[condition].format(order=order, t=element))


def count_kernels(program):
    return [kernel["name"] for kernel in program.report["kernels"]]


def compare_devices(program, *arrays):
    """The results, which are the numbers of the CPU's loops."""
    results = program(*arrays, device="emulator")
    for got, expected in zip(results, program(*arrays, device="cpu")):
        np.testing.assert_array_equal(got.astype(np.float64), expected.astype(np.float64))
    return results


CASES = [("max", "f32", "before"), ("max", "f32", "first"), ("min", "f16", "first"),
         ("min", "bf16", "before"), ("max", "f64", "first"), ("max", "i32", "integer"),
         ("min", "i8", "integer")]


@pytest.mark.parametrize("rows, columns, dim", [(7, 5, 1), (5, 300, 1), (2, 9000, 1), (40, 6, 0)])
@pytest.mark.parametrize("extreme, element, condition", CASES)
def test_an_extreme_and_its_place(extreme, element, condition, rows, columns, dim):
    text = write_extreme(extreme, element, condition, rows, columns, dim)
    program = compile_program(nm.Module(text), ["--chip=sm_90a"])
    (kernel,) = count_kernels(program)
    assert "rows" in kernel
    generator = np.random.default_rng(SEED)
    # Few numbers, so that extremes are there more than once, and signs of zero.
    x = generator.integers(-3, 4, size=(rows, columns)).astype(TYPES[element])
    compare_devices(program, x)
    if condition == "integer":
        return
    x = np.where(generator.random(x.shape) < 0.3, -np.abs(x) * 0, x).astype(TYPES[element])
    x[0] = {"max": -np.inf, "min": np.inf}[extreme]  # nothing is beyond the beginning
    x[-1, -1] = x[1, columns // 2] = x[1, columns // 2 + 1] = np.nan
    _, places = compare_devices(program, x)
    if dim == 1:
        assert places[0] == 0
        assert (places[1] == columns // 2) == (condition == "first")


MASKED = """
func.func @main(%x: tensor<{rows}x{columns}xf32>, %m: tensor<{columns}xi1>) -> tensor<{rows}xf32> {{
  %begin = arith.constant {begin} : f32
  %e = tensor.empty() : tensor<{rows}xf32>
  %f = linalg.fill ins(%begin : f32) outs(%e : tensor<{rows}xf32>) -> tensor<{rows}xf32>
  %y = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>,
      affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}}
      ins(%x, %m : tensor<{rows}x{columns}xf32>, tensor<{columns}xi1>) outs(%f : tensor<{rows}xf32>) {{
  ^bb0(%in: f32, %c: i1, %out: f32):
    %v = arith.{combine} %in, %out : f32
    %s = arith.select %c, %v, %out : f32
    linalg.yield %s : f32
  }} -> tensor<{rows}xf32>
  return %y : tensor<{rows}xf32>
}}
"""


@pytest.mark.parametrize("combine, begin", [("addf", "-0.0"), ("maximumf", "0xFF800000"),
                                            ("mulf", "1.0")])
def test_elements_that_a_mask_leaves_out(combine, begin):
    text = MASKED.format(rows=4, columns=50, combine=combine, begin=begin)
    program = compile_program(nm.Module(text), ["--chip=sm_90a"])
    (kernel,) = count_kernels(program)
    assert "rows" in kernel
    generator = np.random.default_rng(SEED)
    # Sums and products of such numbers are exact in any order.
    x = generator.choice([-2.0, -1.0, 1.0, 2.0], size=(4, 50)).astype(np.float32)
    mask = generator.random(50) < 0.5
    x[0, ~mask] = np.nan  # what is left out is not looked at
    compare_devices(program, x, mask)
    compare_devices(program, x, np.zeros(50, bool))
