// RUN: nm-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --nm-plan-memory --canonicalize --cse \
// RUN:   --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Sizes come from the plan, which has the assertion; results and temporaries are
// arguments.
// CHECK-LABEL: func.func private @dynamic.plan(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?x8xf32>, %[[N:[a-z0-9]+]]: index) -> (index, index, index, index)
// CHECK:         %[[OK:.*]] = arith.cmpi sge, %[[N]], %c1
// CHECK:         cf.assert %[[OK]], "n is small"
// CHECK:         %[[D:.*]] = memref.dim %[[X]], %c0
// The workspace has 1,536 bytes of known buffers before the slots.
// CHECK:         return %[[D]], %c1536, %{{.*}}, %{{.*}} : index, index, index, index
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?x8xf32>, %[[N:[a-z0-9]+]]: index,
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<?x8xf32> {nm.result = 0 : index},
// CHECK-SAME:    %[[Z:[a-z0-9]+]]: memref<4xf32> {nm.result = 1 : index},
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %{{.*}}: index,
// CHECK-SAME:    %[[WORKSPACE:[a-z0-9]+]]: memref<?xi8> {nm.workspace}) attributes {nm.plan = @dynamic.plan}
// CHECK-NOT:     cf.assert
// CHECK-NOT:     memref.alloc
// CHECK:         %[[D:.*]] = memref.dim %[[X]]
// CHECK:         %[[T:.*]] = memref.view %[[WORKSPACE]][%[[BEGIN]]][%[[D]]]
// CHECK:         memref.copy %[[X]], %[[T]]
// CHECK:         memref.copy %[[T]], %[[Y]]
// CHECK:         return
func.func @dynamic(%x: memref<?x8xf32>, %n: index) -> (memref<?x8xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?x8xf32>
  %ok = arith.cmpi sge, %n, %c1 : index
  cf.assert %ok, "n is small"
  %t = memref.alloc(%d) : memref<?x8xf32>
  memref.copy %x, %t : memref<?x8xf32> to memref<?x8xf32>
  %u = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<100xf32>
  memref.dealloc %u : memref<?xf32>
  %y = memref.alloc(%d) : memref<?x8xf32>
  memref.copy %t, %y : memref<?x8xf32> to memref<?x8xf32>
  memref.dealloc %t : memref<?x8xf32>
  %s2 = memref.alloc() : memref<200xf32>
  memref.dealloc %s : memref<100xf32>
  memref.dealloc %s2 : memref<200xf32>
  %z = memref.alloc() : memref<4xf32>
  return %y, %z : memref<?x8xf32>, memref<4xf32>
}

// -----

// Buffers that never live at once share bytes: 4,096 for three of 2,048.
// CHECK-LABEL: func.func private @shared.plan
// CHECK:         %[[C:.*]] = arith.constant 4096 : index
// CHECK:         return %[[C]]
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<512xf32>, %[[Y:[a-z0-9]+]]: memref<512xf32> {nm.result = 0 : index}, %[[W:[a-z0-9]+]]: memref<?xi8> {nm.workspace})
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2048:.*]] = arith.constant 2048 : index
// CHECK:         %[[A:.*]] = memref.view %[[W]][%[[C0]]][]
// CHECK:         memref.copy %[[X]], %[[A]]
// CHECK:         %[[B:.*]] = memref.view %[[W]][%[[C2048]]][]
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         memref.copy %[[B]], %[[A]]
// CHECK:         memref.copy %[[A]], %[[Y]]
func.func @shared(%x: memref<512xf32>) -> memref<512xf32> {
  %a = memref.alloc() : memref<512xf32>
  memref.copy %x, %a : memref<512xf32> to memref<512xf32>
  %b = memref.alloc() : memref<512xf32>
  memref.copy %a, %b : memref<512xf32> to memref<512xf32>
  memref.dealloc %a : memref<512xf32>
  %c = memref.alloc() : memref<512xf32>
  memref.copy %b, %c : memref<512xf32> to memref<512xf32>
  memref.dealloc %b : memref<512xf32>
  %y = memref.alloc() : memref<512xf32>
  memref.copy %c, %y : memref<512xf32> to memref<512xf32>
  memref.dealloc %c : memref<512xf32>
  return %y : memref<512xf32>
}

// -----

// A result in another shape than its allocation.
// CHECK-LABEL: func.func private @reshaped.plan(
// CHECK:         %[[D:.*]] = memref.dim
// CHECK:         %[[ROWS:.*]] = arith.muli %[[D]],
// CHECK:         return %[[ROWS]],
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<?x4xf32> {nm.result = 0 : index}
// CHECK:         memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [%{{.*}}, 2, 4], strides: [8, 4, 1]
func.func @reshaped(%x: memref<?x2x4xf32>) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.dim %x, %c0 : memref<?x2x4xf32>
  %y = memref.alloc(%d) : memref<?x2x4xf32>
  memref.copy %x, %y : memref<?x2x4xf32> to memref<?x2x4xf32>
  %z = memref.collapse_shape %y [[0, 1], [2]] : memref<?x2x4xf32> into memref<?x4xf32>
  return %z : memref<?x4xf32>
}

// -----

