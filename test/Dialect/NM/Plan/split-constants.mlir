// RUN: nm-opt --nm-split-constants %s | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[V:.*]] = arith.constant dense<1.000000e+00> : tensor<4x2xf32>
// CHECK-DAG: %[[D:.*]] = arith.constant dense<1> : tensor<4x2xi8>
// CHECK: %[[W:.*]] = nm.assemble %[[V]], %[[D]] : tensor<4x2xf32>, tensor<4x2xi8> -> !nm.condensed<8x2xf32, #nm.pattern<1:2>>
// CHECK: nm.spmm %arg0, %[[W]]
// CHECK-NOT: nm.constant
func.func @f(%a: tensor<?x8xf32>, %c: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<4x2xf32>, indices = dense<1> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<?x2xf32>) : tensor<?x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
