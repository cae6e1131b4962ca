// RUN: nm-opt --nm-promote-shared --split-input-file --verify-diagnostics %s

// What kernels of another form get is in map-to-threads-invalid.mlir.

func.func @unknown_k(%a: memref<?x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected A of static extent along k, or a schedule with a step of k, to promote A}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<?x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 0]>}
  return
}

// -----

func.func @unknown_rows(%a: memref<64x64xf32>, %v: memref<?x128xf32>, %d: memref<?x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected values of a static number of rows, or a schedule with a step of k, to promote them}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<?x128xf32>, memref<?x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 0]>}
  return
}

// -----

func.func @rows_past_32_bits(%a: memref<64x64xf32>, %v: memref<9223372036854775807x128xf32>, %d: memref<9223372036854775807x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected tiles with extents below 2^31, got 'memref<9223372036854775807x128xf32>'}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<9223372036854775807x128xf32>, memref<9223372036854775807x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 0]>}
  return
}
