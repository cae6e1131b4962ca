// RUN: nm-opt --nm-tile %s | FileCheck %s
// RUN: nm-opt --nm-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A linear grid of ceil(m / 32) blocks; two steps of 64 rows of k; the rows of
// a last block are clamped to m.
// CHECK-LABEL: func.func @f
// CHECK: %[[M:.*]] = memref.dim %arg0
// CHECK: %[[UP:.*]] = arith.addi %[[M]], %c31
// CHECK: %[[BLOCKS:.*]] = arith.divui %[[UP]], %c32
// CHECK: gpu.launch blocks(%[[B:[^,]*]], {{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}} = %c1, {{.*}} = %c1) threads({{.*}}) in (%{{.*}} = %c64, {{.*}}) module(@nm_kernels) function(@f_0_spmm)
// CHECK: %[[ROW:.*]] = arith.muli %[[B]], %c32
// CHECK: %[[ZERO:.*]] = nm.tile_zero : !nm.fragment<32x64xf32>
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c2 step %c1{{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (!nm.fragment<32x64xf32>)
// CHECK: %[[ROWS:.*]] = arith.minsi
// CHECK: %[[A:.*]] = memref.subview %arg0[%[[ROW]], %{{.*}}] [%[[ROWS]], 64] [1, 1]
// CHECK: %[[V:.*]] = memref.subview %arg1[%{{.*}}, %{{.*}}] [16, 64] [1, 1]
// CHECK: %[[D:.*]] = memref.subview %arg2[%{{.*}}, %{{.*}}] [16, 2] [1, 1]
// CHECK: %[[NEXT:.*]] = nm.tile_mma %[[A]], %[[V]], %[[D]], %[[ACC]] {a_layout = #nm.layout<token_major>, pattern = #nm.pattern<8:32, unit = 1x32>}
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[C:.*]] = memref.subview %arg3[%[[ROW]], %{{.*}}] [%{{.*}}, 64] [1, 1]
// CHECK: nm.tile_store %[[SUM]], %[[C]]
// CHECK: gpu.terminator
// CHECK-NEXT: } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]
// CHECK-NOT: nm.spmm
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// One row, and all of k in one step. The bias goes to the store.
// CHECK-LABEL: func.func @vector
// CHECK: gpu.launch {{.*}} function(@vector_0_spmv)
// CHECK: scf.for %{{.*}} to %c1{{.*}} step
// CHECK: nm.tile_mma
// CHECK: %[[BIAS:.*]] = memref.subview %arg3
// CHECK: nm.tile_store %{{.*}}, %{{.*}} bias(%[[BIAS]] : memref<{{.*}}>) {epilogue = #nm.epilogue<relu>}
func.func @vector(%a: memref<64xf32>, %v: memref<32x128xf32>, %d: memref<32x128xi8>, %b: memref<128xf32>, %c: memref<128xf32>) {
  %w = nm.assemble %v, %d : memref<32x128xf32>, memref<32x128xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  nm.spmv %a, %w bias(%b : memref<128xf32>) outs(%c : memref<128xf32>)
    {epilogue = #nm.epilogue<relu>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [1, 32], thread = [1, 1]>, block = [1, 128, 64]>}
    : memref<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// Sums of i8 are i32, whatever C holds beside them.
// CHECK-LABEL: func.func @i8
// CHECK: nm.tile_zero : !nm.fragment<32x64xi32>
// CHECK: nm.tile_mma {{.*}}xi8, strided<{{.*}} -> !nm.fragment<32x64xi32>
// CHECK: nm.tile_store {{.*}} : !nm.fragment<32x64xi32>, memref<{{.*}}xi32
func.func @i8(%a: memref<?x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<?x64xi32>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<?x128xi8>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Two blocks of a cluster share a tile: each takes two of the four steps, and a grid
// is of twice as many blocks.
// REMARK: remark: [Passed] shared | Category:nm-tile | Function=split | blocks=2, means=cluster
// CHECK-LABEL: func.func @split
// CHECK: %[[TILES:.*]] = arith.divui %{{.*}}, %c32
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[TILES]], %c2
// CHECK: gpu.launch clusters(%[[TILE:[^,]*]], {{.*}}) in (%{{.*}} = %c2{{[_0-9]*}}, %{{.*}} = %c1{{[_0-9]*}}, %{{.*}} = %c1{{[_0-9]*}}) blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[RANK]], %c2
// CHECK: arith.muli %[[TILE]], %c32
// CHECK: %[[ACC:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %c2{{[_0-9]*}} step %c1
// CHECK: %[[STEP:.*]] = arith.addi %[[I]], %[[FIRST]]
// CHECK: arith.muli %[[STEP]], %c32
// CHECK: %[[SUM:.*]] = nm.tile_reduce %[[ACC]] across(cluster) : !nm.fragment<32x64xf32>
// CHECK: nm.tile_store %[[SUM]],
func.func @split(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 2>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Three blocks share four steps: the first takes two. Their loops end at one of two
// constants, as nm-double-buffer knows them.
// CHECK-LABEL: func.func @uneven
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id x
// CHECK: %[[BEFORE:.*]] = arith.minui %[[RANK]], %c1
// CHECK: %[[FIRST:.*]] = arith.addi %[[RANK]], %[[BEFORE]]
// CHECK: %[[LONGER:.*]] = arith.cmpi ult, %[[RANK]], %c1
// CHECK: %[[COUNT:.*]] = arith.select %[[LONGER]], %c2{{[_0-9]*}}, %c1
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %[[COUNT]] step %c1
// CHECK: arith.addi %[[I]], %[[FIRST]]
// CHECK: nm.tile_reduce
func.func @uneven(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Of four rows of tiles the last is not full, and a group of its own: the first nine tiles
// are three rows of three columns.
// CHECK-LABEL: func.func @last_row
// CHECK: %[[GROUP:.*]] = arith.divui %{{.*}}, %c9
// CHECK: %[[PLACE:.*]] = arith.remui %{{.*}}, %c9
// CHECK: %[[FIRST:.*]] = arith.muli %[[GROUP]], %c3
// CHECK: %[[LEFT:.*]] = arith.subi %c4{{.*}}, %[[FIRST]]
// CHECK: arith.minui %[[LEFT]], %c3
func.func @last_row(%a: memref<25x16xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<25x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<25x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : memref<25x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// Where A is copied in lines, a tile of one row takes as long as a full one.
// CHECK-LABEL: func.func @last_row_of_lines
// CHECK-NOT: arith.divui %{{.*}}, %c9
// CHECK: arith.remui %{{.*}}, %c4
func.func @last_row_of_lines(%a: memref<16x25xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<25x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<25x12xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : memref<16x25xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// But not where A stays in global memory.
// CHECK-LABEL: func.func @last_row_unpromoted
// CHECK: arith.divui %{{.*}}, %c9
func.func @last_row_unpromoted(%a: memref<16x25xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<25x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<25x12xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16], promote_a = false>}
    : memref<16x25xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// A weight of 80 MB, which L2 does not hold, is not read twice.
// CHECK-LABEL: func.func @last_row_of_large_weight
// CHECK: arith.remui %{{.*}}, %c4
func.func @last_row_of_large_weight(%a: memref<25x16xf32>, %v: memref<8x2500000xf32>, %d: memref<8x625000xi8>, %c: memref<25x2500000xf32>) {
  %w = nm.assemble %v, %d : memref<8x2500000xf32>, memref<8x625000xi8> -> !nm.condensed<16x2500000xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<25x2500000xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : memref<25x16xf32>, !nm.condensed<16x2500000xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// Ten full rows are two groups of five, eleven one of eight and the rest.
// CHECK-LABEL: func.func @last_of_eleven_rows
// CHECK: arith.divui %{{.*}}, %c15
func.func @last_of_eleven_rows(%a: memref<85x16xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<85x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<85x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : memref<85x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// CHECK-LABEL: func.func @last_of_twelve_rows
// CHECK: arith.divui %{{.*}}, %c24
func.func @last_of_twelve_rows(%a: memref<93x16xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<93x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<93x12xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 1]>, block = [8, 4, 16]>}
    : memref<93x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// A branch for one row has one: A, C and what is added are cast, in either layout, and nothing
// depends on how many there are.
// CHECK-LABEL: func.func @one_row
// CHECK: %[[A:.*]] = memref.cast %arg0 : memref<16x?xf32> to memref<16x1xf32>
// CHECK: %[[C:.*]] = memref.cast %arg3 : memref<?x12xf32, strided<[20, 1], offset: ?>> to memref<1x12xf32, strided<[20, 1], offset: ?>>
// CHECK: %[[R:.*]] = memref.cast %arg4 : memref<?x12xf32> to memref<1x12xf32>
// CHECK-NOT: memref.dim
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c3
// CHECK: memref.subview %[[A]][%{{.*}}, %{{.*}}] [16, 1] [1, 1]
// CHECK: memref.subview %[[C]][%{{.*}}, %{{.*}}] [1, 4] [1, 1]
// CHECK: memref.subview %[[R]][%{{.*}}, %{{.*}}] [1, 4] [1, 1]
func.func @one_row(%a: memref<16x?xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<?x12xf32, strided<[20, 1], offset: ?>>, %r: memref<?x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w residual(%r : memref<?x12xf32>) outs(%c : memref<?x12xf32, strided<[20, 1], offset: ?>>)
    {a_layout = #nm.layout<feature_major>, nm.most_rows = 1 : index, schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [4, 8], thread = [1, 1, 1]>, block = [1, 4, 16], promote_weight = false>}
    : memref<16x?xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}

// Of no more rows than a block has there is one row of tiles, and nothing to divide for its place.
// CHECK-LABEL: func.func @few_rows
// CHECK: gpu.launch blocks(%[[TILE:[^,]*]],
// CHECK-NOT: {{arith.div|arith.rem}}
// CHECK: %[[COLUMN:.*]] = arith.muli %[[TILE]], %c4
// CHECK-NOT: {{arith.div|arith.rem}}
// CHECK: gpu.terminator
func.func @few_rows(%a: memref<?x16xf32>, %v: memref<8x12xf32>, %d: memref<8x3xi8>, %c: memref<?x12xf32>) {
  %w = nm.assemble %v, %d : memref<8x12xf32>, memref<8x3xi8> -> !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  nm.spmm %a, %w outs(%c : memref<?x12xf32>)
    {nm.most_rows = 4 : index, schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 1], lanes = [4, 8], thread = [4, 1, 1]>, block = [4, 4, 16], promote_weight = false>}
    : memref<?x16xf32>, !nm.condensed<16x12xf32, #nm.pattern<1:2, unit = 1x4>>
  return
}
