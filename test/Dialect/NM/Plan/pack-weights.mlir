// RUN: nm-opt --nm-pack-weights %s | FileCheck %s
// RUN: nm-opt --nm-pack-weights --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#unpacked = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2]>, block = [32, 2, 4]>
#wide = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 8]>, block = [32, 8, 4]>
#narrow = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 4]>, block = [32, 4, 2]>
#packed = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2]>, block = [32, 2, 8], packed = true>

// Windows of 2, two to a step: the window's first row is added to each index,
// and an index is one of a (column, step). n = 3 is padded to two blocks of 2;
// padding repeats the rows of the last column and has the value 0. The values of a
// block are a panel.
// CHECK-LABEL: func.func @rows
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}0, 3], [1, 2]], {{\[\[}}1, 3], [0, 2]], {{\[\[}}1, 2], [1, 2]], {{\[\[}}0, 2], [0, 2]]]> : tensor<4x2x2xi32>
// CHECK-SAME: values = dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [4.000000e+00, 5.000000e+00], [7.000000e+00, 8.000000e+00], [1.000000e+01, 1.100000e+01]], {{\[\[}}3.000000e+00, 0.000000e+00], [6.000000e+00, 0.000000e+00], [9.000000e+00, 0.000000e+00], [1.200000e+01, 0.000000e+00]]]> : tensor<2x4x2xf32>
// CHECK-SAME: #nm.packing<block_n = 2, step_k = 4>>
// REMARK: remark: [Passed] packed | Category:nm-pack-weights | Function=rows | Rows=4, of rows=4, panel columns=2
func.func @rows(%a: tensor<32x8xf32>, %c: tensor<32x3xf32>) -> tensor<32x3xf32> {
  %w = nm.constant {
    values = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>,
    indices = dense<[[0, 1, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0]]> : tensor<4x3xi8>}
    : !nm.condensed<8x3xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x3xf32>) {schedule = #unpacked} : tensor<32x8xf32>, !nm.condensed<8x3xf32, #nm.pattern<1:2>> -> tensor<32x3xf32>
  return %r : tensor<32x3xf32>
}

// Two columns keep rows 0, 3, 5 and 6 (and 0, 2, 5, 6): five rows are listed,
// filled up to a line of eight, and indices are places in the list.
// CHECK-LABEL: func.func @list
// CHECK: nm.constant {
// CHECK-SAME: columns = dense<{{\[\[}}0, 2, 3, 5, 6, -1, -1, -1]]> : tensor<1x8xi32>
// CHECK-SAME: indices = dense<{{\[\[\[}}0, 2, 3, 4], [0, 1, 3, 4]]]> : tensor<1x2x4xi32>
// CHECK-SAME: #nm.packing<block_n = 2, step_k = 8, columns = 8>>
// REMARK: remark: [Passed] packed | Category:nm-pack-weights | Function=list | Rows=8, of rows=8, panel columns=2
func.func @list(%a: tensor<32x8xf32>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  %w = nm.constant {
    values = dense<1.0> : tensor<4x2xf32>,
    indices = dense<[[0, 0], [1, 0], [1, 1], [0, 0]]> : tensor<4x2xi8>}
    : !nm.condensed<8x2xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>) {schedule = #packed} : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// A thread of gemv that has one column reads four of its rows at once, and the positions of four
// windows in a mask: of the first one units 1, 3, 4 and 6 of one column, and units 0, 1, 5 and 7 of
// the other.
// CHECK-LABEL: func.func @masks
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}1523371212, -976433972, {{.*}}]]]> : tensor<1x1x32xi32>
// CHECK-SAME: values = dense_resource<weight.packed> : tensor<1x4x128xf32>
// CHECK-SAME: #nm.packing<block_n = 32, step_k = 32, lane_rows = 4, coding = mask>>
func.func @masks(%a: tensor<1x32xf32>, %c: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = nm.constant {
    values = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<16x2xf32>,
    indices = dense<[[1, 0], [3, 1], [4, 5], [6, 7], [0, 0], [1, 1], [4, 4], [5, 5], [0, 0], [1, 1], [4, 4], [5, 5], [0, 0], [1, 1], [4, 4], [5, 5]]> : tensor<16x2xi8>}
    : !nm.condensed<32x2xf32, #nm.pattern<4:8>>
  %r = nm.spmm %a, %w outs(%c : tensor<1x2xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 32], promote_weight = false>} : tensor<1x32xf32>, !nm.condensed<32x2xf32, #nm.pattern<4:8>> -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// Positions of as many bits as they need, where that is no more than masks: 1, 3, 0 and 2 of one
