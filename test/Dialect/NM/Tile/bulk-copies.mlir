// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies --remarks-filter='nm-bulk.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies --nm-bulk-copies --remarks-filter='nm-bulk.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: nm-opt --nm-set-target=chip=sm_80 --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies --remarks-filter='nm-bulk.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=AMPERE

// AMPERE: remark: [Missed] not-bulk | Category:nm-bulk-copies | Function=f | Reason="the chip has no engine for copies"

// A barrier for each slot. A and the values of a step, 64 rows of 256 bytes and 16 of
// 256, go through that of their slot, and the indices, rows of two bytes, as they did.
// REMARK: remark: [Passed] bulk | Category:nm-bulk-copies | Function=f | bytes=20480, copies=2
// TWICE: remark: [Missed] not-bulk | Category:nm-bulk-copies | Function=f | Reason="the copy engine does it already"
// CHECK-LABEL: func.func @f
// CHECK: %[[BARRIERS:.*]] = memref.alloc() : memref<3xi64, #gpu.address_space<workgroup>>
// CHECK-NEXT: nm.init_barriers %[[BARRIERS]]
// CHECK-NEXT: gpu.barrier
// CHECK: %[[B0:.*]] = memref.subview %[[BARRIERS]][{{0|%c0.*}}] [1] [1]
// CHECK: nm.tile_copy {{.*}} through %[[B0]] {{.*}} to memref<64x64xf32
// CHECK: nm.tile_copy {{.*}} through %[[B0]] {{.*}} to memref<16x64xf32
// CHECK: nm.tile_copy {{.*}} to memref<16x2xi8
// CHECK: nm.commit 20480 through %[[B0]] : memref<1xi64
// CHECK: %[[B1:.*]] = memref.subview %[[BARRIERS]][{{1|%c1.*}}] [1] [1]
// CHECK: nm.commit 20480 through %[[B1]] :
// The phase is odd in every other round of the ring.
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SLOT:[a-z0-9]+]] = %c0{{.*}})
// CHECK: %[[ROUND:.*]] = arith.divui %[[STEP]], %c3
// CHECK: %[[REST:.*]] = arith.remui %[[ROUND]], %c2
// CHECK: %[[ODD:.*]] = arith.cmpi ne, %[[REST]], %c0
// CHECK: %[[B:.*]] = memref.subview %[[BARRIERS]][%[[SLOT]]] [1] [1]
// CHECK: nm.wait for %[[B]] phase %[[ODD]] : memref<1xi64, {{.*}}> {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: %[[PREVIOUS:.*]] = arith.select
// CHECK: %[[NEXT:.*]] = memref.subview %[[BARRIERS]][%[[PREVIOUS]]] [1] [1]
// CHECK: nm.tile_copy {{.*}} if %[[MORE]] through %[[NEXT]]
// CHECK: nm.commit 20480 through %[[NEXT]] if %[[MORE]]
func.func @f(%a: memref<256x128xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, engine = bulk>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// m is no multiple of the block: the rows of A are no whole tiles; the values are.
// REMARK: remark: [Passed] bulk | Category:nm-bulk-copies | Function=tail | bytes=4096, copies=1
// CHECK-LABEL: func.func @tail
// CHECK: nm.tile_copy %{{[^ ]*}}, %{{[^ ]*}} {async} {{.*}} to memref<64x64xf32
// CHECK: nm.tile_copy {{.*}} through {{.*}} to memref<16x64xf32
func.func @tail(%a: memref<256x120xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<120x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<120x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 2, engine = bulk>}
    : memref<256x120xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Steps of one window, the last of which is partial: nothing is whole.
// REMARK: remark: [Missed] not-bulk | Category:nm-bulk-copies | Function=narrow | Reason="no tile is whole rows of a multiple of 16 bytes, as they lie in memory"
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: nm.init_barriers
func.func @narrow(%a: memref<80x16xf32>, %v: memref<20x8xf32>, %d: memref<20x2xi8>, %c: memref<16x8xf32>) {
  %w = nm.assemble %v, %d : memref<20x8xf32>, memref<20x2xi8> -> !nm.condensed<80x8xf32, #nm.pattern<1:4, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<16x8xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [2, 2]>, block = [16, 8, 32], stages = 2, engine = bulk>}
    : memref<80x16xf32>, !nm.condensed<80x8xf32, #nm.pattern<1:4, unit = 1x4>>
  return
}

// REMARK: remark: [Missed] not-bulk | Category:nm-bulk-copies | Function=one_step | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @one_step
// CHECK-NOT: nm.init_barriers
func.func @one_step(%a: memref<64x64xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<16x64xf32>, memref<16x2xi8> -> !nm.condensed<64x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 2, engine = bulk>}
    : memref<64x64xf32>, !nm.condensed<64x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
