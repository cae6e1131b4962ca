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
