// Padding of a packed weight names no row of A, whose rows may be anything where
// no weight is kept: not the rows that follow the place of none, either.

// REQUIRES: numpy
// RUN: %python -c "import numpy as np; a = np.ones((2, 24), np.float32); a[:, 16:20] = np.nan; np.save('%t.a.npy', a); np.save('%t.c.npy', np.full((2, 4), 12, np.float32))"
// RUN: nm-run %s --device=emulator --input=%t.a.npy --expect=%t.c.npy
// RUN: nm-compile %s --no-pack-tile --emit=program -o %t.nm
// RUN: nm-run %t.nm --device=emulator --input=%t.a.npy --expect=%t.c.npy
// RUN: nm-compile %s --no-promote --emit=program -o %t.nm
// RUN: nm-run %t.nm --device=emulator --input=%t.a.npy --expect=%t.c.npy

// Of 24 rows in steps of 16, the second window of the last step is missing.
func.func @main(%a: tensor<2x24xf32>) -> tensor<2x4xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<12x4xf32>, indices = dense<[[0], [0], [1]]> : tensor<3x1xi8>}
    : !nm.condensed<24x4xf32, #nm.pattern<1:2, unit = 4x4>>
  %c = tensor.empty() : tensor<2x4xf32>
  %r = nm.spmm %a, %w outs(%c : tensor<2x4xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 4]>, block = [32, 4, 16], packed = true, stages = 2>}
    : tensor<2x24xf32>, !nm.condensed<24x4xf32, #nm.pattern<1:2, unit = 4x4>> -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
