// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile --nm-assign-roles --nm-tensor-copies %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile --nm-assign-roles --nm-tensor-copies --remarks-filter='nm-tensor.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-tensor-copies --remarks-filter='nm-tensor.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL-COPY
// RUN: nm-opt --nm-tensor-copies %s | FileCheck %s --check-prefix=ALONE

// ALL-COPY: remark: [Missed] no-tensors | Category:nm-tensor-copies | Function=single | Reason="no warps of their own copy"

// What is no kernel yet is left alone.
// ALONE-LABEL: func.func @single
// ALONE: nm.spmm

#vw = #nm.pattern<8:32, unit = 1x32>
#packing = #nm.packing<block_n = 64, step_k = 64>

// f32: a box of A, and values and indices as a range each. The engine arrives for nobody,
// so that a phase has one arrival, with the bytes, and one warp is enough.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=single | bytes=20608, copies=3
// CHECK-LABEL: func.func @single
// CHECK: %[[MAP:.*]] = nm.tensor_map %arg0 box = [64, 64] swizzle = 0 : memref<256x128xf32>
// CHECK: gpu.launch
// CHECK: %[[FULL:.*]] = memref.alloc()
// CHECK-NEXT: nm.init_barriers %[[FULL]] : memref<3xi64
// CHECK: nm.init_barriers %{{.*}} {arrivals = 64 : i64}
// CHECK-DAG: memref.alloc() {alignment = 128 : i64} : memref<3x2x16xi32,
// CHECK-DAG: memref.alloc() {alignment = 128 : i64} : memref<3x16x64xf32,
// CHECK-DAG: memref.alloc() {alignment = 128 : i64} : memref<3x64x64xf32,
// CHECK: nm.roles producers = 1 leader {
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] =
// CHECK: nm.wait for
// CHECK: %[[AS:.*]] = memref.subview %{{.*}}[%[[SLOT]], 0, 0] [1, 64, 64]
// CHECK: %[[VS:.*]] = memref.subview %{{.*}}[%[[SLOT]], 0, 0] [1, 16, 64]
// CHECK: %[[DS:.*]] = memref.subview %{{.*}}[%[[SLOT]], 0, 0] [1, 2, 16]
// CHECK: %[[ROW:.*]] = arith.muli %[[STEP]], %c64
// CHECK: %[[B:.*]] = memref.subview %[[FULL]][%[[SLOT]]] [1] [1]
// CHECK-NEXT: nm.commit 20608 through %[[B]] : memref<1xi64
// Rows of k first, as the tensor has them.
// CHECK: nm.tile_box %[[MAP]][%[[ROW]], %[[COLUMN:.*]]], %[[AS]] through %[[B]]
// CHECK-NEXT: nm.tile_copy %{{.*}}, %[[VS]] through %[[B]] {{.*}} {async}
// CHECK-NEXT: nm.tile_copy %{{.*}}, %[[DS]] through %[[B]] {{.*}} {async}
// CHECK-NOT: nm.arrive
// CHECK: } consumers {
// CHECK: nm.arrive %{{.*}} {fence}
func.func @single(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, engine = tma, producers = 1>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// f16: rows of A of 256 bytes become two panels of 128, whose chunks the engine mixes, and
// which begin where its pattern does. The values are a panel of 128 bytes as they are,
// whose ring keeps its form.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=halves | bytes=18560, copies=4
// CHECK-LABEL: func.func @halves
// CHECK-DAG: %[[MAP:.*]] = nm.tensor_map %arg0 box = [64, 64] swizzle = 128 : memref<256x512xf16>
// CHECK-DAG: %[[MAPV:.*]] = nm.tensor_map %arg1 box = [1, 16, 64] swizzle = 128 : memref<1x64x64xf16>
// CHECK: gpu.launch
// CHECK-DAG: memref.alloc() {alignment = 1024 : i64, nm.swizzle} : memref<3x16x64xf16,
// CHECK-DAG: %[[RING:.*]] = memref.alloc() {alignment = 1024 : i64, nm.swizzle} : memref<3x2x64x64xf16,
// CHECK-NOT: memref<3x64x128xf16
// CHECK: nm.roles producers = 4 leader {
// CHECK: iter_args(%[[SLOT:[a-z0-9]+]] =
// CHECK: %[[VIEW:.*]] = memref.subview %[[RING]][%[[SLOT]], 0, 0, 0] [1, 2, 64, 64] [1, 1, 1, 1] : {{.*}} to memref<2x64x64xf16
// CHECK: nm.commit 18560
// CHECK: %[[P0:.*]] = memref.subview %[[VIEW]][0, 0, 0] [1, 64, 64]
// CHECK: nm.tile_box %[[MAP]][%[[ROW:[a-z0-9_]+]], %[[FIRST:[a-z0-9_]+]]], %[[P0]] through
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %c64
// CHECK: %[[P1:.*]] = memref.subview %[[VIEW]][1, 0, 0] [1, 64, 64]
// CHECK: nm.tile_box %[[MAP]][%[[ROW]], %[[SECOND]]], %[[P1]] through
// CHECK: nm.tile_box %[[MAPV]][%{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} through
// CHECK: nm.tile_copy {{.*}} to memref<2x16xi32
// CHECK: } consumers {
// CHECK: iter_args({{.*}}, %[[SLOT:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %{{[a-z0-9]+}} = %false{{[_0-9]*}})
// CHECK: %[[READ:.*]] = memref.subview %[[RING]][%[[SLOT]], 0, 0, 0]
// CHECK: nm.tile_mma %[[READ]], {{.*}} : memref<2x64x64xf16
func.func @halves(%a: memref<256x512xf16>, %v: memref<1x64x64xf16>, %d: memref<4x2x16xi32>, %c: memref<512x64xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<4x2x16xi32> -> !nm.condensed<256x64xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<512x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 2], tile = [64, 32]>, block = [128, 64, 64], stages = 3, engine = tma, producers = 4>}
    : memref<256x512xf16>, !nm.condensed<256x64xf16, #vw, #packing>
  return
}

