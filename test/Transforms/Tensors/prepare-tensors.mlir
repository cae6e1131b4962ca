// RUN: nm-opt %s --nm-prepare-tensors | FileCheck %s

// CHECK-LABEL: func @reshape(
// CHECK-SAME: %[[T:.*]]: tensor<1x?x8xf32> {bufferization.writable = false}, %[[N:.*]]: i64)
func.func @reshape(%t: tensor<1x?x8xf32>, %n: i64) -> tensor<1x?x2x4xf32> {
  // CHECK-DAG: %[[FLAT:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1, 2]]
  // CHECK-DAG: %[[SIZE:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1, 2, 3]] output_shape [1, %[[SIZE]], 2, 4]
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %s = tensor.from_elements %c1, %n, %c2, %c4 : tensor<4xi64>
  %r = tensor.reshape %t(%s) : (tensor<1x?x8xf32>, tensor<4xi64>) -> tensor<1x?x2x4xf32>
  return %r : tensor<1x?x2x4xf32>
}

// CHECK-LABEL: func @concat
func.func @concat(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  // CHECK-NOT: tensor.concat
  // CHECK-COUNT-2: tensor.insert_slice
  %r = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// A stack is chosen from, unless it is high.
// CHECK-LABEL: func @stack(
// CHECK-SAME: %[[A:.*]]: tensor<?x1xi64> {{.*}}, %[[B:.*]]: tensor<?x1xi64> {{.*}}, %[[C:.*]]: tensor<?x1xi64>
func.func @stack(%a: tensor<?x1xi64>, %b: tensor<?x1xi64>, %c: tensor<?x1xi64>) -> tensor<?x3xi64> {
  // CHECK-DAG: %[[A1:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0, 1]]
  // CHECK-DAG: %[[B1:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1]]
  // CHECK-DAG: %[[C1:.*]] = tensor.collapse_shape %[[C]] {{\[\[}}0, 1]]
  // CHECK: linalg.generic {{.*}} ins(%[[A1]], %[[B1]], %[[C1]] :
  // CHECK-NEXT: ^bb0(%[[X:.*]]: i64, %[[Y:.*]]: i64, %[[Z:.*]]: i64, %{{.*}}: i64):
  // CHECK: %[[PLACE:.*]] = linalg.index 1
  // CHECK: %[[SECOND:.*]] = arith.cmpi eq, %[[PLACE]], %c1{{.*}}
  // CHECK: %[[YZ:.*]] = arith.select %[[SECOND]], %[[Y]], %[[Z]]
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[PLACE]], %c0{{.*}}
  // CHECK: %[[XYZ:.*]] = arith.select %[[FIRST]], %[[X]], %[[YZ]]
  // CHECK: linalg.yield %[[XYZ]]
  %r = tensor.concat dim(1) %a, %b, %c : (tensor<?x1xi64>, tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// The first dimension goes with the one behind it.
// CHECK-LABEL: func @stack_rows(
func.func @stack_rows(%a: tensor<1x4x2xf32>, %b: tensor<1x4x2xf32>) -> tensor<2x4x2xf32> {
  // CHECK-COUNT-2: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<1x4x2xf32> into tensor<4x2xf32>
  // CHECK: linalg.index 0
  %r = tensor.concat dim(0) %a, %b : (tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<2x4x2xf32>
  return %r : tensor<2x4x2xf32>
}

// CHECK-LABEL: func @stack_of_one_known(
func.func @stack_of_one_known(%a: tensor<?x1xf32>, %b: tensor<4x1xf32>) -> tensor<4x2xf32> {
  // CHECK: tensor.empty() : tensor<4x2xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<4xf32>)
  // CHECK-NOT: tensor.cast
  %r = tensor.concat dim(1) %a, %b : (tensor<?x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// CHECK-LABEL: func @high_stack(
func.func @high_stack(%a: tensor<2x1xf32>) -> tensor<2x9xf32> {
  // CHECK-NOT: linalg.generic
  // CHECK-COUNT-9: tensor.insert_slice
  %r = tensor.concat dim(1) %a, %a, %a, %a, %a, %a, %a, %a, %a : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x9xf32>
  return %r : tensor<2x9xf32>
}

// CHECK-LABEL: func @gather_keeps_rank(
// CHECK-SAME: %[[S:.*]]: tensor<?x5x4xf32> {{.*}}, %[[I:.*]]: tensor<?x2xi64>
func.func @gather_keeps_rank(%s: tensor<?x5x4xf32>, %i: tensor<?x2xi64>) -> tensor<?x1x5x1xf32> {
  // CHECK-NOT: tensor.gather
  // CHECK: linalg.generic
  // CHECK:   %[[N:.*]] = linalg.index 0
  // CHECK:   %[[ROW:.*]] = linalg.index 2
  // CHECK:   %[[FIRST64:.*]] = tensor.extract %[[I]][%[[N]], %c0{{.*}}]
  // CHECK:   %[[FIRST:.*]] = arith.index_cast %[[FIRST64]]
  // CHECK:   %[[SECOND64:.*]] = tensor.extract %[[I]][%[[N]], %c1{{.*}}]
  // CHECK:   %[[SECOND:.*]] = arith.index_cast %[[SECOND64]]
  // CHECK:   tensor.extract %[[S]][%[[FIRST]], %[[ROW]], %[[SECOND]]]
  %r = tensor.gather %s[%i] gather_dims([0, 2]) : (tensor<?x5x4xf32>, tensor<?x2xi64>) -> tensor<?x1x5x1xf32>
  return %r : tensor<?x1x5x1xf32>
}

// CHECK-LABEL: func @gather_reduces_rank(
func.func @gather_reduces_rank(%s: tensor<6x5xf32>, %i: tensor<3x2x1xindex>) -> tensor<3x2x5xf32> {
  // CHECK: linalg.generic
  // CHECK-NOT: arith.index_cast
  // CHECK:   tensor.extract %{{.*}} : tensor<6x5xf32>
  %r = tensor.gather %s[%i] gather_dims([0]) unique : (tensor<6x5xf32>, tensor<3x2x1xindex>) -> tensor<3x2x5xf32>
  return %r : tensor<3x2x5xf32>
}

// CHECK-LABEL: func @softmax(
func.func @softmax(%x: tensor<2x?xf32>, %o: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK-NOT: linalg.softmax
  // CHECK: arith.max{{.*}}f
  // CHECK: math.exp
  // CHECK: arith.divf
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x?xf32>) outs(%o : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// What is yielded goes into the argument's buffer; an argument that is passed on
// lies there.
// CHECK-LABEL: func @loop(
func.func @loop(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<2xf32>, tensor<2xf32>) {
    // CHECK: %[[S:.*]] = linalg.add
    %e = tensor.empty() : tensor<2xf32>
    %s = linalg.add ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    // CHECK: %[[Y:.*]] = linalg.copy ins(%[[S]] : tensor<2xf32>) outs(%[[A]] : tensor<2xf32>)
    // CHECK: scf.yield %[[Y]], %[[B]]
    scf.yield %s, %b : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0 : tensor<2xf32>
}

// Many pieces stay one op, which bufferization copies: a chain of insertions
// would take the analysis too long.
// CHECK-LABEL: @many_pieces
// CHECK: tensor.concat
// CHECK-NOT: tensor.insert_slice
func.func @many_pieces(%x: tensor<1x3xf32>) -> tensor<33x3xf32> {
  %0 = tensor.concat dim(0) %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<33x3xf32>
  return %0 : tensor<33x3xf32>
}
