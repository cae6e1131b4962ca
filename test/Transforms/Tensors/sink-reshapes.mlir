// RUN: nm-opt %s --nm-sink-reshapes --canonicalize | FileCheck %s

!w = !nm.condensed<4x8xf32, #nm.pattern<2:4>>
#id = affine_map<(i, j, k) -> (i, j, k)>
#col = affine_map<(i, j, k) -> (k)>
#row = affine_map<(i, j, k) -> (i, j)>
#swap = affine_map<(i, j, k) -> (j, i, k)>
#unit = affine_map<(i, j) -> (i, j)>
#unitcol = affine_map<(i, j) -> (j)>

// The sum, and the reduction of it, are computed in the product's shape; the
// other operand is collapsed. The number of rows is not known.
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[P:.*]] = nm.spmm
// CHECK: %[[R:.*]] = tensor.collapse_shape %arg2 {{\[}}[0, 1], [2]] : tensor<?x2x8xf32> into tensor<?x8xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[P]], %[[R]] : tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK: linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[S]] : tensor<?x8xf32>)
func.func @dynamic(%x: tensor<?x4xf32>, %w: !w, %r: tensor<?x2x8xf32>, %d: index, %m: index)
    -> (tensor<?x2x8xf32>, tensor<?x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = tensor.empty(%m) : tensor<?x8xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<?x8xf32>) : tensor<?x4xf32>, !w -> tensor<?x8xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [%d, 2, 8] : tensor<?x8xf32> into tensor<?x2x8xf32>
  %e = tensor.empty(%d) : tensor<?x2x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3, %r : tensor<?x2x8xf32>, tensor<?x2x8xf32>) outs(%e : tensor<?x2x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
  } -> tensor<?x2x8xf32>
  %e2 = tensor.empty(%d) : tensor<?x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y : tensor<?x2x8xf32>) outs(%z : tensor<?x2xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
  } -> tensor<?x2xf32>
  return %y, %t : tensor<?x2x8xf32>, tensor<?x2xf32>
}

// A broadcast for such an op alone is made in the product's shape too.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NOT: collapse_shape {{.*}} tensor<2x8x8xf32>
// CHECK: return
func.func @broadcast(%x: tensor<16x4xf32>, %w: !w, %b: tensor<8xf32>) -> tensor<2x8x8xf32> {
  %c = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %e = tensor.empty() : tensor<2x8x8xf32>
  %b3 = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<8xf32>) outs(%e : tensor<2x8x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
  } -> tensor<2x8x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3, %b3 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x8x8xf32>) {
    ^bb0(%a: f32, %v: f32, %o: f32):
      %s = arith.addf %a, %v : f32
      linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  return %y : tensor<2x8x8xf32>
}

// What follows a product of one row has a dimension of 1 too many.
// CHECK-LABEL: func.func @one_row(
// CHECK: %[[P:.*]] = nm.spmv
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[P]], %{{.*}} : tensor<8xf32>, tensor<8xf32>)
func.func @one_row(%x: tensor<4xf32>, %w: !w, %b: tensor<8xf32>) -> tensor<1x8xf32> {
  %c = tensor.empty() : tensor<8xf32>
  %p = nm.spmv %x, %w outs(%c : tensor<8xf32>) : tensor<4xf32>, !w -> tensor<8xf32>
  %p2 = tensor.expand_shape %p [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %y = linalg.generic {indexing_maps = [#unit, #unitcol, #unit], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %b : tensor<1x8xf32>, tensor<8xf32>) outs(%e : tensor<1x8xf32>) {
    ^bb0(%a: f32, %v: f32, %o: f32):
      %s = arith.addf %a, %v : f32
      linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}

// The expanded dimensions are exchanged, so both are needed. An expansion of
// anything else is not touched.
// CHECK-LABEL: func.func @left_alone(
// CHECK: tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8x8xf32>)
// CHECK: tensor.expand_shape %arg2
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x8x8xf32>)
func.func @left_alone(%x: tensor<16x4xf32>, %w: !w, %q: tensor<16x8xf32>)
    -> (tensor<8x2x8xf32>, tensor<2x8x8xf32>) {
  %c = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %e = tensor.empty() : tensor<8x2x8xf32>
  %y = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3 : tensor<2x8x8xf32>) outs(%e : tensor<8x2x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.negf %a : f32
      linalg.yield %s : f32
  } -> tensor<8x2x8xf32>
  %q3 = tensor.expand_shape %q [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %e3 = tensor.empty() : tensor<2x8x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q3 : tensor<2x8x8xf32>) outs(%e3 : tensor<2x8x8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.negf %a : f32
      linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  return %y, %z : tensor<8x2x8xf32>, tensor<2x8x8xf32>
}
