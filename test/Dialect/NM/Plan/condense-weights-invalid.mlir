// RUN: nm-opt --nm-condense-weights --split-input-file --verify-diagnostics %s

func.func @violated() -> !nm.condensed<8x2xf32, #nm.pattern<2:4>> {
  // expected-note@below {{the weight is this constant}}
  %d = arith.constant dense<[[1.0, 1.0], [1.0, 1.0], [0.0, -0.0], [0.0, 0.0],
                             [1.0, 0.0], [0.0, 3.0], [1.0, 5.0], [0.0, 7.0]]> : tensor<8x2xf32>
  // expected-error@below {{expected at most 2 of 4 units kept in each window, got 3 in window 1 of unit column 1 (rows 4 to 7, columns 1 to 1)}}
  %w = nm.condense %d : tensor<8x2xf32> -> !nm.condensed<8x2xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<2:4>>
}

// -----

func.func @elided() -> !nm.condensed<8x2xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense_resource<__elided__> : tensor<8x2xf32>
  // expected-error@below {{the data of resource '__elided__' was elided}}
  %w = nm.condense %d : tensor<8x2xf32> -> !nm.condensed<8x2xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<2:4>>
}

// -----

// A window far beyond k would ask for memory without bound.
func.func @huge_window() -> !nm.condensed<2x2xf32, #nm.pattern<1000000000:1000000000>> {
  // expected-note@below {{the weight is this constant}}
  %d = arith.constant dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf32>
  // expected-error@below {{expected at most 65540 condensed rows for k = 2, got 1000000000}}
  %w = nm.condense %d : tensor<2x2xf32> -> !nm.condensed<2x2xf32, #nm.pattern<1000000000:1000000000>>
  return %w : !nm.condensed<2x2xf32, #nm.pattern<1000000000:1000000000>>
}

// -----

func.func @huge_splat() -> !nm.condensed<100000x100000xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense<1.0> : tensor<100000x100000xf32>
  // expected-error@below {{the constant is one value, repeated}}
  %w = nm.condense %d : tensor<100000x100000xf32> -> !nm.condensed<100000x100000xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<100000x100000xf32, #nm.pattern<2:4>>
}
