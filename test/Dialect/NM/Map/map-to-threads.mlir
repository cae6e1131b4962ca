// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-map-to-threads --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-load-fragments --nm-map-to-threads %s | FileCheck %s --check-prefix=PLAIN

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
// CHECK: llvm.intr.fma({{.*}}) : (f32, f32, f32) -> f32
// CHECK-NOT: nm.tile
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store {{.*}} {alignment = 16 : i64} : memref<?x64xf32, strided<[64, 1], offset: ?>>, vector<4xf32>

// Every stage before it is optional.
// PLAIN-LABEL: func.func @f
// PLAIN: gpu.launch
// PLAIN-NOT: gpu.barrier
// PLAIN: llvm.intr.fma
// PLAIN-NOT: nm.tile
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// bf16: sixteen bytes are eight elements; what is read is widened, sums are f32
// and are rounded once.
// CHECK-LABEL: func.func @bf16
// CHECK: nvgpu.device_async_copy {{.*}}, 8
// CHECK: vector.load {{.*}} {alignment = 8 : i64} : memref<{{.*}}xbf16, {{.*}}>, vector<4xbf16>
// CHECK: arith.extf %{{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK: llvm.intr.fma({{.*}}) : (f32, f32, f32) -> f32
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
func.func @bf16(%a: memref<?x128xbf16>, %v: memref<32x64xbf16>, %d: memref<32x2xi8>, %c: memref<?x64xbf16>) {
  %w = nm.assemble %v, %d : memref<32x64xbf16>, memref<32x2xi8> -> !nm.condensed<128x64xbf16, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xbf16>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2>}
    : memref<?x128xbf16>, !nm.condensed<128x64xbf16, #nm.pattern<8:32, unit = 1x32>>
  return
}

// i8: sixteen bytes are sixteen elements of the values; a transposed A goes
// byte by byte, which no asynchronous copy can. Sums are i32.
// CHECK-LABEL: func.func @i8
// CHECK: memref.store {{.*}} : memref<{{.*}}xi8, {{.*}}#gpu.address_space<workgroup>>
// CHECK: nvgpu.device_async_copy {{.*}}, 16
// CHECK: vector.load {{.*}} {alignment = 4 : i64} : memref<{{.*}}xi8, {{.*}}>, vector<4xi8>
// CHECK: arith.extsi %{{.*}} : vector<4xi8> to vector<4xi32>
// CHECK: arith.muli %{{.*}} : vector<4xi32>
// CHECK: arith.addi %{{.*}} : vector<4xi32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<{{.*}}xi32, {{.*}}>, vector<4xi32>
func.func @i8(%a: memref<?x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<?x64xi32>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2>}
    : memref<?x128xi8>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Rows of 6 bytes: no access is wider than the 2 that divide them.
// CHECK-LABEL: func.func @i8_tail
// CHECK-NOT: nvgpu.device_async_copy {{.*}}xi8
// CHECK: vector.load {{.*}} {alignment = 2 : i64} : memref<{{.*}}xi8, {{.*}}>, vector<2xi8>
// CHECK: return
func.func @i8_tail(%a: memref<8x32xi8>, %v: memref<16x6xi8>, %d: memref<16x6xi8>, %c: memref<8x6xi32>) {
  %w = nm.assemble %v, %d : memref<16x6xi8>, memref<16x6xi8> -> !nm.condensed<32x6xi8, #nm.pattern<2:4>>
  nm.spmm %a, %w outs(%c : memref<8x6xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [32, 1], thread = [1, 4]>, block = [32, 8, 32], promote_a = false, stages = 2>}
    : memref<8x32xi8>, !nm.condensed<32x6xi8, #nm.pattern<2:4>>
  return
}
