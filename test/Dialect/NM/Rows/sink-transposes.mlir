// RUN: nm-opt %s --nm-sink-transposes | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @scaled
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4x16xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x4x16xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[S]] : tensor<3x4x16xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK: return %[[T]]
func.func @scaled(%x: tensor<3x4x16xf32>) -> tensor<3x16x4xf32> {
  %e = tensor.empty() : tensor<3x16x4xf32>
  %t = linalg.transpose ins(%x : tensor<3x4x16xf32>) outs(%e : tensor<3x16x4xf32>) permutation = [0, 2, 1]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<3x16x4xf32>) outs(%e : tensor<3x16x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x16x4xf32>
  return %y : tensor<3x16x4xf32>
}

// Whole pieces of rows are moved first.
// CHECK-LABEL: func @pieces
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4x16xf32>
// CHECK: %[[P:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [1, 0, 2]
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<4x3x16xf32>)
// CHECK: linalg.transpose ins(%[[S]] : {{.*}} permutation = [0, 2, 1]
func.func @pieces(%x: tensor<3x4x16xf32>) -> tensor<4x16x3xf32> {
  %e = tensor.empty() : tensor<4x16x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x4x16xf32>) outs(%e : tensor<4x16x3xf32>) permutation = [1, 2, 0]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<4x16x3xf32>) outs(%e : tensor<4x16x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x3xf32>
  return %y : tensor<4x16x3xf32>
}

// The last dimension stays, or others use what is transposed, too.
// CHECK-LABEL: func @stay
// CHECK: linalg.transpose {{.*}} permutation = [1, 0, 2]
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x3x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x16x4xf32>)
func.func @stay(%x: tensor<3x4x16xf32>) -> (tensor<4x3x16xf32>, tensor<3x16x4xf32>, tensor<3x16x4xf32>) {
  %e = tensor.empty() : tensor<4x3x16xf32>
  %f = tensor.empty() : tensor<3x16x4xf32>
  %t = linalg.transpose ins(%x : tensor<3x4x16xf32>) outs(%e : tensor<4x3x16xf32>) permutation = [1, 0, 2]
  %u = linalg.transpose ins(%x : tensor<3x4x16xf32>) outs(%f : tensor<3x16x4xf32>) permutation = [0, 2, 1]
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<4x3x16xf32>) outs(%e : tensor<4x3x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4x3x16xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<3x16x4xf32>) outs(%f : tensor<3x16x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x16x4xf32>
  return %y, %z, %u : tensor<4x3x16xf32>, tensor<3x16x4xf32>, tensor<3x16x4xf32>
}
