// RUN: nm-opt --nm-tile %s | FileCheck %s
// RUN: nm-opt --nm-tile --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// On a chip without clusters, blocks that share a tile store their sums side by side in
// each row of a workspace. The launch has a schedule that nobody shares.
module attributes {nm.target = #nm.target<"sm_80">} {

// REMARK: remark: [Passed] shared | Category:nm-tile | Function=f | blocks=3, means=workspace
// CHECK-LABEL: func.func @f
// CHECK: %[[M:.*]] = memref.dim %[[C:.*]], %c0
// CHECK: %[[WORKSPACE:.*]] = memref.alloc(%[[M]]) : memref<?x192xf32>
// CHECK: %[[TILES:.*]] = arith.divui %{{.*}}, %c32
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[TILES]], %c3
// CHECK: gpu.launch blocks(%[[BLOCK:[^,]*]], {{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: %[[TILE:.*]] = arith.divui %[[BLOCK]], %c3
// CHECK: %[[RANK:.*]] = arith.remui %[[BLOCK]], %c3
// CHECK: %[[BEFORE:.*]] = arith.muli %[[RANK]], %c64
// CHECK: %[[PART:.*]] = memref.subview %[[WORKSPACE]][0, %[[BEFORE]]] [%{{.*}}, 64] [1, 1]
// CHECK: arith.minui %[[RANK]], %c1
// CHECK: arith.muli %[[TILE]], %c32
// CHECK-NOT: nm.tile_reduce
// CHECK: %[[PLACE:.*]] = memref.subview %[[PART]]
// CHECK: nm.tile_store %{{.*}}, %[[PLACE]] : !nm.fragment<32x64xf32>
// CHECK: nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32]>
// Another launch adds them in order; then comes what follows sums.
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK: %[[FIRST:.*]] = memref.load %[[WORKSPACE]][%[[I]], %[[J]]]
// CHECK: %[[J1:.*]] = arith.addi %[[J]], %c64
// CHECK: %[[SECOND:.*]] = memref.load %[[WORKSPACE]][%[[I]], %[[J1]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[FIRST]], %[[SECOND]]
// CHECK: %[[J2:.*]] = arith.addi %[[J1]], %c64
// CHECK: %[[THIRD:.*]] = memref.load %[[WORKSPACE]][%[[I]], %[[J2]]]
// CHECK: %[[ALL:.*]] = arith.addf %[[SUM]], %[[THIRD]]
// CHECK: %[[BIAS:.*]] = memref.load %{{.*}}[%[[J]]] : memref<64xf32>
// CHECK: %[[BIASED:.*]] = arith.addf %[[ALL]], %[[BIAS]]
// CHECK: %[[RELU:.*]] = arith.maximumf %[[BIASED]]
// CHECK: %[[GATE:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: %[[RESULT:.*]] = arith.mulf %[[RELU]], %[[GATE]]
// CHECK: memref.store %[[RESULT]], %{{.*}}[%[[I]], %[[J]]]
// CHECK: nm.kernel_name = "spmm_sum"
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %b: memref<64xf32>, %r: memref<?x64xf32>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w bias(%b : memref<64xf32>) residual(%r : memref<?x64xf32>) outs(%c : memref<?x64xf32>)
    {epilogue = #nm.epilogue<relu>, combine = #nm.combine<mul>,
     schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Sums of i8 are i32 until a scale makes them floats. C lies the other way, and so does
// the workspace: what follows its rows of m depends on m.
// CHECK-LABEL: func.func @feature_major
// CHECK: %[[M:.*]] = memref.dim %{{.*}}, %c1
// CHECK: %[[EXTENT:.*]] = arith.muli %[[M]], %c2
// CHECK: memref.alloc(%[[EXTENT]]) : memref<64x?xi32>
// CHECK: nm.tile_store {{.*}}c_layout = #nm.layout<feature_major>
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK: arith.addi {{.*}} : i32
// CHECK: arith.sitofp
// CHECK: memref.load %{{.*}}[%[[I]]] : memref<64xf16>
// CHECK: arith.mulf
// CHECK: arith.truncf {{.*}} to f16
func.func @feature_major(%a: memref<?x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %s: memref<64xf16>, %c: memref<64x?xf16>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w scale(%s : memref<64xf16>) outs(%c : memref<64x?xf16>)
    {acc = i32, c_layout = #nm.layout<feature_major>,
     schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], split_k = 2>}
    : memref<?x128xi8>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

}
