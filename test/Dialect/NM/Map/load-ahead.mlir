// DEFINE: %{map} = --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --nm-map-to-threads --cse --canonicalize
// RUN: nm-opt %{map} --nm-load-ahead %s | FileCheck %s
// RUN: nm-opt %{map} --nm-load-ahead --remarks-filter='nm-load-ahead' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-load-ahead %s | FileCheck %s --check-prefix=ALONE

// What is no kernel yet is left alone.
// ALONE-LABEL: func.func @prefetched
// ALONE: nm.spmm

// Two slices of 16 products, each with two loads of rows of A and four of values:
// strip s needs its values from product 4 s on, rows are needed by the products 0
// and 2. The second slice's positions are loaded 24 products ahead of it, as far
// as there are any, and the next step's behind the barrier. The rest of the second
// slice is loaded before the barrier, behind which its buffer may be overwritten.
// REMARK: remark: [Passed] ahead | Category:nm-load-ahead | Function=prefetched | loads=14
// CHECK-LABEL: func.func @prefetched
// Of the positions that are copied through registers nobody reads any before the
// barrier, either.
// CHECK: scf.for
// CHECK: nvgpu.device_async_copy
// CHECK: vector.store {{.*}}xi8
// CHECK: memref.load {{.*}}xi8
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvgpu.device_async_copy
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-2: nvgpu.ldmatrix
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvgpu.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: nvgpu.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK: nvgpu.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvgpu.ldmatrix
// CHECK: nvvm.cp.async.wait.group
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: nvvm.mma.sync
// CHECK: memref.load {{.*}}xi8
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-COUNT-2: nvgpu.ldmatrix
// CHECK-NOT: nvgpu.ldmatrix
// CHECK-COUNT-12: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvgpu.ldmatrix
// CHECK: scf.yield
func.func @prefetched(%a: memref<256x32xf16>, %v: memref<128x128xf16>, %d: memref<128x2xi8>, %c: memref<32x128xf16>) {
  %w = nm.assemble %v, %d : memref<128x128xf16>, memref<128x2xi8> -> !nm.condensed<256x128xf16, #nm.pattern<16:32, unit = 1x64>>
  nm.spmm %a, %w outs(%c : memref<32x128xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 64]>, block = [32, 128, 64], stages = 3, prefetch = true>}
    : memref<256x32xf16>, !nm.condensed<256x128xf16, #nm.pattern<16:32, unit = 1x64>>
  return
}

// Without prefetch the first slice is loaded when its step begins. All copies are
// asynchronous here, and every other product is one behind: 13 of them.
// REMARK: remark: [Passed] ahead | Category:nm-load-ahead | Function=copies | loads=32
// CHECK-LABEL: func.func @copies
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group
// CHECK-NEXT: gpu.barrier
// CHECK: nvgpu.device_async_copy
// CHECK-NOT: nvgpu.device_async_copy
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvgpu.device_async_copy
// CHECK-NOT: nvgpu.device_async_copy
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK-COUNT-11: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-8: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
func.func @copies(%a: memref<256x32xf16>, %v: memref<128x128xf16>, %d: memref<128x8xi8>, %c: memref<32x128xf16>) {
  %w = nm.assemble %v, %d : memref<128x128xf16>, memref<128x8xi8> -> !nm.condensed<256x128xf16, #nm.pattern<16:32, unit = 1x16>>
  nm.spmm %a, %w outs(%c : memref<32x128xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 64]>, block = [32, 128, 64], stages = 3>}
    : memref<256x32xf16>, !nm.condensed<256x128xf16, #nm.pattern<16:32, unit = 1x16>>
  return
}

// FMAs are no products on tensor cores.
// REMARK-NOT: Function=fma
// CHECK-LABEL: func.func @fma
func.func @fma(%a: memref<64x32xf32>, %v: memref<32x32xf32>, %d: memref<32x1xi8>, %c: memref<32x32xf32>) {
  %w = nm.assemble %v, %d : memref<32x32xf32>, memref<32x1xi8> -> !nm.condensed<64x32xf32, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x32xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [4, 8], thread = [8, 4]>, block = [32, 32, 32], stages = 2>}
    : memref<64x32xf32>, !nm.condensed<64x32xf32, #nm.pattern<16:32, unit = 1x32>>
  return
}
