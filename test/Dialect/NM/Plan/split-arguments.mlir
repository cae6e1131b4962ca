// RUN: nm-opt %s -nm-split-arguments | FileCheck %s

#wide = #nm.packing<block_n = 64, step_k = 64, panels = 2>
#narrow = #nm.packing<block_n = 32, step_k = 32>
#fragments = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>
!w = !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>>
!wide = !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>, #wide>
!narrow = !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>, #narrow>
!fragments = !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>, #fragments>

// As nobody packs it, the arrays are those of the condensed form. Positions have no sign.
// CHECK-LABEL: func.func @condensed(
// CHECK-SAME: %{{[^:]*}}: tensor<8x128xf16>
// CHECK-SAME: %[[V:[^:]*]]: tensor<64x64xf16> {nm.name = "w.values", nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = <128x64xf16, #nm.pattern<1:2, unit = 1x32>>>]}
// CHECK-SAME: %[[D:[^:]*]]: tensor<64x2xi8> {nm.name = "w.indices", nm.part = [#nm.part<weight = 0, layout = 0, kind = indices, {{.*}}>], nm.unsigned}
// CHECK-SAME: %{{[^:]*}}: tensor<8x64xf16>
// CHECK: %[[W:.*]] = nm.assemble %[[V]], %[[D]] : {{.*}} -> !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>>
// CHECK-NEXT: nm.spmm %{{.*}}, %[[W]]
func.func @condensed(%a: tensor<8x128xf16>, %w: !w {nm.name = "w"}, %c: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<8x64xf16>) : tensor<8x128xf16>, !w -> tensor<8x64xf16>
  return %r : tensor<8x64xf16>
}

// Layouts that differ in the indices alone share the values.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[V:[^:]*]]: tensor<2x64x32xf16> {nm.name = "w.values", nm.part = [#nm.part<weight = 0, layout = 0, kind = values, {{[^:]*:[^:]*}}, #nm.part<weight = 0, layout = 1, kind = values, {{[^:]*:[^:]*}}]}
// CHECK-SAME: %[[D0:[^:]*]]: tensor<2x2x32xi32> {nm.name = "w.indices", nm.part = [#nm.part<weight = 0, layout = 0, kind = indices,
// CHECK-SAME: %[[D1:[^:]*]]: tensor<8x1x16xi32> {nm.name = "w.indices.1", nm.part = [#nm.part<weight = 0, layout = 1, kind = indices,
// CHECK-NOT: = nm.pack
// CHECK: nm.assemble %[[V]], %[[D0]]
// CHECK: nm.assemble %[[V]], %[[D1]]
// CHECK: nm.assemble %[[V]], %[[D0]]
func.func @shared(%a: tensor<8x128xf16>, %w: !w {nm.name = "w"}, %c: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>) {
  %p = nm.pack %w {order = "banks", ordered_rows = 32 : i64} : !w -> !wide
  %q = nm.pack %w {order = "banks", ordered_rows = 32 : i64} : !w -> !narrow
  %again = nm.pack %w {order = "banks", ordered_rows = 32 : i64} : !w -> !wide
  %r = nm.spmm %a, %p outs(%c : tensor<8x64xf16>) : tensor<8x128xf16>, !wide -> tensor<8x64xf16>
  %s = nm.spmm %a, %q outs(%c : tensor<8x64xf16>) : tensor<8x128xf16>, !narrow -> tensor<8x64xf16>
  %t = nm.spmm %a, %again outs(%c : tensor<8x64xf16>) : tensor<8x128xf16>, !wide -> tensor<8x64xf16>
  return %r, %s, %t : tensor<8x64xf16>, tensor<8x64xf16>, tensor<8x64xf16>
}

// Two weights, one of which is used in two orders of the rows, and as fragments: three arrays
// of values.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME: nm.part = [#nm.part<weight = 0, layout = 0, kind = values
// CHECK-SAME: nm.part = [#nm.part<weight = 0, layout = 1, kind = values
// CHECK-SAME: nm.part = [#nm.part<weight = 0, layout = 2, kind = values
// CHECK-SAME: nm.part = [#nm.part<weight = 1, layout = 0, kind = values
// CHECK-COUNT-4: nm.assemble
func.func @apart(%a: tensor<8x128xf16>, %w: !w, %other: !w, %c: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %p = nm.pack %w {order = "banks", ordered_rows = 32 : i64} : !w -> !narrow
  %q = nm.pack %w : !w -> !narrow
  %f = nm.pack %w : !w -> !fragments
  %r = nm.spmm %a, %p outs(%c : tensor<8x64xf16>) : tensor<8x128xf16>, !narrow -> tensor<8x64xf16>
  %s = nm.spmm %a, %q outs(%r : tensor<8x64xf16>) : tensor<8x128xf16>, !narrow -> tensor<8x64xf16>
  %t = nm.spmm %a, %f outs(%s : tensor<8x64xf16>) : tensor<8x128xf16>, !fragments -> tensor<8x64xf16>
  %u = nm.spmm %a, %other outs(%t : tensor<8x64xf16>) : tensor<8x128xf16>, !w -> tensor<8x64xf16>
  return %u : tensor<8x64xf16>
}

// A weight that nobody uses is an argument all the same.
// CHECK-LABEL: func.func @unused(
// CHECK-SAME: tensor<64x64xf16> {nm.part =
// CHECK-SAME: tensor<64x2xi8> {nm.part =
func.func @unused(%w: !w) {
  return
}
