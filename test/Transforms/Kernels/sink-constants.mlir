// RUN: nm-opt %s --nm-sink-constants | FileCheck %s

// Two launches that share constants with each other and with their operands: each
// has one of its own, however often it uses it, and what is no constant stays.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<4x4xf32>, %[[X:[a-z0-9]+]]: f32
func.func @main(%m: memref<4x4xf32>, %x: f32) {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  %c1 = arith.constant 1 : index
  // CHECK: gpu.launch blocks({{.*}}) in ({{.*}} = %[[ONE]], {{.*}} = %[[ONE]]
  // CHECK-NEXT: %[[A:.*]] = arith.constant 1 : index
  // CHECK-NEXT: memref.store %[[X]], %[[M]][%[[A]], %[[A]]]
  // CHECK-NEXT: gpu.terminator
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%c1, %c1] : memref<4x4xf32>
    gpu.terminator
  }
  // CHECK: gpu.launch
  // CHECK-NEXT: %[[B:.*]] = arith.constant 1 : index
  // CHECK-NEXT: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[B]]
  // CHECK-NEXT: memref.store %[[X]], %[[M]][%[[I]], %[[B]]]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %i = %tx to %sx step %c1 {
      memref.store %x, %m[%i, %c1] : memref<4x4xf32>
    }
    gpu.terminator
  }
  return
}
