// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @values
// CHECK: tm_tensor.topk dimension(1) ins(%{{.*}} : tensor<20x10xf32>) outs(%{{.*}}, %{{.*}} : tensor<20x3xf32>, tensor<20x3xi32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:   %[[C:.*]] = arith.cmpf ogt, %[[A]], %[[B]] : f32
// CHECK-NEXT:   tm_tensor.yield %[[C]] : i1
// CHECK-NEXT: } -> tensor<20x3xf32>, tensor<20x3xi32>

// GENERIC-LABEL: "values"
// GENERIC: "tm_tensor.topk"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 2>}> ({
func.func @values(%x: tensor<20x10xf32>, %v: tensor<20x3xf32>, %p: tensor<20x3xi32>) -> tensor<20x3xi32> {
  %0:2 = tm_tensor.topk dimension(1) ins(%x : tensor<20x10xf32>) outs(%v, %p : tensor<20x3xf32>, tensor<20x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  } -> tensor<20x3xf32>, tensor<20x3xi32>
  return %0#1 : tensor<20x3xi32>
}

// CHECK-LABEL: @values_and_indices
// CHECK: tm_tensor.topk {nm.note = "kept"} dimension(0) ins(%{{.*}}, %{{.*}} : tensor<?x2xi8>, tensor<?x2xi32>) outs(%{{.*}}, %{{.*}} : tensor<3x2xi8>, tensor<3x2xi32>) {
func.func @values_and_indices(%x: tensor<?x2xi8>, %i: tensor<?x2xi32>, %v: tensor<3x2xi8>, %p: tensor<3x2xi32>) -> tensor<3x2xi8> {
  %0:2 = tm_tensor.topk {nm.note = "kept"} dimension(0) ins(%x, %i : tensor<?x2xi8>, tensor<?x2xi32>) outs(%v, %p : tensor<3x2xi8>, tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8):
    %c = arith.cmpi slt, %a, %b : i8
    tm_tensor.yield %c : i1
  } -> tensor<3x2xi8>, tensor<3x2xi32>
  return %0#0 : tensor<3x2xi8>
}
