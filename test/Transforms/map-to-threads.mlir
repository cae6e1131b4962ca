// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-map-to-threads --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-map-to-threads %s | FileCheck %s --check-prefix=PLAIN

// 4 x 8 accumulators a thread in vectors of 4 along n; 16-byte asynchronous
// copies of the values; stores only where a row of C is.
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch
// CHECK-NOT: nm.tile
// CHECK: nvgpu.device_async_copy {{.*}}, 4
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for {{.*}}vector<4xf32>
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: gpu.barrier
// CHECK: vector.load {{.*}}#gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: vector.fma {{.*}} : vector<4xf32>
// CHECK-NOT: nm.tile
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64} : memref<?x64xf32, strided<[64, 1], offset: ?>>, vector<4xf32>

// Every stage before it is optional.
// PLAIN-LABEL: func.func @f
// PLAIN: gpu.launch
// PLAIN-NOT: gpu.barrier
// PLAIN: vector.fma
// PLAIN-NOT: nm.tile
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<block = [32, 64, 64], warps = [1, 2], lanes = [8, 4], thread = [4, 8], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
