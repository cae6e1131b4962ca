// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of nm.spmm, nm.spmv and #nm.schedule (docs/Spec.md).

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c1_rank(%x: memref<64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected A of rank 2, got 'memref<64xf32>'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) : memref<64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c1_type(%x: memref<16x64xi8>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected A of f16, bf16, f32, f64 or i8, of a float beside a weight of floats, and of f64 beside one of f64, got A of 'i8' beside a weight of 'f32'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) : memref<16x64xi8>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf64, #nm.pattern<2:4>>
func.func @product_c1_f64(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{got A of 'f32' beside a weight of 'f64'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf64, #nm.pattern<2:4>>
func.func @product_c2_f64(%x: memref<16x64xf64>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected C of f64 elements for sums of 'f64' without a scale, got 'memref<16x128xf32>'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {acc = f64} : memref<16x64xf64>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c2(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xi32>) {
  // expected-error @below {{expected C of f16, bf16 or f32 elements for sums of 'f32' without a scale, got 'memref<16x128xi32>'}}
  nm.spmm %x, %w outs(%c : memref<16x128xi32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xi8, #nm.pattern<2:4>>
func.func @product_c2_narrowed(%x: memref<16x64xi8>, %w: !w, %c: memref<16x128xi8>) {
  // expected-error @below {{expected C of i32 elements for sums of 'i32' without a scale, got 'memref<16x128xi8>'}}
  nm.spmm %x, %w outs(%c : memref<16x128xi8>) {acc = i32} : memref<16x64xi8>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c2_scaled(%x: memref<16x64xi8>, %w: !nm.condensed<64x128xi8, #nm.pattern<2:4>>, %s: memref<128xf32>, %c: memref<16x128xi32>) {
  // expected-error @below {{expected C of f16, bf16 or f32 elements for sums of 'i32' with a scale, got 'memref<16x128xi32>'}}
  nm.spmm %x, %w scale(%s : memref<128xf32>) outs(%c : memref<16x128xi32>) {acc = i32} : memref<16x64xi8>, !nm.condensed<64x128xi8, #nm.pattern<2:4>>
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c3_extent(%x: memref<16x64xf32>, %w: !w, %b: memref<64xf32>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected the bias to have n = 128, got 64}}
  nm.spmm %x, %w bias(%b : memref<64xf32>) outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c3_type(%x: memref<16x64xf32>, %w: !w, %b: memref<128xi32>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a bias of floats, got 'memref<128xi32>'}}
  nm.spmm %x, %w bias(%b : memref<128xi32>) outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xi8, #nm.pattern<2:4>>
func.func @product_c3_integer(%x: memref<16x64xi8>, %w: !w, %b: memref<128xf32>, %c: memref<16x128xi32>) {
  // expected-error @below {{expected a bias of i32, got 'memref<128xf32>'}}
  nm.spmm %x, %w bias(%b : memref<128xf32>) outs(%c : memref<16x128xi32>) {acc = i32} : memref<16x64xi8>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c9_extent(%x: memref<16x64xf32>, %w: !w, %s: memref<1xf32>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected the scale to have n = 128, got 1}}
  nm.spmm %x, %w scale(%s : memref<1xf32>) outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c9_type(%x: memref<16x64xf32>, %w: !w, %s: memref<128xi8>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a scale of floats, got 'memref<128xi8>'}}
  nm.spmm %x, %w scale(%s : memref<128xi8>) outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c4(%x: memref<16x64xf32>, %w: !w, %r: memref<8x128xf32>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a residual of C's shape 'memref<16x128xf32>', got 'memref<8x128xf32>'}}
  nm.spmm %x, %w residual(%r : memref<8x128xf32>) outs(%c : memref<16x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c5(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected 'f32' accumulation of 'f32' x 'f32', got 'f16'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {acc = f16} : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xi8, #nm.pattern<2:4>>
func.func @product_c5_default(%x: memref<16x64xi8>, %w: !w, %c: memref<16x128xi32>) {
  // expected-error @below {{expected 'i32' accumulation of 'i8' x 'i8', got 'f32'}}
  nm.spmm %x, %w outs(%c : memref<16x128xi32>) : memref<16x64xi8>, !w
  return
}

// -----

!w = !nm.condensed<64x128xi8, #nm.pattern<2:4>>
func.func @product_c10(%x: memref<16x64xi8>, %w: !w, %c: memref<16x128xi32>) {
  // expected-error @below {{expected the epilogue none or relu of integers, got silu}}
  nm.spmm %x, %w outs(%c : memref<16x128xi32>) {acc = i32, epilogue = #nm.epilogue<silu>} : memref<16x64xi8>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c6_mixed(%x: tensor<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got 'tensor<16x64xf32>' beside 'memref<16x128xf32>'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) : tensor<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c6_result(%x: tensor<16x64xf32>, %w: !w, %c: tensor<16x128xf32>) {
  // expected-error @below {{expected a result exactly when C is a tensor}}
  nm.spmm %x, %w outs(%c : tensor<16x128xf32>) : tensor<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @product_c7(%x: tensor<16x64xf32>, %w: !w, %c: tensor<16x128xf32>) {
  // expected-error @below {{expected a result of C's type 'tensor<16x128xf32>', got 'tensor<?x128xf32>'}}
  %y = nm.spmm %x, %w outs(%c : tensor<16x128xf32>) : tensor<16x64xf32>, !w -> tensor<?x128xf32>
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>>
func.func @product_c8(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a step that is a multiple of the window's 32 rows, got 16}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>)
      {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 16]>}
      : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @spmm_c1_k(%x: memref<16x32xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected A to have k = 64, got 32}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) : memref<16x32xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @spmm_c1_n(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected C to have n = 128, got 16}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {c_layout = #nm.layout<feature_major>} : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @spmm_c2(%x: memref<16x64xf32>, %w: !w, %c: memref<8x128xf32>) {
  // expected-error @below {{expected C to have m = 16, got 8}}
  nm.spmm %x, %w outs(%c : memref<8x128xf32>) : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @spmv_c1(%x: memref<32xf32>, %w: !w, %c: memref<128xf32>) {
  // expected-error @below {{expected A to have k = 64, got 32}}
  nm.spmv %x, %w outs(%c : memref<128xf32>) : memref<32xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>
func.func @spmv_c2(%x: memref<64xf32>, %w: !w, %c: memref<64xf32>) {
  // expected-error @below {{expected C to have n = 128, got 64}}
  nm.spmv %x, %w outs(%c : memref<64xf32>) : memref<64xf32>, !w
  return
}

// -----

// expected-error @below {{expected 3 extents of block, got 2}}
func.func private @schedule_c1_size() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64]>}

// -----

// expected-error @below {{expected block extents of at least 1 and below 2^31, got 0}}
func.func private @schedule_c1_least() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [0, 64, 32]>}

// -----

// expected-error @below {{expected warps extents of at least 1 and below 2^31, got 0}}
func.func private @fma_c1() attributes {s = #nm.fma<warps = [0, 1], lanes = [8, 4], thread = [4, 16]>}

// -----

// expected-error @below {{expected lanes whose product is 32, got 8 x 8}}
func.func private @fma_c2() attributes {s = #nm.fma<warps = [1, 1], lanes = [8, 8], thread = [4, 16]>}

// -----

// expected-error @below {{expected at most 32 warps a block, got 8 x 8}}
func.func private @fma_c3() attributes {s = #nm.fma<warps = [8, 8], lanes = [8, 4], thread = [4, 16]>}

// -----

// expected-error @below {{expected block[1] = 64, as its kind makes it, got 65}}
func.func private @schedule_c2() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 65, 32]>}

// -----

// expected-error @below {{expected 1 to 4 stages, got 5}}
func.func private @schedule_c3() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 5>}

// -----

// expected-error @below {{expected promote_a with packed, since the gather fills shared memory}}
func.func private @schedule_c4() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], promote_a = false, packed = true>}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>>
func.func @schedule_c5(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a block of columns that divides the unit's 32 columns or is a multiple of them, got 48}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>)
      {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 12]>, block = [32, 48, 32]>}
      : memref<16x64xf32>, !w
  return
}

// -----

!w = !nm.condensed<64x128xf32, #nm.pattern<8:all>>
func.func @schedule_c6(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a step of 0 (all of k) with a window of all, got 32}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>)
      {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32]>}
      : memref<16x64xf32>, !w
  return
}

// -----

// expected-error @below {{expected 2 stages or more with engine = bulk, whose copies are issued ahead}}
func.func private @schedule_c10() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], engine = bulk>}

