// RUN: nm-opt %s --nm-map-loops-to-gpu --split-input-file | FileCheck %s
// RUN: nm-opt %s --nm-map-loops-to-gpu="block-size=64 max-blocks=2" --split-input-file | FileCheck %s --check-prefix=SMALL

// 1000 iterations are 8 blocks of 128 threads, the last one guarded.
// CHECK-LABEL: func @guarded
// SMALL-LABEL: func @guarded
func.func @guarded(%m: memref<10x100xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  // CHECK: gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c8{{.*}}) threads(%[[T:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c128
  // CHECK-SAME: module(@nm_kernels) function(@guarded_0_fill)
  // CHECK: %[[BASE:.*]] = arith.muli %[[B]], %c128
  // CHECK: %[[ID:.*]] = arith.addi %[[BASE]], %[[T]]
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ID]], %c1000
  // CHECK: scf.if %[[INSIDE]]
  // CHECK:   arith.remui %{{.*}} : i32
  // CHECK:   memref.store
  // SMALL: gpu.launch blocks({{.*}}) in (%{{.*}} = %c2{{.*}})
  // SMALL: scf.for
  scf.parallel (%i, %j) = (%c0, %c0) to (%c10, %c100) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<10x100xf32>
  } {nm.kernel_name = "fill"}
  return
}

// -----

// An unknown number of iterations is looped over with the grid's stride.
// CHECK-LABEL: func @dynamic
func.func @dynamic(%m: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: arith.ceildivui
  // CHECK: arith.minui
  // CHECK: gpu.launch
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
  // CHECK:   memref.store %{{.*}}, %{{.*}}[%[[I]]]
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----

// No iteration where the upper bound is below the lower one, which is known or
// not; a step that is not known has to be positive.
// CHECK-LABEL: func @bounds
// CHECK-SAME: %[[L:[a-z0-9]+]]: index, %[[U:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index
func.func @bounds(%m: memref<?xf32>, %l: index, %u: index, %s: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  // CHECK: %[[RANGE:.*]] = arith.subi %[[U]], %[[L]]
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[S]], %c0
  // CHECK: cf.assert %[[POSITIVE]], "scf.parallel: the step is not positive"
  // CHECK: %[[COUNT:.*]] = arith.ceildivui %[[RANGE]], %[[S]]
  // CHECK: %[[EMPTY:.*]] = arith.cmpi sle, %[[U]], %[[L]]
  // CHECK: %[[N:.*]] = arith.select %[[EMPTY]], %c0{{.*}}, %[[COUNT]]
  // CHECK: arith.ceildivui %[[N]], %c256
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  // CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c0
  scf.parallel (%i) = (%c256) to (%c1) step (%c1) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  // CHECK-NOT: arith.select
  // CHECK: gpu.launch
  %d = memref.dim %m, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%d) step (%c1) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----

// An inner parallel loop is sequential; an assertion stays; a store outside of
// loops is a kernel of one thread.
// CHECK-LABEL: func @inner
func.func @inner(%m: memref<128x4xf32>, %v: f32, %ok: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  // CHECK: cf.assert
  cf.assert %ok, "on the host"
  // CHECK: gpu.launch
  // CHECK-NOT: scf.if
  // CHECK: scf.for
  // CHECK: cf.assert %{{.*}}, "in the kernel"
  scf.parallel (%i) = (%c0) to (%c128) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      cf.assert %ok, "in the kernel"
      memref.store %v, %m[%i, %j] : memref<128x4xf32>
    }
  }
  // CHECK: gpu.launch {{.*}} function(@inner_1_store)
  memref.store %v, %m[%c0, %c0] : memref<128x4xf32>
  return
}
