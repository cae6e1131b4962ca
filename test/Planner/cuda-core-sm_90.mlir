// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 %s | FileCheck %s
// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The choices among the candidates of lib/Planner/CudaCore.cpp for an H200.  Functions
// are private, so that their weights stand for any: a list of what a block reads may be made.

#vw = #nm.pattern<8:32, unit = 1x32>

// CHECK-LABEL: func.func private @large
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 8], lanes = [16, 2], thread = [8, 16]>, block = [128, 256, 64], stages = 3>
// REMARK: remark: [Passed] selected | Category:nm-select-schedule | Function=large | Reason="cuda-core: 128x256 tile, 64 rows a step, {{[0-9]+}} bytes of shared memory, {{[0-9.]+}} us predicted, bound by issue; next of 20: {{[0-9x]+}} tile, 64 rows a step, {{.*}}{{[0-9.]+}} us; dense: {{[0-9.]+}} us"
func.func private @large(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #vw>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #vw> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// Every SM needs blocks: of 64 tiles, two share one. A token-major A is transposed a
// step ahead, which takes three buffers.
// CHECK-LABEL: func.func private @medium
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 3, split_k = 2>
// REMARK: Function=medium | Reason="cuda-core: 64x128 tile, 64 rows a step, shared by 2 blocks, 93120 bytes of shared memory
func.func private @medium(%a: tensor<512x4096xf32>, %w: !nm.condensed<4096x1024xf32, #vw>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<512x1024xf32>) : tensor<512x4096xf32>, !nm.condensed<4096x1024xf32, #vw> -> tensor<512x1024xf32>
  return %r : tensor<512x1024xf32>
}

// Where there is little to do, a cluster takes as long as it saves.
// CHECK-LABEL: func.func private @small
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [4, 8]>, block = [32, 128, 64], stages = 3>
// REMARK: Function=small | Reason="cuda-core: 32x128 tile, 64 rows a step, 60352 bytes{{.*}}next of 29: 32x64 tile, 64 rows a step, {{[0-9]}}
func.func private @small(%a: tensor<96x256xf32>, %w: !nm.condensed<256x256xf32, #vw>, %c: tensor<96x256xf32>) -> tensor<96x256xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<96x256xf32>) : tensor<96x256xf32>, !nm.condensed<256x256xf32, #vw> -> tensor<96x256xf32>
  return %r : tensor<96x256xf32>
}

// Few tiles, and steps enough to be shared.
// CHECK-LABEL: func.func private @few_tiles
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], {{.*}}split_k = 2>
// REMARK: Function=few_tiles | Reason="cuda-core: 64x128 tile, 32 rows a step, shared by 2 blocks, 33408 bytes of shared memory, {{.*}} next of 64:
func.func private @few_tiles(%a: tensor<2048x256xf32>, %w: !nm.condensed<2048x2048xf32, #nm.pattern<16:32, unit = 1x32>>, %c: tensor<256x2048xf32>) -> tensor<256x2048xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<256x2048xf32>) {a_layout = #nm.layout<feature_major>} : tensor<2048x256xf32>, !nm.condensed<2048x2048xf32, #nm.pattern<16:32, unit = 1x32>> -> tensor<256x2048xf32>
  return %r : tensor<256x2048xf32>
}

// 40 tiles of 128x256 on 132 SMs would be three blocks each, which leaves 12 idle; all
// have something to do where a block may begin and end within a tile.
// CHECK-LABEL: func.func private @forty_tiles
// CHECK: block = [128, 256, 64], stages = 3, stream_k = 132>
// REMARK: Function=forty_tiles | Reason="cuda-core: 128x256 tile, 64 rows a step, all steps shared by 132 blocks,
func.func private @forty_tiles(%a: tensor<5120x256xf32>, %w: !nm.condensed<5120x5120xf32, #vw>, %c: tensor<256x5120xf32>) -> tensor<256x5120xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<256x5120xf32>) {a_layout = #nm.layout<feature_major>} : tensor<5120x256xf32>, !nm.condensed<5120x5120xf32, #vw> -> tensor<256x5120xf32>
  return %r : tensor<256x5120xf32>
}

// Element-wise: lanes along m, so that a warp shares its index.
// CHECK-LABEL: func.func private @element_wise
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [32, 1], thread = [4, 8]>, block = [128, 32, 64],
// REMARK: Function=element_wise | Reason="A is transposed in {{[0-9.]+}} us, cuda-core: tall tile
func.func private @element_wise(%a: tensor<?x4096xf16>, %w: !nm.condensed<4096x4096xf16, #nm.pattern<2:4>>, %c: tensor<?x4096xf16>) -> tensor<?x4096xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf16>) : tensor<?x4096xf16>, !nm.condensed<4096x4096xf16, #nm.pattern<2:4>> -> tensor<?x4096xf16>
  return %r : tensor<?x4096xf16>
}

// One row of f64, whose sums gemv has not: lanes along n.
// CHECK-LABEL: func.func private @row
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [1, 32], thread = [1, 1]>, block = [1, 32, 64],
// REMARK: Function=row | Reason="cuda-core: narrow rows tile
func.func private @row(%a: tensor<4096xf64>, %w: !nm.condensed<4096x4096xf64, #nm.pattern<2:4>>, %c: tensor<4096xf64>) -> tensor<4096xf64> {
  %r = nm.spmv %a, %w outs(%c : tensor<4096xf64>) {acc = f64} : tensor<4096xf64>, !nm.condensed<4096x4096xf64, #nm.pattern<2:4>> -> tensor<4096xf64>
  return %r : tensor<4096xf64>
}

