// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments %s | FileCheck %s --check-prefix=SLICES
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s --check-prefix=GLOBAL

#vw = #nm.pattern<16:32, unit = 1x32>
#s = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 64]>, block = [32, 128, 32], stages = 2>
#packing = #nm.packing<block_n = 128, step_k = 32, lane_rows = 16, coding = rows, fragments = true>

// Slices of 16 condensed rows, with a position for each.
// SLICES-LABEL: func.func @f16
// SLICES: nm.load_positions {{.*}} -> !nm.fragment<16x4xindex, positions>
// SLICES: nm.load_rows {{.*}} -> !nm.fragment<32x16xf16, rows>
// SLICES: nm.load_values {{.*}} -> !nm.fragment<16x128xf16, values>
// SLICES: nm.mma
// SLICES-NOT: nm.mma
// SLICES: nm.tile_store

// Rows of the tiles are swizzled. Two unit columns of 32 rows of m are
// four ldmatrix whose lanes name gathered rows, four strips of the weight four
// more; each strip multiplies the rows of its own unit column.
// CHECK-LABEL: func.func @f16
// CHECK-DAG: memref.alloc() {nm.swizzle} : memref<2x16x128xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() {nm.swizzle} : memref<2x32x32xf16, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32,
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: gpu.barrier
// CHECK: memref.load {{.*}}xi8,
// CHECK-COUNT-8: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} : memref<{{.*}}xf16, {{.*}}#gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-COUNT-16: nvvm.mma.sync {{.*}}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
// CHECK: arith.truncf
// CHECK: vector.store {{.*}}xf16{{.*}}, vector<8xf16>
// CHECK: return

// Without shared memory lanes load elements, and learn the rows of others.
// GLOBAL-LABEL: func.func @f16
// GLOBAL-NOT: nvgpu.ldmatrix
// GLOBAL: gpu.shuffle idx
// GLOBAL: nvvm.mma.sync
// GLOBAL: return
func.func @f16(%a: memref<64x32xf16>, %v: memref<32x128xf16>, %d: memref<32x4xi8>, %c: memref<32x128xf16>) {
  %w = nm.assemble %v, %d : memref<32x128xf16>, memref<32x4xi8> -> !nm.condensed<64x128xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<32x128xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x32xf16>, !nm.condensed<64x128xf16, #vw>
  return
}

// Units of 8 columns: each of the two in a strip has rows of A of its own, which are the
// first operand, in the order of an m16n8k16's; the strip's values are one load for both.
// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-3: nvgpu.ldmatrix
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-DAG: %[[FIRST:.*]] = vector.extract %[[ROWS:.*]][0] : vector<2xf16> from vector<4x2xf16>
// CHECK-DAG: %[[SECOND:.*]] = vector.extract %[[ROWS]][2] : vector<2xf16> from vector<4x2xf16>
// CHECK-DAG: %[[THIRD:.*]] = vector.extract %[[ROWS]][1] : vector<2xf16> from vector<4x2xf16>
// CHECK-DAG: %[[FOURTH:.*]] = vector.extract %[[ROWS]][3] : vector<2xf16> from vector<4x2xf16>
// CHECK-DAG: %[[LOW:.*]] = vector.extract %[[VALUES:.*]][0] : vector<2xf16> from vector<4x2xf16>
// CHECK-DAG: %[[HIGH:.*]] = vector.extract %[[VALUES]][2] : vector<2xf16> from vector<4x2xf16>
// CHECK: nvvm.mma.sync A[%[[FIRST]], %[[SECOND]], %[[THIRD]], %[[FOURTH]]] B[%[[LOW]], %[[HIGH]]]
// CHECK: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
func.func @narrow(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x2xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x2xi8> -> !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 32], stages = 2>}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  return
}

// bf16: pairs go as 32 bits.
// CHECK-LABEL: func.func @bf16
// CHECK: vector.bitcast {{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK: vector.store {{.*}}xbf16{{.*}}, vector<8xbf16>
func.func @bf16(%a: memref<64x32xbf16>, %v: memref<32x128xbf16>, %d: memref<32x4xi8>, %c: memref<128x32xbf16>) {
  %w = nm.assemble %v, %d : memref<32x128xbf16>, memref<32x4xi8> -> !nm.condensed<64x128xbf16, #vw>
  nm.spmm %a, %w outs(%c : memref<128x32xbf16>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x32xbf16>, !nm.condensed<64x128xbf16, #vw>
  return
}

// Fragments of bytes: a lane reads eight of each strip at once, which become bf16 by f32,
// without a conversion of integers.
// CHECK-LABEL: func.func @bytes
// CHECK: vector.load {{.*}}xi8, {{.*}}>, vector<8xi8>
// CHECK: vector.bitcast {{.*}} : vector<8xi8> to vector<2xi32>
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: arith.subf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK-NOT: arith.sitofp
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK-NOT: arith.sitofp
func.func @bytes(%a: memref<64x32xbf16>, %v: memref<1x2x2048xi8>, %d: memref<2x4x16xi32>, %c: memref<32x128xbf16>) {
  %w = nm.assemble %v, %d : memref<1x2x2048xi8>, memref<2x4x16xi32> -> !nm.condensed<64x128xi8, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<32x128xbf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x32xbf16>, !nm.condensed<64x128xi8, #vw, #packing>
  return
}

// Elements of bytes, as they are stored otherwise.
// CHECK-LABEL: func.func @plain_bytes
// CHECK-COUNT-8: memref.load {{.*}} : memref<16x128xi8, 
// CHECK: vector.from_elements {{.*}} : vector<8xi8>
// CHECK: nvvm.mma.sync
func.func @plain_bytes(%a: memref<64x32xf16>, %v: memref<32x128xi8>, %d: memref<32x4xi8>, %c: memref<32x128xf16>) {
  %w = nm.assemble %v, %d : memref<32x128xi8>, memref<32x4xi8> -> !nm.condensed<64x128xi8, #vw>
  nm.spmm %a, %w outs(%c : memref<32x128xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x32xf16>, !nm.condensed<64x128xi8, #vw>
  return
}
