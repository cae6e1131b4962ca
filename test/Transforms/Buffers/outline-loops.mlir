// RUN: nm-opt %s --nm-outline-loops --split-input-file | FileCheck %s

// Three loops, of which the first and the last are equal: one function for both.
// What they use are arguments, but constants are made anew.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4xf32>, %[[B:[a-z0-9]+]]: memref<4xf32>, %[[X:[a-z0-9]+]]: f32
func.func @main(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f32
  // CHECK-NOT: scf.parallel
  // CHECK: call @main_fill(%[[X]], %[[A]]) : (f32, memref<4xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %a[%i] : memref<4xf32>
  } {nm.kernel_name = "fill"}
  // CHECK: call @main_loop(%[[A]]) : (memref<4xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %y = memref.load %a[%i] : memref<4xf32>
    %z = arith.mulf %y, %two : f32
    memref.store %z, %a[%i] : memref<4xf32>
  }
  // CHECK: call @main_fill(%[[X]], %[[B]]) : (f32, memref<4xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %b[%i] : memref<4xf32>
  } {nm.kernel_name = "fill"}
  // CHECK: return
  return
}
// CHECK: func.func private @main_loop(%[[M:[a-z0-9]+]]: memref<4xf32>) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-DAG: arith.constant 4 : index
// CHECK-DAG: arith.constant 2.0
// CHECK: scf.parallel
// CHECK: memref.store %{{.*}}, %[[M]]
// CHECK: func.func private @main_fill(
// CHECK-NOT: func.func

// -----

// A loop in a loop of the host is called from there, the loop inside of a loop
// stays in it, and a loop with another bound is another function. A name that is
// taken is left to who has it.

// CHECK-LABEL: func.func @host
func.func @host(%m: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: scf.for %[[I:[a-z0-9]+]]
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: func.call @host_loop_0(%{{.*}}, %{{.*}}, %[[I]])
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      scf.parallel (%k) = (%c0) to (%n) step (%c1) {
        memref.store %zero, %m[%i, %k] : memref<?x?xf32>
      }
    }
  }
  // CHECK: call @host_loop_1
  scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
    memref.store %zero, %m[%c0, %j] : memref<?x?xf32>
  }
  return
}
// CHECK: func.func private @host_loop_1
// CHECK: func.func private @host_loop_0
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: func.func private @host_loop()
func.func private @host_loop() {
  return
}

// -----

// Public functions that are equal are both asked for by name.
// CHECK: func.func @one
// CHECK: func.func @two
func.func @one() {
  return
}
func.func @two() {
  return
}
