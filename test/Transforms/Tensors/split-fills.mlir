// RUN: nm-opt %s --nm-split-fills | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A fill for each of the two reductions, right before it; none is left over.
// CHECK-LABEL: func.func @shared(
// CHECK-NOT: linalg.fill
// CHECK: tensor.dim
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK: %[[A:.*]] = linalg.fill {{.*}} outs(%[[E]] : tensor<?xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[A]] : tensor<?xf32>)
// CHECK: %[[B:.*]] = linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[B]] : tensor<?xf32>)
func.func @shared(%x: tensor<?x4xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x4xf32>) outs(%z : tensor<?xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  } -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x4xf32>) outs(%z : tensor<?xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.maximumf %acc, %v : f32
      linalg.yield %r : f32
  } -> tensor<?xf32>
  return %s, %m : tensor<?xf32>, tensor<?xf32>
}

// A fill with one user, and one that is a result, stay.
// CHECK-LABEL: func.func @alone(
// CHECK: %[[Z:.*]] = linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return %[[Z]]
func.func @alone(%e: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
