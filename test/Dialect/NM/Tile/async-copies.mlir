// RUN: nm-opt --nm-tile --nm-promote-shared --nm-async-copies --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-async-copies --nm-async-copies --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-async-copies --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-async-copies --remarks-filter='nm-async.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-async-copies %s | FileCheck %s --check-prefix=ALONE

#vw = #nm.pattern<16:32, unit = 1x32>
#schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [16, 32]>, block = [16, 32, 640], promote_weight = false>

// 16 rows of 1280 bytes are 20 pieces of 16 bytes for each of 64 threads. Nobody else needs
// them to arrive before the barrier.
// REMARK: remark: [Passed] async | Category:nm-async-copies | Function=large | copies=1
// CHECK-LABEL: func.func @large
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: nm.tile_copy {{.*}} {async, cached} : memref<16x640xf16, {{.*}}> to memref<16x640xf16,
// CHECK-NEXT: nm.commit
// CHECK-NEXT: nm.wait {pending = 0 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: nm.tile_mma
// ALONE-LABEL: func.func @large
// ALONE-NOT: nm.wait
func.func @large(%a: memref<16x1280xf16>, %v: memref<640x64xf16>, %d: memref<640x2xi8>, %c: memref<16x64xf16>) {
  %w = nm.assemble %v, %d : memref<640x64xf16>, memref<640x2xi8> -> !nm.condensed<1280x64xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x64xf16>) {schedule = #schedule}
    : memref<16x1280xf16>, !nm.condensed<1280x64xf16, #vw>
  return
}

// 16 pieces a thread, which it has registers for.
// REMARK-NOT: remark:
// CHECK-LABEL: func.func @small
// CHECK-NOT: gpu.barrier
// CHECK: nm.tile_copy {{.*}} : memref<16x512xf16, {{.*}}> to memref<16x512xf16,
// CHECK-NEXT: gpu.barrier
func.func @small(%a: memref<16x512xf16>, %v: memref<256x64xf16>, %d: memref<256x2xi8>, %c: memref<16x64xf16>) {
  %w = nm.assemble %v, %d : memref<256x64xf16>, memref<256x2xi8> -> !nm.condensed<512x64xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x64xf16>)
    {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [16, 32]>, block = [16, 32, 0], promote_weight = false>}
    : memref<16x512xf16>, !nm.condensed<512x64xf16, #vw>
  return
}

// Rows of an odd number of elements: pieces of 2 bytes are not copied asynchronously.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: async
func.func @odd(%a: memref<16x1281xf16>, %v: memref<656x64xf16>, %d: memref<656x2xi8>, %c: memref<16x64xf16>) {
  %w = nm.assemble %v, %d : memref<656x64xf16>, memref<656x2xi8> -> !nm.condensed<1281x64xf16, #vw>
  nm.spmm %a, %w outs(%c : memref<16x64xf16>) {schedule = #schedule}
    : memref<16x1281xf16>, !nm.condensed<1281x64xf16, #vw>
  return
}

// A token-major A that is transposed is left alone, and so is a kernel that copies nothing.
// CHECK-LABEL: func.func @transposed
// CHECK: nm.tile_copy {{.*}} {transpose}
// CHECK-NOT: async
func.func @transposed(%a: memref<64x512xf32>, %v: memref<256x64xf32>, %d: memref<256x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<256x64xf32>, memref<256x2xi8> -> !nm.condensed<512x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [8, 16]>, block = [64, 64, 512], promote_weight = false>}
    : memref<64x512xf32>, !nm.condensed<512x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [8, 16]>, block = [64, 64, 512], promote_a = false, promote_weight = false>}
    : memref<64x512xf32>, !nm.condensed<512x64xf32, #vw>
  return
}