// column, from the lowest bit on, and 0, 1, 1 and 3 of the other.
// CHECK-LABEL: func.func @bits
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}1145324685, 1145324756, {{.*}}]]]> : tensor<1x1x32xi32>
// CHECK-SAME: #nm.packing<block_n = 32, step_k = 32, lane_rows = 4, coding = bits>>
func.func @bits(%a: tensor<1x32xf32>, %c: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %w = nm.constant {
    values = dense<1.0> : tensor<16x2xf32>,
    indices = dense<[[1, 0], [3, 1], [0, 1], [2, 3], [0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1]]> : tensor<16x2xi8>}
    : !nm.condensed<32x2xf32, #nm.pattern<2:4>>
  %r = nm.spmm %a, %w outs(%c : tensor<1x2xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 32], promote_weight = false>} : tensor<1x32xf32>, !nm.condensed<32x2xf32, #nm.pattern<2:4>> -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// Units of several columns: bytes of their positions, in the order of k. What goes through
// shared memory is packed as for other kinds.
// CHECK-LABEL: func.func @positions
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}1, 5, 0, 6, 1, {{.*}}]]]> : tensor<1x1x32xi8>
// CHECK-SAME: #nm.packing<block_n = 2, step_k = 128, coding = positions>>
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}1, 5, 8, 14, 17, {{.*}}]]]> : tensor<1x1x32xi32>
func.func @positions(%a: tensor<1x128xf32>, %c: tensor<1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = nm.constant {
    values = dense<1.0> : tensor<32x2xf32>, indices = dense<"0x0105000601050006010500060105000601050006010500060105000601050006"> : tensor<32x1xi8>}
    : !nm.condensed<128x2xf32, #nm.pattern<2:8, unit = 1x2>>
  %r = nm.spmm %a, %w outs(%c : tensor<1x2xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [1, 32], thread = [1, 2, 1]>, block = [1, 2, 128], promote_weight = false>} : tensor<1x128xf32>, !nm.condensed<128x2xf32, #nm.pattern<2:8, unit = 1x2>> -> tensor<1x2xf32>
  %s = nm.spmm %a, %w outs(%c : tensor<1x2xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [1, 32], thread = [1, 2, 1]>, block = [1, 2, 128]>} : tensor<1x128xf32>, !nm.condensed<128x2xf32, #nm.pattern<2:8, unit = 1x2>> -> tensor<1x2xf32>
  return %r, %s : tensor<1x2xf32>, tensor<1x2xf32>
}

// A kind whose lanes each read a row of their own (mma_sync): those of eight that are half
// a fragment should differ modulo 8, here 0, 2, 1, 3, 5, 7, 8, 10 (the indices 0, 1, 4, 5,
// 8, 9, 12 and 13) and the others. In the order of k, they would take more accesses than
// two and two. Values go with their indices, four of a column a lane.
// CHECK-LABEL: func.func @banks
// CHECK: nm.constant {
// CHECK-SAME: indices = dense<{{\[\[\[}}0, 2, 16, 18, 1, 3, 9, 11, 5, 7, 13, 15, 8, 10, 24, 26]]]> : tensor<1x1x16xi32>
// CHECK-SAME: values = dense<"0x0000004000000000004C804C00000000003C004200000000{{.*}}004E804E{{0+}}">
// CHECK-SAME: #nm.packing<block_n = 16, step_k = 32, lane_rows = 16, fragments = true>
func.func @banks(%a: tensor<32x32xf16>, %c: tensor<32x1xf16>) -> tensor<32x1xf16> {
  %w = nm.constant {
    values = dense<[[0.0], [1.0], [2.0], [3.0], [5.0], [7.0], [8.0], [9.0], [10.0], [11.0], [13.0], [15.0], [16.0], [18.0], [24.0], [26.0]]> : tensor<16x1xf16>,
    indices = dense<[[0], [1], [2], [3], [5], [7], [8], [9], [10], [11], [13], [15], [16], [18], [24], [26]]> : tensor<16x1xi8>}
    : !nm.condensed<32x1xf16, #nm.pattern<16:32, unit = 1x16>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x1xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 32]>} : tensor<32x32xf16>, !nm.condensed<32x1xf16, #nm.pattern<16:32, unit = 1x16>> -> tensor<32x1xf16>
  return %r : tensor<32x1xf16>
}

