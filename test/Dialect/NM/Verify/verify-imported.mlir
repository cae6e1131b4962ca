// RUN: nm-opt --nm-verify-imported %s -o /dev/null
// RUN: nm-opt --nm-import-linalg --nm-verify-imported %s | FileCheck %s

// Copies of weights that are in their right.

// The copy of a raised weight that something else reads.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK: linalg.transpose
func.func @read_elsewhere() -> (!nm.condensed<4x1xf32, #nm.pattern<2:4>>, tensor<4x1xf32>) {
  %d = arith.constant dense<[[1.0, 2.0, 0.0, 0.0]]> : tensor<1x4xf32>
  %t = tensor.empty() : tensor<4x1xf32>
  %transposed = linalg.transpose ins(%d : tensor<1x4xf32>) outs(%t : tensor<4x1xf32>) permutation = [1, 0]
  %w = nm.constant {values = dense<[[1.0], [2.0]]> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w, %transposed : !nm.condensed<4x1xf32, #nm.pattern<2:4>>, tensor<4x1xf32>
}

// Dead, but of another weight: the business of dead code elimination.
func.func @other_weight() -> !nm.condensed<4x1xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense<[[1.0, 3.0, 0.0, 0.0]]> : tensor<1x4xf32>
  %t = tensor.empty() : tensor<4x1xf32>
  %transposed = linalg.transpose ins(%d : tensor<1x4xf32>) outs(%t : tensor<4x1xf32>) permutation = [1, 0]
  %w = nm.constant {values = dense<[[1.0], [2.0]]> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
}

// One of two users of a weight is a product and raised: the other one keeps its
// copy.
// CHECK-LABEL: func.func @one_of_two
// CHECK: linalg.transpose
// CHECK: nm.spmm
// CHECK: linalg.add
func.func @one_of_two(%a: tensor<2x4xf32>, %c: tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<4x2xf32>) {
  %d = arith.constant dense<[[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 3.0]]> : tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<4x2xf32>
  %transposed = linalg.transpose ins(%d : tensor<2x4xf32>) outs(%t : tensor<4x2xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %x = linalg.matmul ins(%a, %transposed : tensor<2x4xf32>, tensor<4x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = linalg.add ins(%transposed, %c : tensor<4x2xf32>, tensor<4x2xf32>) outs(%t : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %x, %y : tensor<2x2xf32>, tensor<4x2xf32>
}
