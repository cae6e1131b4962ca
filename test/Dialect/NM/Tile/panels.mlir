// A packed weight whose blocks are several panels of columns, from tile to threads.

// RUN: nm-opt --nm-tile %s | FileCheck %s --check-prefix=TILE
// RUN: nm-opt --nm-tile --nm-promote-shared %s | FileCheck %s --check-prefix=PROMOTE
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-spread-copies %s | FileCheck %s --check-prefix=SPREAD
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s --check-prefix=MAP
// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s --check-prefix=PLAIN

// Two panels a block, 16 condensed rows a step. In shared memory the panels lie side
// by side, and parts of a copy are rows of both.
// TILE-LABEL: func.func @two
// TILE: %[[PANEL:.*]] = arith.muli %{{.*}}, %c2
// TILE: %[[SLABS:.*]] = memref.subview %arg1[%[[PANEL]], 0, 0] [2, 128, 64] [1, 1, 1] : memref<4x128x64xf32> to
// TILE: scf.for
// TILE: %[[ROW:.*]] = arith.muli %{{.*}}, %c16
// TILE: memref.subview %[[SLABS]][0, %[[ROW]], 0] [2, 16, 64] [1, 1, 1] : memref<2x128x64xf32, {{.*}}> to memref<2x16x64xf32, strided<[8192, 64, 1], offset: ?>>
// PROMOTE-LABEL: func.func @two
// PROMOTE: nm.tile_copy {{.*}} : memref<2x16x64xf32, {{.*}}> to memref<16x128xf32, #gpu.address_space<workgroup>>
// SPREAD-LABEL: func.func @two
// SPREAD: scf.for
// SPREAD: memref.subview %{{.*}}[0, 4, 0] [2, 4, 64] [1, 1, 1] : memref<2x16x64xf32
// SPREAD: nm.tile_copy {{.*}} : memref<2x4x64xf32, {{.*}}> to memref<4x128xf32,

// One address of a thread serves all chunks of its column: it is in one panel.
// MAP-LABEL: func.func @two
// MAP: %[[OF:.*]] = arith.divui %{{.*}}, %c64
// MAP: memref.subview %{{.*}}[%[[OF]], 0, 0] [1, 16, 64] [1, 1, 1]
// MAP-COUNT-4: nvgpu.device_async_copy %{{.*}}, %{{.*}}, 4 {bypassL1}
// MAP: gpu.barrier
// PLAIN-LABEL: func.func @two
// PLAIN: vector.load {{.*}} : memref<16x64xf32, {{.*}}>, vector<4xf32>
func.func @two(%a: memref<256x128xf32>, %v: memref<4x128x64xf32>, %d: memref<16x4x16xi32>, %c: memref<128x256xf32>) {
  %w = nm.assemble %v, %d : memref<4x128x64xf32>, memref<16x4x16xi32> -> !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32, panels = 2>>
  nm.spmm %a, %w outs(%c : memref<128x256xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 3>}
    : memref<256x128xf32>, !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32, panels = 2>>
  return
}

// One panel is a matrix.
// TILE-LABEL: func.func @one
// TILE: memref.subview %{{.*}}[0, %{{.*}}, 0] [1, 16, 128] [1, 1, 1] : memref<1x128x128xf32, {{.*}}> to memref<16x128xf32, strided<[128, 1], offset: ?>>
func.func @one(%a: memref<256x128xf32>, %v: memref<2x128x128xf32>, %d: memref<16x4x16xi32>, %c: memref<128x256xf32>) {
  %w = nm.assemble %v, %d : memref<2x128x128xf32>, memref<16x4x16xi32> -> !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32>>
  nm.spmm %a, %w outs(%c : memref<128x256xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 3>}
    : memref<256x128xf32>, !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32>>
  return
}

// The blocks of a cluster have steps of their own.
// TILE-LABEL: func.func @split
// TILE: %[[FIRST:.*]] = arith.muli %{{.*}}, %c4
// TILE: %[[SLAB:.*]] = memref.subview %arg1[%{{.*}}, 0, 0] [1, 128, 128] [1, 1, 1] : memref<2x128x128xf32> to
// TILE: scf.for %[[OWN:[^ ]*]] =
// TILE: %[[STEP:.*]] = arith.addi %[[OWN]], %[[FIRST]]
// TILE: %[[ROW:.*]] = arith.muli %[[STEP]], %c16
// TILE: memref.subview %[[SLAB]][0, %[[ROW]], 0] [1, 16, 128] [1, 1, 1] : memref<1x128x128xf32, {{.*}}> to memref<16x128xf32,
func.func @split(%a: memref<256x128xf32>, %v: memref<2x128x128xf32>, %d: memref<16x4x16xi32>, %c: memref<128x256xf32>) {
  %w = nm.assemble %v, %d : memref<2x128x128xf32>, memref<16x4x16xi32> -> !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32>>
  nm.spmm %a, %w outs(%c : memref<128x256xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 3, split_k = 2>}
    : memref<256x128xf32>, !nm.condensed<256x256xf32, #nm.pattern<16:32, unit = 1x32>, #nm.packing<block_n = 128, step_k = 32>>
  return
}

// A panel of two columns is narrower than a thread's vector, which is loaded one
// by one; what is copied is two columns wide.
// PLAIN-LABEL: func.func @narrow
// PLAIN-NOT: vector.load {{.*}} : memref<4x2xf32, {{.*}}>, vector<4xf32>
// PLAIN: memref.load {{.*}} : memref<4x2xf32,
// MAP-LABEL: func.func @narrow
// MAP: nvgpu.device_async_copy %{{.*}}, %{{.*}}, 2 :
func.func @narrow(%a: memref<16x32xf32>, %v: memref<4x8x2xf32>, %d: memref<2x8x4xi32>, %c: memref<32x8xf32>) {
  %w = nm.assemble %v, %d : memref<4x8x2xf32>, memref<2x8x4xi32> -> !nm.condensed<16x8xf32, #nm.pattern<2:4>, #nm.packing<block_n = 8, step_k = 8, panels = 4>>
  nm.spmm %a, %w outs(%c : memref<32x8xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 8]>, block = [32, 8, 8], stages = 2>}
    : memref<16x32xf32>, !nm.condensed<16x8xf32, #nm.pattern<2:4>, #nm.packing<block_n = 8, step_k = 8, panels = 4>>
  return
}