// What depends on data is allocated in the call, after its size was checked.
// REMARK: [Missed] allocated-in-call | Category:nm-plan-memory | Function=data {{.*}}depends on data
// CHECK-LABEL: func.func private @data.plan(
// CHECK:         return %c0{{.*}} : index
// CHECK-LABEL: func.func @data(
// CHECK:         %[[N:.*]] = memref.load
// CHECK:         %[[OK:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK:         cf.assert %[[OK]], "a size of memref<?xf32> of @data ({{.*}}) is negative"
// CHECK:         %[[Y:.*]] = memref.alloc(%[[N]])
// CHECK:         return %[[Y]]
func.func @data(%x: memref<index>) -> memref<?xf32> {
  %n = memref.load %x[] : memref<index>
  %y = memref.alloc(%n) : memref<?xf32>
  return %y : memref<?xf32>
}

// -----

// A branch that the plan can tell is not taken needs no bytes, whatever sizes it
// has: negative ones are no error then.
// CHECK-LABEL: func.func private @branch.plan(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: i1, %[[N:[a-z0-9]+]]: index
// CHECK:         %[[NATURAL:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK:         %[[OK:.*]] = arith.select %[[C]], %true, %[[NATURAL]]
// CHECK:         cf.assert %[[OK]], "a size of memref<?xf32>
// CHECK:         arith.select %[[C]], %c0, %{{.*}} : index
// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %[[BEGIN:[a-z0-9]+]]: index, %[[W:[a-z0-9]+]]: memref<?xi8> {nm.workspace})
// CHECK-NOT:     memref.alloc
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:           memref.view %[[W]][%[[BEGIN]]][%{{.*}}]
func.func @branch(%c: i1, %n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  scf.if %c {
    memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  } else {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.copy %t, %y : memref<?xf32> to memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  return
}

// -----

// Of branches in branches, at most one is taken: their buffers share a slot, and
// sizes that a branch computes are computed ahead of it.
// CHECK-LABEL: func.func private @nested.plan(
// CHECK:         %[[D:.*]] = memref.dim
// CHECK-DAG:     %[[MORE:.*]] = arith.cmpi sle, %[[D]], %c64
// CHECK-DAG:     %[[MANY:.*]] = arith.cmpi sgt, %[[D]], %c8
// CHECK:         %[[SOME:.*]] = arith.andi %[[MORE]], %[[MANY]]
// CHECK:         %[[A:.*]] = arith.select %[[SOME]], %{{.*}}, %c0
// CHECK:         %[[REST:.*]] = arith.andi
// CHECK:         %[[B:.*]] = arith.select %[[REST]], %{{.*}}, %c0
// CHECK:         arith.maxui %[[A]], %[[B]]
// CHECK-LABEL: func.func @nested(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @nested(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %few = arith.cmpi sle, %d, %c8 : index
  scf.if %few {
    memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  } else {
    %more = arith.cmpi sle, %d, %c64 : index
    scf.if %more {
      %e = arith.addi %d, %c7 : index
      %t = memref.alloc(%e) : memref<?xf32>
      "test.use"(%x, %t, %y) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
      memref.dealloc %t : memref<?xf32>
    } else {
      %e = arith.ceildivsi %d, %c8 : index
      %t = memref.alloc(%e) : memref<?xf32>
      "test.use"(%x, %t, %y) : (memref<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
      memref.dealloc %t : memref<?xf32>
    }
  }
  return
}

// -----

// A branch that is not taken may divide by 0, and whether it is taken, or how often
// a loop's body runs, may depend on data.
// REMARK-COUNT-3: [Missed] allocated-in-call | Category:nm-plan-memory | Function=unknown
// CHECK-LABEL: func.func @unknown(
// CHECK-COUNT-3: memref.alloc
func.func @unknown(%c: i1, %p: memref<i1>, %n: index, %x: memref<?xf32>) {
  scf.if %c {
    %e = arith.divsi %n, %n : index
    %t = memref.alloc(%e) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  %read = memref.load %p[] : memref<i1>
  scf.if %read {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.dealloc %t : memref<?xf32>
  }
  return
}

// -----

// A buffer of a loop's body has one place in the workspace.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK:           memref.copy
func.func @loop(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<64xf32>
    memref.copy %x, %t : memref<64xf32> to memref<64xf32>
    memref.copy %t, %y : memref<64xf32> to memref<64xf32>
    memref.dealloc %t : memref<64xf32>
  }
  return
}

// -----

// Callers call a private function with the body.
// CHECK-LABEL: func.func private @inner.plan(
// CHECK-LABEL: func.func @inner(
// CHECK:         call @[[BODY:inner_[0-9]+]](
// CHECK:       func.func @outer(
// CHECK:         call @[[BODY]](
// CHECK:       func.func private @[[BODY]](
func.func @inner(%n: i64) -> i64 {
  return %n : i64
}
func.func @outer(%n: i64) -> i64 {
  %m = call @inner(%n) : (i64) -> i64
  return %m : i64
}

// -----

// Branches are in a function of their own, whose buffers the call allocates.
// REMARK: [Missed] allocated-in-call | Category:nm-plan-memory | Function=branches{{.*}}it is of a function that is called
// REMARK-NOT: remark
// CHECK-LABEL: func.func @branches(
// CHECK:         %[[Y:.*]] = call @[[BODY:branches_[0-9]+]](
// CHECK:         return %[[Y]]
// CHECK:       func.func private @[[BODY]](
// CHECK:         cf.assert %{{.*}}, "a size of memref<?xf32>
// CHECK:         memref.alloc
// CHECK:         cf.cond_br
func.func @branches(%c: i1, %n: index) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^yes, ^no
^yes:
  return %y : memref<?xf32>
^no:
  return %y : memref<?xf32>
}
