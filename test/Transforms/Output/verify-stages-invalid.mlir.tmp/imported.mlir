func.func @condense() -> !nm.condensed<4x1xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense<[[1.0], [2.0], [0.0], [0.0]]> : tensor<4x1xf32>
  // expected-error @below {{expected a constant weight in condensed form (nm.constant)}}
  // expected-note @below {{nm-import-linalg, or canonicalize where nm.condense was written, probably missed it}}
  %w = nm.condense %d : tensor<4x1xf32> -> !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
}

