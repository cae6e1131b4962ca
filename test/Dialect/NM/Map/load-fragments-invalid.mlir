// RUN: nm-opt --nm-load-fragments --verify-diagnostics %s

// Threads of fma have a row each at a time, and no whole mask.
func.func @form(%a: memref<64x64xf32>, %v: memref<8x512xf32>, %d: memref<2x128xi32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected a weight in a form that #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]> reads, got coding = mask, lane_rows = 4; run nm-pack-weights with this schedule}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<16:32>, coding = #nm.coding<mask>, lane_rows = 4 : i64}
      : memref<64x64xf32>, memref<8x512xf32>, memref<2x128xi32> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}