// Rows of A of 64 and of 32 bytes are swizzled by the engine as they are by threads.
// CHECK-LABEL: func.func @few
// CHECK: %[[MAP:.*]] = nm.tensor_map %arg0 box = [64, 32] swizzle = 64 : memref<256x96xf16>
// CHECK: memref.alloc() {alignment = 1024 : i64, nm.swizzle} : memref<3x64x32xf16,
// CHECK: nm.roles producers = 4 leader {
// CHECK: nm.tile_box %[[MAP]][%{{.*}}, %{{.*}}], %{{.*}} through
func.func @few(%a: memref<256x96xf16>, %v: memref<1x64x64xf16>, %d: memref<4x2x16xi32>, %c: memref<96x64xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<4x2x16xi32> -> !nm.condensed<256x64xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<96x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 2], tile = [16, 32]>, block = [32, 64, 64], stages = 3, engine = tma, producers = 4>}
    : memref<256x96xf16>, !nm.condensed<256x64xf16, #vw, #packing>
  return
}

// CHECK-LABEL: func.func @fewer
// CHECK: %[[MAP:.*]] = nm.tensor_map %arg0 box = [64, 16] swizzle = 32 : memref<256x96xf16>
// CHECK: nm.tile_box %[[MAP]][%{{.*}}, %{{.*}}], %{{.*}} through
func.func @fewer(%a: memref<256x96xf16>, %v: memref<1x64x64xf16>, %d: memref<4x2x16xi32>, %c: memref<96x64xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<4x2x16xi32> -> !nm.condensed<256x64xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<96x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 4], tile = [16, 16]>, block = [16, 64, 64], stages = 3, engine = tma, producers = 4>}
    : memref<256x96xf16>, !nm.condensed<256x64xf16, #vw, #packing>
  return
}