// -----

// expected-error @below {{expected stream_k from 0 to 65535, blocks that share all steps, got -1}}
func.func private @schedule_c11() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stream_k = -1>}

// -----

// expected-error @below {{expected stream_k from 0 to 65535, blocks that share all steps, got 65536}}
func.func private @schedule_c11_most() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stream_k = 65536>}

// -----

// expected-error @below {{expected split_k = 1 with stream_k, which deals out the steps, got 2}}
func.func private @schedule_c12() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], split_k = 2, stream_k = 132>}

// -----

// expected-error @below {{expected persistent from 0 to 65535, blocks that compute all tiles, got -1}}
func.func private @schedule_c13() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], persistent = -1>}

// -----

// expected-error @below {{expected persistent from 0 to 65535, blocks that compute all tiles, got 65536}}
func.func private @schedule_c13_most() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], persistent = 65536>}

// -----

// expected-error @below {{expected split_k = 1 and stream_k = 0 with persistent, whose blocks compute whole tiles, got 1 and 4}}
func.func private @schedule_c14() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stream_k = 4, persistent = 132>}

// -----

// expected-error @below {{expected 2 stages or more with engine = tma, whose copies are issued ahead}}
func.func private @schedule_c10_tma() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], engine = tma, producers = 1>}

// -----

