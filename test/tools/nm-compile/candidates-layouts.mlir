// RUN: nm-compile %s --chip=sm_90 --emit=candidates -o - | FileCheck %s
// RUN: nm-compile %s --chip=sm_90 --emit=candidates --no-propagate-layouts -o - | FileCheck %s --check-prefix=KEPT

// Candidates are those of the products as they are planned, with their layouts.
// CHECK: "a_layout": "feature_major"
// KEPT: "a_layout": "token_major"

#vw = #nm.pattern<8:32, unit = 1x32>
func.func @main(%x: tensor<4096x4096xbf16>, %w: !nm.condensed<4096x4096xbf16, #vw>) -> tensor<4096x4096xbf16> {
  %e = tensor.empty() : tensor<4096x4096xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<4096x4096xbf16>) : tensor<4096x4096xbf16>, !nm.condensed<4096x4096xbf16, #vw> -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}
