// RUN: nm-opt --nm-map-to-threads --verify-diagnostics %s
// RUN: nm-opt --nm-prefetch-fragments --verify-diagnostics %s

// A product whose operands are in memory is for nm-load-fragments.
func.func @tile(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected operands in fragments; run nm-load-fragments before}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}
