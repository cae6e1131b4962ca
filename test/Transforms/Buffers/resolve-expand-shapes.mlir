// RUN: nm-opt %s --nm-resolve-expand-shapes --canonicalize | FileCheck %s
// What upstream's pass needs is left: it crashes on two dynamic sizes.
// RUN: nm-opt %s --nm-resolve-expand-shapes --expand-strided-metadata \
// RUN:   | FileCheck %s --check-prefix=AFTER

// CHECK-LABEL: func.func @two_dynamic
// CHECK-SAME: (%[[A:.*]]: memref<?x4xf32>, %[[X:.*]]: index, %[[Y:.*]]: index)
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[STEP:.*]] = arith.muli %[[Y]], %[[FOUR]]
// CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[X]], %[[Y]], 4], strides: [%[[STEP]], 4, 1]
// AFTER-LABEL: func.func @two_dynamic
// AFTER: memref.reinterpret_cast
func.func @two_dynamic(%a: memref<?x4xf32>, %x: index, %y: index)
    -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [%x, %y, 4]
      : memref<?x4xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}

// The offset and the strides of a part of another buffer stay.
// CHECK-LABEL: func.func @strided
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
// CHECK: %[[STEP:.*]] = arith.muli %[[STRIDES]]#0, %{{.*}}
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [%{{.*}}, 2, 3], strides: [%[[STEP]], %[[STRIDES]]#0, 1]
func.func @strided(%a: memref<?x3xf32, strided<[?, 1], offset: ?>>, %x: index)
    -> memref<?x2x3xf32, strided<[?, ?, 1], offset: ?>> {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [%x, 2, 3]
      : memref<?x3xf32, strided<[?, 1], offset: ?>>
      into memref<?x2x3xf32, strided<[?, ?, 1], offset: ?>>
  return %0 : memref<?x2x3xf32, strided<[?, ?, 1], offset: ?>>
}

// CHECK-LABEL: func.func @static
// CHECK: memref.expand_shape
func.func @static(%a: memref<6xf32>) -> memref<2x3xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [2, 3]
      : memref<6xf32> into memref<2x3xf32>
  return %0 : memref<2x3xf32>
}
