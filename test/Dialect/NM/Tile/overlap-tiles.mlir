// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-overlap-tiles %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-overlap-tiles --remarks-filter='nm-overlap.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-overlap-tiles --remarks-filter='nm-overlap.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNBUFFERED
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-overlap-tiles --nm-overlap-tiles --remarks-filter='nm-overlap.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: nm-opt --nm-overlap-tiles %s | FileCheck %s --check-prefix=ALONE

// What is no kernel yet is left alone.
// ALONE-LABEL: func.func @f
// ALONE: nm.spmm

// The first copies of a tile are issued before the one before it is stored.
#vw = #nm.pattern<8:32, unit = 1x32>

// REMARK: remark: [Passed] overlapped | Category:nm-overlap-tiles | Function=f | copies=6
// UNBUFFERED: remark: [Missed] not-overlapped | Category:nm-overlap-tiles | Function=f | Reason="the loop over steps copies nothing ahead"
// TWICE: remark: [Missed] not-overlapped | Category:nm-overlap-tiles | Function=f | Reason="the loop over steps copies nothing ahead"
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch blocks(%[[BLOCK:[^,]*]],
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[BLOCK]], %[[TILES:.*]] : index
// CHECK: scf.if %[[ANY]] {
// Two steps of A, values and indices.
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK-NEXT: nm.commit
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK-NEXT: nm.commit
// CHECK-NEXT: }
// CHECK: scf.for %[[TILE:.*]] = %[[BLOCK]] to %[[TILES]] step %[[STEP:.*]] {
// CHECK-NOT: nm.tile_copy
// CHECK: %[[SUM:.*]]:{{.*}} = scf.for
// CHECK: nm.tile_mma
// CHECK: nm.wait {pending = 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[TILE]], %[[STEP]]
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[NEXT]], %[[TILES]]
// CHECK-NEXT: scf.if %[[MORE]] {
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK-NEXT: nm.commit
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK-NEXT: nm.commit
// CHECK-NEXT: }
// CHECK-NOT: nm.tile_copy
// CHECK: nm.tile_store %[[SUM]]#0
func.func @f(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 3, persistent = 2>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// With stream_k, others may wait for the sums.
// REMARK: remark: [Missed] not-overlapped | Category:nm-overlap-tiles | Function=shared | Reason="blocks share tiles"
// CHECK-LABEL: func.func @shared
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: nm.tile_copy
// CHECK: scf.for
// CHECK: nm.tile_reduce
func.func @shared(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2, stream_k = 5>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// A block of one tile has no next one.
// REMARK-NOT: Function=one
// CHECK-LABEL: func.func @one
// CHECK-NOT: scf.if
func.func @one(%a: memref<96x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<96x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<96x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2>}
    : memref<96x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}
