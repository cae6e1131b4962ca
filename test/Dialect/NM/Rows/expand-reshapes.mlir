// RUN: nm-opt %s --nm-expand-reshapes | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// What is computed element by element gets the dimensions that others have.
// CHECK-LABEL: func @behind
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<32x384xf16>
// CHECK: %[[WIDE:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1], [2]] output_shape [2, 16, 384]
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[WIDE]] : tensor<2x16x384xf16>)
// CHECK: return %[[R]] : tensor<2x16x384xf32>
func.func @behind(%x: tensor<32x384xf16>) -> tensor<2x16x384xf32> {
  %e = tensor.empty() : tensor<32x384xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x384xf16>) outs(%e : tensor<32x384xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<32x384xf32>
  %w = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 16, 384] : tensor<32x384xf32> into tensor<2x16x384xf32>
  return %w : tensor<2x16x384xf32>
}

// CHECK-LABEL: func @before
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x16x384xf16>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x16x384xf16>)
// CHECK: tensor.collapse_shape %[[R]] {{\[}}[0, 1], [2]]
func.func @before(%x: tensor<2x16x384xf16>) -> tensor<32x384xf32> {
  %n = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x16x384xf16> into tensor<32x384xf16>
  %e = tensor.empty() : tensor<32x384xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%n : tensor<32x384xf16>) outs(%e : tensor<32x384xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<32x384xf32>
  return %y : tensor<32x384xf32>
}

// Dimensions of one element keep nothing apart, and what is not static stays.
// CHECK-LABEL: func @stay
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<32x384xf16>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?x384xf16>)
func.func @stay(%x: tensor<32x384xf16>, %z: tensor<?x384xf16>, %n: index) -> (tensor<1x32x384xf32>, tensor<2x?x384xf32>) {
  %e = tensor.empty() : tensor<32x384xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x384xf16>) outs(%e : tensor<32x384xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<32x384xf32>
  %w = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 32, 384] : tensor<32x384xf32> into tensor<1x32x384xf32>
  %f = tensor.empty(%n) : tensor<?x384xf32>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<?x384xf16>) outs(%f : tensor<?x384xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<?x384xf32>
  %v = tensor.expand_shape %u [[0, 1], [2]] output_shape [2, %n, 384] : tensor<?x384xf32> into tensor<2x?x384xf32>
  return %w, %v : tensor<1x32x384xf32>, tensor<2x?x384xf32>
}

// A transposition behind an op is given the op's dimensions, and an op that drops
// dimensions of one element behind a transposition is given those.
// CHECK-LABEL: func @transposed
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x16x384xf32>) outs(%{{.*}} : tensor<384x2x16xf32>) permutation = [2, 0, 1]
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x384x32xf32>)
func.func @transposed(%x: tensor<2x16x384xf32>, %z: tensor<1x32x384xf32>) -> (tensor<384x32xf32>, tensor<384x32xf32>) {
  %e = tensor.empty() : tensor<2x16x384xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x16x384xf32>) outs(%e : tensor<2x16x384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<2x16x384xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<2x16x384xf32> into tensor<32x384xf32>
  %f = tensor.empty() : tensor<384x32xf32>
  %t = linalg.transpose ins(%c : tensor<32x384xf32>) outs(%f : tensor<384x32xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<1x384x32xf32>
  %u = linalg.transpose ins(%z : tensor<1x32x384xf32>) outs(%g : tensor<1x384x32xf32>) permutation = [0, 2, 1]
  %d = tensor.collapse_shape %u [[0, 1], [2]] : tensor<1x384x32xf32> into tensor<384x32xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<384x32xf32>) outs(%f : tensor<384x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  } -> tensor<384x32xf32>
  return %t, %v : tensor<384x32xf32>, tensor<384x32xf32>
}
