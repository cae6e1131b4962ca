// RUN: nm-opt %s --nm-own-results | FileCheck %s

// An argument, and the same buffer twice, are copied; an own allocation is not.
// CHECK-LABEL: func @results(
// CHECK-SAME: %[[A:.*]]: memref<?xf32>)
func.func @results(%a: memref<?xf32>) -> (memref<?xf32>, memref<4xf32>, memref<2x2xf32>) {
  // CHECK: %[[M:.*]] = memref.alloc() : memref<4xf32>
  // CHECK: %[[N:.*]] = memref.dim %[[A]]
  // CHECK: %[[COPY:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
  // CHECK: memref.copy %[[A]], %[[COPY]]
  // CHECK: %[[SECOND:.*]] = memref.alloc() : memref<2x2xf32>
  // CHECK: memref.copy %{{.*}}, %[[SECOND]]
  // CHECK: return %[[COPY]], %[[M]], %[[SECOND]]
  %m = memref.alloc() : memref<4xf32>
  %e = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  return %a, %m, %e : memref<?xf32>, memref<4xf32>, memref<2x2xf32>
}
