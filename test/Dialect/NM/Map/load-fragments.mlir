// RUN: nm-opt --nm-tile --nm-promote-shared --nm-load-fragments %s | FileCheck %s

// One condensed row a slice, all 16 of a step written out; four positions are
// loaded together.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK: %[[P:.*]] = nm.load_positions %[[D:.*]][%c0{{.*}}] {pattern = #nm.pattern<8:32, unit = 1x32>} : {{.*}} -> !nm.fragment<4x2xindex, positions>
// CHECK: %[[X:.*]] = nm.load_rows %[[A:.*]][%[[P]], %{{.*}}] {unit = 0 : i64} : {{.*}} -> !nm.fragment<32x1xf32, rows>
// CHECK: %[[W:.*]] = nm.load_values %[[V:.*]][%{{.*}}] : {{.*}} -> !nm.fragment<1x64xf32, values>
// CHECK: %[[S:.*]] = nm.mma %[[X]], %[[W]], %{{.*}} : !nm.fragment<32x1xf32, rows>, !nm.fragment<1x64xf32, values> -> !nm.fragment<32x64xf32>
// CHECK: nm.load_rows %[[A]][%[[P]], %{{.*}}] {{{.*}}unit = 1 : i64}
// CHECK: nm.mma %{{.*}}, %{{.*}}, %[[S]]
// CHECK-COUNT-3: nm.load_positions
// CHECK-COUNT-4: nm.mma
// CHECK-NOT: nm.mma
// CHECK-NOT: nm.tile_mma
// CHECK: nm.tile_store
func.func @rows(%a: memref<128x32xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<128x32xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Units of 16 rows, of which each thread loads 20 vectors a row: four rows are written out at once, and
// the place in the unit is the loop's.
// CHECK-LABEL: func.func @places
// CHECK: %[[P:.*]] = nm.load_positions {{.*}} -> !nm.fragment<1x4xindex, positions>
// CHECK: scf.for %[[I:[a-z0-9]+]] = %c0{{.*}} to %c16{{.*}} step %c4
// CHECK: nm.load_rows %{{.*}}[%[[P]], %[[I]]]
// CHECK-COUNT-4: nm.mma
// CHECK-NOT: nm.mma
// CHECK: scf.yield
func.func @places(%a: memref<128x128xf32>, %v: memref<64x32xf32>, %d: memref<4x2xi8>, %c: memref<128x32xf32>) {
  %w = nm.assemble %v, %d : memref<64x32xf32>, memref<4x2xi8> -> !nm.condensed<128x32xf32, #nm.pattern<2:4, unit = 16x16>>
  nm.spmm %a, %w outs(%c : memref<128x32xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [16, 16]>, block = [128, 64, 64]>}
    : memref<128x128xf32>, !nm.condensed<128x32xf32, #nm.pattern<2:4, unit = 16x16>>
  return
}

// Element-wise: loads do not fit one block of code, so units stand in a loop.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: scf.for %[[U:[a-z0-9]+]] =
// CHECK: nm.load_positions %{{.*}}[%[[U]]]
// CHECK: nm.load_values %{{.*}}[%[[U]]]
func.func @loop(%a: memref<128x128xf32>, %v: memref<64x64xf32>, %d: memref<64x64xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x64xi8> -> !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<128x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  return
}
