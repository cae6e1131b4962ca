// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 %s | FileCheck %s

// f16 and bf16 go to tensor cores where units are 8 columns or a multiple of that.
// Functions are private, so that their weights stand for any, also known ones.

#vw = #nm.pattern<8:32, unit = 1x32>
#narrow = #nm.pattern<8:32, unit = 1x4>

// Warps of 32 columns have one unit column each, whose rows of A they load once.
// CHECK-LABEL: func.func private @f16
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 8], tile = [128, 32]>, block = [128, 256, 256], stages = 2, prefetch = true, persistent = 132>
func.func private @f16(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #vw>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #vw> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// A few rows: warps share k, whose parts of the weight they read themselves.
// CHECK-LABEL: func.func private @few
// CHECK: schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 16], tile = [16, 32]>, block = [16, 32, 4096], promote_weight = false>
func.func private @few(%a: tensor<16x4096xbf16>, %w: !nm.condensed<4096x4096xbf16, #vw>, %c: tensor<16x4096xbf16>) -> tensor<16x4096xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<16x4096xbf16>) : tensor<16x4096xbf16>, !nm.condensed<4096x4096xbf16, #vw> -> tensor<16x4096xbf16>
  return %r : tensor<16x4096xbf16>
}

// CHECK-LABEL: func.func private @eight
// CHECK: schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 16], tile = [8, 32]>, block = [8, 32, 4096], promote_weight = false>
func.func private @eight(%a: tensor<8x4096xbf16>, %w: !nm.condensed<4096x4096xbf16, #vw>, %c: tensor<8x4096xbf16>) -> tensor<8x4096xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<8x4096xbf16>) : tensor<8x4096xbf16>, !nm.condensed<4096x4096xbf16, #vw> -> tensor<8x4096xbf16>
  return %r : tensor<8x4096xbf16>
}

// Where blocks of 32 columns are more than the SMs hold at once, blocks of as many warps as an
// SM holds: 128 of them for its 132 SMs.
// CHECK-LABEL: func.func private @whole_sms
// CHECK: schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [3, 8], tile = [8, 32]>, block = [8, 96, 4096], promote_weight = false>
func.func private @whole_sms(%a: tensor<8x4096xbf16>, %w: !nm.condensed<4096x12288xbf16, #vw>, %c: tensor<8x12288xbf16>) -> tensor<8x12288xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<8x12288xbf16>) : tensor<8x4096xbf16>, !nm.condensed<4096x12288xbf16, #vw> -> tensor<8x12288xbf16>
  return %r : tensor<8x12288xbf16>
}

// CHECK-LABEL: func.func private @narrow
// CHECK: schedule = #nm.schedule<kind = #nm.fma<
func.func private @narrow(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #narrow>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #narrow> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// CHECK-LABEL: func.func private @units_of_8
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<
func.func private @units_of_8(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x8>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x8>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// Two units of 24 columns, or one of 48, are three strips; a warp has about as many
// columns as for units of a power of two.
// CHECK-LABEL: func.func private @units_of_24
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [{{[12]}}, {{[48]}}], tile = [64, 48]>
func.func private @units_of_24(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x24>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x24>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// CHECK-LABEL: func.func private @units_of_48
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 48]>
func.func private @units_of_48(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x48>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x48>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// Units of 9 strips' halves: warps of 3 strips that begin within a unit.
// CHECK-LABEL: func.func private @units_of_72
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [{{[0-9]+}}, 3], tile = [{{[0-9]+}}, 48]>
func.func private @units_of_72(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x72>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<8:32, unit = 1x72>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// CHECK-LABEL: func.func private @mixed
// CHECK: schedule = #nm.schedule<kind = #nm.fma<
func.func private @mixed(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf32, #vw>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf32, #vw> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// Copies bound it: the rows that a block reads are gathered, four steps under way.
// CHECK-LABEL: func.func private @sparse
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 64]>, block = [128, 256, 256], packed = true, stages = 4, prefetch = true, persistent = 132>
func.func private @sparse(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<4:32, unit = 1x128>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<4:32, unit = 1x128>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// A token-major A is transposed, in two tiles of A and three that are under way.
// CHECK-LABEL: func.func private @token_major
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 64]>, block = [128, 256, 128], stages = 4, prefetch = true, persistent = 132>
func.func private @token_major(%a: tensor<4096x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<4:32, unit = 1x128>>, %c: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf16>) : tensor<4096x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<4:32, unit = 1x128>> -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}

// Bytes become bf16 in registers, which is more to issue, but half as much to read.
// CHECK-LABEL: func.func private @bytes
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<
func.func private @bytes(%a: tensor<4096x4096xbf16>, %w: !nm.condensed<4096x4096xi8, #vw>, %c: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xbf16>, !nm.condensed<4096x4096xi8, #vw> -> tensor<4096x4096xbf16>
  return %r : tensor<4096x4096xbf16>
}
