// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

#vw = #nm.pattern<8:32, unit = 1x32>
!w = !nm.condensed<256x64xf32, #vw>

// A thread writes its eight vectors as [value][thread]; between two barriers it reads
// those of one row, that its block stores, from each block in the order of the ranks.
// A block ends when all have read. Of four rows each of the four blocks stores one.
// CHECK-LABEL: func.func @fma
// CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<8x256xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-COUNT-8: vector.store %{{.*}}, %[[BUFFER]][{{.*}}] {alignment = 16 : i64} : memref<8x256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: nvvm.mapa %{{.*}}, %c0_i32
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>
// CHECK: nvvm.mapa %{{.*}}, %c1_i32
// CHECK: %[[SECOND:.*]] = llvm.load
// CHECK: arith.addf %[[FIRST]], %[[SECOND]] : vector<4xf32>
// CHECK: nvvm.mapa %{{.*}}, %c2_i32
// CHECK: nvvm.mapa %{{.*}}, %c3_i32
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-COUNT-2: vector.store %{{.*}} : memref<{{.*}}>, vector<4xf32>
// CHECK-NOT: vector.store
// CHECK: nvvm.cluster.wait {aligned}
// CHECK-NEXT: gpu.terminator
func.func @fma(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !w
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2, split_k = 4>}
    : memref<256x32xf32>, !w
  return
}

// Eight blocks and four rows of two vectors: one vector each.
// CHECK-LABEL: func.func @fma_columns
// CHECK-COUNT-2: nvvm.cluster.arrive {aligned}
// CHECK: vector.store %{{.*}} : memref<{{.*}}>, vector<4xf32>
// CHECK-NOT: vector.store
// CHECK: nvvm.cluster.wait
func.func @fma_columns(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !w
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 8>}
    : memref<256x32xf32>, !w
  return
}

// One element a thread cannot be shared: the first block reads and stores it.
// CHECK-LABEL: func.func @row
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id x
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: scf.for %{{.*}} = %[[RANK]] to %c1{{[_0-9]*}} step %c2
// CHECK: nvvm.mapa
// CHECK: memref.store
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: nvvm.cluster.wait {aligned}
func.func @row(%a: memref<64xf32>, %v: memref<32x128xf32>, %d: memref<32x128xi8>, %c: memref<128xf32>) {
  %w = nm.assemble %v, %d : memref<32x128xf32>, memref<32x128xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  nm.spmv %a, %w outs(%c : memref<128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [1, 32], thread = [1, 1]>, block = [1, 128, 32], split_k = 2>}
    : memref<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// Sums of tensor cores go four at a time; two strips of four groups are cut into
// strips.
// CHECK-LABEL: func.func @matrices
// CHECK: memref.alloc() : memref<8x256xf32, #gpu.address_space<workgroup>>
// CHECK: nvvm.mma.sync
// CHECK-COUNT-8: vector.store {{.*}} {alignment = 16 : i64} : memref<8x256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: nvvm.cluster.wait {aligned}
// CHECK-COUNT-8: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: nvvm.cluster.wait {aligned}
func.func @matrices(%a: memref<256x32xf16>, %v: memref<128x64xf16>, %d: memref<128x2xi8>, %c: memref<32x64xf16>) {
  %w = nm.assemble %v, %d : memref<128x64xf16>, memref<128x2xi8> -> !nm.condensed<256x64xf16, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 32]>, block = [32, 64, 32], stages = 2, split_k = 2>}
    : memref<256x32xf16>, !nm.condensed<256x64xf16, #nm.pattern<16:32, unit = 1x32>>
  return
}

// Three blocks take eight parts of one vector in turn: three, three and two.
// CHECK-LABEL: func.func @three
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: scf.for %{{.*}} = %{{.*}} to %c8{{[_0-9]*}} step %c3
// CHECK-COUNT-3: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: vector.store
// CHECK-NOT: vector.store
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
func.func @three(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !w
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2, split_k = 3>}
    : memref<256x32xf32>, !w
  return
}

// Five would not get less each of more than four parts.
// CHECK-LABEL: func.func @five
// CHECK: scf.for %{{.*}} = %{{.*}} to %c4{{[_0-9]*}} step %c5
// CHECK-COUNT-10: llvm.load
// CHECK-NOT: llvm.load
func.func @five(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !w
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 2, split_k = 5>}
    : memref<256x32xf32>, !w
  return
}