// Panels of fragments are one box, of a slot that has the same panels: 64 columns of two
// groups of 16 rows, whose 1024 elements are more than a box has.
#fragments = #nm.packing<block_n = 128, step_k = 128, panels = 2, lane_rows = 16, fragments = true>
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=fragments | bytes=25088, copies=3
// CHECK-LABEL: func.func @fragments
// CHECK: %[[ALL:.*]] = memref.expand_shape %arg1 {{\[\[}}0], [1], [2, 3]] output_shape [2, 4, 4, 256]
// CHECK: %[[MAP:.*]] = nm.tensor_map %[[ALL]] box = [2, 2, 4, 256] swizzle = 0
// CHECK: %[[RING:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x2x2x1024xf16,
// CHECK: %[[VIEW:.*]] = memref.subview %[[RING]][%{{.*}}, 0, 0, 0] [1, 2, 2, 1024]
// CHECK: nm.tile_box %[[MAP]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %[[VIEW]] through
// CHECK: nm.tile_mma {{.*}} : {{.*}}, memref<2x2x1024xf16
func.func @fragments(%a: memref<256x64xf16>, %v: memref<2x4x1024xf16>, %d: memref<2x4x32xi32>, %c: memref<64x128xf16>) {
  %w = nm.assemble %v, %d : memref<2x4x1024xf16>, memref<2x4x32xi32> -> !nm.condensed<256x128xf16, #vw, #fragments>
  nm.spmm %a, %w outs(%c : memref<64x128xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 4], tile = [64, 32]>, block = [64, 128, 128], stages = 2, engine = tma, producers = 1>}
    : memref<256x64xf16>, !nm.condensed<256x128xf16, #vw, #fragments>
  return
}

// Panels of a packed weight are boxes of one panel each, or half of one.
#wide = #nm.packing<block_n = 256, step_k = 64, panels = 2>
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=panels |
// CHECK-LABEL: func.func @panels
// CHECK: %[[MAPV:.*]] = nm.tensor_map %arg1 box = [1, 16, 64] swizzle = 128 : memref<2x64x128xf16>
// CHECK: memref.alloc() {{.*}} : memref<2x4x16x64xf16,
// CHECK: nm.tile_box %[[MAPV]][%c0{{[_0-9]*}}, %[[ROW:[a-z0-9_]+]], %c0{{[_0-9]*}}]
// CHECK: nm.tile_box %[[MAPV]][%c0{{[_0-9]*}}, %[[ROW]], %c64{{[_0-9]*}}]
// CHECK: nm.tile_box %[[MAPV]][%c1{{[_0-9]*}}, %[[ROW]], %c0{{[_0-9]*}}]
// CHECK: nm.tile_box %[[MAPV]][%c1{{[_0-9]*}}, %[[ROW]], %c64{{[_0-9]*}}]
func.func @panels(%a: memref<256x64xf16>, %v: memref<2x64x128xf16>, %d: memref<4x8x16xi32>, %c: memref<64x256xf16>) {
  %w = nm.assemble %v, %d : memref<2x64x128xf16>, memref<4x8x16xi32> -> !nm.condensed<256x256xf16, #vw, #wide>
  nm.spmm %a, %w outs(%c : memref<64x256xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 4], tile = [64, 64]>, block = [64, 256, 64], stages = 2, engine = tma, producers = 1>}
    : memref<256x64xf16>, !nm.condensed<256x256xf16, #vw, #wide>
  return
}

// A's rows begin at no multiple of 16 bytes: threads copy it, arrive beside the engine,
// and all are at work.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=mixed | bytes=4224, copies=2
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: nm.tensor_map
// CHECK: nm.init_barriers %{{.*}} {arrivals = 33 : i64}
// CHECK: nm.roles producers = 1 {
// CHECK: nm.commit 4224 through %[[B:[a-z0-9_]+]]
// CHECK: nm.tile_copy %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {async} {{.*}} to memref<64x64xf32
// CHECK-NEXT: nm.tile_copy {{.*}} through %[[B]]
// CHECK-NEXT: nm.tile_copy {{.*}} through %[[B]]
// CHECK-NEXT: nm.arrive %[[B]] {copies}
func.func @mixed(%a: memref<256x126xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<126x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<126x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, engine = tma, producers = 1>}
    : memref<256x126xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// m is no multiple of the block: a box is whole all the same, and zero beyond the tensor.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=tail | bytes=20608, copies=3
