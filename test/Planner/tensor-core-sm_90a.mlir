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

// The copy engine is slow where rows of A begin within sectors, as 24 of bf16 do.
// CHECK-LABEL: func.func private @partial_sectors
// CHECK: schedule = #nm.schedule<kind = #nm.mma_gemv<
func.func private @partial_sectors(%a: tensor<4096x24xbf16>, %w: !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<24x11008xbf16>) -> tensor<24x11008xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<24x11008xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x24xbf16>, !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<24x11008xbf16>
  return %r : tensor<24x11008xbf16>
}

// It is fast where they begin with sectors.
// CHECK-LABEL: func.func private @whole_sectors
// CHECK: engine = tma
func.func private @whole_sectors(%a: tensor<4096x32xbf16>, %w: !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<32x11008xbf16>) -> tensor<32x11008xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<32x11008xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x32xbf16>, !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<32x11008xbf16>
  return %r : tensor<32x11008xbf16>
}

// Steps of 256 rows would fit shared memory, but a thread would transpose 16 chunks of A's tile,
// for which it has no registers beside 128 sums.
// CHECK-LABEL: func.func private @transposed
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 64]>, block = [128, 256, 128]
func.func private @transposed(%a: tensor<100x4096xbf16>, %w: !nm.condensed<4096x22016xbf16, #nm.pattern<8:32, unit = 1x128>>, %c: tensor<100x22016xbf16>) -> tensor<100x22016xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<100x22016xbf16>) {a_layout = #nm.layout<token_major>} : tensor<100x4096xbf16>, !nm.condensed<4096x22016xbf16, #nm.pattern<8:32, unit = 1x128>> -> tensor<100x22016xbf16>
  return %r : tensor<100x22016xbf16>
}

// Nor is it slow where 24 of them are a part of 64, to which a transposition writes them.
// CHECK-LABEL: func.func private @part_of_lines
// CHECK: nm.spmm {{.*}}engine = tma
func.func private @part_of_lines(%a: tensor<24x4096xbf16>, %w: !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<24x11008xbf16>) -> tensor<24x11008xbf16> {
  %lines = bufferization.alloc_tensor() : tensor<4096x64xbf16>
  %part = tensor.extract_slice %lines[0, 0] [4096, 24] [1, 1] : tensor<4096x64xbf16> to tensor<4096x24xbf16>
  %t = linalg.transpose ins(%a : tensor<24x4096xbf16>) outs(%part : tensor<4096x24xbf16>) permutation = [1, 0]
  %r = nm.spmm %t, %w outs(%c : tensor<24x11008xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x24xbf16>, !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<24x11008xbf16>
  return %r : tensor<24x11008xbf16>
}
