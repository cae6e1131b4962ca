// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-pack-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROMOTED

// 20 of the 64 rows of a step are gathered; indices then address the buffer.
// REMARK: remark: [Passed] packed | Category:nm-pack-tile | Function=listed | Rows=20, of rows=64
// UNPROMOTED: remark: [Missed] not-packed | Category:nm-pack-tile | Function=listed | Reason="A is not promoted"
// CHECK-LABEL: func.func @listed
// CHECK: gpu.launch
// CHECK: %[[P:.*]] = memref.alloc() : memref<20x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref<64x32xf32, #gpu.address_space<workgroup>>
// CHECK: %[[LIST:.*]] = memref.subview %arg3
// CHECK: gpu.barrier
// CHECK: nm.tile_gather %{{.*}}, %[[LIST]], %[[P]] :
// CHECK: gpu.barrier
// CHECK: nm.tile_mma %[[P]], %{{.*}}, %{{.*}}, %{{[a-z0-9]+}} {coding = #nm.coding<rows>
func.func @listed(%a: memref<128x256xf32>, %v: memref<1x32x64xf32>, %d: memref<2x2x16xi32>, %l: memref<2x20xi32>, %c: memref<256x64xf32>) {
  %w = nm.assemble %v, %d columns(%l : memref<2x20xi32>) : memref<1x32x64xf32>, memref<2x2x16xi32>
    -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 64, step_k = 64, columns = 20>>
  nm.spmm %a, %w outs(%c : memref<256x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], packed = true>}
    : memref<128x256xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 64, step_k = 64, columns = 20>>
  return
}

// REMARK: remark: [Missed] not-packed | Category:nm-pack-tile | Function=unlisted | Reason="no column information"
// CHECK-LABEL: func.func @unlisted
// CHECK-NOT: nm.tile_gather
func.func @unlisted(%a: memref<128x256xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<256x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<256x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<128x256xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
