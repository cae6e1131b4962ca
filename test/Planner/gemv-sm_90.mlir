// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 %s | FileCheck %s

#vw = #nm.pattern<8:32, unit = 1x32>

// One row: lanes read 16 bytes of the weight's rows, and eight warps share k.
// CHECK-LABEL: func.func @f32
// CHECK: kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 4]>, block = [1, 32, 8192], promote_weight = false>
func.func @f32(%a: tensor<8192xf32>, %w: !nm.condensed<8192x8192xf32, #vw>, %c: tensor<8192xf32>) -> tensor<8192xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf32>) : tensor<8192xf32>, !nm.condensed<8192x8192xf32, #vw> -> tensor<8192xf32>
  return %r : tensor<8192xf32>
}

// CHECK-LABEL: func.func @f16
// CHECK: kind = #nm.mma_gemv<warps = [1, 8], tile = [1, 32]>, block = [1, 32, 8192], promote_weight = false>
func.func @f16(%a: tensor<1x8192xf16>, %w: !nm.condensed<8192x8192xf16, #vw>, %c: tensor<1x8192xf16>) -> tensor<1x8192xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<1x8192xf16>) : tensor<1x8192xf16>, !nm.condensed<8192x8192xf16, #vw> -> tensor<1x8192xf16>
  return %r : tensor<1x8192xf16>
}

// Of one row, blocks that have an SM each are the best where they begin as others end. Between
// kernels that let none begin early, more blocks have more of the weight under way at once.
// CHECK-LABEL: func.func @behind_ours
// CHECK: kind = #nm.mma_gemv<warps = [3, 8], tile = [1, 32]>, block = [1, 96, 4096], promote_weight = false>
// CHECK-LABEL: func.func @behind_others
// CHECK: kind = #nm.mma_gemv<warps = [1, 16], tile = [1, 32]>, block = [1, 32, 4096], promote_weight = false>
// CHECK: kind = #nm.mma_gemv<warps = [3, 8], tile = [8, 32]>, block = [8, 96, 4096], promote_weight = false>
!w = !nm.condensed<4096x12288xbf16, #vw>
func.func @behind_ours(%a: tensor<1x4096xbf16>, %w: !w, %c: tensor<1x12288xbf16>) -> tensor<1x12288xbf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<1x12288xbf16>) : tensor<1x4096xbf16>, !w -> tensor<1x12288xbf16>
  return %r : tensor<1x12288xbf16>
}
func.func @behind_others(%a: tensor<1x4096xbf16>, %b: tensor<8x4096xbf16>, %w: !w, %c: tensor<1x12288xbf16>, %d: tensor<8x12288xbf16>)
    -> (tensor<1x12288xbf16>, tensor<8x12288xbf16>) attributes {nm.behind_others} {
  %r = nm.spmm %a, %w outs(%c : tensor<1x12288xbf16>) : tensor<1x4096xbf16>, !w -> tensor<1x12288xbf16>
  %s = nm.spmm %b, %w outs(%d : tensor<8x12288xbf16>) : tensor<8x4096xbf16>, !w -> tensor<8x12288xbf16>
  return %r, %s : tensor<1x12288xbf16>, tensor<8x12288xbf16>
}

