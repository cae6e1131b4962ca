// RUN: nm-opt %s | nm-opt | FileCheck %s

// CHECK-LABEL: func.func @pack(
// CHECK: nm.pack %{{.*}} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
// CHECK: nm.pack %{{.*}} {order = "banks", ordered_rows = 16 : i64} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
func.func @pack(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  %p = nm.pack %w : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
  %q = nm.pack %w {order = "banks", ordered_rows = 16 : i64} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
  return
}

// CHECK-LABEL: func.func @parts(
// CHECK-SAME: nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = <64x128xf16, #nm.pattern<2:4>>>]
// CHECK-SAME: nm.part = [#nm.part<weight = 0, layout = 0, kind = indices, type = <64x128xf16, #nm.pattern<2:4>>>]
func.func @parts(
    %v: tensor<32x128xf16> {nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]},
    %d: tensor<32x128xi8> {nm.part = [#nm.part<weight = 0, layout = 0, kind = indices, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]}) {
  return
}
