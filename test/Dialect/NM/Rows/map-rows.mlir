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
// CHECK: arith.divui %[[B]], %c2
// CHECK: arith.muli %[[PART]], %c32
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

// As many blocks as elements need: one that has all of its own reads them in vectors, the
// last one eight at once of each thread, the first one where there is none.
// CHECK-LABEL: func @of_the_call
// CHECK: %[[N:.*]] = memref.dim
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %c1024
// CHECK: gpu.launch blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]], %c1024
// CHECK: %[[BEHIND:.*]] = arith.addi %[[FIRST]], %c1024
// CHECK: %[[WHOLE:.*]] = arith.cmpi ule, %[[BEHIND]]
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NOT: arith.select
// CHECK-COUNT-2: vector.load {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK-COUNT-2: vector.store
// CHECK: } else {
// CHECK: %[[END:.*]] = arith.minui %[[BEHIND]], %[[ALL:.*]] : index
// CHECK: scf.for %[[TURN:.*]] = %[[FIRST]] to %[[END]] step %c1024
// CHECK: %[[PLACE:.*]] = arith.addi %[[TURN]], %{{.*}}
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[PLACE]], %{{.*}} : index
// CHECK: arith.select %[[INSIDE]], %[[PLACE]], %c0
// CHECK: %[[NEXT:.*]] = arith.addi %[[PLACE]], %c128
// CHECK: arith.cmpi ult, %[[NEXT]]
// CHECK-COUNT-8: memref.load
// CHECK: scf.if %[[INSIDE]]
// CHECK-NEXT: memref.store
func.func @of_the_call(%x: memref<?xf32>, %y: memref<?xf32>) {
  nm.rows ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) attributes {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], rows = 0 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 2, parts = 0>} {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    nm.yield %b : f32
  }
  return
}

