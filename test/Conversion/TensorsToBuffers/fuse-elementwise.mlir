// RUN: nm-opt %s --nm-fuse-elementwise --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @chain
func.func @chain(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK: linalg.generic
  // CHECK: math.exp
  // CHECK: arith.negf
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = arith.negf %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  return %b : tensor<2x4xf32>
}

// -----

// Into a reduction nothing is merged.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @reduction
func.func @reduction(%x: tensor<2x4xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: math.exp
  // CHECK: linalg.generic
  // CHECK: arith.addf
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x4xf32>) outs(%z : tensor<2xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  } -> tensor<2xf32>
  return %b : tensor<2xf32>
}
