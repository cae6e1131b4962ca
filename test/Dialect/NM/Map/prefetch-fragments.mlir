// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --nm-prefetch-fragments --remarks-filter='nm-prefetch.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE

// The first slice of step 0 is loaded before the loop, that of step s + 1 when
// all operands of step s are: the wait and the barrier stand there.
// REMARK: remark: [Passed] prefetched | Category:nm-prefetch-fragments | Function=f | slices=16
// TWICE: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=f | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @f
// CHECK: nm.commit
// CHECK: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[P0:.*]] = nm.load_positions
// CHECK: %[[X0:.*]] = nm.load_rows %{{.*}}[%[[P0]], %{{.*}}] {{{.*}}unit = 0 : i64}
// CHECK: %[[W0:.*]] = nm.load_values
// CHECK: scf.for %[[S:[a-z0-9]+]] = {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %{{.*}}, %[[P:[a-z0-9]+]] = %[[P0]], %[[X:[a-z0-9]+]] = %[[X0]], %[[W:[a-z0-9]+]] = %[[W0]])
// CHECK-NOT: gpu.barrier
// CHECK: nm.commit
// CHECK: nm.mma %[[X]], %[[W]], %[[ACC]]
// CHECK: nm.load_rows %{{.*}}[%[[P]], %{{.*}}] {{{.*}}unit = 1 : i64}
// CHECK-COUNT-13: nm.mma
// CHECK: %[[XL:.*]] = nm.load_rows {{.*}}unit = 3 : i64
// CHECK: %[[WL:.*]] = nm.load_values
// CHECK: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.*]] = arith.minsi
// CHECK: %[[SLOT:.*]] = arith.remui %[[NEXT]], %c3
// CHECK: memref.subview %{{.*}}[%[[SLOT]], 0, 0]
// CHECK: %[[PN:.*]] = nm.load_positions
// CHECK: %[[XN:.*]] = nm.load_rows %{{.*}}[%[[PN]], %{{.*}}] {{{.*}}unit = 0 : i64}
// CHECK: %[[WN:.*]] = nm.load_values
// CHECK: %[[SUM:.*]] = nm.mma %[[XL]], %[[WL]],
// CHECK-NEXT: scf.yield %[[SUM]], %[[PN]], %[[XN]], %[[WN]]
func.func @f(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3, prefetch = true>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=one_stage | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @one_stage
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (!nm.fragment<32x64xf32>)
func.func @one_stage(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], prefetch = true>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=loop | Reason="the slices of a step are not written out"
func.func @loop(%a: memref<128x128xf32>, %v: memref<64x64xf32>, %d: memref<64x64xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x64xi8> -> !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3, prefetch = true>}
    : memref<128x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=not_asked | Reason="the schedule does not ask for it"
func.func @not_asked(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
