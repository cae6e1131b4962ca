// Ops in the body of another: each element has a row of its own, of which the
// sum is taken. (llvm-project#203752: the inner op outlived the outer one.)
//
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; x = np.arange(600, dtype=np.float32); np.save('%t.x.npy', x); np.save('%t.y.npy', 21 * x)"
// RUN: nm-run %s --device=cpu --input=%t.x.npy --expect=%t.y.npy --tolerance=0
// RUN: nm-run %s --device=emulator --input=%t.x.npy --expect=%t.y.npy --tolerance=0

#id = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
func.func @main(%x: tensor<600xf32>) -> tensor<600xf32> {
  %t = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<600xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<600xf32>) outs(%e : tensor<600xf32>) {
  ^bb0(%a: f32, %o: f32):
    %f = tensor.empty() : tensor<7xf32>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%t : tensor<7xf32>) outs(%f : tensor<7xf32>) {
    ^bb0(%y: f32, %p: f32):
      %q = arith.mulf %a, %y : f32
      linalg.yield %q : f32
    } -> tensor<7xf32>
    %s = tensor.empty() : tensor<f32>
    %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
    %sum = linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]}
        ins(%n : tensor<7xf32>) outs(%z : tensor<f32>) {
    ^bb0(%y: f32, %p: f32):
      %q = arith.addf %p, %y : f32
      linalg.yield %q : f32
    } -> tensor<f32>
    %g = tensor.extract %sum[] : tensor<f32>
    linalg.yield %g : f32
  } -> tensor<600xf32>
  return %r : tensor<600xf32>
}
