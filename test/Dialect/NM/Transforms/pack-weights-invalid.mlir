// RUN: nm-opt --nm-pack-weights --verify-diagnostics %s

func.func @elided(%a: tensor<32x8xf32>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  // expected-error @below {{expected weight data, got elided elements; print the module with its resources}}
  %w = nm.constant {values = dense_resource<__elided__> : tensor<4x2xf32>, indices = dense<0> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2]>, block = [32, 2, 4]>}
    : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}
