// RUN: nm-opt %s --nm-canonicalize --split-input-file | FileCheck %s
// What `canonicalize` makes of these: test/tools/fuzz/folds.test, known.mlir.

// CHECK-LABEL: @narrow
// CHECK-NEXT: arith.index_cast %arg0 : index to i8
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: arith.index_castui %arg0 : index to i8
// CHECK-NEXT: arith.index_castui
// CHECK-NEXT: return
func.func @narrow(%x: index) -> (index, index) {
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  %2 = arith.index_castui %x : index to i8
  %3 = arith.index_castui %2 : i8 to index
  return %1, %3 : index, index
}

// Right where nothing is lost between.
// CHECK-LABEL: @wide
// CHECK-NEXT: return %arg0, %arg1
func.func @wide(%x: index, %y: i8) -> (index, i8) {
  %0 = arith.index_cast %x : index to i64
  %1 = arith.index_cast %0 : i64 to index
  %2 = arith.index_castui %y : i8 to index
  %3 = arith.index_castui %2 : index to i8
  return %1, %3 : index, i8
}

// -----

// CHECK-LABEL: @flags
// CHECK-COUNT-2: arith.addi
func.func @flags(%x: i8) -> i8 {
  %min = arith.constant -128 : i8
  %c-1 = arith.constant -1 : i8
  %0 = arith.addi %x, %min overflow<nsw> : i8
  %1 = arith.addi %0, %c-1 overflow<nsw> : i8
  return %1 : i8
}

// CHECK-LABEL: @unsigned_flags
// CHECK: arith.subi
// CHECK: arith.addi
func.func @unsigned_flags(%x: i8) -> i8 {
  %c3 = arith.constant 3 : i8
  %c1 = arith.constant 1 : i8
  %0 = arith.subi %x, %c3 overflow<nuw> : i8
  %1 = arith.addi %0, %c1 overflow<nuw> : i8
  return %1 : i8
}

// Constants that cannot wrap, and flags that one op does not have.
// CHECK-LABEL: @merged
// CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i32
// CHECK-DAG: %[[C:.*]] = arith.constant 127 : i8
// CHECK-DAG: arith.addi %arg0, %[[C7]] overflow<nsw> : i32
// CHECK-DAG: arith.addi %arg1, %[[C]] : i8
func.func @merged(%x: i32, %y: i8) -> (i32, i8) {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %min = arith.constant -128 : i8
  %c-1 = arith.constant -1 : i8
  %0 = arith.addi %x, %c3 overflow<nsw> : i32
  %1 = arith.addi %0, %c4 overflow<nsw> : i32
  %2 = arith.addi %y, %min : i8
  %3 = arith.addi %2, %c-1 overflow<nsw> : i8
  return %1, %3 : i32, i8
}

// -----

// CHECK-LABEL: @wrapping
// CHECK: scf.for
func.func @wrapping(%step: i32, %x: i32) -> i32 {
  %min = arith.constant -2147483648 : i32
  %c4 = arith.constant 4 : i32
  %0 = scf.for %i = %min to %c4 step %step iter_args(%a = %x) -> i32 : i32 {
    scf.yield %i : i32
  }
  return %0 : i32
}

// Without nsw %x + 4 may be less than %x, and the loop have no turn.
// CHECK-LABEL: @sum
// CHECK: scf.for
// CHECK-NOT: scf.for
func.func @sum(%x: i32) -> (i32, i32) {
  %c4 = arith.constant 4 : i32
  %u = arith.addi %x, %c4 : i32
  %0 = scf.for %i = %x to %u step %c4 iter_args(%a = %c4) -> i32 : i32 {
    scf.yield %i : i32
  }
  %v = arith.addi %x, %c4 overflow<nsw> : i32
  %1 = scf.for %i = %x to %v step %c4 iter_args(%a = %c4) -> i32 : i32 {
    scf.yield %i : i32
  }
  return %0, %1 : i32, i32
}

// CHECK-LABEL: @one_turn
// CHECK-NOT: scf.for
func.func @one_turn(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %0 = scf.for %i = %c0 to %c4 step %c4 iter_args(%a = %x) -> i32 : i32 {
    scf.yield %i : i32
  }
  return %0 : i32
}

