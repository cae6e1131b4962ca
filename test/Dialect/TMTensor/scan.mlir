// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @inclusive
// CHECK: %[[R:.*]]:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%{{.*}} : tensor<2x16xi64>) outs(%{{.*}}, %{{.*}} : tensor<2x16xi64>, tensor<2xi64>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64):
// CHECK-NEXT:   %[[S:.*]] = arith.addi %[[A]], %[[B]] : i64
// CHECK-NEXT:   tm_tensor.yield %[[S]] : i64
// CHECK-NEXT: } -> tensor<2x16xi64>, tensor<2xi64>

// GENERIC-LABEL: "inclusive"
// GENERIC: "tm_tensor.scan"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
// GENERIC-NEXT: ^bb0(%{{.*}}: i64, %{{.*}}: i64):
// GENERIC:   "tm_tensor.yield"(%{{.*}}) : (i64) -> ()
// GENERIC: }) : (tensor<2x16xi64>, tensor<2x16xi64>, tensor<2xi64>) -> (tensor<2x16xi64>, tensor<2xi64>)
func.func @inclusive(%x: tensor<2x16xi64>, %y: tensor<2x16xi64>, %a: tensor<2xi64>) -> (tensor<2x16xi64>, tensor<2xi64>) {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x16xi64>) outs(%y, %a : tensor<2x16xi64>, tensor<2xi64>) {
  ^bb0(%t: i64, %n: i64):
    %s = arith.addi %t, %n : i64
    tm_tensor.yield %s : i64
  } -> tensor<2x16xi64>, tensor<2xi64>
  return %0#0, %0#1 : tensor<2x16xi64>, tensor<2xi64>
}

// CHECK-LABEL: @exclusive
// CHECK: tm_tensor.scan dimension(0) inclusive(false) {nm.note = "kept"} ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<f32>) {
func.func @exclusive(%x: tensor<?xf32>, %y: tensor<?xf32>, %a: tensor<f32>) -> tensor<?xf32> {
  %0:2 = tm_tensor.scan dimension(0) inclusive(false) {nm.note = "kept"} ins(%x : tensor<?xf32>) outs(%y, %a : tensor<?xf32>, tensor<f32>) {
  ^bb0(%t: f32, %n: f32):
    %s = arith.mulf %t, %n : f32
    tm_tensor.yield %s : f32
  } -> tensor<?xf32>, tensor<f32>
  return %0#0 : tensor<?xf32>
}

// CHECK-LABEL: @on_buffers
// CHECK: tm_tensor.scan dimension(0) inclusive(true) ins(%{{.*}} : memref<8x3xi32>) outs(%{{.*}}, %{{.*}} : memref<8x3xi32>, memref<3xi32>) {
// CHECK: tm_tensor.yield %{{.*}} : i32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @on_buffers(%x: memref<8x3xi32>, %y: memref<8x3xi32>, %a: memref<3xi32>) {
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<8x3xi32>) outs(%y, %a : memref<8x3xi32>, memref<3xi32>) {
  ^bb0(%t: i32, %n: i32):
    %s = arith.maxsi %t, %n : i32
    tm_tensor.yield %s : i32
  }
  return
}
