// RUN: nm-opt %s --nm-tm-tensor-to-loops | FileCheck %s

// CHECK-LABEL: @scan_inclusive
// CHECK-SAME: (%[[X:.*]]: memref<2x16xi64>, %[[Y:.*]]: memref<2x16xi64>, %[[A:.*]]: memref<2xi64>)
// CHECK: scf.parallel (%[[R:.*]]) = (%c0{{.*}}) to (%c2{{.*}}) step
// CHECK:   %[[FIRST:.*]] = memref.load %[[X]][%[[R]], %[[ZERO:.*]]]
// CHECK:   memref.store %[[FIRST]], %[[Y]][%[[R]], %[[ZERO]]]
// CHECK:   %[[LAST:.*]] = scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %c16{{.*}} step %{{.*}} iter_args(%[[T:.*]] = %[[FIRST]])
// CHECK:     %[[N:.*]] = memref.load %[[X]][%[[R]], %[[I]]]
// CHECK:     %[[S:.*]] = arith.addi %[[T]], %[[N]] : i64
// CHECK:     memref.store %[[S]], %[[Y]][%[[R]], %[[I]]]
// CHECK:     scf.yield %[[S]]
// CHECK:   memref.store %[[LAST]], %[[A]][%[[R]]]
// CHECK: } {nm.kernel_name = "scan"}
func.func @scan_inclusive(%x: memref<2x16xi64>, %y: memref<2x16xi64>, %a: memref<2xi64>) {
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<2x16xi64>) outs(%y, %a : memref<2x16xi64>, memref<2xi64>) {
  ^bb0(%t: i64, %n: i64):
    %s = arith.addi %t, %n : i64
    tm_tensor.yield %s : i64
  }
  return
}

// A row alone is one iteration; an exclusive scan starts with the accumulator
// and is one element behind.
// CHECK-LABEL: @scan_exclusive
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[A:.*]]: memref<f32>)
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%c1{{.*}}) step
// CHECK:   %[[FIRST:.*]] = memref.load %[[A]][]
// CHECK:   scf.for %[[I:[a-z0-9]+]] =
// CHECK:     %[[BEFORE:.*]] = arith.subi %[[I]], %{{.*}}
// CHECK:     memref.load %[[X]][%[[BEFORE]]]
// CHECK:     memref.store %{{.*}}, %[[Y]][%[[I]]]
func.func @scan_exclusive(%x: memref<?xf32>, %y: memref<?xf32>, %a: memref<f32>) {
  tm_tensor.scan dimension(0) inclusive(false) ins(%x : memref<?xf32>) outs(%y, %a : memref<?xf32>, memref<f32>) {
  ^bb0(%t: f32, %n: f32):
    %s = arith.addf %t, %n : f32
    tm_tensor.yield %s : f32
  }
  return
}

