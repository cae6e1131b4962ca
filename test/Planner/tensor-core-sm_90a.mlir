// RUN: nm-opt --nm-set-target=chip=sm_90a --nm-select-schedule=tuning=0 %s | FileCheck %s

// Where the copy engine can fetch A's tiles, producers copy for few rows, too: one block an SM,
// with as many steps under way as its shared memory holds.

// CHECK-LABEL: func.func private @some_rows
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 4], tile = [64, 32]>, block = [64, 128, 256], stages = 4, engine = tma, producers = 4>
func.func private @some_rows(%a: tensor<4096x64xbf16>, %w: !nm.condensed<4096x12288xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<64x12288xbf16>) -> tensor<64x12288xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<64x12288xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x64xbf16>, !nm.condensed<4096x12288xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<64x12288xbf16>
  return %r : tensor<64x12288xbf16>
}

// With steps of 64 rows, blocks of 64x128 would share an SM, and be slower than these.
// CHECK-LABEL: func.func private @not_together
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 8], tile = [128, 32]>, block = [128, 256, 128], stages = 3, engine = tma, producers = 4>
func.func private @not_together(%a: tensor<4096x200xbf16>, %w: !nm.condensed<4096x12288xbf16, #nm.pattern<16:32, unit = 1x32>>, %c: tensor<200x12288xbf16>) -> tensor<200x12288xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<200x12288xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x200xbf16>, !nm.condensed<4096x12288xbf16, #nm.pattern<16:32, unit = 1x32>> -> tensor<200x12288xbf16>
  return %r : tensor<200x12288xbf16>
}
