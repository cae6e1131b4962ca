// A fill before a reduction that accumulates into a part of it only: the rest
// keeps what was filled in, on every device.
//
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; np.save('%t.x.npy', np.ones((4, 8), np.float32)); y = np.full((4, 3), 5, np.float32); y[:, 0] = 13; np.save('%t.y.npy', y)"
// RUN: nm-run %s --device=cpu --input=%t.x.npy --expect=%t.y.npy --tolerance=0
// RUN: nm-run %s --device=emulator --input=%t.x.npy --expect=%t.y.npy --tolerance=0

#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i, 0)>
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %c = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f : tensor<4x3xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.addf %acc, %v : f32
      linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
