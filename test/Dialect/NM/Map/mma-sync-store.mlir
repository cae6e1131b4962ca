// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

// One warp of 16x16 has eight sums a lane: rows 2 t and 2 t + 1 of four columns' two
// groups. Sixteen bytes of a token-major C in f16 are eight columns: lanes exchange
// rows, which are halves of a word, then columns 8 apart, then groups of rows.

#vw = #nm.pattern<16:32, unit = 1x16>
#s = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [16, 16]>, block = [16, 16, 32]>
#wide = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [32, 16]>, block = [32, 16, 32]>

// CHECK-LABEL: func.func @token_major
// CHECK-COUNT-4: arith.truncf {{.*}} : vector<2xf32> to vector<2xf16>
// CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c12918_i32, %c21520_i32 : i32
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[OWN:.*]], %c4_i32, {{.*}} : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"(%[[OWN]], %[[OTHER]], %[[BYTES]])
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c8_i32, {{.*}} : i32
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c16_i32, {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
// CHECK-NOT: memref.store
func.func @token_major(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// What a residual is added to is not rounded before.
// CHECK-LABEL: func.func @residual
// CHECK-COUNT-12: gpu.shuffle xor {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.load {{.*}}, vector<8xf16>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
func.func @residual(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %e: memref<16x16xf16>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w residual(%e : memref<16x16xf16>) outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// Sixteen bytes of f32 are four columns.
// CHECK-LABEL: func.func @float
// CHECK-COUNT-8: gpu.shuffle xor {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT: vector.store
func.func @float(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<16x16xf32>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x16xf32>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// Feature-major, a lane has two neighbours already; four groups make eight.
// CHECK-LABEL: func.func @feature_major
// CHECK-COUNT-8: arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : i32
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xbf16>
// CHECK-NOT: vector.store
func.func @feature_major(%a: memref<64x32xbf16>, %v: memref<32x16xbf16>, %d: memref<32x1xi8>, %c: memref<16x32xbf16>) {
  %w = nm.assemble %v, %d : memref<32x16xbf16>, memref<32x1xi8> -> !nm.condensed<64x16xbf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x32xbf16>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, schedule = #wide}
    : memref<64x32xbf16>, !nm.condensed<64x16xbf16, #vw>
  return
}

// Two groups are one exchange; columns 8 apart are the other.
// CHECK-LABEL: func.func @few_groups
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : i32
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
func.func @few_groups(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// Where rows are counted at run time, the places of a lane's rows, which are constants from its
// first one on, are compared with what there is from that on.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c16_i32, {{.*}} : i32
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[ROW:.*]], %[[ROWS:.*]] : index
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[ROW]]
// CHECK: %[[SECOND:.*]] = arith.cmpi sgt, %[[LEFT]], %c16
// CHECK: scf.if %[[SECOND]] {
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
func.func @rows(%a: memref<64x?xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<?x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<?x16xf16>) {a_layout = #nm.layout<feature_major>, schedule = #wide}
    : memref<64x?xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// Rows of 14 elements do not begin at multiples of 16 bytes.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: gpu.shuffle xor
// CHECK-COUNT-8: memref.store
func.func @odd(%a: memref<64x16xf16>, %v: memref<32x14xf16>, %d: memref<32x1xi8>, %c: memref<16x14xf16>) {
  %w = nm.assemble %v, %d : memref<32x14xf16>, memref<32x1xi8> -> !nm.condensed<64x14xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x14xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x14xf16, #vw>
  return
}

// An activation that is rounded to 16 bits may be approximate.
// CHECK-LABEL: func.func @silu
// CHECK-COUNT-8: arith.divf {{.*}} fastmath<afn> : f32
// CHECK-NOT: arith.divf
// CHECK: arith.truncf
func.func @silu(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, epilogue = #nm.epilogue<silu>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// One of f32 may not.
// CHECK-LABEL: func.func @silu_float
// CHECK-NOT: afn
// CHECK-COUNT-8: arith.subi {{.*}} : i32
// CHECK-NOT: afn
func.func @silu_float(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x1xi8>, %c: memref<16x16xf32>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x1xi8> -> !nm.condensed<64x16xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x16xf32>) {a_layout = #nm.layout<feature_major>, epilogue = #nm.epilogue<silu>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #vw>
  return
}

// Where units are narrower than a strip, a lane has columns 2 t and 2 t + 1 of a row: with
// columns 8 apart and rows 8 apart they are eight.
// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-4: arith.truncf {{.*}} : vector<2xf32> to vector<2xf16>
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : i32
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
func.func @narrow(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x2xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x2xi8> -> !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  return
}

// Feature-major, lanes exchange columns first, which are halves of a word.
// CHECK-LABEL: func.func @narrow_feature_major
// CHECK: gpu.shuffle xor {{.*}}, %c4_i32, {{.*}} : i32
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c8_i32, {{.*}} : i32
// CHECK-COUNT-2: gpu.shuffle xor {{.*}}, %c16_i32, {{.*}} : i32
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.store
func.func @narrow_feature_major(%a: memref<64x16xf16>, %v: memref<32x16xf16>, %d: memref<32x2xi8>, %c: memref<16x16xf16>) {
  %w = nm.assemble %v, %d : memref<32x16xf16>, memref<32x2xi8> -> !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  nm.spmm %a, %w outs(%c : memref<16x16xf16>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, schedule = #s}
    : memref<64x16xf16>, !nm.condensed<64x16xf16, #nm.pattern<16:32, unit = 1x8>>
  return
}