// -----

// CHECK-LABEL: @predicate
// CHECK: arith.cmpf true
func.func @predicate(%x: i8) -> i1 {
  %0 = arith.uitofp %x : i8 to f32
  %c = arith.constant -100.0 : f32
  %1 = arith.cmpf true, %0, %c : f32
  return %1 : i1
}

// -----

// CHECK-LABEL: @while
// CHECK: scf.if
// CHECK: scf.condition
func.func @while(%x: i64, %c: i1, %y: i64) -> i64 {
  %0:2 = scf.while (%s = %y) : (i64) -> (i64, i64) {
    %1 = arith.subi %x, %s : i64
    %2 = scf.if %c -> i64 {
      %4 = arith.muli %1, %1 : i64
      scf.yield %4 : i64
    } else {
      scf.yield %x : i64
    }
    scf.condition(%c) %s, %2 : i64, i64
  } do {
  ^bb0(%p: i64, %q: i64):
    scf.yield %q : i64
  }
  return %0#0 : i64
}

// -----

// CHECK-LABEL: @slices
// CHECK: tensor.extract_slice %arg0[0, %{{.*}}, 2, 0] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x8x1xf32> to tensor<1x4xf32>
// CHECK: tensor.insert_slice %arg1 into %arg2[0, 0, 0, 0] [1, %{{.*}}, 1, %{{.*}}] [1, 1, 1, 1] : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
// CHECK: memref.subview %arg3[0, 0, 0, 0] [1, %{{.*}}, 1, 3] [1, 1, 1, 1]
func.func @slices(%s: tensor<1x1x8x1xf32>, %t: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>, %m: memref<1x?x1x?xf32>)
    -> (tensor<1x4xf32>, tensor<1x?x1x?xf32>, memref<1x?x3xf32, strided<[?, ?, 1]>>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %s[0, %c0, 2, 0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<1x4xf32>
  %1 = tensor.insert_slice %t into %d[0, 0, 0, 0] [1, %c2, 1, %c2] [1, 1, 1, 1]
      : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  %2 = memref.subview %m[0, 0, 0, 0] [1, %c2, 1, 3] [1, 1, 1, 1]
      : memref<1x?x1x?xf32> to memref<1x?x3xf32, strided<[?, ?, 1]>>
  return %0, %1, %2 : tensor<1x4xf32>, tensor<1x?x1x?xf32>, memref<1x?x3xf32, strided<[?, ?, 1]>>
}

// CHECK-LABEL: @one_unit
// CHECK: tensor.extract_slice %arg0[0, 0, 2] [1, 3, 4] [1, 1, 1] : tensor<1x8x8xf32> to tensor<3x4xf32>
func.func @one_unit(%s: tensor<1x8x8xf32>) -> tensor<3x?xf32> {
  %c4 = arith.constant 4 : index
  %0 = tensor.extract_slice %s[0, 0, 2] [1, 3, %c4] [1, 1, 1]
      : tensor<1x8x8xf32> to tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// A loop carries one value for two that are the same, but not where it carries so
// many that comparing each pair takes long.

// CHECK-LABEL: func.func @two_sums
// CHECK: %[[R:.*]] = scf.for {{.*}} -> (f32)
// CHECK: return %[[R]], %[[R]]
func.func @two_sums(%x: f32, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%a0 = %x, %a1 = %x) -> (f32, f32) {
    %s = arith.addf %a0, %a1 : f32
    scf.yield %s, %s : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// CHECK-LABEL: func.func @many_sums
// CHECK: %{{.*}}:17 = scf.for
func.func @many_sums(%x: f32, %n: index) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:17 = scf.for %i = %c0 to %n step %c1
      iter_args(%a0 = %x, %a1 = %x, %a2 = %x, %a3 = %x, %a4 = %x, %a5 = %x, %a6 = %x, %a7 = %x, %a8 = %x, %a9 = %x, %a10 = %x, %a11 = %x, %a12 = %x, %a13 = %x, %a14 = %x, %a15 = %x, %a16 = %x) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
    %s = arith.addf %a0, %a16 : f32
    scf.yield %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}
