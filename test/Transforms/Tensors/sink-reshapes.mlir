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

// The heads of one token lie as they lay; those of two do not.
// CHECK-LABEL: func.func @transposed_heads(
// CHECK-SAME: %[[ONE:.*]]: tensor<?x1x4x16xf32>, %[[TWO:.*]]: tensor<1x2x4x16xf32>)
// CHECK: %[[HEADS:.*]] = tensor.collapse_shape %[[ONE]] {{\[\[}}0, 1], [2], [3]] : tensor<?x1x4x16xf32> into tensor<?x4x16xf32>
// CHECK: tensor.expand_shape %[[HEADS]] {{\[\[}}0], [1, 2], [3]] output_shape [%{{.*}}, 4, 1, 16] : tensor<?x4x16xf32> into tensor<?x4x1x16xf32>
// CHECK: linalg.transpose ins(%[[TWO]]
func.func @transposed_heads(%one: tensor<?x1x4x16xf32>, %two: tensor<1x2x4x16xf32>)
    -> (tensor<?x4x1x16xf32>, tensor<1x4x2x16xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %one, %c0 : tensor<?x1x4x16xf32>
  %e1 = tensor.empty(%n) : tensor<?x4x1x16xf32>
  %t1 = linalg.transpose ins(%one : tensor<?x1x4x16xf32>) outs(%e1 : tensor<?x4x1x16xf32>) permutation = [0, 2, 1, 3]
  %e2 = tensor.empty() : tensor<1x4x2x16xf32>
  %t2 = linalg.transpose ins(%two : tensor<1x2x4x16xf32>) outs(%e2 : tensor<1x4x2x16xf32>) permutation = [0, 2, 1, 3]
  return %t1, %t2 : tensor<?x4x1x16xf32>, tensor<1x4x2x16xf32>
}

// A row becomes a column by one expansion.
// CHECK-LABEL: func.func @row_to_column(
// CHECK-NEXT: tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<1x8xf32> into tensor<8xf32>
// CHECK-NEXT: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
// CHECK-NEXT: return
func.func @row_to_column(%row: tensor<1x8xf32>) -> tensor<8x1xf32> {
  %e = tensor.empty() : tensor<8x1xf32>
  %t = linalg.transpose ins(%row : tensor<1x8xf32>) outs(%e : tensor<8x1xf32>) permutation = [1, 0]
  return %t : tensor<8x1xf32>
}

// The first of several products that fill a tensor writes into it, as the others do.
// CHECK-LABEL: func.func @slices_of_one(
// CHECK: %[[ALL:.*]] = tensor.empty() : tensor<2x16x8xf32>
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[ALL]]
// CHECK: nm.spmm {{.*}} outs(%[[FIRST]]
func.func @slices_of_one(%x: tensor<16x4xf32>, %w: !w) -> tensor<2x16x8xf32> {
  %all = tensor.empty() : tensor<2x16x8xf32>
  %first = tensor.extract_slice %all[0, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%first : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %half = tensor.insert_slice %p into %all[0, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<16x8xf32> into tensor<2x16x8xf32>
  %second = tensor.extract_slice %half[1, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<2x16x8xf32> to tensor<16x8xf32>
  %q = nm.spmm %x, %w outs(%second : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %full = tensor.insert_slice %q into %half[1, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<16x8xf32> into tensor<2x16x8xf32>
  return %full : tensor<2x16x8xf32>
}
