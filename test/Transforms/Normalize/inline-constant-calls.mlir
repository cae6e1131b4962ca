// RUN: nm-opt %s --nm-inline-calls --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: nm-compile %s -o /dev/null --report=- | FileCheck %s --check-prefix=REPORT

// Functions that are called several times and handed constants take the place of
// those calls; a call without constants stays.

// Equal products are computed once.
// REPORT: layers: 2 sparse, 0 dense

// REMARK-DAG: remark: [Passed] inlined | Category:nm-inline-calls | Function=main | Callee=mlp
// REMARK-DAG: remark: [Passed] inlined | Category:nm-inline-calls | Function=main | Callee=linear

// CHECK: func.func private @linear
func.func private @linear(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Handed on by another.
// CHECK-NOT: @mlp
func.func private @mlp(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %y = call @linear(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = call @linear(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %s = linalg.add ins(%y, %z : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %s : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: linalg.matmul
// CHECK-NOT: call
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
  %v = arith.constant dense<[[0.0, 5.0], [6.0, 0.0], [0.0, 0.0], [0.0, 0.0], [7.0, 0.0], [0.0, 8.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<8x2xf32>
  %y = call @mlp(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = call @mlp(%x, %v) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y, %z : tensor<4x2xf32>, tensor<4x2xf32>
}

// What is not known, or one number repeated, is no reason to copy.
// CHECK-LABEL: func.func @unknown
// CHECK: call @linear
// CHECK: call @linear
func.func @unknown(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %v = arith.constant dense<2.0> : tensor<8x2xf32>
  %y = call @linear(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = call @linear(%x, %v) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y, %z : tensor<4x2xf32>, tensor<4x2xf32>
}
