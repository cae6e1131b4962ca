// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer --nm-load-fragments --nm-map-to-threads --canonicalize --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-load-fragments --nm-map-to-threads --canonicalize --cse %s | FileCheck %s --check-prefix=SYNC

// Eight threads read a row's 32 elements: 128 bytes. They come to another row, and to
// another chunk of it.
// CHECK-LABEL: func.func @f32
// CHECK: gpu.launch {{.*}} threads(%[[THREAD:[^,]*]],
// CHECK: %[[ROW:.*]] = arith.divui %[[THREAD]], %c8
// CHECK: %[[CHUNK:.*]] = arith.remui %[[THREAD]], %c8
// CHECK: %[[K:.*]] = arith.muli %[[CHUNK]], %c4
// CHECK: %[[PLACE:.*]] = arith.xori %[[K]],
// CHECK: nvgpu.device_async_copy %{{.*}}[%[[ROW]], %[[K]]], %{{.*}}[%{{.*}}, %[[PLACE]]], 4 {bypassL1} : memref<32x32xf32, {{.*}} to memref<32x32xf32,
// CHECK-COUNT-3: nvgpu.device_async_copy {{.*}}, 4 {bypassL1} : memref<32x32xf32, {{.*}} to memref<32x32xf32,
// CHECK: nvvm.cp.async.wait.group
// CHECK: gpu.barrier
// 64 blocks of 4 x 4 for 64 threads: four chunks each become four rows of k.
// CHECK-COUNT-4: vector.load %{{.*}} {alignment = 16 : i64} : memref<32x32xf32, {{.*}}, vector<4xf32>
// CHECK: %[[OF_K:.*]] = vector.from_elements
// CHECK-NEXT: vector.store %[[OF_K]], %{{.*}} {alignment = 16 : i64} : memref<32x32xf32, {{.*}}, vector<4xf32>
// CHECK: scf.for
// CHECK-NOT: nm.tile
// Not issued ahead, they go through registers.
// SYNC-LABEL: func.func @f32
// SYNC: gpu.barrier
// SYNC-NOT: async_copy
// SYNC: vector.load {{.*}} : memref<32x32xf32, strided<[128, 1], offset: ?>>, vector<4xf32>
// SYNC: vector.store {{.*}} : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// SYNC: gpu.barrier
func.func @f32(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 3>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// 32 blocks of 8 x 4 of f16 for 64 threads: half of them have one. Rows of m beyond A
// are filled with zeros.
// CHECK-LABEL: func.func @f16
// CHECK: gpu.launch {{.*}} threads(%[[THREAD:[^,]*]],
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK: %[[ELEMENTS:.*]] = arith.select %[[INSIDE]], %c8{{.*}}, %c0
// CHECK: nvgpu.device_async_copy {{.*}}, 8, %[[ELEMENTS]] {bypassL1}
// CHECK: gpu.barrier
// CHECK: %[[SOME:.*]] = arith.cmpi ult, %[[THREAD]], %c32
// CHECK: scf.if %[[SOME]]
// CHECK-COUNT-4: vector.load {{.*}}vector<8xf16>
// CHECK-COUNT-8: vector.store {{.*}}alignment = 8 {{.*}}vector<4xf16>
func.func @f16(%a: memref<?x128xf16>, %v: memref<32x64xf16>, %d: memref<32x2xi8>, %c: memref<?x64xf16>) {
  %w = nm.assemble %v, %d : memref<32x64xf16>, memref<32x2xi8> -> !nm.condensed<128x64xf16, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf16>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 3>}
    : memref<?x128xf16>, !nm.condensed<128x64xf16, #nm.pattern<8:32, unit = 1x32>>
  return
}
