// A tile of few rows of A, of which those that make a word lie together (nm-promote-shared).

// RUN: nm-opt --nm-tile --nm-promote-shared %s | FileCheck %s --check-prefix=PROMOTE
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer --nm-async-copies --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s --check-prefix=RING
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#p = #nm.pattern<4:8>

// Two panels of two rows: each thread copies four places of both rows of a panel, 64 of them, one
// piece of 16 bytes. A row of k is two words, one a panel.
// REMARK: remark: [Passed] promoted {{.*}} Function=pairs | bytes=512, operand=A
// PROMOTE-LABEL: func.func @pairs
// PROMOTE: %[[A:.*]] = memref.alloc() : memref<2x64x2xf16, #gpu.address_space<workgroup>>
// PROMOTE-NOT: gpu.barrier
// PROMOTE: nm.tile_copy %{{.*}}, %[[A]] {transpose} : memref<4x64xf16, {{.*}}> to memref<2x64x2xf16,
// PROMOTE-NEXT: gpu.barrier
// PROMOTE-NEXT: nm.tile_mma %[[A]], {{.*}} : memref<2x64x2xf16,
// CHECK-LABEL: func.func @pairs
// CHECK: %[[TILE:.*]] = memref.alloc() : memref<2x64x2xf16,
// CHECK: %[[WORDS:.*]] = memref.collapse_shape %[[TILE]] {{\[\[}}0], [1, 2]]
// CHECK-NEXT: %[[THERE:.*]] = arith.cmpi ult, %[[THREAD:.*]], %c32 : index
// CHECK: scf.if %[[THERE]]
// CHECK: %[[PANEL:.*]] = arith.divui %[[THREAD]], %c16
// CHECK: %[[OF:.*]] = arith.remui %[[THREAD]], %c16
// CHECK: %[[ROW:.*]] = arith.muli %[[OF]], %c4
// CHECK: %[[M:.*]] = arith.muli %[[PANEL]], %c2
// CHECK: %[[X:.*]] = vector.load %{{.*}}[%[[M]], %[[ROW]]] {{.*}} vector<4xf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[M]], %c1
// CHECK: %[[Y:.*]] = vector.load %{{.*}}[%[[NEXT]], %[[ROW]]] {{.*}} vector<4xf16>
// CHECK: vector.extract %[[X]][0]
// CHECK: vector.extract %[[Y]][0]
// CHECK: vector.extract %[[X]][1]
// CHECK: vector.store %{{.*}}, %[[WORDS]][%[[PANEL]], %{{.*}}] {{.*}} vector<8xf16>
// CHECK: gpu.barrier
// CHECK: memref.subview %[[TILE]][0, 0, 0] [1, 64, 2] [1, 1, 1]
// CHECK: vector.load {{.*}} vector<2xf16>
// CHECK: memref.subview %[[TILE]][1, 0, 0] [1, 64, 2] [1, 1, 1]
// CHECK: vector.load {{.*}} vector<2xf16>
func.func @pairs(%a: memref<4x64xf16>, %v: memref<1x16x64xf16>, %d: memref<1x16x64xi8>, %c: memref<4x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x16x64xf16>, memref<1x16x64xi8> -> !nm.condensed<64x32xf16, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<4x32xf16>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [4, 1, 2]>, block = [4, 32, 64], promote_weight = false>}
    : memref<4x64xf16>, !nm.condensed<64x32xf16, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  return
}

// Of three rows the last panel has one, and of the other the source has none: zeros. Its element
// is read alone.
// PROMOTE-LABEL: func.func @odd
// PROMOTE: memref.alloc() : memref<2x64x2xf16, #gpu.address_space<workgroup>>
// CHECK-LABEL: func.func @odd
// CHECK: %[[IS:.*]] = arith.cmpi ult, %{{.*}}, %c3 : index
// CHECK: scf.if %[[IS]] -> (vector<4xf16>)
// CHECK: gpu.barrier
// CHECK: vector.load {{.*}} vector<2xf16>
// CHECK-NEXT: memref.subview %{{.*}}[1, 0, 0] [1, 64, 2]
// CHECK-NEXT: memref.load {{.*}} : memref<64x2xf16,
func.func @odd(%a: memref<3x64xf16>, %v: memref<1x16x64xf16>, %d: memref<1x16x64xi8>, %c: memref<3x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x16x64xf16>, memref<1x16x64xi8> -> !nm.condensed<64x32xf16, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<3x32xf16>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [3, 1, 2]>, block = [3, 32, 64], promote_weight = false>}
    : memref<3x64xf16>, !nm.condensed<64x32xf16, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  return
}

// A word has four elements of a byte, and one of f32.
// PROMOTE-LABEL: func.func @bytes
// PROMOTE: memref.alloc() : memref<1x64x4xi8, #gpu.address_space<workgroup>>
// CHECK-LABEL: func.func @bytes
// CHECK-COUNT-4: vector.load {{.*}} vector<4xi8>
// CHECK: vector.store {{.*}} vector<16xi8>
func.func @bytes(%a: memref<4x64xi8>, %v: memref<1x16x64xi8>, %d: memref<1x16x64xi8>, %c: memref<4x32xi32>) {
  %w = nm.assemble %v, %d : memref<1x16x64xi8>, memref<1x16x64xi8> -> !nm.condensed<64x32xi8, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<4x32xi32>) {acc = i32, schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [4, 1, 2]>, block = [4, 32, 64], promote_weight = false>}
    : memref<4x64xi8>, !nm.condensed<64x32xi8, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  return
}
// PROMOTE-LABEL: func.func @words
// PROMOTE: memref.alloc() : memref<4x68xf32, #gpu.address_space<workgroup>>
// PROMOTE: nm.tile_copy %{{.*}}, %{{.*}} : memref<4x64xf32
func.func @words(%a: memref<4x64xf32>, %v: memref<1x16x64xf32>, %d: memref<1x16x64xi8>, %c: memref<4x32xf32>) {
  %w = nm.assemble %v, %d : memref<1x16x64xf32>, memref<1x16x64xi8> -> !nm.condensed<64x32xf32, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<4x32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [4, 1, 2]>, block = [4, 32, 64], promote_weight = false>}
    : memref<4x64xf32>, !nm.condensed<64x32xf32, #p, #nm.packing<block_n = 32, step_k = 64, lane_rows = 2, coding = positions>>
  return
}

// A ring of tiles in panels: they are not staged, and no asynchronous copy is so narrow.
// REMARK-NOT: not-staged
// RING-LABEL: func.func @ring
// RING: %[[RING:.*]] = memref.alloc() : memref<3x2x32x2xf16,
// RING: memref.subview %[[RING]][0, 0, 0, 0] [1, 2, 32, 2] [1, 1, 1, 1]
// RING: scf.for
// RING-NOT: nvgpu.device_async_copy
// RING: vector.store {{.*}} vector<8xf16>
func.func @ring(%a: memref<4x256xf16>, %v: memref<1x64x64xf16>, %d: memref<8x8x64xi8>, %c: memref<4x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<8x8x64xi8> -> !nm.condensed<256x32xf16, #p, #nm.packing<block_n = 32, step_k = 32, lane_rows = 2, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<4x32xf16>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [4, 1, 2]>, block = [4, 32, 32], promote_weight = false, stages = 3>}
    : memref<4x256xf16>, !nm.condensed<256x32xf16, #p, #nm.packing<block_n = 32, step_k = 32, lane_rows = 2, coding = positions>>
  return
}