// Threads of a slice of 96 condensed rows have fewer rows each.
// CHECK-LABEL: func.func @few_rows
// CHECK: kind = #nm.gemv<warps = [1, {{[0-9]+}}], lanes = [8, 4], thread = [1, 4, {{[12]}}]>
func.func @few_rows(%a: tensor<1024xf32>, %w: !nm.condensed<1024x4096xf32, #nm.pattern<3:32, unit = 1x32>>, %c: tensor<4096xf32>) -> tensor<4096xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<4096xf32>) : tensor<1024xf32>, !nm.condensed<1024x4096xf32, #nm.pattern<3:32, unit = 1x32>> -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// A step is of whole windows.
// CHECK-LABEL: func.func @tail
// CHECK: kind = #nm.gemv<{{.*}}>, block = [1, 32, 1024],
func.func @tail(%a: tensor<1001xf32>, %w: !nm.condensed<1001x1000xf32, #vw>, %c: tensor<1000xf32>) -> tensor<1000xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<1000xf32>) : tensor<1001xf32>, !nm.condensed<1001x1000xf32, #vw> -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

// Single columns have no row of neighbours: a thread reads rows of one, as many as a mask is of
// where that takes less than bytes.
// CHECK-LABEL: func.func @columns
// CHECK: kind = #nm.gemv<warps = [2, 16], lanes = [32, 1], thread = [1, 1, 8]>, block = [1, 64, 8192], promote_weight = false>
func.func @columns(%a: tensor<8192xf32>, %w: !nm.condensed<8192x8192xf32, #nm.pattern<8:32>>, %c: tensor<8192xf32>) -> tensor<8192xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf32>) : tensor<8192xf32>, !nm.condensed<8192x8192xf32, #nm.pattern<8:32>> -> tensor<8192xf32>
  return %r : tensor<8192xf32>
}

// Positions of 5 bits are less than masks, and 32 of them whole words. Many warps read all of a
// few rows at once.
// CHECK-LABEL: func.func @few_of_a_column
// CHECK: kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, 32]>, block = [1, 32, 8192], promote_weight = false>
func.func @few_of_a_column(%a: tensor<8192xf16>, %w: !nm.condensed<8192x8192xf16, #nm.pattern<4:32>>, %c: tensor<8192xf16>) -> tensor<8192xf16> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf16>) : tensor<8192xf16>, !nm.condensed<8192x8192xf16, #nm.pattern<4:32>> -> tensor<8192xf16>
  return %r : tensor<8192xf16>
}

// Of 250 windows, 256 are whole slices.
// CHECK-LABEL: func.func @padded
// CHECK: kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 1024], promote_weight = false>
func.func @padded(%a: tensor<1000xf32>, %w: !nm.condensed<1000x1024xf32, #nm.pattern<2:4>>, %c: tensor<1024xf32>) -> tensor<1024xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<1024xf32>) : tensor<1000xf32>, !nm.condensed<1000x1024xf32, #nm.pattern<2:4>> -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}

// Sums of f64 are no words of a shuffle.
// CHECK-LABEL: func.func @f64
// CHECK: kind = #nm.fma<
func.func @f64(%a: tensor<1024xf64>, %w: !nm.condensed<1024x1024xf64, #vw>, %c: tensor<1024xf64>) -> tensor<1024xf64> {
  %r = nm.spmv %a, %w outs(%c : tensor<1024xf64>) {acc = f64} : tensor<1024xf64>, !nm.condensed<1024x1024xf64, #vw> -> tensor<1024xf64>
  return %r : tensor<1024xf64>
}

// The tile of A and the sums of warps beside it fit in shared memory: two steps, as 13824 rows of
// k at once would leave the sums no place.
// CHECK-LABEL: func.func @long_tile
// CHECK: kind = #nm.mma_gemv<{{.*}}, tile = [8, 32]>, block = [8, 64, 7168]
func.func @long_tile(%a: tensor<8x13824xf16>, %w: !nm.condensed<13824x8192xf16, #vw>, %c: tensor<8x8192xf16>) -> tensor<8x8192xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<8x8192xf16>) : tensor<8x13824xf16>, !nm.condensed<13824x8192xf16, #vw> -> tensor<8x8192xf16>
  return %r : tensor<8x8192xf16>
}

// Blocks of 16 rows that share k: half of A's tile each.
// CHECK-LABEL: func.func @shared_k
// CHECK: kind = #nm.mma_gemv<warps = [4, 4], tile = [16, 32]>, block = [16, 128, 4096], promote_weight = false, split_k = 2
func.func @shared_k(%a: tensor<16x8192xf16>, %w: !nm.condensed<8192x8192xf16, #vw>, %c: tensor<16x8192xf16>) -> tensor<16x8192xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<16x8192xf16>) : tensor<16x8192xf16>, !nm.condensed<8192x8192xf16, #vw> -> tensor<16x8192xf16>
  return %r : tensor<16x8192xf16>
}

// Each of 16 warps would read 11 slices one by one; each of 22 warps has two turns of four.
// CHECK-LABEL: func.func @warps_of_turns
// CHECK: kind = #nm.mma_gemv<warps = [1, 22], tile = [1, 32]>, block = [1, 32, 11264]
func.func @warps_of_turns(%a: tensor<1x11008xf16>, %w: !nm.condensed<11008x4096xf16, #vw>, %c: tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<1x4096xf16>) : tensor<1x11008xf16>, !nm.condensed<11008x4096xf16, #vw> -> tensor<1x4096xf16>
  return %r : tensor<1x4096xf16>
}

// A prime number of slices, 43 of 5504 rows, would be read one by one: 44 are not.
// CHECK-LABEL: func.func @padded_turns
// CHECK: kind = #nm.mma_gemv<warps = [4, 4], tile = [16, 32]>, block = [16, 128, 5632]
func.func @padded_turns(%a: tensor<64x11008xf16>, %w: !nm.condensed<11008x4096xf16, #vw>, %c: tensor<64x4096xf16>) -> tensor<64x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<64x4096xf16>) : tensor<64x11008xf16>, !nm.condensed<11008x4096xf16, #vw> -> tensor<64x4096xf16>
  return %r : tensor<64x4096xf16>
}

#ew = #nm.pattern<3:32>

// Of three values a window, 96 are whole windows, too: all that eight warps read. Of f16 they are
// few beside A's tile, which two of them share.
// CHECK-LABEL: func.func @whole_windows
// CHECK: kind = #nm.gemv<warps = [1, 8], lanes = [32, 1], thread = [1, 1, 96]>, block = [1, 32, 8192]
// CHECK: kind = #nm.gemv<warps = [2, 8], lanes = [32, 1], thread = [1, 1, 96]>, block = [1, 64, 8192]
func.func @whole_windows(%a: tensor<8192xf32>, %w: !nm.condensed<8192x8192xf32, #ew>, %c: tensor<8192xf32>, %b: tensor<8192xf16>, %v: !nm.condensed<8192x8192xf16, #ew>, %d: tensor<8192xf16>) -> (tensor<8192xf32>, tensor<8192xf16>) {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf32>) : tensor<8192xf32>, !nm.condensed<8192x8192xf32, #ew> -> tensor<8192xf32>
  %s = nm.spmv %b, %v outs(%d : tensor<8192xf16>) : tensor<8192xf16>, !nm.condensed<8192x8192xf16, #ew> -> tensor<8192xf16>
  return %r, %s : tensor<8192xf32>, tensor<8192xf16>
}

#half = #nm.pattern<16:32>

// Of i8, positions of bits are read faster than masks, though they are more; many warps share what
// there is to decode. The values of 43 slices of eight bytes are padded to make whole words.
// CHECK-LABEL: func.func @bytes
// CHECK: kind = #nm.gemv<warps = [2, 16], lanes = [32, 1], thread = [1, 1, 32]>, block = [1, 64, 8192]
// CHECK: kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, 8]>, block = [1, 32, 12288]
func.func @bytes(%a: tensor<8192xf16>, %w: !nm.condensed<8192x8192xi8, #half>, %c: tensor<8192xf16>, %b: tensor<11008xf16>, %v: !nm.condensed<11008x4096xi8, #ew>, %d: tensor<4096xf16>) -> (tensor<8192xf16>, tensor<4096xf16>) {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf16>) : tensor<8192xf16>, !nm.condensed<8192x8192xi8, #half> -> tensor<8192xf16>
  %s = nm.spmv %b, %v outs(%d : tensor<4096xf16>) : tensor<11008xf16>, !nm.condensed<11008x4096xi8, #ew> -> tensor<4096xf16>
  return %r, %s : tensor<8192xf16>, tensor<4096xf16>
}
