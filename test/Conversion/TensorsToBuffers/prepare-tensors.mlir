// RUN: nm-opt %s --nm-prepare-tensors | FileCheck %s

// CHECK-LABEL: func @reshape(
// CHECK-SAME: %[[T:.*]]: tensor<1x?x8xf32> {bufferization.writable = false}, %[[N:.*]]: i64)
func.func @reshape(%t: tensor<1x?x8xf32>, %n: i64) -> tensor<1x?x2x4xf32> {
  // CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1, 2]]
  // CHECK-DAG: %[[SIZE:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1, 2, 3]] output_shape [1, %[[SIZE]], 2, 4]
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %s = tensor.from_elements %c1, %n, %c2, %c4 : tensor<4xi64>
  %r = tensor.reshape %t(%s) : (tensor<1x?x8xf32>, tensor<4xi64>) -> tensor<1x?x2x4xf32>
  return %r : tensor<1x?x2x4xf32>
}

// CHECK-LABEL: func @concat
func.func @concat(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  // CHECK-NOT: tensor.concat
  // CHECK-COUNT-2: tensor.insert_slice
  %r = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