// CHECK-LABEL: func.func @tail
// CHECK: nm.tensor_map %arg0 box = [64, 64] swizzle = 0 : memref<256x100xf32>
// CHECK: nm.commit 20608
func.func @tail(%a: memref<256x100xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<100x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<100x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, engine = tma, producers = 1>}
    : memref<256x100xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// Threads gather rows.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=gathered | bytes=4224, copies=2
// CHECK-LABEL: func.func @gathered
// CHECK: nm.init_barriers %{{.*}} {arrivals = 65 : i64}
// CHECK: nm.roles producers = 2 {
// CHECK: nm.tile_gather
// CHECK: nm.tile_copy {{.*}} through
// CHECK: nm.arrive {{.*}} {copies}
#listed = #nm.packing<block_n = 64, step_k = 64, columns = 20>
func.func @gathered(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %l: memref<4x20xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d columns(%l : memref<4x20xi32>) : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #listed>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], packed = true, stages = 3, engine = tma, producers = 2>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #listed>
  return
}

// A slot of 5 rows of 64 bytes is no multiple of 128: the second one would begin where no
// box can. The values of a step, a row of 64 bytes, are one range; two indices are none.
// REMARK: remark: [Passed] tensors | Category:nm-tensor-copies | Function=unaligned | bytes=64, copies=1
// CHECK-LABEL: func.func @unaligned
// CHECK-NOT: nm.tensor_map
// CHECK-NOT: nm.tile_box
// CHECK: nm.commit 64
#few = #nm.pattern<1:5, unit = 1x8>
#five = #nm.packing<block_n = 16, step_k = 5>
func.func @unaligned(%a: memref<40x32xf32>, %v: memref<1x8x16xf32>, %d: memref<8x2x1xi32>, %c: memref<32x16xf32>) {
  %w = nm.assemble %v, %d : memref<1x8x16xf32>, memref<8x2x1xi32> -> !nm.condensed<40x16xf32, #few, #five>
  nm.spmm %a, %w outs(%c : memref<32x16xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [2, 4]>, block = [16, 16, 5], stages = 3, engine = tma, producers = 1>}
    : memref<40x32xf32>, !nm.condensed<40x16xf32, #few, #five>
  return
}

// REMARK: remark: [Missed] no-tensors | Category:nm-tensor-copies | Function=nothing | Reason="no tile is one range of bytes, nor boxes of a tensor with strides of a multiple of 16 bytes"
// CHECK-LABEL: func.func @nothing
// CHECK: nm.init_barriers %{{.*}} {arrivals = 32 : i64}
// CHECK: nm.roles producers = 1 {
// CHECK-NOT: nm.commit
// CHECK: nm.arrive {{.*}} {copies}
func.func @nothing(%a: memref<32x18xf32>, %v: memref<4x8xf32>, %d: memref<4x1xi32>, %c: memref<18x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<8x18xf32, #gpu.address_space<workgroup>>
    %zero = nm.tile_zero : !nm.fragment<32x8xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!nm.fragment<32x8xf32>) {
      %row = arith.muli %i, %c4 : index
      %t = memref.subview %a[%row, 0] [8, 18] [1, 1] : memref<32x18xf32> to memref<8x18xf32, strided<[18, 1], offset: ?>>
      gpu.barrier
      nm.tile_copy %t, %s : memref<8x18xf32, strided<[18, 1], offset: ?>> to memref<8x18xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = nm.tile_mma %s, %v, %d, %acc {pattern = #nm.pattern<1:2, unit = 1x8>} : memref<8x18xf32, #gpu.address_space<workgroup>>, memref<4x8xf32>, memref<4x1xi32> -> !nm.fragment<32x8xf32>
      scf.yield %n : !nm.fragment<32x8xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [4, 2]>, block = [32, 8, 8], promote_weight = false, stages = 2, engine = tma, producers = 1>}
  return
}

// REMARK: remark: [Missed] no-tensors | Category:nm-tensor-copies | Function=only_gathers | Reason="producers copy no whole tiles"
func.func @only_gathers(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %l: memref<4x20xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d columns(%l : memref<4x20xi32>) : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #listed>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], promote_weight = false, packed = true, stages = 3, engine = tma, producers = 2>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #listed>
  return
}
