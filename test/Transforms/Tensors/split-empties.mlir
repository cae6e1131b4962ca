// RUN: nm-opt %s --nm-split-empties | FileCheck %s

// An empty tensor before each user, in a loop too; one that has one user stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[N:[a-z0-9]+]]: index
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIRST:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
  // CHECK-NEXT: linalg.exp ins(%{{.*}}) outs(%[[FIRST]] : tensor<?xf32>)
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: scf.for
  // CHECK: %[[SECOND:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
  // CHECK-NEXT: linalg.log ins(%{{.*}}) outs(%[[SECOND]] : tensor<?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<?xf32> {
    %b = linalg.log ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  // CHECK: tensor.empty
  // CHECK-NOT: tensor.empty
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.exp ins(%r : tensor<?xf32>) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Users that exclude each other have one, before the branch: what it gives is one buffer.
// CHECK-LABEL: func.func @branches
// CHECK: %[[FIRST:.*]] = tensor.empty
// CHECK-NEXT: linalg.exp {{.*}}outs(%[[FIRST]]
// CHECK: scf.for
// CHECK-NEXT: %[[BOTH:.*]] = tensor.empty
// CHECK-NEXT: scf.if
// CHECK: linalg.log {{.*}}outs(%[[BOTH]]
// CHECK: else
// CHECK: linalg.exp {{.*}}outs(%[[BOTH]]
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @branches(%x: tensor<?xf32>, %n: index, %which: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<?xf32> {
    %b = scf.if %which -> tensor<?xf32> {
      %l = linalg.log ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %l : tensor<?xf32>
    } else {
      %m = linalg.exp ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %m : tensor<?xf32>
    }
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A slice is filled in the tensor that it is put into, which another op of that
// shape does not have. What is put elsewhere is copied there.
// CHECK-LABEL: func.func @slices
// CHECK: %[[WHOLE:.*]] = tensor.empty
// CHECK-NEXT: %[[SLICE:.*]] = tensor.extract_slice %[[WHOLE]][1, 0]
// CHECK-NEXT: %[[FILLED:.*]] = linalg.exp {{.*}}outs(%[[SLICE]]
// CHECK-NEXT: %[[DONE:.*]] = tensor.insert_slice %[[FILLED]] into %[[WHOLE]][1, 0]
// CHECK-NEXT: %[[OTHER:.*]] = tensor.empty
// CHECK-NEXT: linalg.log {{.*}}outs(%[[OTHER]]
// CHECK-NEXT: %[[THIRD:.*]] = tensor.empty
// CHECK-NEXT: %[[APART:.*]] = tensor.extract_slice %[[THIRD]][0, 0]
// CHECK-NEXT: %[[MOVED:.*]] = linalg.exp {{.*}}outs(%[[APART]]
// CHECK-NEXT: %[[FOURTH:.*]] = tensor.empty
// CHECK-NEXT: tensor.insert_slice %[[MOVED]] into %[[FOURTH]][1, 0]
func.func @slices(%x: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = tensor.extract_slice %e[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %p = linalg.exp ins(%x : tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %i = tensor.insert_slice %p into %e[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  %l = linalg.log ins(%i : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = tensor.extract_slice %e[0, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %q = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %j = tensor.insert_slice %q into %e[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<2x4xf32>
  return %l, %j : tensor<2x4xf32>, tensor<2x4xf32>
}
