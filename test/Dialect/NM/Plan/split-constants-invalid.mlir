// RUN: nm-opt --nm-split-constants --split-input-file --verify-diagnostics %s

func.func @elided() -> !nm.condensed<8x2xf32, #nm.pattern<1:2>> {
  // expected-error @below {{the data of resource '__elided__' was elided}}
  %w = nm.constant {values = dense_resource<__elided__> : tensor<4x2xf32>, indices = dense<1> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
}

// -----

func.func @truncated() -> !nm.condensed<8x2xf32, #nm.pattern<1:2>> {
  // expected-error @below {{expected 8 elements of 1 bytes in resource 'short', got 3 bytes}}
  %w = nm.constant {values = dense<1.0> : tensor<4x2xf32>, indices = dense_resource<short> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
}
{-# dialect_resources: { builtin: { short: "0x01000000010101" } } #-}

// -----

func.func @other_elements() -> !nm.condensed<8x2xf32, #nm.pattern<1:2>> {
  // expected-error @below {{expected dense or resource elements}}
  %w = nm.constant {values = sparse<[[0, 0]], [1.0]> : tensor<4x2xf32>, indices = dense<1> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
}

// -----

func.func @condense(%d: tensor<8x2xf32>) -> !nm.condensed<8x2xf32, #nm.pattern<1:2>> {
  // expected-error @below {{'nm.condense' op unsupported on a device: a weight whose data is known only at run time; make it a constant, or run the module with --device=cpu}}
  %w = nm.condense %d : tensor<8x2xf32> -> !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  return %w : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
}
