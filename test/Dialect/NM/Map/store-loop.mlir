// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s

// Activations of many sums are computed in a loop over parts of them.

#vw = #nm.pattern<16:32, unit = 1x32>
#fma = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 32]>
#few = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32]>
#stream = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 32], stream_k = 3>
#mma = #nm.schedule<kind = #nm.mma_sync<warps = [1, 1], tile = [64, 64]>, block = [64, 64, 32]>

// Eight rows of two vectors: a part is two rows, the first that the loop carries, and the
// others move up.
// CHECK-LABEL: func.func @silu
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[SUMS:.*]]:16 = scf.for {{.*}} -> (vector<4xf32>, {{.*}}
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[FOUR]] step %[[ONE]] iter_args(%[[A0:[^ ]*]] = %[[SUMS]]#0, %[[A1:[^ ]*]] = %[[SUMS]]#1, %[[A2:[^ ]*]] = %[[SUMS]]#2, %[[A3:[^ ]*]] = %[[SUMS]]#3, %[[A4:[^ ]*]] = %[[SUMS]]#4, {{.*}} -> (vector<4xf32>,
// CHECK: vector.extract %[[A0]][0]
// CHECK-COUNT-4: vector.store
// CHECK-NOT: vector.store
// CHECK: scf.yield %[[A4]], {{.*}}, %[[A0]], %[[A1]], %[[A2]], %[[A3]] :
func.func @silu(%a: memref<64x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>) {epilogue = #nm.epilogue<silu>, schedule = #fma}
    : memref<64x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}

// A part waits for its residual: half as many.
// CHECK-LABEL: func.func @residual
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TWO]] step %{{.*}} iter_args({{.*}} -> (vector<4xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TWO]] step %{{.*}} iter_args({{.*}} -> (vector<4xf32>
// CHECK-COUNT-8: vector.store
// CHECK-NOT: vector.store
// CHECK: scf.yield
func.func @residual(%a: memref<64x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %r: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w residual(%r : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {epilogue = #nm.epilogue<gelu_erf>, schedule = #fma}
    : memref<64x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}

// What a residual is added to is exchanged as f32, twice as many words as of f16: in parts
// whatever the activation is.
// CHECK-LABEL: func.func @residual_f16
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[FOUR]] step %{{.*}} iter_args({{.*}} -> (f32,
// CHECK-COUNT-48: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: scf.yield
func.func @residual_f16(%a: memref<64x64xf16>, %v: memref<32x64xf16>, %d: memref<32x2xi8>, %r: memref<64x64xf16>, %c: memref<64x64xf16>) {
  %w = nm.assemble %v, %d : memref<32x64xf16>, memref<32x2xi8> -> !nm.condensed<64x64xf16, #vw>
  nm.spmm %a, %w residual(%r : memref<64x64xf16>) outs(%c : memref<64x64xf16>) {schedule = #mma}
    : memref<64x64xf16>, !nm.condensed<64x64xf16, #vw>
  return
}

// Four rows are neighbours in memory, and stay together.
// CHECK-LABEL: func.func @feature_major
// CHECK: vector.extract
// CHECK-COUNT-8: vector.store {{.*}}, vector<4xf32>
// CHECK-NOT: vector.store
// CHECK: scf.yield
func.func @feature_major(%a: memref<64x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>) {c_layout = #nm.layout<feature_major>, epilogue = #nm.epilogue<silu>, schedule = #fma}
    : memref<64x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}

// The block that adds the others' sums stores them so, too.
// CHECK-LABEL: func.func @stream
// CHECK: scf.if
// CHECK: scf.for {{.*}} -> (vector<4xf32>
// CHECK-COUNT-4: vector.store {{.*}}, vector<4xf32>
// CHECK: scf.yield
func.func @stream(%a: memref<128x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>) {epilogue = #nm.epilogue<silu>, schedule = #stream}
    : memref<128x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}

// Not of activations that are few instructions, as those that may be approximate, and not
// of few sums.
// CHECK-LABEL: func.func @relu
// CHECK-COUNT-16: vector.store
func.func @relu(%a: memref<64x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>) {epilogue = #nm.epilogue<relu>, schedule = #fma}
    : memref<64x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}

// CHECK-LABEL: func.func @approximate
// CHECK-COUNT-16: vector.store {{.*}}, vector<8xf16>
func.func @approximate(%a: memref<64x64xf16>, %v: memref<32x64xf16>, %d: memref<32x2xi8>, %c: memref<64x64xf16>) {
  %w = nm.assemble %v, %d : memref<32x64xf16>, memref<32x2xi8> -> !nm.condensed<64x64xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf16>) {epilogue = #nm.epilogue<silu>, schedule = #mma}
    : memref<64x64xf16>, !nm.condensed<64x64xf16, #vw>
  return
}

// CHECK-LABEL: func.func @few
// CHECK-COUNT-8: vector.store
func.func @few(%a: memref<32x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<64x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>) {epilogue = #nm.epilogue<silu>, schedule = #few}
    : memref<32x64xf32>, !nm.condensed<64x64xf32, #vw>
  return
}
