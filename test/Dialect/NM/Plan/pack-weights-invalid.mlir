// RUN: nm-opt --nm-pack-weights --split-input-file --verify-diagnostics %s

func.func @elided(%a: tensor<32x8xf32>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  // expected-error @below {{expected weight data, got elided elements; print the module with its resources}}
  %w = nm.constant {values = dense_resource<__elided__> : tensor<4x2xf32>, indices = dense<0> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2]>, block = [32, 2, 4]>}
    : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// -----

// A block and a step as large as these would be padded to 2^64 bytes.
func.func @rows(%a: tensor<32x8xf32>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  // expected-error @below {{got block_n = 2147483646 and step_k = 2147483646 for 8x2, 1:2, unit 1x1; choose another schedule than #nm.schedule}}
  %w = nm.constant {values = dense<1.0> : tensor<4x2xf32>, indices = dense<0> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2147483646]>, block = [32, 2147483646, 2147483646]>}
    : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}
