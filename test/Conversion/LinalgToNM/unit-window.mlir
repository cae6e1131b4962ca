// RUN: nm-opt %s --nm-import-linalg | FileCheck %s
// RUN: %python -c "import numpy as np; x = np.arange(40, dtype=np.float32).reshape(5, 8); np.save('%t.x.npy', x); np.save('%t.n.npy', np.zeros(3, np.float32)); w = np.zeros((8, 2), np.float32); w[::4] = 1; w[1::4, 1] = 2; np.save('%t.y.npy', (x @ w)[:3])"
// RUN: nm-run %s --entry=static --device=cpu --input=%t.x.npy --expect=%t.y.npy
// RUN: nm-run %s --entry=dynamic --device=cpu --input=%t.x.npy --input=%t.n.npy --expect=%t.y.npy
// RUN: nm-run %s --entry=dynamic --device=emulator --input=%t.x.npy --input=%t.n.npy --expect=%t.y.npy

// A is read through a window of one, of which it may have more than are read.
#a = affine_map<(m, n, k, u) -> (m + u, k)>
#w = affine_map<(m, n, k, u) -> (u, k, n)>
#c = affine_map<(m, n, k, u) -> (m, n)>

// CHECK-LABEL: @static
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 0] [3, 8] [1, 1] : tensor<5x8xf32> to tensor<3x8xf32>
// CHECK: nm.spmm %[[A]],
func.func @static(%x: tensor<5x8xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[[1.0, 1.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]]]> : tensor<1x8x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<5x8xf32>, tensor<1x8x2xf32>) outs(%zeros : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: @dynamic
// CHECK: %[[M:.*]] = tensor.dim %{{.*}}, %c0{{.*}} : tensor<?x2xf32>
// CHECK: %[[A:.*]] = tensor.extract_slice %{{.*}}[0, 0] [%[[M]], 8] [1, 1]
// CHECK: nm.spmm %[[A]],
func.func @dynamic(%x: tensor<?x8xf32>, %n: tensor<?xf32>) -> tensor<?x2xf32> {
  %w = arith.constant dense<[[[1.0, 1.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]]]> : tensor<1x8x2xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %n, %c0 : tensor<?xf32>
  %empty = tensor.empty(%m) : tensor<?x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %y = linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<?x8xf32>, tensor<1x8x2xf32>) outs(%zeros : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}
