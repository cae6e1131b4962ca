"""Kernels of rows by every kind of schedule, written by hand, in the emulator against numpy.

nm-schedule-rows chooses of these by extents; here each is executed on rows of few elements."""

import numpy as np
import pytest

import nm
from nm.runtime.compiler import compile_program

SEED = 20261130
TYPES = {"f32": (np.float32, 2e-6), "f16": (np.float16, 2e-3)}

# A softmax, twice what it is of, with a weight of each element, and the sum of a row.
BODY = """
func.func @main(%x: tensor<{rows}x{columns}x{t}>, %w: tensor<{columns}x{t}>)
    -> (tensor<{rows}x{columns}x{t}>, tensor<{rows}xf32>) {{
  %e = tensor.empty() : tensor<{rows}x{columns}x{t}>
  %f = tensor.empty() : tensor<{rows}xf32>
  %y, %s = nm.rows ins(%x, %w : tensor<{rows}x{columns}x{t}>, tensor<{columns}x{t}>)
      outs(%e, %f : tensor<{rows}x{columns}x{t}>, tensor<{rows}xf32>)
      attributes {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  rows = 1 : i64, schedule = #nm.row_schedule<{schedule}>}} {{
  ^bb0(%a: {t}, %b: {t}):
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    {widen}
    %m = nm.reduce maximumf %v, %low : f32
    %d = arith.subf %v, %m : f32
    %p = math.exp %d : f32
    %sum = nm.reduce addf %p, %zero : f32
    %q = arith.divf %p, %sum : f32
    %r = arith.mulf %q, %u : f32
    {narrow}
    nm.yield %z, %sum : {t}, f32
  }} -> tensor<{rows}x{columns}x{t}>, tensor<{rows}xf32>
  return %y, %s : tensor<{rows}x{columns}x{t}>, tensor<{rows}xf32>
}}
"""

WIDEN = {
    "f32": "%v = arith.addf %a, %zero : f32\n%u = arith.addf %b, %zero : f32",
    "f16": "%v = arith.extf %a : f16 to f32\n%u = arith.extf %b : f16 to f32",
}
NARROW = {"f32": "%z = arith.addf %r, %zero : f32", "f16": "%z = arith.truncf %r : f32 to f16"}

# (columns, schedule): a thread, lanes, warps and blocks of a cluster a row; elements in
# registers, in turns, and kept in shared memory; whole vectors, a tail, and rows that begin
# anywhere, with a head of up to a line of memory.
SCHEDULES = [
    (40, "threads = 1, rows = 64, vector = 4, chunks = 4, loops = true"),
    (40, "threads = 8, rows = 16, vector = 4, chunks = 2"),
    (96, "threads = 32, rows = 2, vector = 1, chunks = 3"),
    (200, "threads = 64, rows = 2, vector = 4, chunks = 1"),
    (201, "threads = 64, rows = 1, vector = 4, chunks = 1"),
    (1201, "threads = 128, rows = 1, vector = 4, chunks = 3"),
    (1201, "threads = 128, rows = 1, vector = 4, chunks = 1, loops = true"),
    (1200, "threads = 64, rows = 1, vector = 4, chunks = 2, loops = true, kept = 1"),
    (1200, "threads = 64, rows = 1, vector = 4, chunks = 1, loops = true, kept = 9"),
    (1201, "threads = 64, rows = 1, vector = 4, chunks = 2, loops = true, kept = 2"),
    (1201, "threads = 64, rows = 1, vector = 4, chunks = 1, loops = true, kept = 4"),
    (1201, "threads = 64, rows = 1, vector = 1, chunks = 4, loops = true, kept = 4"),
    (1200, "threads = 32, rows = 1, vector = 4, chunks = 5, parts = 2"),
    (1201, "threads = 64, rows = 1, vector = 4, chunks = 2, parts = 4"),
    (1201, "threads = 256, rows = 1, vector = 4, chunks = 1, parts = 8"),
    (1201, "threads = 32, rows = 1, vector = 1, chunks = 5, parts = 8"),
    (1200, "threads = 32, rows = 2, vector = 4, chunks = 5, parts = 2"),
    (1201, "threads = 64, rows = 1, vector = 8, chunks = 3"),
    (1201, "threads = 64, rows = 1, vector = 8, chunks = 1, loops = true, kept = 2"),
]


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("columns, schedule", SCHEDULES)
def test_schedule(columns, schedule, element):
    rows = 5
    dtype, tolerance = TYPES[element]
    text = BODY.format(rows=rows, columns=columns, t=element, schedule=schedule,
                       widen=WIDEN[element], narrow=NARROW[element])
    program = compile_program(nm.Module(text), ["--chip=sm_90a"])
    generator = np.random.default_rng(SEED)
    x = generator.normal(size=(rows, columns)).astype(dtype)
    w = generator.normal(size=columns).astype(dtype)
    y, sums = program(x, w, device="emulator")

    wide = x.astype(np.float64)
    power = np.exp(wide - wide.max(1, keepdims=True))
    total = power.sum(1)
    exact = power / total[:, None] * w.astype(np.float64)
    np.testing.assert_allclose(sums, total, rtol=1e-5)
    # In f16 small numbers are subnormal, which have fewer bits.
    np.testing.assert_allclose(y.astype(np.float64), exact, rtol=tolerance, atol=1e-7)


def test_same_bits_again():
    """The order of a sum is the schedule's, whatever blocks are executed first."""
    text = BODY.format(rows=3, columns=1201, t="f32", schedule=SCHEDULES[-5][1],
                       widen=WIDEN["f32"], narrow=NARROW["f32"])
    program = compile_program(nm.Module(text), ["--chip=sm_90a"])
    generator = np.random.default_rng(SEED)
    x = generator.normal(size=(3, 1201)).astype(np.float32)
    w = generator.normal(size=1201).astype(np.float32)
    first = program(x, w, device="emulator")
    for _ in range(3):
        again = program(x, w, device="emulator")
        assert all(np.array_equal(a, b) for a, b in zip(first, again))