// expected-error @below {{expected 0 to 4 producers, warps that copy, got -1}}
func.func private @schedule_c15() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 2, producers = -1>}

// -----

// expected-error @below {{expected 0 to 4 producers, warps that copy, got 5}}
func.func private @schedule_c15_most() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 2, producers = 5>}

// -----

// expected-error @below {{expected 2 stages or more and split_k = 1 with producers, which copy ahead, got 1 and 1}}
func.func private @schedule_c16() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], producers = 1>}

// -----

// expected-error @below {{expected 2 stages or more and split_k = 1 with producers, which copy ahead, got 2 and 2}}
func.func private @schedule_c16_split() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 2, split_k = 2, producers = 1>}

// -----

// expected-error @below {{expected producers with engine = tma, and none with engine = bulk, whose copies all warps begin, got 0 with engine = tma}}
func.func private @schedule_c17() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 2, engine = tma>}

// -----

// expected-error @below {{expected producers with engine = tma, and none with engine = bulk, whose copies all warps begin, got 1 with engine = bulk}}
func.func private @schedule_c17_bulk() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], stages = 2, engine = bulk, producers = 1>}

// -----

// expected-error @below {{expected split_k from 1 to 8, blocks that share a tile, got 0}}
func.func private @schedule_c8() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], split_k = 0>}

// -----

// expected-error @below {{expected split_k from 1 to 8, blocks that share a tile, got 9}}
func.func private @schedule_c8_most() attributes {s = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], split_k = 9>}

// -----

func.func @schedule_c9(%x: memref<16x192xf32>, %w: !nm.condensed<192x128xf32, #nm.pattern<8:32, unit = 1x32>>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected a step for each of the split_k = 7 blocks that share a tile, got 6; choose a shorter step or a lower split_k}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>)
      {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 16]>, block = [32, 64, 32], split_k = 7>}
      : memref<16x192xf32>, !nm.condensed<192x128xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// -----

// expected-error @below {{expected thread extents of at least 1 and below 2^31, got 0}}
func.func private @gemv_c1() attributes {s = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [1, 4, 0]>}

// -----