// Updates that replace go in parallel, and the last one for a row writes it, even
// if the indices are said to be unique.
// CHECK-LABEL: @scatter_unique
// CHECK-SAME: (%[[U:.*]]: memref<100x8xf32>, %[[I:.*]]: memref<100x1xi64>, %[[O:.*]]: memref<16x8xf32>)
// CHECK: %[[LAST:.*]] = memref.alloc() : memref<16xi64>
// CHECK: scf.parallel (%[[PLACE:.*]]) = {{.*}} to (%c16{{.*}}) step
// CHECK:   memref.store %c-1_i64{{.*}}, %[[LAST]][%[[PLACE]]]
// CHECK: } {nm.kernel_name = "scatter_clear"}
// CHECK: scf.parallel (%[[N:.*]]) = {{.*}} to (%c100{{.*}}) step
// CHECK:   %[[RAW:.*]] = memref.load %[[I]][%[[N]], %{{.*}}]
// CHECK:   %[[ROW:.*]] = arith.index_cast %[[RAW]]
// CHECK:   %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c16
// CHECK:   cf.assert %[[INSIDE]], "tm_tensor.scatter: expected indices within dimension 0 of the original"
// CHECK:   %[[NUMBER:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:   memref.atomic_rmw maxs %[[NUMBER]], %[[LAST]][%[[ROW]]]
// CHECK: } {nm.kernel_name = "scatter_last"}
// CHECK: scf.parallel (%[[P:.*]], %[[Q:.*]]) = {{.*}} to (%c100{{.*}}, %c8{{.*}}) step
// CHECK-NOT: scf.for
// CHECK:   cf.assert
// CHECK:   %[[WINNER:.*]] = memref.load %[[LAST]]
// CHECK:   %[[AT:.*]] = arith.index_cast %[[WINNER]]
// CHECK:   %[[ISLAST:.*]] = arith.cmpi eq, %[[AT]], %[[P]]
// CHECK:   scf.if %[[ISLAST]]
// CHECK:     %[[UPDATE:.*]] = memref.load %[[U]][%[[P]], %[[Q]]]
// CHECK:     memref.store %[[UPDATE]], %[[O]][%{{.*}}, %[[Q]]]
// CHECK: } {nm.kernel_name = "scatter"}
func.func @scatter_unique(%u: memref<100x8xf32>, %i: memref<100x1xi64>, %o: memref<16x8xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<100x8xf32>, memref<100x1xi64>) outs(%o : memref<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// A thread looks at the later ones where these are few.
// CHECK-LABEL: @scatter_few
// CHECK-SAME: (%[[U:.*]]: memref<3xf32>, %[[I:.*]]: memref<3x2xi64>, %[[O:.*]]: memref<16x8xf32>)
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel (%[[P:.*]]) = {{.*}} to (%c3{{.*}}) step
// CHECK:   %[[FIRST:.*]] = arith.addi %[[P]], %c1
// CHECK:   %[[ISLAST:.*]] = scf.for %[[J:.*]] = %[[FIRST]] to %c3{{.*}} iter_args(%[[SOFAR:.*]] = %true
// CHECK:     memref.load %[[I]][%[[J]], %c0
// CHECK:     memref.load %[[I]][%[[J]], %c1
// CHECK:     %[[DIFFERS:.*]] = arith.ori
// CHECK:     %[[DIFFER:.*]] = arith.ori %[[DIFFERS]]
// CHECK:     %[[NEXT:.*]] = arith.andi %[[SOFAR]], %[[DIFFER]]
// CHECK:     scf.yield %[[NEXT]]
// CHECK:   scf.if %[[ISLAST]]
// CHECK:     memref.store
// CHECK: } {nm.kernel_name = "scatter"}
func.func @scatter_few(%u: memref<3xf32>, %i: memref<3x2xi64>, %o: memref<16x8xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x2xi64>) outs(%o : memref<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// One update meets no other.
// CHECK-LABEL: @scatter_one
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel
// CHECK: } {nm.kernel_name = "scatter"}
func.func @scatter_one(%u: memref<1x8xf32>, %i: memref<1x1xi64>, %o: memref<16x8xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : memref<1x8xf32>, memref<1x1xi64>) outs(%o : memref<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// An index that moves a block of one element is a coordinate.
// CHECK-LABEL: @scatter_elements
// CHECK: memref.atomic_rmw
// CHECK-NOT: scf.for
// CHECK: } {nm.kernel_name = "scatter"}
func.func @scatter_elements(%u: memref<70x1xf32>, %i: memref<70x1xi64>, %o: memref<16xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<70x1xf32>, memref<70x1xi64>) outs(%o : memref<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// Blocks that indices move may overlap in part, unique as these are: they are
// written in order.
// CHECK-LABEL: @scatter_blocks
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c8{{.*}}) step
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c3
// CHECK:     scf.for %{{.*}} = %{{.*}} to %c2
func.func @scatter_blocks(%u: memref<3x2x8xf32>, %i: memref<3x1xi64>, %o: memref<16x8xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3x2x8xf32>, memref<3x1xi64>) outs(%o : memref<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// Updates may meet: they are applied in order, in parallel only along the
// dimension that no index moves.
// CHECK-LABEL: @scatter_add
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c8{{.*}}) step
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c3
// CHECK:     scf.for %{{.*}} = %{{.*}} to %c2
// CHECK:       arith.addf
func.func @scatter_add(%u: memref<3x2x8xf32>, %i: memref<3x1xi64>, %o: memref<16x8xf32>) {
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : memref<3x2x8xf32>, memref<3x1xi64>) outs(%o : memref<16x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tm_tensor.yield %s : f32
  }
  return
}

// Few elements a row: one kernel, no second buffer. NaN is the largest.
// CHECK-LABEL: @sort_short
// CHECK-NOT: memref.alloc
// CHECK: scf.parallel
// CHECK:   scf.while
// CHECK:     arith.cmpf oge
// CHECK:     arith.cmpf uno
// CHECK: } {nm.kernel_name = "sort_runs"}
// CHECK-NOT: scf.while
// CHECK: return
func.func @sort_short(%k: memref<10x4xf32>, %p: memref<10x4xi64>) {
  tm_tensor.sort dimension(1) outs(%k, %p : memref<10x4xf32>, memref<10x4xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// CHECK-LABEL: @sort_long
// CHECK: } {nm.kernel_name = "sort_runs"}
// CHECK: %[[SCRATCH:.*]] = memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK: scf.while
// CHECK:   scf.condition
// CHECK:   scf.parallel
// CHECK:     memref.store %{{.*}}, %[[SCRATCH]]
// CHECK:   } {nm.kernel_name = "sort_merge"}
// CHECK:   scf.parallel
// CHECK:     memref.load %[[SCRATCH]]
// CHECK:   } {nm.kernel_name = "sort_merge"}
func.func @sort_long(%k: memref<?xi32>) {
  tm_tensor.sort dimension(0) outs(%k : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    tm_tensor.yield %c : i1
  }
  return
}

// CHECK-LABEL: @topk
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c20{{.*}}) step
// CHECK:   scf.for %{{.*}} = %{{.*}} to %c10
// CHECK:     scf.for %{{.*}} = %{{.*}} to %c3{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, i32)
// CHECK: } {nm.kernel_name = "topk"}
func.func @topk(%x: memref<20x10xf32>, %v: memref<20x3xf32>, %p: memref<20x3xi32>) {
  tm_tensor.topk dimension(1) ins(%x : memref<20x10xf32>) outs(%v, %p : memref<20x3xf32>, memref<20x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}
