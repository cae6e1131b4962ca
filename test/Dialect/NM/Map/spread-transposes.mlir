// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer --nm-load-fragments --nm-spread-copies %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer --nm-load-fragments --nm-spread-copies --nm-prefetch-fragments %s | FileCheck %s --check-prefix=PREFETCH
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments %s | FileCheck %s --check-prefix=PREFETCH

// With three stages the next step's tile is transposed between the products of the
// second half, of 16 slices.
// CHECK-LABEL: func.func @three
// CHECK: scf.for
// CHECK: nm.wait {pending = 0 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: nm.tile_fetch
// CHECK-COUNT-6: = nm.mma
// CHECK: nm.commit
// CHECK-COUNT-2: = nm.mma
// CHECK-NOT: = nm.mma
// CHECK: nm.tile_transpose
// CHECK-NEXT: = nm.mma
// CHECK-COUNT-7: = nm.mma
// CHECK-NOT: nm.mma
// CHECK: scf.yield
// The first barrier comes before the loop, that of the next step after its tile.
// PREFETCH-LABEL: func.func @three
// PREFETCH: nm.wait {pending = 1 : i64}
// PREFETCH-NEXT: gpu.barrier
// PREFETCH: nm.tile_transpose
// PREFETCH: nm.wait {pending = 0 : i64}
// PREFETCH-NEXT: gpu.barrier
// PREFETCH: nm.load_positions
// PREFETCH: scf.for
// PREFETCH-NOT: gpu.barrier
// PREFETCH: nm.tile_transpose
// PREFETCH-NOT: nm.tile_transpose
// PREFETCH: nm.wait {pending = 0 : i64}
// PREFETCH: gpu.barrier
// PREFETCH: nm.load_positions
// PREFETCH-COUNT-1: nm.mma
// PREFETCH-NEXT: scf.yield
func.func @three(%a: memref<128x256xf32>, %v: memref<128x128xf32>, %d: memref<128x4xi8>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<128x128xf32>, memref<128x4xi8> -> !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 3, prefetch = true>}
    : memref<128x256xf32>, !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  return
}
