// RUN: nm-opt %s --nm-map-rows --canonicalize --cse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Four rows a block, a warp each, in ten blocks: the last three rows are none. The last
// word of a row of 260 elements is of its first thread alone.
// CHECK-LABEL: func @warps
// CHECK-DAG: %[[C37:.*]] = arith.constant 37 : index
// CHECK-DAG: %[[C36:.*]] = arith.constant 36 : index
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 10 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 128 : index
// CHECK: gpu.launch blocks({{.*}}) in ({{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in ({{.*}} = %[[THREADS]],
// CHECK: %[[IS_ROW:.*]] = arith.cmpi ult, %{{.*}}, %[[C37]] : index
// CHECK: arith.minui %{{.*}}, %[[C36]] : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK-COUNT-3: vector.load %{{.*}} {alignment = 16 : i64} : memref<37x260xf32>, vector<4xf32>
// CHECK-COUNT-4: arith.select %[[INSIDE]]
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: scf.if %[[IS_ROW]]
// CHECK: vector.store
// CHECK: %[[BOTH:.*]] = arith.andi %[[IS_ROW]], %[[INSIDE]] : i1
// CHECK: scf.if %[[BOTH]]
func.func @warps(%x: memref<37x260xf32>, %y: memref<37x260xf32>) {
  nm.rows ins(%x : memref<37x260xf32>) outs(%y : memref<37x260xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 4, chunks = 3>} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    %r = arith.divf %a, %s : f32
    nm.yield %r : f32
  }
  return
}

// Two warps a row add their sums through shared memory; 64 bits are two words.
// CHECK-LABEL: func @block
// CHECK: gpu.launch {{.*}} function(@block_0_rows_addf)
// CHECK-COUNT-10: gpu.shuffle xor %{{.*}} : i32
// CHECK: memref.store %{{.*}} : memref<2xf64, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: memref.load %{{.*}} : memref<2xf64, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: gpu.shuffle xor %{{.*}} : i32
// The number of the row is stored by one thread.
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}} : memref<8xf64>
func.func @block(%x: memref<8x128xf64>, %y: memref<8xf64>) {
  nm.rows ins(%x : memref<8x128xf64>) outs(%y : memref<8xf64>) attributes {indexing_maps = [#id, #row], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 64, rows = 1, vector = 2, chunks = 1>} {
  ^bb0(%a: f64):
    %c = arith.constant 0.0 : f64
    %s = nm.reduce addf %a, %c : f64
    %t = arith.addf %s, %s : f64
    nm.yield %t : f64
  }
  return
}

// A row is read once for its maximum, and once for what is computed with that: in
// turns of which all elements are there, and in one of what is left.
// CHECK-LABEL: func @loops
// CHECK: gpu.launch
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c256
// CHECK: %[[WHOLE:.*]] = arith.subi %{{.*}}, %[[REST]] : index
// CHECK: scf.for {{.*}} to %[[WHOLE]] step %c256 iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK-NOT: arith.cmpi
// CHECK-COUNT-2: memref.load
// CHECK: arith.maximumf
// CHECK: scf.yield
// CHECK: arith.cmpi ult
// CHECK: arith.select
// CHECK: gpu.barrier
// CHECK: scf.for {{.*}} to %[[WHOLE]] step %c256
// CHECK-NOT: scf.if
// CHECK-COUNT-2: memref.store
// CHECK: scf.if
func.func @loops(%x: memref<8x?xf32>, %y: memref<8x?xf32>) {
  nm.rows ins(%x : memref<8x?xf32>) outs(%y : memref<8x?xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 1, chunks = 2, loops = true>} {
  ^bb0(%a: f32):
    %c = arith.constant 0xFF800000 : f32
    %s = nm.reduce maximumf %a, %c : f32
    %t = arith.subf %a, %s : f32
    nm.yield %t : f32
  }
  return
}

// Bits are bytes in memory, and no vector.
// CHECK-LABEL: func @bits
// CHECK-NOT: vector.load
// CHECK-COUNT-4: memref.load %{{.*}} : memref<4x8xi1>
// CHECK: vector.store
func.func @bits(%x: memref<4x8xi1>, %y: memref<4x8xf32>) {
  nm.rows ins(%x : memref<4x8xi1>) outs(%y : memref<4x8xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 2, rows = 4, vector = 4, chunks = 1>} {
  ^bb0(%a: i1):
    %f = arith.uitofp %a : i1 to f32
    nm.yield %f : f32
  }
  return
}

// Two blocks share a row of which nothing is reduced.
// CHECK-LABEL: func @parts
// CHECK: gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in ({{.*}} = %c8,
// CHECK: %[[PART:.*]] = arith.remui %[[B]], %c2
// CHECK: arith.muli %[[PART]], %c32
// CHECK: arith.divui %[[B]], %c2
// CHECK-NOT: scf.if
// CHECK-COUNT-2: vector.store
func.func @parts(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  nm.rows ins(%x : memref<4x64xf32>) outs(%y : memref<4x64xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 4, rows = 1, vector = 4, chunks = 2, parts = 2>} {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    nm.yield %b : f32
  }
  return
}
