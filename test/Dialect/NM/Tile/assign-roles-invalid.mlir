// RUN: nm-opt %s -split-input-file -verify-diagnostics --nm-assign-roles

// Producers execute what a step does besides the product, and not those that compute.
func.func @side_effect(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      // expected-error @below {{unsupported in a loop over steps whose copies are issued ahead: it would be executed twice}}
      gpu.printf "step %lld\\n", %i : index
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2, producers = 1>}
  return
}

// -----

// The block has no threads that are beside those of the kind.
func.func @threads(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c160 = arith.constant 160 : index
  // expected-error @below {{expected 128 x 1 x 1 threads, as its schedule says}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c160, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %n = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2, producers = 1>}
  return
}

// -----

// Which rows a step reads is carried from step to step, by those that compute.
func.func @carried(%a: memref<256x32xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi32>, %c: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64x32xf32, #gpu.address_space<workgroup>>
    %zero = nm.tile_zero : !nm.fragment<32x64xf32>
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero, %row = %c0) -> (!nm.fragment<32x64xf32>, index) {
      // expected-error@+1 {{unsupported: use of what the loop over steps carries, of which other steps have another value}}
      %t = memref.subview %a[%row, 0] [64, 32] [1, 1] : memref<256x32xf32> to memref<64x32xf32, strided<[32, 1], offset: ?>>
      gpu.barrier
      nm.tile_copy %t, %s : memref<64x32xf32, strided<[32, 1], offset: ?>> to memref<64x32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<64x32xf32, #gpu.address_space<workgroup>>, memref<16x64xf32>, memref<16x2xi32> -> !nm.fragment<32x64xf32>
      %next = arith.addi %row, %c64 : index
      scf.yield %n, %next : !nm.fragment<32x64xf32>, index
    }
    nm.tile_store %r#0, %c : !nm.fragment<32x64xf32>, memref<32x64xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2, producers = 1>}
  return
}
