// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

// An access of a warp is to have 16 columns of each row of a token-major C: lanes exchange
// groups of columns for rows.

#vw16 = #nm.pattern<16:32, unit = 1x16>
#vw32 = #nm.pattern<16:32, unit = 1x32>
#ew = #nm.pattern<16:32>
#one = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 16]>, block = [32, 16, 32]>
#two = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [16, 2], thread = [1, 16]>, block = [16, 32, 32]>
#four = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 8]>, block = [8, 32, 32]>
#tall = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 8]>, block = [32, 8, 32]>

// One lane has four columns of a row in each group: four lanes exchange them, those
// of two neighbours first.
// CHECK-LABEL: func.func @one
// CHECK-SAME: memref<64x32xf32>, {{.*}}, %[[C:.*]]: memref<32x16xf32>)
// CHECK: %[[IS_ODD:.*]] = arith.cmpi ne, %{{.*}}, %c0 : index
// CHECK: %[[GIVEN:.*]] = arith.select %[[IS_ODD]], %[[FIRST:.*]], %[[SECOND:.*]] : f32
// CHECK: %[[TAKEN:.*]], %{{.*}} = gpu.shuffle xor %[[GIVEN]], %c1_i32, %c32_i32 : f32
// CHECK: arith.select %[[IS_ODD]], %[[TAKEN]], %[[FIRST]] : f32
// CHECK: arith.select %[[IS_ODD]], %[[SECOND]], %[[TAKEN]] : f32
// CHECK-COUNT-7: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : f32
// CHECK-COUNT-8: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT: vector.store
func.func @one(%a: memref<64x32xf32>, %v: memref<32x16xf32>, %d: memref<32x1xi8>, %c: memref<32x16xf32>) {
  %w = nm.assemble %v, %d : memref<32x16xf32>, memref<32x1xi8> -> !nm.condensed<64x16xf32, #vw16>
  nm.spmm %a, %w outs(%c : memref<32x16xf32>) {a_layout = #nm.layout<feature_major>, schedule = #one}
    : memref<64x32xf32>, !nm.condensed<64x16xf32, #vw16>
  return
}

// Two lanes have 8 columns of a row, and exchange with the next two.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-8: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
func.func @two(%a: memref<64x16xf32>, %v: memref<32x32xf32>, %d: memref<32x1xi8>, %c: memref<16x32xf32>) {
  %w = nm.assemble %v, %d : memref<32x32xf32>, memref<32x1xi8> -> !nm.condensed<64x32xf32, #vw32>
  nm.spmm %a, %w outs(%c : memref<16x32xf32>) {a_layout = #nm.layout<feature_major>, schedule = #two}
    : memref<64x16xf32>, !nm.condensed<64x32xf32, #vw32>
  return
}

// Four have 16 columns, and a feature-major C has neighbours in neighbouring lanes.
// CHECK-LABEL: func.func @four
// CHECK-NOT: gpu.shuffle
// CHECK-LABEL: func.func @feature_major
// CHECK-NOT: gpu.shuffle
func.func @four(%a: memref<64x8xf32>, %v: memref<32x32xf32>, %d: memref<32x1xi8>, %c: memref<8x32xf32>) {
  %w = nm.assemble %v, %d : memref<32x32xf32>, memref<32x1xi8> -> !nm.condensed<64x32xf32, #vw32>
  nm.spmm %a, %w outs(%c : memref<8x32xf32>) {a_layout = #nm.layout<feature_major>, schedule = #four}
    : memref<64x8xf32>, !nm.condensed<64x32xf32, #vw32>
  return
}
func.func @feature_major(%a: memref<64x32xf32>, %v: memref<32x16xf32>, %d: memref<32x1xi8>, %c: memref<16x32xf32>) {
  %w = nm.assemble %v, %d : memref<32x16xf32>, memref<32x1xi8> -> !nm.condensed<64x16xf32, #vw16>
  nm.spmm %a, %w outs(%c : memref<16x32xf32>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, schedule = #one}
    : memref<64x32xf32>, !nm.condensed<64x16xf32, #vw16>
  return
}

// Groups of one column are neighbours where a lane has all columns.
// CHECK-LABEL: func.func @tall
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT: memref.store
func.func @tall(%a: memref<64x32xf32>, %v: memref<32x8xf32>, %d: memref<32x8xi8>, %c: memref<32x8xf32>) {
  %w = nm.assemble %v, %d : memref<32x8xf32>, memref<32x8xi8> -> !nm.condensed<64x8xf32, #ew>
  nm.spmm %a, %w outs(%c : memref<32x8xf32>) {a_layout = #nm.layout<feature_major>, schedule = #tall}
    : memref<64x32xf32>, !nm.condensed<64x8xf32, #ew>
  return
}

// Of rows in which no wide access may begin, eight lanes exchange single columns.
// CHECK-LABEL: func.func @unaligned
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c1_i32, {{.*}} : f32
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c2_i32, {{.*}} : f32
// CHECK-COUNT-4: gpu.shuffle xor {{.*}}, %c4_i32, {{.*}} : f32
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-8: memref.store
// CHECK-NOT: vector.store
func.func @unaligned(%a: memref<64x32xf32>, %v: memref<32x7xf32>, %d: memref<32x7xi8>, %c: memref<32x7xf32>) {
  %w = nm.assemble %v, %d : memref<32x7xf32>, memref<32x7xi8> -> !nm.condensed<64x7xf32, #ew>
  nm.spmm %a, %w outs(%c : memref<32x7xf32>) {a_layout = #nm.layout<feature_major>, schedule = #tall}
    : memref<64x32xf32>, !nm.condensed<64x7xf32, #ew>
  return
}
