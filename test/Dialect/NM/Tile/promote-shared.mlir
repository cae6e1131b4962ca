// RUN: nm-opt --nm-tile --nm-promote-shared %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-promote-shared %s | FileCheck %s

// Token-major A lies transposed in shared memory, in rows padded by 16 bytes.
// What is promoted already is left alone.
// REMARK: remark: [Passed] promoted | Category:nm-promote-shared | Function=f | bytes=9216, operand=A
// REMARK: remark: [Passed] promoted | Category:nm-promote-shared | Function=f | bytes=4096, operand=values
// REMARK: remark: [Passed] promoted | Category:nm-promote-shared | Function=f | bytes=32, operand=indices
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch
// CHECK-DAG: %[[D:.*]] = memref.alloc() : memref<16x2xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[V:.*]] = memref.alloc() : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[S:.*]] = memref.alloc() : memref<64x36xf32, #gpu.address_space<workgroup>>
// CHECK: %[[A:.*]] = memref.subview %[[S]][0, 0] [64, 32] [1, 1]
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: nm.tile_copy %{{.*}}, %[[A]] {transpose}
// CHECK-NEXT: nm.tile_copy %{{.*}}, %[[V]] :
// CHECK-NEXT: nm.tile_copy %{{.*}}, %[[D]] :
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nm.tile_mma %[[A]], %[[V]], %[[D]], %{{.*}} {pattern
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// What the schedule leaves in global memory stays there; feature-major A is
// copied as it lies.
// CHECK-LABEL: func.func @only_a
// CHECK: %[[A:.*]] = memref.alloc() : memref<64x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloc
// CHECK: nm.tile_copy %{{.*}}, %[[A]] :
// CHECK-NOT: nm.tile_copy
// CHECK: nm.tile_mma %[[A]],
func.func @only_a(%a: memref<128x256xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<256x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<256x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], promote_weight = false>}
    : memref<128x256xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// 16 bytes of padding are eight bf16, and a weight of i8 takes a byte a value.
// REMARK: remark: [Passed] promoted | Category:nm-promote-shared | Function=weight_only | bytes=5120, operand=A
// REMARK: remark: [Passed] promoted | Category:nm-promote-shared | Function=weight_only | bytes=1024, operand=values
// CHECK-LABEL: func.func @weight_only
// CHECK-DAG: memref.alloc() : memref<16x64xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() : memref<64x40xbf16, #gpu.address_space<workgroup>>
func.func @weight_only(%a: memref<?x128xbf16>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<?x64xbf16>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xbf16>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<?x128xbf16>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

// What is copied once is written before anything reads it.
// CHECK-LABEL: func.func @one_step
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: nm.tile_copy
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nm.tile_mma
func.func @one_step(%a: memref<8x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<8x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<8x64xf32>)
    {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [8, 1, 1]>, block = [8, 32, 128], promote_weight = false>}
    : memref<8x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Tiles of a block that follow each other are copied to one place.
// CHECK-LABEL: func.func @tiles
// CHECK: scf.for
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: nm.tile_copy
func.func @tiles(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 128], persistent = 1>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
