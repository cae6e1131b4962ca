// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile --nm-stage-transposes %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-pack-tile --nm-stage-transposes --remarks-filter='nm-stage.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-stage-transposes %s | FileCheck %s --check-prefix=ALONE

// A product is no kernel yet.
// ALONE-NOT: nm.tile_fetch
// ALONE: nm.spmm

// The tile as it is: 32 rows of m by 64 of k. All of it has to be there before it is
// transposed.
// REMARK: remark: [Passed] staged | Category:nm-stage-transposes | Function=f32 | bytes=8192
// CHECK-LABEL: func.func @f32
// CHECK: %[[STAGING:.*]] = memref.alloc() {nm.swizzle} : memref<32x64xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK-NEXT: nm.tile_fetch %[[A:.*]], %[[STAGING]] : memref<32x64xf32, strided<[128, 1], offset: ?>> to memref<32x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nm.tile_transpose %[[STAGING]], %[[TILE:.*]] : memref<32x64xf32, #gpu.address_space<workgroup>> to memref<64x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
// CHECK-NEXT: nm.tile_copy
// CHECK: gpu.barrier
// CHECK: nm.tile_mma %[[TILE]],
func.func @f32(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Rows of m may end anywhere.
// REMARK: remark: [Passed] staged | Category:nm-stage-transposes | Function=f16 | bytes=4096
// CHECK-LABEL: func.func @f16
// CHECK: nm.tile_fetch %{{.*}}, %{{.*}} : memref<?x64xf16, strided<[128, 1], offset: ?>> to memref<32x64xf16, #gpu.address_space<workgroup>>
func.func @f16(%a: memref<?x128xf16>, %v: memref<32x64xf16>, %d: memref<32x2xi8>, %c: memref<?x64xf16>) {
  %w = nm.assemble %v, %d : memref<32x64xf16>, memref<32x2xi8> -> !nm.condensed<128x64xf16, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf16>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<8:32, unit = 1x32>>
  return
}

// A last step of less than 64 rows, of whole chunks.
// REMARK: remark: [Passed] staged | Category:nm-stage-transposes | Function=tail_of_k | bytes=8192
// CHECK-LABEL: func.func @tail_of_k
// CHECK: nm.tile_fetch %{{.*}}, %{{.*}} : memref<32x?xf32, strided<[100, 1], offset: ?>> to
func.func @tail_of_k(%a: memref<64x100xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<100x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<64x100xf32>, !nm.condensed<100x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Every other row begins in the middle of 16 bytes.
// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=odd_rows | Reason="rows of A are not known to be whole chunks of 16 bytes"
// CHECK-LABEL: func.func @odd_rows
// CHECK: nm.tile_copy {{.*}}transpose
func.func @odd_rows(%a: memref<64x98xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<98x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<64x98xf32>, !nm.condensed<98x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=i8 | Reason="elements of a byte are not transposed in chunks"
// CHECK-LABEL: func.func @i8
// CHECK: nm.tile_copy {{.*}}transpose
func.func @i8(%a: memref<64x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<64x64xi32>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<64x128xi8>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=one_stage | Reason="no copies are issued ahead"
// CHECK-LABEL: func.func @one_stage
// CHECK: nm.tile_copy {{.*}}transpose
func.func @one_stage(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=two_stages | Reason="with two stages there is no step between a copy and its use"
// CHECK-LABEL: func.func @two_stages
// CHECK: nm.tile_copy {{.*}}transpose
func.func @two_stages(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=few_steps | Reason="there are fewer steps than buffers to fetch to"
// CHECK-LABEL: func.func @few_steps
// CHECK: nm.tile_copy {{.*}}transpose
func.func @few_steps(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 4>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Two tiles of 128 x 256 fill most of the memory that a block may have.
// REMARK: remark: [Missed] not-staged | Category:nm-stage-transposes | Function=large_tile | Reason="shared memory has no room for another tile of A"
// CHECK-LABEL: func.func @large_tile
// CHECK: nm.tile_copy {{.*}}transpose
func.func @large_tile(%a: memref<128x512xf32>, %v: memref<64x128xf32>, %d: memref<64x4xi8>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<64x128xf32>, memref<64x4xi8> -> !nm.condensed<512x128xf32, #nm.pattern<4:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 160], stages = 3>}
    : memref<128x512xf32>, !nm.condensed<512x128xf32, #nm.pattern<4:32, unit = 1x32>>
  return
}

// Nothing to say of a feature-major A.
// REMARK-NOT: remark
// CHECK-LABEL: func.func @feature_major
// CHECK-NOT: nm.tile_fetch
func.func @feature_major(%a: memref<128x64xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<128x64xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
