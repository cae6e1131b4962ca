// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments %s | FileCheck %s --check-prefix=SLICES
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>

// A slice has 16 condensed rows of each of two warps.
// SLICES-LABEL: func.func @fragments
// SLICES: nm.load_positions {{.*}} {coding = #nm.coding<positions>, {{.*}}} : memref<1x32xi8, {{.*}}> -> !nm.fragment<32x1xindex, positions>
// SLICES: nm.load_rows {{.*}} -> !nm.fragment<8x32xf16, rows>
// SLICES: nm.load_values {{.*}} {fragments, lane_rows = 16 : i64} : memref<2x512xf16, {{.*}}> -> !nm.fragment<32x32xf16, values>

// A stays token-major in shared memory, and its rows are padded. A lane has the positions of
// four condensed rows, for each an element of A, and 16 bytes that are an operand of 16 columns;
// warps leave their sums as rows of C, which all threads add and store.
// CHECK-LABEL: func.func @fragments
// CHECK-DAG: memref.alloc() : memref<16x36xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() : memref<8x72xf16, #gpu.address_space<workgroup>>
// CHECK: vector.load {{.*}} : memref<1x32xi8, {{.*}}>, vector<4xi8>
// CHECK-COUNT-4: memref.load {{.*}} : memref<8x64xf16, {{.*}}#gpu.address_space<workgroup>>
// CHECK-COUNT-2: vector.load {{.*}} : memref<2x512xf16, {{.*}}>, vector<8xf16>
// CHECK-COUNT-2: nvvm.mma.sync {{.*}}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.store {{.*}} : memref<16x32xf32, {{.*}}>
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK-COUNT-2: vector.load {{.*}} : memref<16x32xf32, {{.*}}>, vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}} : memref<8x32xf16>, vector<4xf16>
func.func @fragments(%a: memref<8x64xf16>, %v: memref<1x2x512xf16>, %d: memref<1x1x32xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !nm.condensed<64x32xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>}
    : memref<8x64xf16>, !nm.condensed<64x32xf16, #vw, #packing>
  return
}

// Bytes of the weight become f16 without a conversion: below the bits of 1024.
// CHECK-LABEL: func.func @bytes
// CHECK: vector.load {{.*}} : memref<2x512xi8, {{.*}}>, vector<8xi8>
// CHECK: arith.xori {{.*}} : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: arith.subf {{.*}} : vector<2xf16>
// CHECK: nvvm.mma.sync
func.func @bytes(%a: memref<8x64xf16>, %v: memref<1x2x512xi8>, %d: memref<1x1x32xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x2x512xi8>, memref<1x1x32xi8> -> !nm.condensed<64x32xi8, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>}
    : memref<8x64xf16>, !nm.condensed<64x32xi8, #vw, #packing>
  return
}

// Three rows: lanes of the other five read some of these, and do not store. What is not packed
// is gathered into the same operands.
// CHECK-LABEL: func.func @few
// CHECK: %[[COLUMN:.*]] = arith.divui %{{.*}}, %c4 : index
// CHECK: arith.remui %[[COLUMN]], %c3 : index
// CHECK-COUNT-8: memref.load {{.*}} : memref<32x32xf16>
// CHECK: nvvm.mma.sync
// CHECK: arith.cmpi ult, {{.*}}, %c3 : index
// CHECK: memref.store {{.*}} : memref<6x32xf32, {{.*}}>
func.func @few(%a: memref<3x64xf16>, %v: memref<32x32xf16>, %d: memref<32x1xi8>, %c: memref<3x32xf16>) {
  %w = nm.assemble %v, %d : memref<32x32xf16>, memref<32x1xi8> -> !nm.condensed<64x32xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<3x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [3, 32]>, block = [3, 32, 64], promote_weight = false>}
    : memref<3x64xf16>, !nm.condensed<64x32xf16, #vw>
  return
}

// Blocks of a cluster that share k: when all have left the sums of their warps, each adds those of
// both blocks' warps for its half of the places, the first of them 64 threads further on in the
// second block. A block ends when all have read.
// CHECK-LABEL: func.func @split
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.store {{.*}} : memref<16x32xf32, {{.*}}>
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: %[[RANK:.*]] = arith.muli %{{.*}}, %c64 : index
// CHECK: %[[FIRST:.*]] = arith.addi %[[RANK]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %c128 step %c128
// CHECK: nvvm.mapa %{{.*}}, %c0_i32
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<7> -> vector<2xf32>
// CHECK: llvm.getelementptr %{{.*}}[1152]
// CHECK: nvvm.mapa %{{.*}}, %c1_i32
// CHECK: arith.addf
// CHECK: vector.store {{.*}} : memref<8x32xf16, {{.*}}>, vector<2xf16>
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NEXT: gpu.terminator
func.func @split(%a: memref<8x128xf16>, %v: memref<1x4x512xf16>, %d: memref<2x1x32xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x4x512xf16>, memref<2x1x32xi8> -> !nm.condensed<128x32xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false, split_k = 2>}
    : memref<8x128xf16>, !nm.condensed<128x32xf16, #vw, #packing>
  return
}

#long = #nm.packing<block_n = 32, step_k = 384, lane_rows = 16, coding = positions, fragments = true>

// Of the only step all six slices, 192 bytes a thread, are read in one turn.
// SLICES-LABEL: func.func @at_once
// SLICES-COUNT-6: nm.load_values {{.*}} -> !nm.fragment<32x32xf16, values>
// SLICES-NOT: nm.load_values
func.func @at_once(%a: memref<8x384xf16>, %v: memref<1x12x512xf16>, %d: memref<1x1x192xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x12x512xf16>, memref<1x1x192xi8> -> !nm.condensed<384x32xf16, #vw, #long>
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 384], promote_weight = false>}
    : memref<8x384xf16>, !nm.condensed<384x32xf16, #vw, #long>
  return
}

// Of each of two steps three, as those of the next turn are on the way beside them.
// SLICES-LABEL: func.func @in_turns
// SLICES: scf.for %{{.*}} = %c0{{.*}} to %c192{{.*}} step %c96
// SLICES-COUNT-3: nm.load_values {{.*}} -> !nm.fragment<32x32xf16, values>
// SLICES-NOT: nm.load_values
func.func @in_turns(%a: memref<8x768xf16>, %v: memref<1x24x512xf16>, %d: memref<2x1x192xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x24x512xf16>, memref<2x1x192xi8> -> !nm.condensed<768x32xf16, #vw, #long>
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 384], promote_weight = false>}
    : memref<8x768xf16>, !nm.condensed<768x32xf16, #vw, #long>
  return
}
