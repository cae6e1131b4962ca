// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments %s | FileCheck %s --check-prefix=SLICES
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

#vw = #nm.pattern<16:32, unit = 1x32>
#s = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>

// A slice has two condensed rows of each of 16 threads that share the columns of a thread.
// SLICES-LABEL: func.func @row
// SLICES: nm.load_positions {{.*}} -> !nm.fragment<32x1xindex, positions>
// SLICES: nm.load_rows {{.*}} -> !nm.fragment<1x32xf32, rows>
// SLICES: nm.load_values {{.*}} -> !nm.fragment<32x32xf32, values>

// A is in shared memory, 16 bytes of the weight come from global memory, and each product is
// of one element of A. Lanes add their sums by shuffles, over 8 and 16 lanes; the first lanes
// of each warp leave theirs for the first warp, which adds and stores them.
// CHECK-LABEL: func.func @row
// CHECK: gpu.barrier
// CHECK: vector.load {{.*}} : memref<{{.*}}xf32, {{.*}}>, vector<4xf32>
// CHECK: llvm.intr.fma({{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c8_i32, {{.*}} : f32
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c16_i32, {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: vector.store {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: vector.load {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: vector.store {{.*}} : memref<1x32xf32, {{.*}}>, vector<4xf32>
func.func @row(%a: memref<256xf32>, %v: memref<128x64xf32>, %d: memref<128x2xi8>, %c: memref<64xf32>) {
  %w = nm.assemble %v, %d : memref<128x64xf32>, memref<128x2xi8> -> !nm.condensed<256x64xf32, #vw>
  nm.spmv %a, %w outs(%c : memref<64xf32>) {schedule = #s} : memref<256xf32>, !nm.condensed<256x64xf32, #vw>
  return
}

// Four rows: each of four warps adds and stores one.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-4: vector.store {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: vector.load {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-NOT: vector.load
// CHECK: vector.store {{.*}} : memref<4x32xf32, {{.*}}>, vector<4xf32>
// CHECK-NOT: vector.store
func.func @rows(%a: memref<4x256xf32>, %v: memref<128x64xf32>, %d: memref<128x2xi8>, %c: memref<4x64xf32>) {
  %w = nm.assemble %v, %d : memref<128x64xf32>, memref<128x2xi8> -> !nm.condensed<256x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<4x64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [4, 4, 2]>, block = [4, 32, 0], promote_weight = false>}
    : memref<4x256xf32>, !nm.condensed<256x64xf32, #vw>
  return
}

// Threads of one column: a mask of a window, whose bits name rows of A, eight from the highest
// on and eight from the lowest, and 16 bytes that are eight condensed rows of the column.
// CHECK-LABEL: func.func @masks
// CHECK: %[[MASK:.*]] = memref.load {{.*}} : memref<2x32xi32, {{.*}}>
// CHECK: %[[FIRST:.*]] = llvm.inline_asm asm_dialect = att "bfind.u32 $0, $1;", "=r,r" %[[MASK]] : (i32) -> i32
// CHECK: %[[BIT:.*]] = arith.shli %c1_i32, %[[FIRST]] : i32
// CHECK: %[[REST:.*]] = arith.xori %[[MASK]], %[[BIT]] : i32
// CHECK: llvm.inline_asm asm_dialect = att "bfind.u32 $0, $1;", "=r,r" %[[REST]]
// CHECK-COUNT-6: llvm.inline_asm asm_dialect = att "bfind.u32
// CHECK-NOT: bfind
// CHECK: %[[REVERSED:.*]] = llvm.intr.bitreverse(%[[MASK]]) : (i32) -> i32
// CHECK: llvm.inline_asm asm_dialect = att "bfind.u32 $0, $1;", "=r,r" %[[REVERSED]]
// CHECK-COUNT-7: llvm.inline_asm asm_dialect = att "bfind.u32
// CHECK-NOT: bfind
// CHECK-COUNT-2: vector.load {{.*}} : memref<4x256xf16, {{.*}}>, vector<8xf16>
// CHECK-COUNT-16: llvm.intr.fma({{.*}}) : (vector<1xf32>
func.func @masks(%a: memref<1x64xf16>, %v: memref<1x4x256xf16>, %d: memref<1x2x32xi32>, %c: memref<1x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x4x256xf16>, memref<1x2x32xi32> -> !nm.condensed<64x32xf16, #nm.pattern<16:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 8, coding = mask>>
  nm.spmm %a, %w outs(%c : memref<1x32xf16>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 64], promote_weight = false>}
    : memref<1x64xf16>, !nm.condensed<64x32xf16, #nm.pattern<16:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 8, coding = mask>>
  return
}

// Bits of positions: 32 of five in five words, of which some begin in one and end in the next.
// SLICES-LABEL: func.func @bits
// SLICES: nm.load_positions {{.*}} {coding = #nm.coding<bits>, lane_rows = 16 : i64, {{.*}}} : memref<5x32xi32, {{.*}}> -> !nm.fragment<32x32xindex, positions>
// CHECK-LABEL: func.func @bits
// CHECK-COUNT-5: memref.load {{.*}} : memref<5x32xi32, {{.*}}>
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: arith.index_castui %[[FIRST]] : i32 to index
// CHECK: %[[BITS:.*]] = arith.shrui {{.*}} : i32
// CHECK-NEXT: arith.andi %[[BITS]], {{.*}} : i32
// CHECK: %[[BOTH:.*]] = llvm.intr.fshr({{.*}}) : (i32, i32, i32) -> i32
// CHECK-NEXT: arith.andi %[[BOTH]], {{.*}} : i32
// CHECK-COUNT-32: llvm.intr.fma({{.*}}) : (vector<1xf32>
func.func @bits(%a: memref<1x128xf16>, %v: memref<1x2x512xi8>, %d: memref<1x5x32xi32>, %c: memref<1x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x2x512xi8>, memref<1x5x32xi32> -> !nm.condensed<128x32xi8, #nm.pattern<8:32>, #nm.packing<block_n = 32, step_k = 128, lane_rows = 16, coding = bits>>
  nm.spmm %a, %w outs(%c : memref<1x32xf16>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [32, 1], thread = [1, 1, 32]>, block = [1, 32, 128], promote_weight = false>}
    : memref<1x128xf16>, !nm.condensed<128x32xi8, #nm.pattern<8:32>, #nm.packing<block_n = 32, step_k = 128, lane_rows = 16, coding = bits>>
  return
}

// Four positions are one access; the thread's rows are of one window, which is added.
// SLICES-LABEL: func.func @positions
// SLICES: nm.load_positions {{.*}} {coding = #nm.coding<positions>, lane_rows = 4 : i64, {{.*}}} : memref<2x128xi8, {{.*}}> -> !nm.fragment<8x32xindex, positions>
// SLICES: nm.load_values {{.*}} {lane_rows = 4 : i64} : memref<2x128xf32, {{.*}}> -> !nm.fragment<8x32xf32, values>
// CHECK-LABEL: func.func @positions
// CHECK: vector.load {{.*}} : memref<2x128xi8, {{.*}}>, vector<4xi8>
// CHECK: arith.index_castui {{.*}} : i8 to index
// CHECK: vector.load {{.*}} : memref<2x128xf32, {{.*}}>, vector<4xf32>
// CHECK-COUNT-4: llvm.intr.fma({{.*}}) : (vector<1xf32>
func.func @positions(%a: memref<1x64xf32>, %v: memref<1x2x128xf32>, %d: memref<1x2x128xi8>, %c: memref<1x32xf32>) {
  %w = nm.assemble %v, %d : memref<1x2x128xf32>, memref<1x2x128xi8> -> !nm.condensed<64x32xf32, #nm.pattern<4:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 4, coding = positions>>
  nm.spmm %a, %w outs(%c : memref<1x32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [1, 1, 4]>, block = [1, 32, 64], promote_weight = false>}
    : memref<1x64xf32>, !nm.condensed<64x32xf32, #nm.pattern<4:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 4, coding = positions>>
  return
}

// Blocks of a cluster add theirs after that, so that each warp has the block's sum.
// CHECK-LABEL: func.func @cluster
// CHECK-COUNT-8: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-4: vector.load {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: nvvm.cluster.arrive
// CHECK: nvvm.mapa
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} : memref<1x32xf32, {{.*}}>, vector<4xf32>
func.func @cluster(%a: memref<256xf32>, %v: memref<128x64xf32>, %d: memref<128x2xi8>, %c: memref<64xf32>) {
  %w = nm.assemble %v, %d : memref<128x64xf32>, memref<128x2xi8> -> !nm.condensed<256x64xf32, #vw>
  nm.spmv %a, %w outs(%c : memref<64xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 4], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 128], promote_weight = false, split_k = 2>}
    : memref<256xf32>, !nm.condensed<256x64xf32, #vw>
  return
}
