// RUN: nm-opt %s --nm-inline-calls | FileCheck %s
// RUN: nm-compile %s -o /dev/null --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-run %s --entry=main --device=cpu
// RUN: nm-run %s --entry=main --device=emulator

// REPORT: layers: 1 sparse, 0 dense
// REPORT: product 0 {{.*}} 1:4

// Once, and by way of another that is called once.
// CHECK-NOT: @linear
// CHECK-NOT: @layer
func.func private @linear(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %y = call @linear(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %z = call @twice(%y) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %u = call @twice(%z) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %v = call @kept(%u) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %v : tensor<4x2xf32>
}

// CHECK: func.func private @twice
func.func private @twice(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %empty = tensor.empty() : tensor<4x2xf32>
  %y = linalg.exp ins(%x : tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK: func.func private @kept
func.func private @kept(%x: tensor<4x2xf32>) -> tensor<4x2xf32> attributes {no_inline} {
  return %x : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = arith.constant dense
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]]
// CHECK: call @twice
// CHECK: call @twice
// CHECK: call @kept
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
  %y = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// A public function stays, and one that calls itself.
// CHECK: func.func @public
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// CHECK: call @public
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @public(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
