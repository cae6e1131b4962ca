// RUN: nm-opt --nm-condense-weights %s | FileCheck %s
// RUN: nm-opt --canonicalize %s | FileCheck %s --check-prefix=FOLD

// The folder condenses small constants as well.
// CHECK-LABEL: func.func @constant
// CHECK: %[[W:.*]] = nm.constant {
// CHECK-SAME: indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]> : tensor<4x4xi8>
// CHECK-SAME: values = dense<{{\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00, 1.300000e+01], [2.000000e+00, 6.000000e+00, 1.000000e+01, 1.400000e+01], [3.000000e+00, 7.000000e+00, 1.100000e+01, 1.500000e+01], [4.000000e+00, 8.000000e+00, 1.200000e+01, 1.600000e+01]]>
// CHECK: return %[[W]]
// FOLD-LABEL: func.func @constant
// FOLD: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
func.func @constant() -> !nm.condensed<8x4xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
  %w = nm.condense %d : tensor<8x4xf32> -> !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
}

// Through a transpose, and with windows, units and the weight that end apart:
// k = 5 in windows of 2 x 2, n = 3 in units of 2. Places beyond k are zeros.
// CHECK-LABEL: func.func @tails
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[}}0, 1], [0, 0]]> : tensor<2x2xi8>
// CHECK-SAME: values = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 7.000000e+00], [3.000000e+00, 4.000000e+00, 0.000000e+00], [5.000000e+00, 6.000000e+00, 8.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]]>
func.func @tails() -> !nm.condensed<5x3xf32, #nm.pattern<1:2, unit = 2x2>> {
  %d = arith.constant dense<[[1.0, 3.0, 0.0, 0.0, 5.0], [2.0, 4.0, -0.0, 0.0, 6.0], [0.0, 0.0, 7.0, 0.0, 8.0]]> : tensor<3x5xf32>
  %e = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%d : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
  %w = nm.condense %t : tensor<5x3xf32> -> !nm.condensed<5x3xf32, #nm.pattern<1:2, unit = 2x2>>
  return %w : !nm.condensed<5x3xf32, #nm.pattern<1:2, unit = 2x2>>
}

// Fewer kept units than allowed: the lowest others fill the window.
// CHECK-LABEL: func.func @filled
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0], [3]]> : tensor<2x1xi8>, values = dense<{{\[\[}}0.000000e+00], [9.000000e+00]]>
func.func @filled() -> !nm.condensed<4x1xf32, #nm.pattern<2:all>> {
  %d = arith.constant dense<[[0.0], [0.0], [0.0], [9.0]]> : tensor<4x1xf32>
  %w = nm.condense %d : tensor<4x1xf32> -> !nm.condensed<4x1xf32, #nm.pattern<2:all>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:all>>
}

// One value, repeated.
// CHECK-LABEL: func.func @splat
// CHECK: nm.constant {{.*}}values = dense<2.000000e+00> : tensor<4x2xf16>
func.func @splat() -> !nm.condensed<4x2xf16, #nm.pattern<2:2>> {
  %d = arith.constant dense<2.0> : tensor<4x2xf16>
  %w = nm.condense %d : tensor<4x2xf16> -> !nm.condensed<4x2xf16, #nm.pattern<2:2>>
  return %w : !nm.condensed<4x2xf16, #nm.pattern<2:2>>
}

// What is no constant stays.
// CHECK-LABEL: func.func @argument
// CHECK: nm.condense
// FOLD-LABEL: func.func @argument
// FOLD: nm.condense
func.func @argument(%d: tensor<8x4xf32>) -> !nm.condensed<8x4xf32, #nm.pattern<2:4>> {
  %w = nm.condense %d : tensor<8x4xf32> -> !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
}

// A negative zero of bf16 is zero, as those of the wider floats are; i8 has none.
// CHECK-LABEL: func.func @condense_bf16(
// CHECK: nm.constant {indices = dense<{{\[\[}}0], [3]]> : tensor<2x1xi8>, values = dense<{{\[\[}}1.000000e+00], [2.000000e+00]]> : tensor<2x1xbf16>}
func.func @condense_bf16() -> !nm.condensed<4x1xbf16, #nm.pattern<2:4>> {
  %dense = arith.constant dense<[[1.0], [-0.0], [-0.0], [2.0]]> : tensor<4x1xbf16>
  %w = nm.condense %dense : tensor<4x1xbf16> -> !nm.condensed<4x1xbf16, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xbf16, #nm.pattern<2:4>>
}

// CHECK-LABEL: func.func @condense_i8(
// CHECK: nm.constant {indices = dense<{{\[\[}}1], [2]]> : tensor<2x1xi8>, values = dense<{{\[\[}}-128], [127]]> : tensor<2x1xi8>}
func.func @condense_i8() -> !nm.condensed<4x1xi8, #nm.pattern<2:4>> {
  %dense = arith.constant dense<[[0], [-128], [127], [0]]> : tensor<4x1xi8>
  %w = nm.condense %dense : tensor<4x1xi8> -> !nm.condensed<4x1xi8, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xi8, #nm.pattern<2:4>>
}
