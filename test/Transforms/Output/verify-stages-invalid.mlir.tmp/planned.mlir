func.func @schedule(%a: tensor<8x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-error @below {{expected a schedule}}
  // expected-note @below {{nm-select-schedule probably missed it}}
  %r = nm.spmm %a, %w outs(%c : tensor<8x128xf32>) : tensor<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}

// -----

func.func @constant() -> !nm.condensed<4x1xf32, #nm.pattern<2:4>> {
  // expected-error @below {{expected the parts of a constant weight (nm.assemble)}}
  // expected-note @below {{nm-split-constants probably missed it}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
}

