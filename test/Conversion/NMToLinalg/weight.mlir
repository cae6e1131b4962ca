// RUN: nm-opt --nm-to-linalg %s | FileCheck %s

// CHECK-LABEL: func.func @parts
// CHECK: %[[V:.*]] = arith.constant dense<1.000000e+00> : tensor<4x4xf32>
// CHECK: %[[D:.*]] = arith.constant dense<{{.*}}> : tensor<4x4xi8>
// CHECK: return %[[V]], %[[D]]
func.func @parts() -> (tensor<4x4xf32>, tensor<4x4xi8>) {
  %w = nm.constant {
    values = dense<1.0> : tensor<4x4xf32>,
    indices = dense<[[0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]> : tensor<4x4xi8>
  } : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  %v = nm.values %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4x4xf32>
  %d = nm.indices %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4x4xi8>
  return %v, %d : tensor<4x4xf32>, tensor<4x4xi8>
}

// Each element is looked for among the two kept units of its window.
// CHECK-LABEL: func.func @expand
// CHECK-SAME: (%[[V:.*]]: tensor<4x4xf32>, %[[D:.*]]: tensor<4x4xi8>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: scf.for %[[S:.*]] = {{.*}} iter_args(%[[FOUND:.*]] = %{{.*}}) -> (f32)
// CHECK: tensor.extract %[[D]]
// CHECK: %[[HIT:.*]] = arith.cmpi eq
// CHECK: %[[VALUE:.*]] = tensor.extract %[[V]][%[[S]], %{{.*}}]
// CHECK: arith.select %[[HIT]], %[[VALUE]], %[[FOUND]]
func.func @expand(%v: tensor<4x4xf32>, %d: tensor<4x4xi8>) -> tensor<8x4xf32> {
  %w = nm.assemble %v, %d : tensor<4x4xf32>, tensor<4x4xi8> -> !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  %dense = nm.expand %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<8x4xf32>
  return %dense : tensor<8x4xf32>
}

// A weight that is known only when the program runs.
// CHECK-LABEL: func.func @condense
// CHECK-NOT: nm.
// CHECK: cf.assert %{{.*}}, "nm.condense: a window keeps more units than the pattern allows"
// CHECK: return
func.func @condense(%dense: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xi8>) {
  %w = nm.condense %dense : tensor<8x4xf32> -> !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  %v = nm.values %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4x4xf32>
  %d = nm.indices %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4x4xi8>
  return %v, %d : tensor<4x4xf32>, tensor<4x4xi8>
}

// The non-zero test of integers.
// CHECK-LABEL: func.func @condense_i8
// CHECK: arith.cmpi ne, %{{.*}} : i8
func.func @condense_i8(%dense: tensor<8x4xi8>) -> tensor<4x4xi8> {
  %w = nm.condense %dense : tensor<8x4xi8> -> !nm.condensed<8x4xi8, #nm.pattern<2:4>>
  %v = nm.values %w : !nm.condensed<8x4xi8, #nm.pattern<2:4>> -> tensor<4x4xi8>
  return %v : tensor<4x4xi8>
}