// Vectors are whole where the call's innermost extent is a multiple of them, but for an
// array whose strides only the call knows. Of longer rows than vectors these may end in the
// next one: each array that lies as the space does has them, of others each element is one of
// two rows. Where numbers have more than 31 bits, vectors are whole, or single elements.
// CHECK-LABEL: func @if_whole
// CHECK: %[[RECIPROCAL:.*]] = arith.divui %c-1, %{{.*}} : index
// CHECK: gpu.launch
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %{{.*}}, %c2147483647
// CHECK: scf.if %[[NARROW]] {
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[MULTIPLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %[[MULTIPLE]]
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NOT: arith.divui
// CHECK: arith.index_castui %[[RECIPROCAL]] : index to i64
// CHECK: vector.load {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK-COUNT-4: memref.load {{.*}} : memref<?x?xf32, strided
// CHECK: vector.store {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK: %[[LONG:.*]] = arith.cmpi uge, %{{.*}}, %c4
// CHECK: %[[SPANS:.*]] = arith.andi %{{.*}}, %[[LONG]]
// CHECK: scf.if %[[SPANS]] {
// CHECK: vector.load {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK: memref.load {{.*}} : memref<?x?xf32, strided
// CHECK: arith.select
// CHECK: memref.load {{.*}} : memref<?x?xf32, strided
// CHECK: vector.store {{.*}} : memref<?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: vector.
// CHECK: } else {
// CHECK: arith.divui
// CHECK: vector.store {{.*}} : memref<?x?xf32>, vector<4xf32>
// CHECK: } else {
// CHECK-NOT: vector.
// CHECK: return
func.func @if_whole(%x: memref<?x?xf32>, %s: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32>) {
  nm.rows ins(%x, %s : memref<?x?xf32>, memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32>) attributes {indexing_maps = [#id, #id, #id], rows = 0 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 1, parts = 0>} {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    nm.yield %c : f32
  }
  return
}

// A warp has up to 64 elements of each of four rows, in vectors where the call has whole ones.
// CHECK-LABEL: func @at_most
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c2
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: scf.if %[[WHOLE]] {
// CHECK: vector.load {{.*}} : memref<?x?xf32>, vector<2xf32>
// CHECK: gpu.shuffle
// CHECK: } else {
// CHECK-NOT: vector.load
// CHECK-COUNT-2: memref.load {{.*}} : memref<?x?xf32>
// CHECK: gpu.shuffle
// CHECK: return
func.func @at_most(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  nm.rows ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64, most = 64 : i64,
      schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 2, chunks = 1>} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Rows of dimensions that only the call knows are counted in 32 bits where it can be: by two
// products with what the host has divided.
// CHECK-LABEL: func @narrow
// CHECK: %[[SOME:.*]] = arith.maxui %{{.*}}, %c1
// CHECK: %[[RECIPROCAL:.*]] = arith.divui %c-1, %[[SOME]] : index
// CHECK: gpu.launch
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %{{.*}}, %c2147483647
// CHECK: scf.if %[[FITS]] -> (index, index)
// CHECK: %[[FACTOR:.*]] = arith.index_castui %[[RECIPROCAL]] : index to i64
// CHECK: %[[LOW:.*]] = arith.andi %[[FACTOR]], %c4294967295_i64
// CHECK: %[[NEXT:.*]] = arith.addi %{{.*}}, %c1_i64
// CHECK: %[[CARRY:.*]] = arith.muli %[[NEXT]], %[[LOW]]
// CHECK: arith.shrui %[[CARRY]], %c32_i64
// CHECK: %[[QUOTIENT:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: arith.muli %[[QUOTIENT]], %{{.*}} : i32
// CHECK: } else {
// CHECK: arith.divui {{.*}} : index
func.func @narrow(%x: memref<?x?x64xf32>, %y: memref<?x?x64xf32>) {
  nm.rows ins(%x : memref<?x?x64xf32>) outs(%y : memref<?x?x64xf32>) attributes {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i, k)>], rows = 2 : i64,
      schedule = #nm.row_schedule<threads = 16, rows = 8, vector = 4, chunks = 1>} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// Sixteen rows of a block go through a tile of 16 columns, with 8 elements between its
// rows, and back along them: 8 rows at once of one column. A row is stored as it is by
// its threads.
// CHECK-LABEL: func @transposed
// CHECK: gpu.launch
// CHECK: vector.store %{{.*}} : memref<64x16xf16>, vector<8xf16>
// CHECK: vector.store %{{.*}} : memref<16x16xf16, strided<[24, 1]>, #gpu.address_space<workgroup>>, vector<8xf16>
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %{{.*}} : memref<16x16xf16, strided<[24, 1]>, #gpu.address_space<workgroup>>
// CHECK: vector.store %{{.*}} : memref<16x64xf16>, vector<8xf16>
// CHECK-NOT: vector.store
// CHECK: return
func.func @transposed(%x: memref<64x16xf16>, %y: memref<64x16xf16>, %z: memref<16x64xf16>) {
  nm.rows ins(%x : memref<64x16xf16>) outs(%y, %z : memref<64x16xf16>, memref<16x64xf16>) attributes {indexing_maps = [#id, #id, affine_map<(d0, d1) -> (d1, d0)>], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 2, rows = 16, vector = 8, chunks = 1>} {
  ^bb0(%a: f16):
    nm.yield %a, %a : f16, f16
  }
  return
}

// Rows of two dimensions follow each other as of one: 3 x 8 of them.
// CHECK-LABEL: func @runs
// CHECK: gpu.launch
// CHECK: %[[ALL:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : memref<4x3x8xf32> into memref<4x24xf32>
// CHECK: vector.store %{{.*}}, %[[ALL]]{{.*}} : memref<4x24xf32>, vector<4xf32>
func.func @runs(%x: memref<3x8x4xf32>, %y: memref<4x3x8xf32>) {
  nm.rows ins(%x : memref<3x8x4xf32>) outs(%y : memref<4x3x8xf32>) attributes {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0, d1)>], rows = 2 : i64,
      schedule = #nm.row_schedule<threads = 1, rows = 32, vector = 4, chunks = 1>} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// An embedding: the index of a row is read once and bounded, and its elements are read as
// vectors; those of a table that is read along its rows one by one. The assertion follows
// all else.
// CHECK-LABEL: func @gather
// CHECK-SAME: %[[IDS:.*]]: memref<6xi64>, %[[TABLE:.*]]: memref<10x16xf32>
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK: gpu.launch
// CHECK: memref.load %[[IDS]]
// CHECK: %[[PLACE:.*]] = arith.index_cast
// CHECK: %[[OK:.*]] = arith.cmpi ult, %[[PLACE]]
// CHECK: %[[BOUNDED:.*]] = arith.minui %[[PLACE]], %[[C9]] : index
// CHECK: vector.load %[[TABLE]][%[[BOUNDED]], %{{.*}}] {alignment = 16 : i64} : memref<10x16xf32>, vector<4xf32>
// CHECK-COUNT-4: memref.load %[[TABLE]]
// CHECK: gpu.shuffle
// CHECK: vector.store
// CHECK: memref.store
// CHECK: cf.assert %[[OK]]
// CHECK-NEXT: gpu.terminator
// The bytes of the indices and results, and of the table's 96 elements that are read, twice.
// CHECK-NEXT: nm.bytes = 1224 : i64
func.func @gather(%ids: memref<6xi64>, %table: memref<10x16xf32>, %y: memref<6xf32>, %z: memref<6x16xf32>) {
  nm.rows ins(%ids : memref<6xi64>) outs(%y, %z : memref<6xf32>, memref<6x16xf32>) attributes {indexing_maps = [#row, #row, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 4, rows = 32, vector = 4, chunks = 1>} {
  ^bb0(%i: i64):
    %c10 = arith.constant 10 : index
    %c = arith.constant 0.0 : f32
    %p = arith.index_cast %i : i64 to index
    %j = nm.index 1 : index
    %ok = arith.cmpi ult, %p, %c10 : index
    cf.assert %ok, "index must be smaller than dim size"
    %v = memref.load %table[%p, %j] : memref<10x16xf32>
    %w = memref.load %table[%j, %p] : memref<10x16xf32>
    %d = arith.subf %v, %w : f32
    %s = nm.reduce addf %d, %c : f32
    nm.yield %s, %d : f32, f32
  }
  return
}

// Four blocks of a cluster share a row, which they keep. A lane of each warp writes its sum to
// each block, and all 16 are added by lanes' distance. One thread of the row stores the sum.
// CHECK-LABEL: func @cluster
// CHECK: gpu.launch clusters({{.*}}) in ({{.*}} = %c4, {{.*}}) blocks(%[[B:.*]], %{{.*}}, %{{.*}}) in ({{.*}} = %c12,
// CHECK: %[[PART:.*]] = arith.remui %[[B]], %c4
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: vector.load
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<16xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-5: gpu.shuffle
// CHECK: %[[ISONE:.*]] = arith.cmpi ult, %{{.*}}, %c4
// CHECK: scf.if %[[ISONE]]
// CHECK: nvvm.mapa
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<7>
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: memref.load %[[SUMS]]
// CHECK-COUNT-4: gpu.shuffle
// CHECK-NOT: gpu.shuffle
// CHECK: vector.store
// CHECK: %[[ISPART:.*]] = arith.cmpi eq, %[[PART]], %c0
// CHECK: scf.if
// CHECK-NEXT: memref.store
func.func @cluster(%x: memref<3x2048xf32>, %y: memref<3x2048xf32>, %z: memref<3xf32>) {
  nm.rows ins(%x : memref<3x2048xf32>) outs(%y, %z : memref<3x2048xf32>, memref<3xf32>) attributes {indexing_maps = [#id, #id, #row], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 1, parts = 4>} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    %r = arith.divf %a, %s : f32
    nm.yield %r, %s : f32, f32
  }
  return
}

// The first two turns of a row are copied to shared memory at once, each as a group. What
// reduces waits for its turn; what follows reads them there, and the others from memory.
// CHECK-LABEL: func @kept
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: scf.if
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[KEPT]][%{{.*}}], 4 {bypassL1}
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: vector.load %[[KEPT]]
// CHECK: scf.for
// CHECK-NOT: nvvm.cp.async
// CHECK: vector.load %{{.*}} : memref<3x2048xf32>
// CHECK: gpu.shuffle
// CHECK: scf.for
// CHECK: vector.load %[[KEPT]]
// CHECK: vector.store
// CHECK: scf.for
// CHECK: vector.load %{{.*}} : memref<3x2048xf32>
// CHECK: vector.store
func.func @kept(%x: memref<3x2048xf32>, %y: memref<3x2048xf32>) {
  nm.rows ins(%x : memref<3x2048xf32>) outs(%y : memref<3x2048xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 1, loops = true, kept = 2>} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    %r = arith.divf %a, %s : f32
    nm.yield %r : f32
  }
  return
}

// What all rows have in common is read before anything of the row.
// CHECK-LABEL: func @weights
// CHECK-SAME: %[[X:.*]]: memref<4x128xf32>, %[[W:.*]]: memref<128xf32>
// CHECK: gpu.launch
// CHECK: vector.load %[[W]]
// CHECK: vector.load %[[X]]
func.func @weights(%x: memref<4x128xf32>, %w: memref<128xf32>) {
  nm.rows ins(%x, %w : memref<4x128xf32>, memref<128xf32>) outs(%x : memref<4x128xf32>) attributes {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 32, rows = 1, vector = 4, chunks = 1>} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    nm.yield %r : f32
  }
  return
}

// Rows of 41 elements have up to three before their first whole vector, by their place in
// memory, and up to three behind the last; a weight of all rows is read one by one.
// CHECK-LABEL: func @edges
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[BEYOND:.*]] = arith.remui %{{.*}}, %[[C4]] : index
// CHECK: %[[LACKS:.*]] = arith.subi %[[C4]], %[[BEYOND]] : index
// CHECK: %[[HEAD:.*]] = arith.remui %[[LACKS]], %[[C4]] : index
// CHECK: scf.for %{{.*}} = %[[HEAD]] to
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<3x41xf32>, vector<4xf32>
// CHECK-COUNT-4: memref.load %{{.*}} : memref<41xf32>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<3x41xf32>, vector<4xf32>
// CHECK: arith.cmpi ult, %{{.*}}, %[[HEAD]] : index
// CHECK: memref.load %{{.*}} : memref<3x41xf32>
// CHECK: memref.store %{{.*}} : memref<3x41xf32>
func.func @edges(%x: memref<3x41xf32>, %w: memref<41xf32>, %y: memref<3x41xf32>) {
  nm.rows ins(%x, %w : memref<3x41xf32>, memref<41xf32>) outs(%y : memref<3x41xf32>) attributes {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], rows = 1 : i64,
      schedule = #nm.row_schedule<threads = 8, rows = 1, vector = 4, chunks = 1, loops = true>} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    nm.yield %r : f32
  }
  return
}
