// DEFINE: %{map} = --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-load-fragments --nm-map-to-threads --nm-allocate-shared --canonicalize --cse
// RUN: nm-opt %{map} --nm-fuse-launches %s | FileCheck %s
// RUN: nm-opt %{map} --nm-fuse-launches --remarks-filter=nm-fuse-launches --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: nm-opt %{map} --nm-fuse-launches --nm-load-weights-ahead %s | FileCheck %s --check-prefix=AHEAD

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>
#mma_gemv = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [1, 32]>, block = [1, 32, 64], promote_weight = false>
#gemv = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [2, 4, 2]>, block = [2, 32, 0], promote_weight = false>
#fma = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [4, 8], thread = [1, 4]>, block = [4, 64, 0], promote_a = false, promote_weight = false>
memref.global "private" constant @v : memref<64x64xf32> = dense<1.0>
memref.global "private" constant @u : memref<64x64xf32> = dense<2.0>
memref.global "private" constant @fragments : memref<1x2x512xf16> = dense<1.0>
memref.global "private" constant @positions : memref<1x1x32xi8> = dense<0>
memref.global "private" constant @d : memref<64x2xi8> = dense<0>

// One kernel. A's tile is copied again, as sums have taken its place.
// REMARK: remark: [Passed] launches-fused | Category:nm-fuse-launches | Function=gated | copies=0
// CHECK-LABEL: func.func @gated
// CHECK: gpu.launch {{.*}} function(@gated_0_spmm) {
// CHECK: } {nm.few_rows, nm.fused_launch = "gated_1_spmm"}
// CHECK-NOT: gpu.launch
func.func @gated(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %u = memref.get_global @u : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<2x64xf32>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {epilogue = #nm.epilogue<silu>, schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<2x64xf32>
  %x = nm.assemble %u, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %x residual(%gate : memref<2x64xf32>) outs(%c : memref<2x64xf32>) {combine = #nm.combine<mul>, schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<2x64xf32>
}

// A's tile is still there: it is copied once, and the second product begins behind one barrier.
// The first weight is on its way before A's tile, the second one before the first
// sums are added over the block.
// REMARK: remark: [Passed] launches-fused | Category:nm-fuse-launches | Function=kept | copies=1
// CHECK-LABEL: func.func @kept
// CHECK: gpu.launch
// CHECK-NOT: gpu.launch
// AHEAD-LABEL: func.func @kept
// AHEAD: gpu.launch
// AHEAD-COUNT-2: vector.load {{.*}}, vector<8xf16>
// AHEAD: gpu.barrier
// AHEAD: nvvm.mma.sync
// AHEAD-COUNT-2: vector.load {{.*}}, vector<8xf16>
// AHEAD: gpu.barrier
// AHEAD: gpu.barrier
// AHEAD: memref.store {{.*}}xf16
// AHEAD: gpu.barrier
// AHEAD-NOT: gpu.barrier
// AHEAD: nvvm.mma.sync
// AHEAD: gpu.terminator
func.func @kept(%a: memref<1x64xf16>) -> memref<1x32xf16> {
  %v = memref.get_global @fragments : memref<1x2x512xf16>
  %d = memref.get_global @positions : memref<1x1x32xi8>
  %gate = memref.alloc() : memref<1x32xf16>
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !nm.condensed<64x32xf16, #vw, #packing>
  nm.spmm %a, %w outs(%gate : memref<1x32xf16>) {schedule = #mma_gemv} : memref<1x64xf16>, !nm.condensed<64x32xf16, #vw, #packing>
  %c = memref.alloc() : memref<1x32xf16>
  nm.spmm %a, %w residual(%gate : memref<1x32xf16>) outs(%c : memref<1x32xf16>) {combine = #nm.combine<mul>, schedule = #mma_gemv} : memref<1x64xf16>, !nm.condensed<64x32xf16, #vw, #packing>
  return %c : memref<1x32xf16>
}

// Views of other shapes: the place of an element counts.
// REMARK: remark: [Passed] launches-fused | {{.*}} | Function=reshaped | copies=0
// CHECK-LABEL: func.func @reshaped
// CHECK: gpu.launch
// CHECK-NOT: gpu.launch
func.func @reshaped(%a: memref<1x128xf32>) -> memref<64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<64xf32>
  %row = memref.expand_shape %gate [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%row : memref<1x64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>} : memref<1x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<64xf32>
  %x = memref.collapse_shape %a [[0, 1]] : memref<1x128xf32> into memref<128xf32>
  nm.spmv %x, %w scale(%gate : memref<64xf32>) outs(%c : memref<64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>} : memref<128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<64xf32>
}

// Other threads have written what these read: columns further on.
// REMARK: remark: [Missed] launches-not-fused | Category:nm-fuse-launches | Function=shifted | Reason="threads read what others write"
// CHECK-LABEL: func.func @shifted
// CHECK-COUNT-2: gpu.launch
func.func @shifted(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<4x64xf32>
  %low = memref.subview %gate[0, 0] [2, 64] [1, 1] : memref<4x64xf32> to memref<2x64xf32, strided<[64, 1]>>
  %high = memref.subview %gate[1, 0] [2, 64] [1, 1] : memref<4x64xf32> to memref<2x64xf32, strided<[64, 1], offset: 64>>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%low : memref<2x64xf32, strided<[64, 1]>>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<2x64xf32>
  nm.spmm %a, %w residual(%high : memref<2x64xf32, strided<[64, 1], offset: 64>>) outs(%c : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<2x64xf32>
}

// A bias lies along the columns: each row reads what another one writes.
// REMARK: remark: [Missed] launches-not-fused | {{.*}} | Function=bias | Reason="threads read what others write"
// CHECK-LABEL: func.func @bias
// CHECK-COUNT-2: gpu.launch
func.func @bias(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<2x64xf32>
  %row = memref.subview %gate[0, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1]>>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<2x64xf32>
  nm.spmm %a, %w bias(%row : memref<64xf32, strided<[1]>>) outs(%c : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<2x64xf32>
}

// Who knows what else an argument is.
// REMARK: remark: [Missed] launches-not-fused | {{.*}} | Function=arguments | Reason="results are written to arguments"
// CHECK-LABEL: func.func @arguments
// CHECK-COUNT-2: gpu.launch
func.func @arguments(%a: memref<2x128xf32>, %gate: memref<2x64xf32>, %c: memref<2x64xf32>) {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w residual(%gate : memref<2x64xf32>) outs(%c : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return
}

// The second would write A before other blocks have read it for the first.
// REMARK: remark: [Missed] launches-not-fused | {{.*}} | Function=in_place | Reason="the second writes what the first accesses"
// CHECK-LABEL: func.func @in_place
// CHECK-COUNT-2: gpu.launch
func.func @in_place() -> memref<2x128xf32> {
  %a = memref.alloc() : memref<2x128xf32>
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<2x64xf32>
  %c = memref.subview %a[0, 0] [2, 64] [1, 1] : memref<2x128xf32> to memref<2x64xf32, strided<[128, 1]>>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w residual(%gate : memref<2x64xf32>) outs(%c : memref<2x64xf32, strided<[128, 1]>>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %a : memref<2x128xf32>
}

// Blocks of other threads.
// REMARK: remark: [Missed] launches-not-fused | {{.*}} | Function=other_threads | Reason="their blocks or threads are others"
// CHECK-LABEL: func.func @other_threads
// CHECK-COUNT-2: gpu.launch
func.func @other_threads(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<2x64xf32>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<2x64xf32>
  nm.spmm %a, %w residual(%gate : memref<2x64xf32>) outs(%c : memref<2x64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [2, 4, 2]>, block = [2, 32, 0], promote_weight = false>} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<2x64xf32>
}

// Blocks of a cluster read each other's sums.
// REMARK: remark: [Missed] launches-not-fused | {{.*}} | Function=clusters | Reason="blocks of a cluster share the steps of a tile"
// CHECK-LABEL: func.func @clusters
// CHECK-COUNT-2: gpu.launch
func.func @clusters(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %gate = memref.alloc() : memref<2x64xf32>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%gate : memref<2x64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [2, 4, 2]>, block = [2, 32, 64], promote_weight = false, split_k = 2>} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  %c = memref.alloc() : memref<2x64xf32>
  nm.spmm %a, %w residual(%gate : memref<2x64xf32>) outs(%c : memref<2x64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [2, 4, 2]>, block = [2, 32, 64], promote_weight = false, split_k = 2>} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %c : memref<2x64xf32>
}

// Nothing to speak of: kinds for more rows, products that no gate connects, and a call between.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-6: gpu.launch
func.func private @between()
func.func @others(%a: memref<2x128xf32>) -> memref<2x64xf32> {
  %v = memref.get_global @v : memref<64x64xf32>
  %d = memref.get_global @d : memref<64x2xi8>
  %c = memref.alloc() : memref<2x64xf32>
  %e = memref.alloc() : memref<2x64xf32>
  %f = memref.alloc() : memref<2x64xf32>
  %g = memref.alloc() : memref<2x64xf32>
  %h = memref.alloc() : memref<2x64xf32>
  %i = memref.alloc() : memref<2x64xf32>
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<2x64xf32>) {schedule = #fma} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w residual(%c : memref<2x64xf32>) outs(%e : memref<2x64xf32>) {schedule = #fma} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%f : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w outs(%g : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  func.call @between() : () -> ()
  nm.spmm %a, %w residual(%g : memref<2x64xf32>) outs(%h : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  nm.spmm %a, %w residual(%e : memref<2x64xf32>) outs(%i : memref<2x64xf32>) {schedule = #gemv} : memref<2x128xf32>, !nm.condensed<128x64xf32, #vw>
  return %i : memref<2x64xf32>
}