// Of steps of one and of two windows the order is one within a window: it is an order of
// both, and the values are shared.
// CHECK-LABEL: func.func @steps
// CHECK: indices = dense<{{\[\[\[}}0, 2, 16, 18, 1, 3, 9, 11, 5, 7, 13, 15, 8, 10, 24, 26]], {{\[\[}}0, 2, 16, 18, 1, 3, 9, 11, 5, 7, 13, 15, 8, 10, 24, 26]]]> : tensor<2x1x16xi32>
// CHECK-SAME: #nm.packing<block_n = 16, step_k = 32, lane_rows = 16, fragments = true>
// CHECK: indices = dense<{{\[\[\[}}0, 2, 16, 18, 1, 3, 9, 11, 5, 7, 13, 15, 8, 10, 24, 26, 32, 34, 48, 50, 33, 35, 41, 43, 37, 39, 45, 47, 40, 42, 56, 58]]]> : tensor<1x1x32xi32>
// CHECK-SAME: #nm.packing<block_n = 16, step_k = 64, lane_rows = 16, fragments = true>
func.func @steps(%a: tensor<32x64xf16>, %c: tensor<32x1xf16>) -> (tensor<32x1xf16>, tensor<32x1xf16>) {
  %w = nm.constant {
    values = dense<1.0> : tensor<32x1xf16>,
    indices = dense<[[0], [1], [2], [3], [5], [7], [8], [9], [10], [11], [13], [15], [16], [18], [24], [26], [0], [1], [2], [3], [5], [7], [8], [9], [10], [11], [13], [15], [16], [18], [24], [26]]> : tensor<32x1xi8>}
    : !nm.condensed<64x1xf16, #nm.pattern<16:32, unit = 1x16>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x1xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 32]>} : tensor<32x64xf16>, !nm.condensed<64x1xf16, #nm.pattern<16:32, unit = 1x16>> -> tensor<32x1xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<32x1xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 64]>} : tensor<32x64xf16>, !nm.condensed<64x1xf16, #nm.pattern<16:32, unit = 1x16>> -> tensor<32x1xf16>
  return %r, %s : tensor<32x1xf16>, tensor<32x1xf16>
}

// A product of the same weight by FMAs reads no fragments: it has values of its own, in the
// order of k.
// CHECK-LABEL: func.func @disagree
// CHECK: indices = dense<{{\[\[\[}}0, 2, 16, 18, 1, 3, 9, 11,
// CHECK: indices = dense<{{\[\[\[}}0, 1, 2, 3, 5, 7, 8, 9,
func.func @disagree(%a: tensor<32x32xf16>, %c: tensor<32x1xf16>) -> (tensor<32x1xf16>, tensor<32x1xf16>) {
  %w = nm.constant {
    values = dense<1.0> : tensor<16x1xf16>,
    indices = dense<[[0], [1], [2], [3], [5], [7], [8], [9], [10], [11], [13], [15], [16], [18], [24], [26]]> : tensor<16x1xi8>}
    : !nm.condensed<32x1xf16, #nm.pattern<16:32, unit = 1x16>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x1xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 32]>} : tensor<32x32xf16>, !nm.condensed<32x1xf16, #nm.pattern<16:32, unit = 1x16>> -> tensor<32x1xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<32x1xf16>) {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 2]>, block = [32, 2, 32]>} : tensor<32x32xf16>, !nm.condensed<32x1xf16, #nm.pattern<16:32, unit = 1x16>> -> tensor<32x1xf16>
  return %r, %s : tensor<32x1xf16>, tensor<32x1xf16>
}

