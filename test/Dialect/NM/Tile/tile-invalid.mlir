// RUN: nm-opt --nm-tile --split-input-file --verify-diagnostics %s

func.func @tensors(%a: tensor<8x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-error @below {{expected operands on memrefs; run bufferization before nm-tile}}
  %r = nm.spmm %a, %w outs(%c : tensor<8x128xf32>) : tensor<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}

// -----

func.func @unscheduled(%a: memref<8x64xf32>, %v: memref<32x128xf32>, %d: memref<32x128xi8>, %c: memref<8x128xf32>) {
  %w = nm.assemble %v, %d : memref<32x128xf32>, memref<32x128xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  // expected-error @below {{expected a schedule; run nm-select-schedule before nm-tile or write one on the op}}
  nm.spmm %a, %w outs(%c : memref<8x128xf32>) : memref<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @no_parts(%a: memref<8x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: memref<8x128xf32>) {
  // expected-error @below {{expected a weight from nm.assemble of memrefs}}
  nm.spmm %a, %w outs(%c : memref<8x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [32, 1], thread = [1, 8]>, block = [32, 32, 64]>}
    : memref<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @other_form(%a: memref<8x64xf32>, %v: memref<2x8x256xf32>, %d: memref<2x2x64xi32>, %c: memref<8x128xf32>) {
  %w = nm.assemble %v, %d : memref<2x8x256xf32>, memref<2x2x64xi32> -> !nm.condensed<64x128xf32, #nm.pattern<16:32>, #nm.packing<block_n = 64, step_k = 64, lane_rows = 4, coding = mask>>
  // expected-error @below {{expected a weight in a form that #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [1, 8]> reads, got #nm.packing<block_n = 64, step_k = 64, lane_rows = 4, coding = mask>}}
  nm.spmm %a, %w outs(%c : memref<8x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [1, 8]>, block = [8, 64, 64], promote_weight = false>}
    : memref<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<16:32>, #nm.packing<block_n = 64, step_k = 64, lane_rows = 4, coding = mask>>
  return
}

// -----

// A thread has eight rows of a slice, half a mask.
func.func @half_mask(%a: memref<1x64xf32>, %v: memref<2x8x256xf32>, %d: memref<2x2x64xi32>, %c: memref<1x128xf32>) {
  %w = nm.assemble %v, %d : memref<2x8x256xf32>, memref<2x2x64xi32> -> !nm.condensed<64x128xf32, #nm.pattern<16:32>, #nm.packing<block_n = 64, step_k = 64, lane_rows = 4, coding = mask>>
  // expected-error @below {{expected a weight in a form that #nm.gemv<warps = [2, 2], lanes = [32, 1], thread = [1, 1, 8]> reads}}
  nm.spmm %a, %w outs(%c : memref<1x128xf32>)
    {schedule = #nm.schedule<kind = #nm.gemv<warps = [2, 2], lanes = [32, 1], thread = [1, 1, 8]>, block = [1, 64, 64], promote_weight = false>}
    : memref<1x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<16:32>, #nm.packing<block_n = 64, step_k = 64, lane_rows = 4, coding = mask>>
  return
}

// -----

func.func @other_packing(%a: memref<8x64xf32>, %v: memref<2x32x64xf32>, %d: memref<2x64x32xi32>, %c: memref<8x128xf32>) {
  %w = nm.assemble %v, %d : memref<2x32x64xf32>, memref<2x64x32xi32> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>, #nm.packing<block_n = 64, step_k = 64>>
  // expected-error @below {{expected a weight packed for blocks of 32 columns and steps of 64 rows, got #nm.packing<block_n = 64, step_k = 64>}}
  nm.spmm %a, %w outs(%c : memref<8x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [32, 1], thread = [1, 8]>, block = [32, 32, 64]>}
    : memref<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>, #nm.packing<block_n = 64, step_k = 64>>
  return
}

// -----

module attributes {nm.target = #nm.target<"sm_80">} {
func.func @workspace(%a: memref<128x2305843009213693952xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x2305843009213693952xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  // expected-error @below {{expected rows of C that are less than 2^63 elements 4 times, for a workspace of split_k = 4, got 'memref<64x2305843009213693952xf32>'}}
  nm.spmm %a, %w outs(%c : memref<64x2305843009213693952xf32>)
    {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>,
     schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 4>}
    : memref<128x2305843009213693952xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
}
