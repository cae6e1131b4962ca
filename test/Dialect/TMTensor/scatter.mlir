// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @all_dimensions
// CHECK: tm_tensor.scatter {dimension_map = array<i64: 0, 1, 2, 3>} unique_indices(true) ins(%{{.*}}, %{{.*}} : tensor<64x1x1x1x1xf32>, tensor<64x4xi64>) outs(%{{.*}} : tensor<1x4x32x16xf32>) {
// CHECK-NEXT: ^bb0(%[[U:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:   tm_tensor.yield %[[U]] : f32
// CHECK-NEXT: } -> tensor<1x4x32x16xf32>

// GENERIC-LABEL: "all_dimensions"
// GENERIC: "tm_tensor.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_map = array<i64: 0, 1, 2, 3>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
// GENERIC: }) : (tensor<64x1x1x1x1xf32>, tensor<64x4xi64>, tensor<1x4x32x16xf32>) -> tensor<1x4x32x16xf32>
func.func @all_dimensions(%u: tensor<64x1x1x1x1xf32>, %i: tensor<64x4xi64>, %o: tensor<1x4x32x16xf32>) -> tensor<1x4x32x16xf32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1, 2, 3>} unique_indices(true) ins(%u, %i : tensor<64x1x1x1x1xf32>, tensor<64x4xi64>) outs(%o : tensor<1x4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<1x4x32x16xf32>
  return %0 : tensor<1x4x32x16xf32>
}

// CHECK-LABEL: @rows_added
// CHECK: tm_tensor.scatter {dimension_map = array<i64: 0>, nm.note = "kept"} unique_indices(false) ins(%{{.*}}, %{{.*}} : tensor<?x?xi32>, tensor<?x1xi32>) outs(%{{.*}} : tensor<?x?xi32>) {
func.func @rows_added(%u: tensor<?x?xi32>, %i: tensor<?x1xi32>, %o: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>, nm.note = "kept"} unique_indices(false) ins(%u, %i : tensor<?x?xi32>, tensor<?x1xi32>) outs(%o : tensor<?x?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tm_tensor.yield %s : i32
  } -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: @transposed_map
// CHECK: tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%{{.*}}, %{{.*}} : memref<3xf16>, memref<3x2xi64>) outs(%{{.*}} : memref<4x5xf16>) {
func.func @transposed_map(%u: memref<3xf16>, %i: memref<3x2xi64>, %o: memref<4x5xf16>) {
  tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%u, %i : memref<3xf16>, memref<3x2xi64>) outs(%o : memref<4x5xf16>) {
  ^bb0(%a: f16, %b: f16):
    tm_tensor.yield %a : f16
  }
  return
}
