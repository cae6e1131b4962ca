// RUN: nm-opt --nm-map-to-threads --split-input-file --verify-diagnostics %s
// The form of kernels is checked alike by the other passes of the tile level.
// RUN: nm-opt --nm-promote-shared --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-pack-tile --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-double-buffer --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-load-fragments --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-prefetch-fragments --split-input-file --verify-diagnostics %s

func.func @no_schedule(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected a schedule, the attribute 'nm.schedule', on the gpu.launch}}
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @no_product(%c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected an nm.tile_mma, or an nm.mma of operands that are loaded, in its kernel}}
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    nm.tile_store %zero, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @two_products(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{unsupported: a second nm.tile_mma in one kernel}}
    %q = nm.tile_mma %a, %v, %d, %r {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @threads(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-error @below {{expected 128 x 1 x 1 threads, as its schedule says}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @fragment(%a: memref<32x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected fragments of 64x128, the schedule's block, got 32x128}}
    %zero = nm.tile_zero : !nm.fragment<32x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @divergent(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %p: i1) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    scf.if %p {
      // expected-error @below {{expected it in the launch, or below it in loops that carry a fragment, so that all threads reach it}}
      %zero = nm.tile_zero : !nm.fragment<64x128xf32>
      %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

// A kernel that takes several tiles, one after another: its tile ops used to stay
// behind, without the schedule.
func.func @persistent(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @below {{expected it in the launch, or below it in loops that carry a fragment, so that all threads reach it}}
      %zero = nm.tile_zero : !nm.fragment<64x128xf32>
      %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @selected(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %p: i1) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{unsupported: a fragment in an op other than those of nm and loops}}
    %s = arith.select %p, %r, %zero : !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @tile_and_slices(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{unsupported: beside an nm.tile_mma in one kernel}}
    %p = nm.load_positions %d[%c0] {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x4xi8> -> !nm.fragment<4x4xindex, positions>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @two_patterns(%d: memref<16x4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %p = nm.load_positions %d[%c0] {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x4xi8> -> !nm.fragment<4x4xindex, positions>
    // expected-error @below {{expected the kernel's pattern #nm.pattern<8:32, unit = 1x32>, got #nm.pattern<4:32, unit = 1x32>}}
    %q = nm.load_positions %d[%c0] {pattern = #nm.pattern<4:32, unit = 1x32>} : memref<16x4xi8> -> !nm.fragment<4x4xindex, positions>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @slice_extents(%v: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected fragments of 64x128, the schedule's block, got 1x64}}
    %w = nm.load_values %v[%c0] : memref<16x64xf32> -> !nm.fragment<1x64xf32, values>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @no_cluster(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  // expected-error @below {{expected clusters of 2 x 1 x 1 blocks, as its schedule says}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    %s = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    nm.tile_store %s, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
  return
}

// -----

func.func @no_split(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%scx = %c2, %scy = %c1, %scz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{expected it in the launch, outside of loops, of a schedule with split_k above 1}}
    %s = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    nm.tile_store %s, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32]>}
  return
}

// -----

func.func @stores_a_part_of_a_sum(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%scx = %c2, %scy = %c1, %scz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{expected the result of nm.tile_reduce, as blocks share the steps}}
    nm.tile_store %r, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
  return
}

// -----

func.func @two_reductions(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%scx = %c2, %scy = %c1, %scz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    %s = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    // expected-error @below {{unsupported: a second nm.tile_reduce in one kernel}}
    %t = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    nm.tile_store %s, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    nm.tile_store %t, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
  return
}

// -----

func.func @uses_a_part(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%scx = %c2, %scy = %c1, %scz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    %s = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    // expected-error @below {{unsupported: use of an nm.tile_reduce, of whose result a block has a part; expected nm.tile_store}}
    %q = nm.tile_mma %a, %v, %d, %s {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
  return
}

// -----

func.func @stores_twice(%a: memref<64x32xf32>, %v: memref<8x128xf32>, %d: memref<8x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%scx = %c2, %scy = %c1, %scz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x32xf32>, memref<8x128xf32>, memref<8x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{expected one nm.tile_store of its result, of which a block adds what it stores}}
    %s = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    nm.tile_store %s, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    nm.tile_store %s, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
  return
}

// -----

// With stream_k a kernel may have a loop over tiles; then what it stores is a sum across
// the grid.
func.func @segments(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %c: memref<64x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %c4 step %c1 {
      %zero = nm.tile_zero : !nm.fragment<64x128xf32>
      %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
      // expected-error @below {{expected the result of nm.tile_reduce, as blocks share the steps}}
      nm.tile_store %r, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stream_k = 2>}
  return
}

// -----

func.func @across_the_cluster(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %c: memref<64x128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    // expected-error @below {{expected it across the grid with stream_k, and across the cluster with split_k}}
    %sum = nm.tile_reduce %r across(cluster) : !nm.fragment<64x128xf32>
    nm.tile_store %sum, %c : !nm.fragment<64x128xf32>, memref<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stream_k = 2>}
  return
}
