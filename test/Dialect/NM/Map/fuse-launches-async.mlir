// DEFINE: %{map} = --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-async-copies --nm-load-fragments --nm-map-to-threads --nm-allocate-shared --canonicalize --cse
// RUN: nm-opt %{map} --nm-fuse-launches %s | FileCheck %s
// RUN: nm-opt %{map} --nm-fuse-launches --remarks-filter=nm-fuse-launches --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 640, lane_rows = 16, coding = positions, fragments = true>
#schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [16, 32]>, block = [16, 32, 640], promote_weight = false>
memref.global "private" constant @v : memref<1x20x512xf16> = dense<1.0>
memref.global "private" constant @u : memref<1x20x512xf16> = dense<2.0>
memref.global "private" constant @d : memref<1x1x320xi8> = dense<0>

// A's tile, of more pieces than a thread has registers for, is copied asynchronously, and once:
// the second product begins behind one barrier, whatever its threads wait for.
// REMARK: remark: [Passed] launches-fused | Category:nm-fuse-launches | Function=large | copies=20
// CHECK-LABEL: func.func @large
// CHECK: gpu.launch
// CHECK-COUNT-20: nvgpu.device_async_copy
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: vector.store {{.*}} : memref<16x32xf16>
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: gpu.barrier
// CHECK: nvvm.mma.sync
// CHECK-NOT: gpu.launch
func.func @large(%a: memref<16x640xf16>) -> memref<16x32xf16> {
  %v = memref.get_global @v : memref<1x20x512xf16>
  %u = memref.get_global @u : memref<1x20x512xf16>
  %d = memref.get_global @d : memref<1x1x320xi8>
  %gate = memref.alloc() : memref<16x32xf16>
  %w = nm.assemble %v, %d : memref<1x20x512xf16>, memref<1x1x320xi8> -> !nm.condensed<640x32xf16, #vw, #packing>
  nm.spmm %a, %w outs(%gate : memref<16x32xf16>) {schedule = #schedule} : memref<16x640xf16>, !nm.condensed<640x32xf16, #vw, #packing>
  %c = memref.alloc() : memref<16x32xf16>
  %x = nm.assemble %u, %d : memref<1x20x512xf16>, memref<1x1x320xi8> -> !nm.condensed<640x32xf16, #vw, #packing>
  nm.spmm %a, %x residual(%gate : memref<16x32xf16>) outs(%c : memref<16x32xf16>) {combine = #nm.combine<mul>, schedule = #schedule} : memref<16x640xf16>, !nm.condensed<640x32xf16, #vw, #packing>
  return %c : memref<16x32xf16>
}