// Blocks of 8 and of 4 columns, and other steps: the values are the same, in panels
// of 4 columns, of which a block of 8 has two.
// CHECK-LABEL: func.func @panels
// CHECK: nm.constant {{.*}} values = dense<{{\[\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [9.000000e+00, {{.*}}> : tensor<2x2x4xf32>} : {{.*}}#nm.packing<block_n = 8, step_k = 4, panels = 2>>
// CHECK: nm.constant {{.*}} values = dense<{{.*}}> : tensor<2x2x4xf32>} : {{.*}}#nm.packing<block_n = 4, step_k = 2>>
// REMARK: Function=panels | Rows=4, of rows=4, panel columns=4
// REMARK: Function=panels | Rows=2, of rows=2, panel columns=4
func.func @panels(%a: tensor<32x4xf32>, %c: tensor<32x8xf32>) -> (tensor<32x8xf32>, tensor<32x8xf32>) {
  %w = nm.constant {
    values = dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]]> : tensor<2x8xf32>,
    indices = dense<1> : tensor<2x8xi8>}
    : !nm.condensed<4x8xf32, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x8xf32>) {schedule = #wide} : tensor<32x4xf32>, !nm.condensed<4x8xf32, #nm.pattern<1:2>> -> tensor<32x8xf32>
  %s = nm.spmm %a, %w outs(%c : tensor<32x8xf32>) {schedule = #narrow} : tensor<32x4xf32>, !nm.condensed<4x8xf32, #nm.pattern<1:2>> -> tensor<32x8xf32>
  return %r, %s : tensor<32x8xf32>, tensor<32x8xf32>
}

// In f16, four columns are no chunk of 16 bytes: each kernel has panels of its own.
// CHECK-LABEL: func.func @narrow_panels
// CHECK: tensor<1x2x8xf16>} : {{.*}}#nm.packing<block_n = 8, step_k = 4>>
// CHECK: tensor<2x2x4xf16>} : {{.*}}#nm.packing<block_n = 4, step_k = 2>>
// REMARK: Function=narrow_panels | Rows=4, of rows=4, panel columns=8
// REMARK: Function=narrow_panels | Rows=2, of rows=2, panel columns=4
func.func @narrow_panels(%a: tensor<32x4xf16>, %c: tensor<32x8xf16>) -> (tensor<32x8xf16>, tensor<32x8xf16>) {
  %w = nm.constant {values = dense<1.0> : tensor<2x8xf16>, indices = dense<1> : tensor<2x8xi8>}
    : !nm.condensed<4x8xf16, #nm.pattern<1:2>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x8xf16>) {schedule = #wide} : tensor<32x4xf16>, !nm.condensed<4x8xf16, #nm.pattern<1:2>> -> tensor<32x8xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<32x8xf16>) {schedule = #narrow} : tensor<32x4xf16>, !nm.condensed<4x8xf16, #nm.pattern<1:2>> -> tensor<32x8xf16>
  return %r, %s : tensor<32x8xf16>, tensor<32x8xf16>
}

// Tensor cores read fragments, whether of few rows of A or of many: the values are shared, in
// an order for the banks, for which positions count in all rows that are ordered.
// CHECK-LABEL: func.func @forms
// CHECK: indices = dense<"0x0103111305071517{{.*}} values = dense_resource<[[V:.*]]> : tensor<2x4x512xf16>} : {{.*}}#nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true, position_rows = 64>>
// CHECK: indices = dense<"0x01000000030000001100000013000000{{.*}} values = dense_resource<[[V]]> : {{.*}}#nm.packing<block_n = 64, step_k = 64, panels = 2, lane_rows = 16, fragments = true>>
// REMARK: Function=forms | Rows=64, of rows=64, panel columns=32
// REMARK: Function=forms | Rows=64, of rows=64, panel columns=32
func.func @forms(%a: tensor<8x128xf16>, %c: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x64xf16>) {
  %w = nm.constant {values = dense<1.0> : tensor<64x64xf16>, indices = dense<1> : tensor<64x2xi8>}
    : !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>>
  %r = nm.spmm %a, %w outs(%c : tensor<8x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>} : tensor<8x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<8x64xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<8x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 64]>} : tensor<8x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<8x64xf16>
  return %r, %s : tensor<8x64xf16>, tensor<8x64xf16>
}

