// RUN: nm-opt --nm-sink-reshapes --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-verify-types --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-assert-shapes --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-correct-views --split-input-file --verify-diagnostics %s

// MLIR's verifier takes 2^32 for 0.

func.func @expand(%x: tensor<16x8xf32>) -> tensor<2x8x8xf32> {
  // expected-error @below {{expected dimension 0 in the reassociation, got 4294967296}}
  %e = tensor.expand_shape %x [[4294967296, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  return %e : tensor<2x8x8xf32>
}

// -----

func.func @collapse(%x: tensor<2x8x8xf32>) -> tensor<16x8xf32> {
  // expected-error @below {{expected dimension 2 in the reassociation, got 4294967298}}
  %c = tensor.collapse_shape %x [[0, 1], [4294967298]] : tensor<2x8x8xf32> into tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}
