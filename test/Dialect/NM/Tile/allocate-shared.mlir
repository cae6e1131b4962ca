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

// A buffer whose first use lies behind a barrier takes the place of those whose last
// use lies before it, if all copies have been waited for.
// CHECK-LABEL: func.func @one_after_another
// CHECK: %[[SIZE:.*]] = arith.constant 1024 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[SIZE]]
// CHECK-DAG: memref.view {{.*}}[%c0{{.*}}][] : {{.*}} to memref<64xf32
// CHECK-DAG: memref.view {{.*}}[%c256{{.*}}][] : {{.*}} to memref<32xf32
// CHECK-DAG: memref.view {{.*}}[%c0{{.*}}][] : {{.*}} to memref<256xf32
func.func @one_after_another(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%gi = %c1, %gj = %c1, %gk = %c1)
             threads(%s, %t, %u) in (%bs = %c1, %bt = %c1, %bu = %c1) {
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    %c = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
    %part = memref.subview %a[0] [8] [1] : memref<64xf32, #gpu.address_space<workgroup>> to memref<8xf32, strided<[1]>, #gpu.address_space<workgroup>>
    scf.for %step = %c0 to %c1 step %c1 {
      memref.store %x, %part[%c0] : memref<8xf32, strided<[1]>, #gpu.address_space<workgroup>>
      memref.store %x, %b[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    nvvm.cp.async.wait.group 0
    gpu.barrier
    memref.store %x, %c[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// Copies may still be on their way to the first.
// CHECK-LABEL: func.func @no_wait
// CHECK: %[[SIZE:.*]] = arith.constant 512 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[SIZE]]
func.func @no_wait(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%gi = %c1, %gj = %c1, %gk = %c1)
             threads(%s, %t, %u) in (%bs = %c1, %bt = %c1, %bu = %c1) {
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %x, %b[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// What asks for more begins at a multiple of it, and what asks for nothing where vectors
// do.
// CHECK-LABEL: func.func @aligned
// CHECK: %[[SIZE:.*]] = arith.constant 3136 : i32
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size %[[SIZE]]
// CHECK-DAG: memref.view {{.*}}[%c0{{.*}}][] : {{.*}} to memref<3xi64
// CHECK-DAG: memref.view {{.*}}[%c1024{{.*}}][] : {{.*}} to memref<256xf32
// CHECK-DAG: memref.view {{.*}}[%c2048{{.*}}][] : {{.*}} to memref<5xi64
// CHECK-DAG: memref.view {{.*}}[%c2176{{.*}}][] : {{.*}} to memref<240xf32
func.func @aligned(%x: f32, %n: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%gi = %c1, %gj = %c1, %gk = %c1)
             threads(%s, %t, %u) in (%bs = %c1, %bt = %c1, %bu = %c1) {
    %a = memref.alloc() : memref<3xi64, #gpu.address_space<workgroup>>
    %b = memref.alloc() {alignment = 1024 : i64} : memref<256xf32, #gpu.address_space<workgroup>>
    %c = memref.alloc() : memref<5xi64, #gpu.address_space<workgroup>>
    %d = memref.alloc() {alignment = 128 : i64} : memref<240xf32, #gpu.address_space<workgroup>>
    memref.store %n, %a[%c0] : memref<3xi64, #gpu.address_space<workgroup>>
    memref.store %x, %b[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
    memref.store %n, %c[%c0] : memref<5xi64, #gpu.address_space<workgroup>>
    memref.store %x, %d[%c0] : memref<240xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}
