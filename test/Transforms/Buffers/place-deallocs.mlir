// RUN: nm-opt %s --nm-place-deallocs --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// After the last use of a view, and before the next allocation.
// CHECK-LABEL: func @views
func.func @views(%v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = memref.alloc()
  %a = memref.alloc() : memref<2x2xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  // CHECK: memref.store
  // CHECK-NEXT: memref.dealloc %[[A]]
  memref.store %v, %c[%c0] : memref<4xf32>
  // CHECK-NEXT: memref.alloc()
  // CHECK-NOT: memref.dealloc
  // CHECK: return
  %b = memref.alloc() : memref<4xf32>
  return %b : memref<4xf32>
}

// An allocation, and a view of it, wait for the first use.
// CHECK-LABEL: func @sunk
func.func @sunk(%v: f32, %x: memref<4xf32>) {
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: memref.store %{{.*}}, %arg1
  // CHECK-NEXT: %[[A:.*]] = memref.alloc()
  // CHECK-NEXT: %[[C:.*]] = memref.collapse_shape %[[A]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[C]]
  // CHECK-NEXT: memref.dealloc %[[A]]
  %a = memref.alloc() : memref<2x2xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<4xf32>
  memref.store %v, %c[%c0] : memref<4xf32>
  return
}

// A kernel uses what its map is of; the map is made right before.
// CHECK-LABEL: func @maps
func.func @maps(%v: f32, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.store
  // CHECK-NEXT: %[[A:.*]] = memref.alloc()
  // CHECK-NEXT: %[[MAP:.*]] = nm.tensor_map %[[A]]
  // CHECK-NEXT: gpu.launch
  // CHECK: unrealized_conversion_cast %[[MAP]]
  // CHECK: gpu.terminator
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.dealloc %[[A]]
  %a = memref.alloc() : memref<8x32xf32>
  %map = nm.tensor_map %a box = [8, 32] swizzle = 128 : memref<8x32xf32>
  memref.store %v, %x[%c0] : memref<4xf32>
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %address = builtin.unrealized_conversion_cast %map : !nm.tensor_map to !llvm.ptr
    gpu.terminator
  }
  return
}

// A use inside of a region counts where the region's op is.
// CHECK-LABEL: func @regions
func.func @regions(%p: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = memref.alloc()
  %a = memref.alloc() : memref<4xf32>
  // CHECK: scf.if
  scf.if %p {
    memref.store %v, %a[%c0] : memref<4xf32>
  }
  // CHECK: }
  // CHECK-NEXT: memref.dealloc %[[A]]
  return
}

// What a call returns belongs to the caller.
func.func private @make() -> memref<4xf32>
// CHECK-LABEL: func @calls
func.func @calls() {
  // CHECK: %[[R:.*]] = call @make()
  // CHECK-NEXT: memref.dealloc %[[R]]
  %r = call @make() : () -> memref<4xf32>
  return
}

// What a loop gets from outside is its own, also where it passes it on as it is.
// CHECK-LABEL: func @passed_through
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
// CHECK: } {nm.owns_results}
// CHECK-NEXT: memref.dealloc %[[R]]#1
// CHECK-NEXT: memref.dealloc %[[R]]#0
// CHECK-NEXT: return
func.func @passed_through(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %next = memref.alloc() : memref<4xf32>
    memref.dealloc %y : memref<4xf32>
    scf.yield %x, %next : memref<4xf32>, memref<4xf32>
  } {nm.owns_results}
  return
}

// A module that was stopped after this pass, or says itself when to free.
// CHECK-LABEL: func @freed
func.func @freed(%v: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: memref.dealloc
  // CHECK-NOT: memref.dealloc
  // CHECK: return
  %a = memref.alloc() : memref<2x2xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  memref.store %v, %c[%c0] : memref<4xf32>
  memref.dealloc %a : memref<2x2xf32>
  return
}

// What a call returns is not its argument, and what a region hands over is freed by
// who receives it.
func.func private @next(%a: memref<4xf32>) -> memref<4xf32>
// CHECK-LABEL: func @received
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: %[[B:.*]] = call @next(%[[A]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: %[[C:.*]] = scf.if
// CHECK:   %[[D:.*]] = memref.alloc()
// CHECK-NEXT: scf.yield %[[D]]
// CHECK: } else {
// CHECK:   %[[E:.*]] = func.call @next(%[[B]])
// CHECK-NEXT: scf.yield %[[E]]
// CHECK: } {nm.owns_results}
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK: memref.store %{{.*}}, %[[C]]
// CHECK-NEXT: memref.dealloc %[[C]]
func.func @received(%p: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = call @next(%a) : (memref<4xf32>) -> memref<4xf32>
  %c = scf.if %p -> memref<4xf32> {
    %d = memref.alloc() : memref<4xf32>
    scf.yield %d : memref<4xf32>
  } else {
    %e = func.call @next(%b) : (memref<4xf32>) -> memref<4xf32>
    scf.yield %e : memref<4xf32>
  } {nm.owns_results}
  memref.store %v, %c[%c0] : memref<4xf32>
  return
}

// Where control flow gives one of two buffers, the pass does not know who frees it.
// REMARK: :[[#@LINE+9]]:{{.*}} remark: [Missed] not-freed | Category:nm-place-deallocs | Function=chosen | Remark="buffer leaves its block through control flow"
// REMARK-NOT: remark:
// CHECK-LABEL: func @chosen
// CHECK: scf.if
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @chosen(%p: i1, %x: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  memref.store %v, %r[%c0] : memref<4xf32>
  return
}