// The caller packs a weight that is an argument: once for each form, with values of the same
// order of rows.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %{{.*}}: tensor<64x128xf16>, %[[W:.*]]: !nm.condensed<128x64xf16
// CHECK-DAG: %[[WIDE:.*]] = nm.pack %[[W]] {order = "banks", ordered_rows = 32 : i64} : {{.*}} -> {{.*}}#nm.packing<block_n = 64, step_k = 64, panels = 2, lane_rows = 16, fragments = true>>
// CHECK-DAG: %[[NARROW:.*]] = nm.pack %[[W]] {order = "banks", ordered_rows = 32 : i64} : {{.*}} -> {{.*}}#nm.packing<block_n = 32, step_k = 32, lane_rows = 16, fragments = true>>
// CHECK: nm.spmm %{{.*}}, %[[WIDE]] outs
// CHECK: nm.spmm %{{.*}}, %[[NARROW]] outs
// CHECK: nm.spmm %{{.*}}, %[[WIDE]] outs
// REMARK: Function=argument | Rows=64, of rows=64, panel columns=32
func.func @argument(%a: tensor<64x128xf16>, %w: !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>>, %c: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) {
  %r = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 64]>} : tensor<64x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<64x64xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 1], tile = [16, 32]>, block = [32, 32, 32]>} : tensor<64x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<64x64xf16>
  %t = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 64]>} : tensor<64x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<64x64xf16>
  return %r, %s, %t : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
}

// Positions of a byte count in a kernel's own step, though rows are ordered in the steps that
// all kernels have in common.
// CHECK-LABEL: func.func @bytes_of_steps(
// CHECK-DAG: nm.pack {{.*}} {order = "banks", ordered_rows = 128 : i64} : {{.*}} -> {{.*}}#nm.packing<block_n = 64, step_k = 128, panels = 2, lane_rows = 16, coding = positions, fragments = true, position_rows = 128>>
// CHECK-DAG: nm.pack {{.*}} {order = "banks", ordered_rows = 128 : i64} : {{.*}} -> {{.*}}#nm.packing<block_n = 32, step_k = 256, lane_rows = 16, coding = positions, fragments = true, position_rows = 256>>
func.func @bytes_of_steps(%a: tensor<64x256xf16>, %w: !nm.condensed<256x64xf16, #nm.pattern<1:2, unit = 1x32>>, %c: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %r = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 128]>} : tensor<64x256xf16>, !nm.condensed<256x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<64x64xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 1], tile = [16, 32]>, block = [32, 32, 256]>} : tensor<64x256xf16>, !nm.condensed<256x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<64x64xf16>
  return %r, %s : tensor<64x64xf16>, tensor<64x64xf16>
}

// Of a window that is all of k, positions are rows.
// CHECK-LABEL: func.func @window_of_all(
// CHECK: nm.pack {{.*}} {order = "banks", ordered_rows = 128 : i64} : {{.*}} -> {{.*}}#nm.packing<block_n = 64, step_k = 128, lane_rows = 16, fragments = true>>
func.func @window_of_all(%a: tensor<64x128xf16>, %w: !nm.condensed<128x64xf16, #nm.pattern<64:all, unit = 1x32>>, %c: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<64x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 0]>} : tensor<64x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<64:all, unit = 1x32>> -> tensor<64x64xf16>
  return %r : tensor<64x64xf16>
}

