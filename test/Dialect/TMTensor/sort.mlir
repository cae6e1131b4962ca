// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @pairs
// CHECK: %{{.*}}:2 = tm_tensor.sort dimension(1) outs(%{{.*}}, %{{.*}} : tensor<10x4xf32>, tensor<10x4xi64>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: i64, %{{.*}}: i64):
// CHECK-NEXT:   %[[C:.*]] = arith.cmpf oge, %[[A]], %[[B]] : f32
// CHECK-NEXT:   tm_tensor.yield %[[C]] : i1
// CHECK-NEXT: } -> tensor<10x4xf32>, tensor<10x4xi64>

// GENERIC-LABEL: "pairs"
// GENERIC: "tm_tensor.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({
func.func @pairs(%k: tensor<10x4xf32>, %p: tensor<10x4xi64>) -> tensor<10x4xi64> {
  %0:2 = tm_tensor.sort dimension(1) outs(%k, %p : tensor<10x4xf32>, tensor<10x4xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<10x4xf32>, tensor<10x4xi64>
  return %0#1 : tensor<10x4xi64>
}

// CHECK-LABEL: @one_operand
// CHECK: tm_tensor.sort {nm.note = "kept"} dimension(0) outs(%{{.*}} : memref<?xi32>) {
func.func @one_operand(%k: memref<?xi32>) {
  tm_tensor.sort {nm.note = "kept"} dimension(0) outs(%k : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    tm_tensor.yield %c : i1
  }
  return
}