// Of a weight that is assembled at run time no list of rows is known.
// CHECK-LABEL: func.func private @assembled
// CHECK-NOT: packed = true
// CHECK: return
func.func private @assembled(%a: tensor<4096x4096xf32>, %v: tensor<256x4096xf32>, %i: tensor<256x32xi8>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %w = nm.assemble %v, %i : tensor<256x4096xf32>, tensor<256x32xi8> -> !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>>
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// High sparsity and few unit columns a block: rows of A are gathered.
// CHECK-LABEL: func.func private @packed
// CHECK: packed = true
// REMARK: Function=packed | Reason="cuda-core: 128x256 tile, 256 rows a step, packed
func.func private @packed(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// Sums of f64 take two registers each: the largest tiles would spill.
// CHECK-LABEL: func.func private @wide_sums
// CHECK: thread = [4, 8]
func.func private @wide_sums(%a: tensor<4096x4096xf64>, %w: !nm.condensed<4096x4096xf64, #vw>, %c: tensor<4096x4096xf64>) -> tensor<4096x4096xf64> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf64>) {acc = f64} : tensor<4096x4096xf64>, !nm.condensed<4096x4096xf64, #vw> -> tensor<4096x4096xf64>
  return %r : tensor<4096x4096xf64>
}

// Shared memory counts the bytes of A's type and of the weight's: 64 rows of 128
// f32 and 16 of 256 i8, three times, with padding and indices.
// CHECK-LABEL: func.func private @weight_only
// REMARK: Function=weight_only | Reason="cuda-core: 128x256 tile, 64 rows a step, 147328 bytes of shared memory
func.func private @weight_only(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xi8, #vw>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) : tensor<4096x4096xf32>, !nm.condensed<4096x4096xi8, #vw> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// Rows that no block of chunks divides are transposed element by element: a third
// buffer would only take a second block's place on the SM.
// CHECK-LABEL: func.func private @odd_rows
// CHECK: block = [64, 32, 64], stages = 2>
func.func private @odd_rows(%a: tensor<257x1027xf32>, %w: !nm.condensed<1027x4001xf32, #nm.pattern<1:4>>, %c: tensor<257x4001xf32>) -> tensor<257x4001xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<257x4001xf32>) : tensor<257x1027xf32>, !nm.condensed<1027x4001xf32, #nm.pattern<1:4>> -> tensor<257x4001xf32>
  return %r : tensor<257x4001xf32>
}

// Lines of 1027 elements are copied one by one, and so are the rows that a block reads, which
// are fewer; those of 1024 are copied in chunks where nothing is gathered.
// CHECK-LABEL: func.func private @elements
// CHECK: nm.spmm {{.*}}packed = true
func.func private @elements(%a: tensor<257x1027xf32>, %w: !nm.condensed<1027x4001xf32, #nm.pattern<1:8, unit = 4x4>>, %c: tensor<257x4001xf32>) -> tensor<257x4001xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<257x4001xf32>) : tensor<257x1027xf32>, !nm.condensed<1027x4001xf32, #nm.pattern<1:8, unit = 4x4>> -> tensor<257x4001xf32>
  return %r : tensor<257x4001xf32>
}

// CHECK-LABEL: func.func private @chunks
// CHECK-NOT: packed = true
// CHECK: return
func.func private @chunks(%a: tensor<257x1024xf32>, %w: !nm.condensed<1024x4001xf32, #nm.pattern<1:8, unit = 4x4>>, %c: tensor<257x4001xf32>) -> tensor<257x4001xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<257x4001xf32>) : tensor<257x1024xf32>, !nm.condensed<1024x4001xf32, #nm.pattern<1:8, unit = 4x4>> -> tensor<257x4001xf32>
  return %r : tensor<257x4001xf32>
}

// Units of other multiples of 8 columns than powers of two: a thread's columns divide one,
// so that the columns of a warp share an index.
// CHECK-LABEL: func.func private @units_of_24
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, {{[48]}}], lanes = [16, 2], thread = [8, 12]>
func.func private @units_of_24(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x24>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x24>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: func.func private @units_of_40
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 8], lanes = [16, 2], thread = [4, 20]>
func.func private @units_of_40(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x40>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x40>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// A prime number of eights: its warps are as many as make a whole unit.
// CHECK-LABEL: func.func private @units_of_136
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 17], lanes = [16, 2], thread = [8, 4]>
func.func private @units_of_136(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x136>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x136>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// Blocks of 256 columns would read two thirds of A's rows were they kept at random: they are
// not, so that those that are read are gathered.
// CHECK-LABEL: func.func private @same_rows
// CHECK: nm.spmm {{.*}}packed = true
func.func private @same_rows(%a: tensor<4096x1024xf32>, %c: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<512x4096xf32>, indices = dense<0> : tensor<512x128xi8>}
    : !nm.condensed<4096x4096xf32, #nm.pattern<1:8, unit = 1x32>>
  %r = nm.spmm %a, %w outs(%c : tensor<1024x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x1024xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<1:8, unit = 1x32>> -> tensor<1024x4096xf32>
  return %r : tensor<1024x4096xf32>
}

// CHECK-LABEL: func.func private @random_rows
// CHECK-NOT: packed = true
// CHECK: return
func.func private @random_rows(%a: tensor<4096x1024xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<1:8, unit = 1x32>>, %c: tensor<1024x4096xf32>) -> tensor<1024x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<1024x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x1024xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<1:8, unit = 1x32>> -> tensor<1024x4096xf32>
  return %r : tensor<1024x4096xf32>
}

// Of the caller's weight nobody knows which rows a block reads: no list of them, and all are copied.
// CHECK-LABEL: func.func @callers
// CHECK: nm.spmm
// CHECK-NOT: packed = true
func.func @callers(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<2:32, unit = 1x128>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
