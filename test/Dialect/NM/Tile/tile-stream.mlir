// RUN: nm-opt --nm-tile %s | FileCheck %s
// RUN: nm-opt --nm-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// With stream_k, blocks have as many steps each, whatever the tiles.
#vw = #nm.pattern<8:32, unit = 1x32>

module attributes {nm.target = #nm.target<"sm_90">} {

// Three tiles of four steps and five blocks: two blocks have three steps, three have two.
// A tile is shared by two or three of them. A kernel before zeroes the arrivals.
// REMARK: remark: [Passed] shared | Category:nm-tile | Function=f | blocks=5, means="steps of all tiles"
// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[WORKSPACE:.*]] = memref.alloc() : memref<7x2048xf32>
// CHECK-DAG: %[[ARRIVALS:.*]] = memref.alloc() : memref<3xi32>
// CHECK: scf.parallel
// CHECK: memref.store %c0_i32, %[[ARRIVALS]]
// CHECK: nm.kernel_name = "spmm_begin"
// Tiles are not counted by a difference of two quotients, of which ptxas 13.0 makes
// a wrong one.
// CHECK: gpu.launch blocks(%[[BLOCK:[^,]*]], {{.*}}) in (%{{.*}} = %c5
// CHECK-NOT: arith.subi
// CHECK: scf.for %[[NUMBER:.*]] = %c0
// CHECK: arith.minui %{{.*}}, %c4
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args
// CHECK: nm.tile_mma
// CHECK-NOT: arith.subi %{{.*}}, %{{[0-9]}}
// CHECK: %[[MINE:.*]] = memref.subview %[[ARRIVALS]][%{{.*}}] [1] [1] : memref<3xi32> to memref<1xi32, strided<[1], offset: ?>>
// CHECK: %[[ALL:.*]] = nm.tile_reduce %[[SUM]] across(grid) row(%{{.*}} of %{{.*}} to %{{.*}}) in(%[[WORKSPACE]], %[[MINE]] : memref<7x2048xf32>, memref<1xi32, strided<[1], offset: ?>>) : !nm.fragment<32x64xf32>
// CHECK: nm.tile_store %[[ALL]], %{{.*}} bias
// CHECK: stream_k = 5
func.func @f(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %b: memref<64xf32>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w bias(%b : memref<64xf32>) outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stream_k = 5>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// Seven tiles and two blocks: of three rounds of whole tiles, one tile is left, half of
// each block's. Seven and four: one round, and three tiles to share.
// CHECK-LABEL: func.func @rounds
// CHECK: memref.alloc() : memref<2x2048xf32>
// CHECK: memref.alloc() : memref<1xi32>
// CHECK: memref.alloc() : memref<6x2048xf32>
// CHECK: memref.alloc() : memref<3xi32>
func.func @rounds(%a: memref<224x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<224x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<224x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stream_k = 2>}
    : memref<224x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<224x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stream_k = 4>}
    : memref<224x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// Of any number of rows, fewer tiles are left than there are blocks and half as many
// more. Sums of i8 are i32.
// CHECK-LABEL: func.func @dynamic
// CHECK-DAG: memref.alloc() : memref<14x2048xi32>
// CHECK-DAG: memref.alloc(%{{.*}}) : memref<?xi32>
func.func @dynamic(%a: memref<?x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<?x64xi32>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #vw>
  nm.spmm %a, %w outs(%c : memref<?x64xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stream_k = 6>}
    : memref<?x128xi8>, !nm.condensed<128x64xi8, #vw>
  return
}

}
