// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --nm-allocate-shared --cse --canonicalize %s | FileCheck %s --check-prefix=SHARED

#vw = #nm.pattern<8:32, unit = 1x32>
!w = !nm.condensed<256x64xf32, #vw>

// A thread writes its eight vectors as [value][thread] to the block's row of the workspace,
// unless its part is the first and all others are there. The one that counts all others
// adds the rows in their order, from its own values on if those are the first.
// CHECK-LABEL: func.func @f
// CHECK: %[[WORKSPACE:.*]] = memref.alloc() : memref<3x2048xf32>
// CHECK: gpu.launch
// CHECK: scf.for
// CHECK: scf.for
// The next tile's copies wait for all of this one's, and for the threads.
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: %[[SUM:.*]]:9 = scf.if
// CHECK:   gpu.barrier
// CHECK:   scf.if
// CHECK-NEXT:   llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:   memref.atomic_rmw addi %c0_i32, %[[ARRIVALS:.*]][%c0]
// CHECK-NEXT:   llvm.fence syncscope("device") acq_rel
// CHECK:   gpu.barrier
// CHECK-COUNT-8: vector.store %{{.*}}, %[[WORKSPACE]][{{.*}}] {alignment = 16 : i64} : memref<3x2048xf32>, vector<4xf32>
// CHECK:   gpu.barrier
// CHECK:   scf.if
// CHECK-NEXT:   llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:   memref.atomic_rmw addi %c1_i32, %[[ARRIVALS]][%c0]
// CHECK-NEXT:   llvm.fence syncscope("device") acq_rel
// CHECK:   gpu.barrier
// CHECK:   scf.if
// CHECK-COUNT-8: vector.load %[[WORKSPACE]]
// CHECK:   scf.for
// CHECK-COUNT-8: vector.load %[[WORKSPACE]]
// CHECK-COUNT-8: arith.addf
// CHECK: scf.if %[[SUM]]#8
// CHECK-COUNT-8: vector.store %{{.*}} : memref<{{.*}}>, vector<4xf32>
// CHECK-NOT: vector.store
// CHECK: gpu.terminator
// What a count is kept in lies behind the tiles, which it would move from their lines.
// SHARED-LABEL: func.func @f
// SHARED: memref.view %{{.*}}[%c4128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x32x32xf32, #gpu.address_space<workgroup>>
// SHARED: memref.view %{{.*}}[%c12320][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1x1xi32, #gpu.address_space<workgroup>>
func.func @f(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !w
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2, stream_k = 3>}
    : memref<256x32xf32>, !w
  return
}
