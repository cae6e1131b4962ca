"""Quotients of a row's elements and a number of the row, which share a reciprocal, have the bits
of divisions, in the emulator against numpy.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import numpy as np
import pytest

import nm
from nm.runtime.compiler import compile_program

SEED = 20261130
ROWS, COLUMNS = 256, 1024

MODULE = f"""
func.func @main(%x: tensor<{ROWS}x{COLUMNS}xf32>, %d: tensor<{ROWS}xf32>)
    -> tensor<{ROWS}x{COLUMNS}xf32> {{
  %w = tensor.empty() : tensor<{ROWS}x{COLUMNS}xf32>
  %y = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %d : tensor<{ROWS}x{COLUMNS}xf32>, tensor<{ROWS}xf32>)
      outs(%w : tensor<{ROWS}x{COLUMNS}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  }} -> tensor<{ROWS}x{COLUMNS}xf32>
  return %y : tensor<{ROWS}x{COLUMNS}xf32>
}}
"""


def make_numbers(generator, shape, low, high):
    """Numbers of both signs, whose exponents are from `low` to `high`."""
    mantissa = generator.integers(0, 1 << 23, shape, np.uint32)
    exponent = generator.integers(low + 127, high + 128, shape).astype(np.uint32)
    sign = generator.integers(0, 2, shape).astype(np.uint32)
    return (sign << 31 | exponent << 23 | mantissa).view(np.float32)


@pytest.fixture(scope="module")
def program():
    return compile_program(nm.Module(MODULE), ["--chip=sm_90a"])


# Exponents of dividends and divisors: where quotients share a reciprocal, around the bounds of
# that, and all, subnormal numbers and infinities among them.
@pytest.mark.parametrize("dividends, divisors", [
    ((-20, 20), (-10, 25)), ((-104, -84), (-11, 26)), ((70, 127), (-11, 27)),
    ((-127, 128), (-127, 128)), ((-127, -110), (0, 20)), ((-2, 2), (-1, 1)),
])
def test_bits_of_quotients(program, dividends, divisors):
    generator = np.random.default_rng(SEED)
    x = make_numbers(generator, (ROWS, COLUMNS), *dividends)
    x[:, :8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 1e-45, -1e-45]
    x[ROWS // 2:, :8] = 1.0  # and rows without these, all of whose numbers may be safe
    d = make_numbers(generator, ROWS, *divisors)
    d[::3] = np.abs(d[::3])
    d[1] = 0.0
    (found,) = program(x, d, device="emulator")
    with np.errstate(all="ignore"):
        expected = x / d[:, None]
    nan = np.isnan(expected)
    assert np.array_equal(np.isnan(found), nan)
    assert np.array_equal(found[~nan].view(np.uint32), expected[~nan].view(np.uint32))
