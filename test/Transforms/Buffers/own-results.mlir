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

// What a loop makes and passes on is its own, from the start; what was passed on to
// it is freed.
// CHECK-LABEL: func @loop(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>,
// CHECK: %[[OWNA:.*]] = memref.alloc()
// CHECK: memref.copy %[[A]], %[[OWNA]]
// CHECK: %[[OWNB:.*]] = memref.alloc()
// CHECK: memref.copy %[[B]], %[[OWNB]]
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[OWNA]], %[[Y:.*]] = %[[OWNB]])
// CHECK:   %[[NEXT:.*]] = memref.alloc()
// CHECK:   memref.dealloc %[[Y]]
// CHECK-NOT: dealloc
// CHECK:   scf.yield %[[NEXT]], %[[X]]
// CHECK: } {nm.owns_results}
// CHECK-NOT: memref.copy
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @loop(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) -> (memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %next = memref.alloc() : memref<4xf32>
    memref.copy %y, %next : memref<4xf32> to memref<4xf32>
    scf.yield %next, %x : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}

// A loop that updates in place, or exchanges, makes nothing.
// CHECK-LABEL: func @exchange(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>,
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK-NOT: nm.owns_results
func.func @exchange(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}

// CHECK-LABEL: func @branches(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>,
// CHECK: %[[R:.*]] = scf.if
// CHECK:   %[[NEW:.*]] = memref.alloc()
// CHECK:   scf.yield %[[NEW]]
// CHECK: } else {
// CHECK:   %[[COPY:.*]] = memref.alloc()
// CHECK:   memref.copy %[[A]], %[[COPY]]
// CHECK:   scf.yield %[[COPY]]
// CHECK: } {nm.owns_results}
// CHECK: return %[[R]]
func.func @branches(%a: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = scf.if %p -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// The condition hands the argument over to the body or to the results; the body
// frees it.
// CHECK-LABEL: func @while(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>,
// CHECK: %[[OWN:.*]] = memref.alloc()
// CHECK: memref.copy %[[A]], %[[OWN]]
// CHECK: %[[R:.*]] = scf.while (%[[X:.*]] = %[[OWN]])
// CHECK-NOT: dealloc
// CHECK:   scf.condition(%{{.*}}) %[[X]]
// CHECK: ^bb0(%[[Y:.*]]: memref<4xf32>):
// CHECK:   %[[NEXT:.*]] = memref.alloc()
// CHECK:   memref.dealloc %[[Y]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: return %[[R]]
func.func @while(%a: memref<4xf32>, %p: i1) -> memref<4xf32> {
  %r = scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%p) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %next = memref.alloc() : memref<4xf32>
    memref.copy %y, %next : memref<4xf32> to memref<4xf32>
    scf.yield %next : memref<4xf32>
  }
  return %r : memref<4xf32>
}
