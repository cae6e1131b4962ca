// RUN: nm-opt %s --nm-assert-shapes --canonicalize | FileCheck %s
// RUN: not nm-run %s --entry=cast --device=cpu --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not nm-run %s --entry=cast --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: nm-run %s --entry=cast --device=cpu --dynamic-size=1
// RUN: not nm-run %s --entry=reshape --device=cpu --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not nm-run %s --entry=reshape --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: nm-run %s --entry=reshape --device=emulator --dynamic-size=6

// The size of the negated value is that of %x, which it is computed from.
// CAST: tensor.cast of tensor<?x?xf32>: dimension 1 is not 1, as the module says it is
// CHECK-LABEL: @cast
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[SIZE]], %[[C1]]
// CHECK: cf.assert %[[OK]], "tensor.cast of
func.func @cast(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = linalg.negf ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %z = tensor.cast %y : tensor<?x?xf32> to tensor<?x1xf32>
  return %z : tensor<?x1xf32>
}

// RESHAPE: tensor.reshape of tensor<?xf32> to tensor<2x?xf32>: the number of elements differs
// CHECK-LABEL: @reshape
// CHECK: cf.assert %{{.*}}, "tensor.reshape of
func.func @reshape(%x: tensor<?xf32>) -> tensor<2x?xf32> {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %shape = tensor.from_elements %c2, %c3 : tensor<2xi64>
  %y = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// Nothing is claimed here.
// CHECK-LABEL: @nothing
// CHECK-NOT: cf.assert
func.func @nothing(%x: tensor<2x?xf32>, %n: i64) -> (tensor<?x?xf32>, tensor<3x2xf32>) {
  %y = tensor.cast %x : tensor<2x?xf32> to tensor<?x?xf32>
  %c = arith.constant dense<1.0> : tensor<6xf32>
  %shape = arith.constant dense<[3, 2]> : tensor<2xi64>
  %z = tensor.reshape %c(%shape) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %y, %z : tensor<?x?xf32>, tensor<3x2xf32>
}
