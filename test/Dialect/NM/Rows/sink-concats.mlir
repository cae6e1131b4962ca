// RUN: nm-opt %s --nm-sink-concats --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Of other operands the parts are taken, or all where the loop is no dimension.
// CHECK-LABEL: func @parts
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>, %[[B:[a-z0-9]+]]: tensor<4x16xf32>, %[[X:[a-z0-9]+]]: tensor<24xf32>, %[[R:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[X]][0] [8] [1]
// CHECK: %[[Y0:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[X0]], %[[R]] : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>)
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[X]][8] [16] [1]
// CHECK: %[[Y1:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[X1]], %[[R]] : tensor<4x16xf32>, tensor<16xf32>, tensor<4xf32>)
// CHECK: tensor.concat dim(1) %[[Y0]], %[[Y1]]
func.func @parts(%a: tensor<4x8xf32>, %b: tensor<4x16xf32>, %x: tensor<24xf32>, %r: tensor<4xf32>) -> tensor<4x24xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<4x24xf32>
  %e = tensor.empty() : tensor<4x24xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %x, %r : tensor<4x24xf32>, tensor<24xf32>, tensor<4xf32>) outs(%e : tensor<4x24xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x24xf32>
  return %y : tensor<4x24xf32>
}

// A rotation: the halves of what is transposed are taken before it, and are not
// concatenated but for the result.
// CHECK-LABEL: func @rotary
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4x16xf32>
// CHECK-NOT: tensor<4x3x16xf32>) permutation
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %[[X]][0, 0, 8] [3, 4, 8] [1, 1, 1]
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [3, 4, 8] [1, 1, 1]
// CHECK-DAG: linalg.transpose ins(%[[X0]] :
// CHECK-DAG: linalg.transpose ins(%[[X1]] :
// CHECK-COUNT-1: tensor.concat dim(2)
// CHECK-NOT: tensor.concat
#three = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @rotary(%x: tensor<3x4x16xf32>, %cos: tensor<4x8xf32>) -> tensor<4x3x16xf32> {
  %e = tensor.empty() : tensor<4x3x16xf32>
  %t = linalg.transpose ins(%x : tensor<3x4x16xf32>) outs(%e : tensor<4x3x16xf32>) permutation = [1, 0, 2]
  %tlo = tensor.extract_slice %t[0, 0, 0] [4, 3, 8] [1, 1, 1] : tensor<4x3x16xf32> to tensor<4x3x8xf32>
  %thi = tensor.extract_slice %t[0, 0, 8] [4, 3, 8] [1, 1, 1] : tensor<4x3x16xf32> to tensor<4x3x8xf32>
  %r = tensor.concat dim(2) %thi, %tlo : (tensor<4x3x8xf32>, tensor<4x3x8xf32>) -> tensor<4x3x16xf32>
  %both = tensor.concat dim(1) %cos, %cos : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %w = tensor.expand_shape %both [[0], [1, 2]] output_shape [4, 1, 16] : tensor<4x16xf32> into tensor<4x1x16xf32>
  %y = linalg.generic {indexing_maps = [#three, #three, affine_map<(d0, d1, d2) -> (d0, 0, d2)>, #three], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %r, %w : tensor<4x3x16xf32>, tensor<4x3x16xf32>, tensor<4x1x16xf32>) outs(%e : tensor<4x3x16xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %o: f32):
    %0 = arith.mulf %q, %s : f32
    %1 = arith.addf %p, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x16xf32>
  return %y : tensor<4x3x16xf32>
}

// Of dynamic shapes, and for a reduction, the concatenation stays before.
// CHECK-LABEL: func @stay
// CHECK-COUNT-2: tensor.concat
// CHECK-COUNT-2: linalg.generic
func.func @stay(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>, %i: tensor<4xf32>, %n: index) -> (tensor<?x16xf32>, tensor<4xf32>) {
  %c = tensor.concat dim(1) %a, %a : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x16xf32>
  %d = tensor.concat dim(1) %b, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %p, %p : f32
    linalg.yield %0 : f32
  } -> tensor<?x16xf32>
  %z = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<4x16xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %p, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y, %z : tensor<?x16xf32>, tensor<4xf32>
}

// A transposition of rows' halves is one of each half.
// CHECK-LABEL: func @transposed
// CHECK-COUNT-2: linalg.transpose ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<8x4xf32>) permutation = [1, 0]
// CHECK: tensor.concat dim(0) {{.*}} -> tensor<16x4xf32>
func.func @transposed(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<16x4xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<16x4xf32>
  %t = linalg.transpose ins(%c : tensor<4x16xf32>) outs(%e : tensor<16x4xf32>) permutation = [1, 0]
  return %t : tensor<16x4xf32>
}

// Rows that are concatenated stay so.
// CHECK-LABEL: func @of_rows
// CHECK: tensor.concat dim(0)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<8x8xf32>)
func.func @of_rows(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.addf %p, %p : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// What reads the second half of an array in rows of 16 elements is computed in parts of 8, as
// what reads parts of the first half is; another array's reader is not, nor one of rows of 6.
// CHECK-LABEL: func @readers
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x32xf32>, %[[Z:[a-z0-9]+]]: tensor<4x16xf32>
// CHECK: %[[HALF:.*]] = tensor.extract_slice %[[X]][0, 16] [4, 16]
// CHECK: %[[X0:.*]] = tensor.extract_slice %[[HALF]][0, 0] [4, 8]
// CHECK: %[[Y0:.*]] = linalg.generic {{.*}} ins(%[[X0]] : tensor<4x8xf32>)
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[HALF]][0, 8] [4, 8]
// CHECK: %[[Y1:.*]] = linalg.generic {{.*}} ins(%[[X1]] : tensor<4x8xf32>)
// CHECK: tensor.concat dim(1) %[[Y0]], %[[Y1]]
// CHECK: linalg.generic {{.*}} ins(%[[Z]] : tensor<4x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x6xf32>)
func.func @readers(%x: tensor<4x32xf32>, %z: tensor<4x16xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x6xf32>) {
  %e8 = tensor.empty() : tensor<4x8xf32>
  %e16 = tensor.empty() : tensor<4x16xf32>
  %e6 = tensor.empty() : tensor<4x6xf32>
  %x0 = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %x1 = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %x2 = tensor.extract_slice %x[0, 16] [4, 16] [1, 1] : tensor<4x32xf32> to tensor<4x16xf32>
  %x3 = tensor.extract_slice %x[0, 0] [4, 6] [1, 1] : tensor<4x32xf32> to tensor<4x6xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x0 : tensor<4x8xf32>) outs(%e8 : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x1 : tensor<4x8xf32>) outs(%e8 : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x2 : tensor<4x16xf32>) outs(%e16 : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<4x16xf32>) outs(%e16 : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x3 : tensor<4x6xf32>) outs(%e6 : tensor<4x6xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.negf %p : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %a, %b, %c, %d, %f : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x6xf32>
}
