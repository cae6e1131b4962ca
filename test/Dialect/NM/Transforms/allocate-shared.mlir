// RUN: nm-opt --nm-tile --nm-promote-shared --nm-allocate-shared %s | FileCheck %s

// 32 bytes of indices, 4096 of values and 9216 of A, one after another.
// CHECK-LABEL: func.func @f
// CHECK: %[[SIZE:.*]] = arith.constant 13344 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[SIZE]]
// CHECK: %[[S:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.view %[[S]][%c0{{.*}}][] : {{.*}} to memref<16x2xi8
// CHECK-DAG: memref.view %[[S]][%c32{{.*}}][] : {{.*}} to memref<16x64xf32
// CHECK-DAG: memref.view %[[S]][%c4128{{.*}}][] : {{.*}} to memref<64x36xf32
// CHECK-NOT: memref.alloc
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