// expected-error @below {{expected lanes whose product is 32, got 8 x 8}}
func.func private @gemv_c2() attributes {s = #nm.gemv<warps = [1, 4], lanes = [8, 8], thread = [1, 4, 1]>}

// -----

// expected-error @below {{expected at most 32 warps a block, got 8 x 8}}
func.func private @gemv_c3() attributes {s = #nm.gemv<warps = [8, 8], lanes = [8, 4], thread = [1, 4, 1]>}

// -----

func.func @gemv_c4(%x: memref<1x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<16:32, unit = 1x4>>, %c: memref<1x128xf32>) {
  // expected-error @below {{expected columns of a thread that divide a unit's, got 8 and #nm.pattern<16:32, unit = 1x4>}}
  nm.spmm %x, %w outs(%c : memref<1x128xf32>)
      {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [4, 8], thread = [1, 8, 1]>, block = [1, 32, 64]>}
      : memref<1x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<16:32, unit = 1x4>>
  return
}

// -----

func.func @gemv_c5(%x: memref<1x192xf32>, %w: !nm.condensed<192x128xf32, #nm.pattern<16:32, unit = 6x32>>, %c: memref<1x128xf32>) {
  // expected-error @below {{expected units of rows that divide the 4 that gemv multiplies at once, or of a multiple, got #nm.pattern<16:32, unit = 6x32>}}
  nm.spmm %x, %w outs(%c : memref<1x128xf32>)
      {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [8, 4], thread = [1, 4, 1]>, block = [1, 32, 192]>}
      : memref<1x192xf32>, !nm.condensed<192x128xf32, #nm.pattern<16:32, unit = 6x32>>
  return
}

// -----

// expected-error @below {{expected at most 32 warps a block, those of the producers included, got 36; choose fewer warps in #nm.gemv<warps = [4, 8], lanes = [32, 1], thread = [2, 1, 1]> or fewer producers than 4}}
func.func private @schedule_c19() attributes {s = #nm.schedule<kind = #nm.gemv<warps = [4, 8], lanes = [32, 1], thread = [2, 1, 1]>, block = [2, 128, 256], stages = 2, engine = tma, producers = 4>}

// -----

// expected-error @below {{expected tile extents of at least 16 and below 2^31, got 8}}
func.func private @mma_gemv_c1() attributes {s = #nm.mma_gemv<warps = [1, 4], tile = [1, 8]>}

// -----

// expected-error @below {{expected a tile of a multiple of 16 columns, got 24}}
func.func private @mma_gemv_c2() attributes {s = #nm.mma_gemv<warps = [1, 4], tile = [1, 24]>}

// -----

// expected-error @below {{warps}}
func.func private @mma_gemv_c3() attributes {s = #nm.mma_gemv<warps = [8, 8], tile = [1, 16]>}

// -----

func.func @mma_gemv_c4(%x: memref<1x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<16:32, unit = 1x32>>, %c: memref<1x128xf32>) {
  // expected-error @below {{expected A of f16 or bf16, and a weight of its type or of i8, for mma_gemv, got 'f32' and 'f32'}}
  nm.spmm %x, %w outs(%c : memref<1x128xf32>)
    {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [1, 32]>, block = [1, 32, 64]>}
    : memref<1x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<16:32, unit = 1x32>>
  return
}

// -----

func.func @mma_gemv_c5(%x: memref<1x64xf16>, %w: !nm.condensed<64x128xf16, #nm.pattern<16:32, unit = 1x16>>, %c: memref<1x128xf16>) {
  // expected-error @below {{expected columns of a tile that divide a unit's, got 32 and #nm.pattern<16:32, unit = 1x16>}}
  nm.spmm %x, %w outs(%c : memref<1x128xf16>)
    {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [1, 32]>, block = [1, 32, 64]>}
    : memref<1x64xf16>, !nm.condensed<64x128xf16, #nm.pattern<16:32, unit = 1x16>>
  return
}

// -----

func.func @mma_gemv_c6(%x: memref<1x192xf16>, %w: !nm.condensed<192x128xf16, #nm.pattern<16:32, unit = 6x32>>, %c: memref<1x128xf16>) {
  // expected-error @below {{expected units of rows that divide the 32 that mma_gemv multiplies at once, or of a multiple, got #nm.pattern<16:32, unit = 6x32>}}
  nm.spmm %x, %w outs(%c : memref<1x128xf16>)
    {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [1, 32]>, block = [1, 32, 192]>}
    : memref<1x192xf16>, !nm.condensed<192x128xf16, #nm.pattern<16:32, unit = 6x32>>
  return
}

// -----

func.func @gemv_c6(%x: memref<1x64xf64>, %w: !nm.condensed<64x128xf64, #nm.pattern<16:32, unit = 1x32>>, %c: memref<1x128xf64>) {
  // expected-error @below {{expected sums of 32 bits for gemv, got 'f64'}}
  nm.spmm %x, %w outs(%c : memref<1x128xf64>)
      {acc = f64, schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [8, 4], thread = [1, 4, 1]>, block = [1, 32, 64]>}
      : memref<1x64xf64>, !nm.condensed<64x128xf64, #nm.pattern<16:32, unit = 1x32>>
  return
}

// -----

// expected-error @below {{expected stream_k = 0 with #nm.gemv<warps = [1, 1], lanes = [8, 4], thread = [1, 4, 1]>, whose threads share sums, got 4}}
func.func private @schedule_c18() attributes {s = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [8, 4], thread = [1, 4, 1]>, block = [1, 32, 32], stream_k = 4>}

// -----

// expected-error @below {{expected tile extents of at least 16 and below 2^31, got 8}}
func.func private @mma_sync_c1() attributes {s = #nm.mma_sync<warps = [1, 1], tile = [8, 16]>}

// -----

// expected-error @below {{expected a tile of multiples of 16, got 40 x 16}}
func.func private @mma_sync_c2() attributes {s = #nm.mma_sync<warps = [1, 1], tile = [40, 16]>}

// -----

// expected-error @below {{expected at most 32 warps a block, got 8 x 8}}
func.func private @mma_sync_c3() attributes {s = #nm.mma_sync<warps = [8, 8], tile = [16, 16]>}

// -----

func.func @mma_sync_c4(%x: memref<16x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>>, %c: memref<16x128xf32>) {
  // expected-error @below {{expected A of f16 or bf16, and a weight of its type or of i8, for mma_sync, got 'f32' and 'f32'}}
  nm.spmm %x, %w outs(%c : memref<16x128xf32>)
      {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [32, 64]>, block = [32, 64, 64]>}
      : memref<16x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// -----

func.func @mma_sync_c5(%x: memref<16x64xf16>, %w: !nm.condensed<64x128xf16, #nm.pattern<8:32, unit = 1x4>>, %c: memref<16x128xf16>) {
  // expected-error @below {{expected units of a multiple of 8 columns for mma_sync, got #nm.pattern<8:32, unit = 1x4>}}
  nm.spmm %x, %w outs(%c : memref<16x128xf16>)
      {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [32, 64]>, block = [32, 64, 64]>}
      : memref<16x64xf16>, !nm.condensed<64x128xf16, #nm.pattern<8:32, unit = 1x4>>
  return
}

// -----

func.func @mma_sync_c6(%x: memref<16x96xf16>, %w: !nm.condensed<96x128xf16, #nm.pattern<2:4, unit = 3x32>>, %c: memref<16x128xf16>) {
  // expected-error @below {{expected units of rows that divide 16, or of a multiple, for mma_sync, got #nm.pattern<2:4, unit = 3x32>}}
  nm.spmm %x, %w outs(%c : memref<16x128xf16>)
      {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [32, 64]>, block = [32, 64, 96]>}
      : memref<16x96xf16>, !nm.condensed<96x128xf16, #nm.pattern<2:4, unit = 3x32>>
  return
}

// -----

func.func @schedule_c7(%x: memref<16x64xf16>, %w: !nm.condensed<64x128xf16, #nm.pattern<12:32, unit = 1x32>>, %c: memref<16x128xf16>) {
  // expected-error @below {{expected a step of a multiple of 16 condensed rows, which #nm.mma_sync<warps = [1, 1], tile = [32, 64]> multiplies at once, got 12}}
  nm.spmm %x, %w outs(%c : memref<16x128xf16>)
      {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [32, 64]>, block = [32, 64, 32]>}
      : memref<16x64xf16>, !nm.condensed<64x128xf16, #nm.pattern<12:32, unit = 1x32>>
  return
}
