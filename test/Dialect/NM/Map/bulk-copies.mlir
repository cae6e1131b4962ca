// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-bulk-copies --nm-load-fragments --nm-prefetch-fragments --cse %s | FileCheck %s --check-prefix=PREFETCH

// The first thread makes the barriers, and the engine sees them.
// CHECK-LABEL: func.func @f
// CHECK: %[[MEMORY:.*]] = memref.alloc() : memref<2xi64, #gpu.address_space<workgroup>>
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD:[a-z0-9]+]], %c0
// CHECK: scf.if %[[FIRST]]
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c1_i32 : !llvm.ptr<3>, i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// Of two warps, each takes every other row of A, 256 bytes, in the name of one thread.
// CHECK: %[[ELECTED:.*]] = nvvm.elect.sync -> i1
// CHECK: scf.if %[[ELECTED]]
// CHECK-COUNT-16: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %c256_i32 : !llvm.ptr<7>, <1>
// The values of a step, 8 rows of 256 bytes, lie together: one copy, by the first warp.
// CHECK: nvvm.elect.sync -> i1
// CHECK: arith.cmpi ult, %{{.*}}, %c1
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %c2048_i32
// CHECK-NOT: cp.async.bulk
// CHECK: scf.if %[[FIRST]]
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c10240_i32 : !llvm.ptr<3>, i32
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// The threads wait for all bytes of the phase, and for what they copy themselves.
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: %[[PHASE:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK: scf.while
// CHECK: %[[COMPLETE:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %[[PHASE]] : !llvm.ptr<3>, i32 -> i1
// CHECK: %[[AGAIN:.*]] = arith.xori %[[COMPLETE]], %true
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: gpu.barrier
// Beyond the last step nothing is copied, nor expected.
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: arith.andi %{{.*}}, %[[MORE]]
// CHECK: cp.async.bulk
// CHECK: arith.andi %{{.*}}, %[[MORE]]
// CHECK: nvvm.mbarrier.arrive.expect_tx

// What waits ahead waits for the slot and the phase of the next step, or for its own
// once more.
// PREFETCH-LABEL: func.func @f
// PREFETCH: %[[FIRST:.*]] = memref.subview %[[BARRIERS:.*]][%c0{{.*}}] [1] [1]
// PREFETCH: nm.wait for %[[FIRST]]
// PREFETCH: scf.for %[[STEP:[a-z0-9]+]] = {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9_]+}}, %[[SLOT:[a-z0-9]+]] =
// PREFETCH-NOT: nm.wait
// PREFETCH: %[[NEXT:.*]] = arith.addi %[[STEP]], %c1
// PREFETCH: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %
// PREFETCH: %[[NEXTSLOT:.*]] = arith.select %[[MORE]], %{{.*}}, %[[SLOT]]
// PREFETCH: %[[NAMED:.*]] = arith.select %[[MORE]], %[[NEXT]], %[[STEP]]
// PREFETCH: %[[BARRIER:.*]] = memref.subview %{{.*}}[%[[NEXTSLOT]]] [1] [1]
// PREFETCH: %[[ROUND:.*]] = arith.divui %[[NAMED]], %c2
// PREFETCH: %[[REST:.*]] = arith.remui %[[ROUND]], %c2
// PREFETCH: %[[ODD:.*]] = arith.cmpi ne, %[[REST]], %c0
// PREFETCH: nm.wait for %[[BARRIER]] phase %[[ODD]]
// PREFETCH-NEXT: gpu.barrier
func.func @f(%a: memref<256x128xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 32], stages = 2, prefetch = true, engine = bulk>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
