// Tiles of C go down eight rows first. Of ten rows of tiles and three columns, the last
// two rows are a group of their own, whether m is known or not.

// REQUIRES: numpy
// RUN: %python -c "import numpy as np; a = np.arange(80 * 16, dtype=np.float32).reshape(80, 16) %% 13; np.save('%t.a.npy', a); np.save('%t.c.npy', np.repeat(a[:, 0::2].sum(1)[:, None], 12, 1))"
// RUN: nm-run %s --entry=known --device=emulator --input=%t.a.npy --expect=%t.c.npy
// RUN: nm-run %s --entry=unknown --device=emulator --input=%t.a.npy --expect=%t.c.npy

// Two rows are fewer than a tile has, also where only C's type says that they are two.
// RUN: %python -c "import numpy as np; np.save('%t.a2.npy', np.load('%t.a.npy')[:2]); np.save('%t.c2.npy', np.load('%t.c.npy')[:2])"
// RUN: nm-run %s --entry=few --device=emulator --input=%t.a2.npy --expect=%t.c2.npy

func.func @known(%a: tensor<80x16xf32>) -> tensor<80x12xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<8x12xf32>, indices = dense<0> : tensor<8x3xi8>}
    : !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  %c = tensor.empty() : tensor<80x12xf32>
  %r = nm.spmm %a, %w outs(%c : tensor<80x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : tensor<80x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>> -> tensor<80x12xf32>
  return %r : tensor<80x12xf32>
}

func.func @unknown(%a: tensor<?x16xf32>) -> tensor<?x12xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x16xf32>
  %w = nm.constant {values = dense<1.0> : tensor<8x12xf32>, indices = dense<0> : tensor<8x3xi8>}
    : !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  %c = tensor.empty(%m) : tensor<?x12xf32>
  %r = nm.spmm %a, %w outs(%c : tensor<?x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : tensor<?x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>> -> tensor<?x12xf32>
  return %r : tensor<?x12xf32>
}

func.func @few(%a: tensor<?x16xf32>) -> tensor<2x12xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<8x12xf32>, indices = dense<0> : tensor<8x3xi8>}
    : !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  %c = tensor.empty() : tensor<2x12xf32>
  %r = nm.spmm %a, %w outs(%c : tensor<2x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : tensor<?x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>> -> tensor<2x12xf32>
  return %r : tensor<2x12xf32>
}
