// RUN: nm-opt --nm-tile %s | FileCheck %s
// RUN: nm-opt --nm-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// With persistent, blocks compute tile after tile, as many of them at once as there are blocks.
#vw = #nm.pattern<8:32, unit = 1x32>

// Three tiles and two blocks. Nothing is shared.
// REMARK: remark: [Passed] persistent | Category:nm-tile | Function=f | blocks=2
// CHECK-LABEL: func.func @f
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch blocks(%[[BLOCK:[^,]*]], {{.*}}) in (%{{.*}} = %c2{{[_0-9]*}},
// CHECK: scf.for %[[TILE:.*]] = %[[BLOCK]] to %c3{{[_0-9]*}} step %c2{{[_0-9]*}} {
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args
// CHECK: nm.tile_mma
// CHECK-NOT: nm.tile_reduce
// CHECK: nm.tile_store %[[SUM]]
// CHECK: persistent = 2
func.func @f(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], persistent = 2>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// No more blocks than tiles.
// CHECK-LABEL: func.func @few
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c3{{[_0-9]*}},
func.func @few(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], persistent = 132>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// Of any number of rows.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[TILES:.*]] = arith.divui
// CHECK: %[[BLOCKS:.*]] = arith.minui %[[TILES]], %c6
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TILES]] step %c6
func.func @dynamic(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], persistent = 6>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}
