// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// What a product is added to, other than zeros, is added behind it.

// REMARK: Function=ones | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @ones
// CHECK: %[[Y:.*]] = nm.spmm
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<3x4xf32>, tensor<3x4xf32>)
// CHECK: arith.addf
// CHECK: return %[[C]]
func.func @ones(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
  %one = arith.constant 1.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%one : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// REMARK: Function=argument | Op=nm.spmm
// CHECK-LABEL: func.func @argument
// CHECK: %[[Y:.*]] = nm.spmm
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<3x4xf32>, tensor<3x4xf32>)
// CHECK: arith.addf
// CHECK: return %[[C]]
func.func @argument(%x: tensor<3x8xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A vector that is only broadcast there is read as one: a bias.
// REMARK: Function=bias | Op=nm.spmm
// CHECK-LABEL: func.func @bias
// CHECK-NOT: linalg.broadcast
// CHECK: %[[Y:.*]] = nm.spmm
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<3x4xf32>, tensor<4xf32>)
// CHECK: arith.addf
// CHECK: return %[[C]]
func.func @bias(%x: tensor<3x8xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%o : tensor<3x4xf32>) dimensions = [0]
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
