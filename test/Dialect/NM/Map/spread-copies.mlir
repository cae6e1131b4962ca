// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-spread-copies --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-spread-copies --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-load-fragments --nm-spread-copies --remarks-filter='nm-spread.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: nm-opt --nm-spread-copies %s | FileCheck %s --check-prefix=ALONE

// What is no kernel yet is left alone.
// ALONE-LABEL: func.func @f
// ALONE: nm.spmm

// A chunk of 16 bytes for each of 128 threads: 4 rows of A and of the values, so
// 8 and 4 parts, and the indices. They stand before the first 8 of 16 products.
// REMARK: remark: [Passed] spread | Category:nm-spread-copies | Function=f | parts=13
// SINGLE: remark: [Missed] not-spread | Category:nm-spread-copies | Function=f | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @f
// CHECK: scf.for
// CHECK-NEXT: nm.wait
// CHECK-NEXT: gpu.barrier
// CHECK-NOT: nm.tile_copy
// CHECK: nm.load_values
// CHECK: nm.tile_copy {{.*}} if %{{.*}}async{{.*}} : memref<4x128xf32, {{.*}} to memref<4x128xf32,
// CHECK: nm.mma
// CHECK: nm.tile_copy
// CHECK: nm.mma
// CHECK-COUNT-5: nm.mma
// CHECK: nm.tile_copy {{.*}}xi8
// CHECK-NEXT: nm.commit
// CHECK-NEXT: nm.mma
// CHECK-NOT: nm.tile_copy
// CHECK-COUNT-8: nm.mma
func.func @f(%a: memref<256x128xf32>, %v: memref<128x128xf32>, %d: memref<128x4xi8>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<128x128xf32>, memref<128x4xi8> -> !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 3>}
    : memref<256x128xf32>, !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-spread | Category:nm-spread-copies | Function=few_sums | Reason="a thread has few sums"
func.func @few_sums(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// A token-major A, which goes through registers, stays where it is.
// REMARK: remark: [Passed] spread | Category:nm-spread-copies | Function=transposed | parts=5
func.func @transposed(%a: memref<128x256xf32>, %v: memref<128x128xf32>, %d: memref<128x4xi8>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<128x128xf32>, memref<128x4xi8> -> !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [16, 2], thread = [8, 16]>, block = [128, 128, 32], stages = 2>}
    : memref<128x256xf32>, !nm.condensed<256x128xf32, #nm.pattern<16:32, unit = 1x32>>
  return
}
