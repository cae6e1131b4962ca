// RUN: nm-opt --nm-double-buffer --split-input-file --verify-diagnostics %s

// What kernels of another form get is in map-to-threads-invalid.mlir.

func.func @from_one(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{expected a loop over steps from 0 by 1}}
    %r = scf.for %i = %c1 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @by_two(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{expected a loop over steps from 0 by 1}}
    %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @rotated(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a synchronous copy, as nm-promote-shared makes it; the loop is rotated already}}
      nm.tile_copy %a, %s {async} : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @side_effect(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
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
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @shared_buffer(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a buffer that only nm.tile_mma reads}}
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      // expected-note @below {{it is also used here}}
      %e = memref.load %s[%c0, %c0] : memref<64x64xf32, #gpu.address_space<workgroup>>
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @filled_twice(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a buffer that only nm.tile_mma reads}}
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      // expected-note @below {{it is also used here}}
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

// -----

func.func @staging_not_filled(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %t = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a staging buffer that an nm.tile_fetch before it fills}}
      nm.tile_transpose %t, %s : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<64x64xf32, #gpu.address_space<workgroup>>
      nm.tile_fetch %a, %t : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 3>}
  return
}

// -----

func.func @staging_copied(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %t = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a buffer that only nm.tile_transpose reads}}
      nm.tile_fetch %a, %t : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      nm.tile_transpose %t, %s : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<64x64xf32, #gpu.address_space<workgroup>>
      // expected-note @below {{it is also used here}}
      memref.copy %t, %t : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 3>}
  return
}

// -----

func.func @fetched_ahead(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %t = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %zero) -> !nm.fragment<64x128xf32> {
      gpu.barrier
      // expected-error @below {{expected a synchronous copy, as nm-promote-shared makes it; the loop is rotated already}}
      nm.tile_fetch %a, %t {async} : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
      nm.tile_transpose %t, %s : memref<64x64xf32, #gpu.address_space<workgroup>> to memref<64x64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %x {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      scf.yield %n : !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 3>}
  return
}