// Blocks of 96 columns fill 64 up to 96, which the values for others then have too. Indices of
// rows that are ordered as a step are positions in it, of a byte, where they are whole lines.
// CHECK-LABEL: func.func @columns(
// CHECK-DAG: nm.pack {{.*}} -> {{.*}}#nm.packing<block_n = 96, step_k = 128, panels = 3, lane_rows = 16, coding = positions, fragments = true, position_rows = 128>>
// CHECK-DAG: nm.pack {{.*}} -> {{.*}}#nm.packing<block_n = 64, step_k = 128, panels = 2, lane_rows = 16, coding = positions, fragments = true, position_rows = 128, value_columns = 96>>
func.func @columns(%a: tensor<8x128xf16>, %w: !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>>, %c: tensor<8x64xf16>) -> (tensor<8x64xf16>, tensor<8x64xf16>) {
  %r = nm.spmm %a, %w outs(%c : tensor<8x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [3, 2], tile = [8, 32]>, block = [8, 96, 128], promote_weight = false>} : tensor<8x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<8x64xf16>
  %s = nm.spmm %a, %w outs(%c : tensor<8x64xf16>) {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 128]>} : tensor<8x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<1:2, unit = 1x32>> -> tensor<8x64xf16>
  return %r, %s : tensor<8x64xf16>, tensor<8x64xf16>
}

// CHECK-LABEL: func.func @argument_lists
// CHECK: nm.spmm %{{.*}}, %arg1 outs
// REMARK: remark: [Missed] not-packed | Category:nm-pack-weights | Function=argument_lists | Reason="lists of columns need the weight's data"
func.func @argument_lists(%a: tensor<32x8xf32>, %w: !nm.condensed<8x2xf32, #nm.pattern<1:2>>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>) {schedule = #packed} : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// CHECK-LABEL: func.func private @no_constant
// CHECK: nm.spmm %{{.*}}, %arg1 outs
// REMARK: remark: [Missed] not-packed | Category:nm-pack-weights | Function=no_constant | Reason="the weight is neither a constant nor an argument of a public function"
func.func private @no_constant(%a: tensor<32x8xf32>, %w: !nm.condensed<8x2xf32, #nm.pattern<1:2>>, %c: tensor<32x2xf32>) -> tensor<32x2xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<32x2xf32>) {schedule = #packed} : tensor<32x8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<32x2xf32>
  return %r : tensor<32x2xf32>
}

// i8 and bf16 as any other: a value is moved as the bytes that it is.
// CHECK-LABEL: func.func @types
// CHECK: nm.constant {{.*}}values = dense<{{\[\[\[}}1, -2], [-4, 5]], {{\[\[}}3, 0], [-6, 0]]]> : tensor<2x2x2xi8>
// CHECK: nm.constant {{.*}}values = dense<{{\[\[\[}}1.000000e+00, -2.000000e+00], [-4.000000e+00, 5.000000e+00]], {{\[\[}}3.000000e+00, 0.000000e+00],{{.*}} : tensor<2x2x2xbf16>
func.func @types(%ai: tensor<32x4xi8>, %ci: tensor<32x3xi32>, %ab: tensor<32x4xbf16>, %cb: tensor<32x3xbf16>) -> (tensor<32x3xi32>, tensor<32x3xbf16>) {
  %wi = nm.constant {
    values = dense<[[1, -2, 3], [-4, 5, -6]]> : tensor<2x3xi8>,
    indices = dense<[[0, 1, 1], [1, 0, 0]]> : tensor<2x3xi8>}
    : !nm.condensed<4x3xi8, #nm.pattern<1:2>>
  %wb = nm.constant {
    values = dense<[[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]]> : tensor<2x3xbf16>,
    indices = dense<[[0, 1, 1], [1, 0, 0]]> : tensor<2x3xi8>}
    : !nm.condensed<4x3xbf16, #nm.pattern<1:2>>
  %ri = nm.spmm %ai, %wi outs(%ci : tensor<32x3xi32>) {acc = i32, schedule = #unpacked} : tensor<32x4xi8>, !nm.condensed<4x3xi8, #nm.pattern<1:2>> -> tensor<32x3xi32>
  %rb = nm.spmm %ab, %wb outs(%cb : tensor<32x3xbf16>) {schedule = #unpacked} : tensor<32x4xbf16>, !nm.condensed<4x3xbf16, #nm.pattern<1:2>> -> tensor<32x3xbf16>
  return %ri, %rb : tensor<32x3xi32>, tensor<32x3xbf16>
}

// The values of @masks: four rows of a column, then those of the next.
// CHECK: weight.packed: "0x100000000000803F000040400000A0400000E0400000004000008040{{0000C0400000004100000000[0-9A-F]*}}0000000000001041{{0+}}"
