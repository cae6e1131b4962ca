// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt -mlir-print-op-generic %s | nm-opt | FileCheck %s

// The tile level: one step of a kernel with every op.

// CHECK-LABEL: func.func @step(
func.func @step(%a: memref<64x?xf32, strided<[4096, 1], offset: ?>>,
                %v: memref<16x128xf32, strided<[4096, 1], offset: ?>>,
                %d: memref<16x4xi8, strided<[128, 1], offset: ?>>,
                %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                %b: memref<128xf32>, %r: memref<?x128xf32>, %c: memref<?x128xf32>) {
  // CHECK: nm.tile_zero : !nm.fragment<64x128xf32>
  %zero = nm.tile_zero : !nm.fragment<64x128xf32>
  // CHECK: nm.tile_copy %{{.*}}, %{{.*}} {async} : memref<64x?xf32, strided<[4096, 1], offset: ?>> to memref<64x64xf32, #gpu.address_space<workgroup>>
  nm.tile_copy %a, %as {async} : memref<64x?xf32, strided<[4096, 1], offset: ?>>
      to memref<64x64xf32, #gpu.address_space<workgroup>>
  // CHECK: nm.commit
  nm.commit
  // CHECK: nm.wait {pending = 0 : i64}
  nm.wait {pending = 0 : i64}
  gpu.barrier
  // CHECK: nm.tile_mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {pattern = #nm.pattern<8:32, unit = 1x32>}
  %acc = nm.tile_mma %as, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32, #gpu.address_space<workgroup>>,
        memref<16x128xf32, strided<[4096, 1], offset: ?>>,
        memref<16x4xi8, strided<[128, 1], offset: ?>> -> !nm.fragment<64x128xf32>
  // CHECK: nm.tile_store %{{.*}}, %{{.*}} scale(%{{.*}} : memref<128xf32>) bias(%{{.*}} : memref<128xf32>) residual(%{{.*}} : memref<?x128xf32>) {combine = #nm.combine<mul>, epilogue = #nm.epilogue<silu>} : !nm.fragment<64x128xf32>, memref<?x128xf32>
  nm.tile_store %acc, %c scale(%b : memref<128xf32>) bias(%b : memref<128xf32>) residual(%r : memref<?x128xf32>)
      {combine = #nm.combine<mul>, epilogue = #nm.epilogue<silu>} : !nm.fragment<64x128xf32>, memref<?x128xf32>
  return
}

// CHECK-LABEL: func.func @bulk(
func.func @bulk(%a: memref<64x64xf32, strided<[4096, 1], offset: ?>>, %more: i1, %odd: i1,
                %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                %barriers: memref<2xi64, #gpu.address_space<workgroup>>) {
  // CHECK: nm.init_barriers %{{.*}} : memref<2xi64, #gpu.address_space<workgroup>>
  nm.init_barriers %barriers : memref<2xi64, #gpu.address_space<workgroup>>
  %b = memref.subview %barriers[1] [1] [1] : memref<2xi64, #gpu.address_space<workgroup>>
      to memref<1xi64, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
  // CHECK: nm.tile_copy %{{.*}}, %{{.*}} if %{{.*}} through %{{.*}} : memref<1xi64, strided<[1], offset: 1>, #gpu.address_space<workgroup>> {async} : memref<64x64xf32
  nm.tile_copy %a, %as if %more through %b : memref<1xi64, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
      {async} : memref<64x64xf32, strided<[4096, 1], offset: ?>> to memref<64x64xf32, #gpu.address_space<workgroup>>
  // CHECK: nm.commit 16384 through %{{.*}} if %{{.*}} : memref<1xi64,
  nm.commit 16384 through %b if %more : memref<1xi64, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
  // CHECK: nm.wait for %{{.*}} phase %{{.*}} : memref<1xi64, {{.*}}> {pending = 0 : i64}
  nm.wait for %b phase %odd : memref<1xi64, strided<[1], offset: 1>, #gpu.address_space<workgroup>> {pending = 0 : i64}
  return
}

// CHECK-LABEL: func.func @staged(
func.func @staged(%a: memref<?x32xf32, strided<[4096, 1], offset: ?>>, %more: i1,
                  %staging: memref<128x32xf32, #gpu.address_space<workgroup>>,
                  %as: memref<32x128xf32, #gpu.address_space<workgroup>>) {
  // CHECK: nm.tile_fetch %{{.*}}, %{{.*}} if %{{.*}} {async} : memref<?x32xf32, strided<[4096, 1], offset: ?>> to memref<128x32xf32, #gpu.address_space<workgroup>>
  nm.tile_fetch %a, %staging if %more {async} : memref<?x32xf32, strided<[4096, 1], offset: ?>>
      to memref<128x32xf32, #gpu.address_space<workgroup>>
  // CHECK: nm.tile_transpose %{{.*}}, %{{.*}} : memref<128x32xf32, #gpu.address_space<workgroup>> to memref<32x128xf32, #gpu.address_space<workgroup>>
  nm.tile_transpose %staging, %as : memref<128x32xf32, #gpu.address_space<workgroup>>
      to memref<32x128xf32, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @packed_step(
func.func @packed_step(%a: memref<64x64xf32, strided<[4096, 1], offset: ?>>,
                       %cols: memref<1x40xi32>, %v: memref<16x128xf32>, %d: memref<4x16xi32>,
                       %as: memref<40x64xf32, #gpu.address_space<workgroup>>,
                       %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // CHECK: nm.tile_gather %{{.*}}, %{{.*}}, %{{.*}} {async, transpose} : memref<64x64xf32, strided<[4096, 1], offset: ?>>, memref<1x40xi32> to memref<40x64xf32, #gpu.address_space<workgroup>>
  nm.tile_gather %a, %cols, %as {async, transpose}
      : memref<64x64xf32, strided<[4096, 1], offset: ?>>, memref<1x40xi32>
      to memref<40x64xf32, #gpu.address_space<workgroup>>
  // CHECK: nm.tile_mma %{{.*}} columns(%{{.*}} : memref<1x40xi32>) {index_base = #nm.index_base<tile>, pattern = #nm.pattern<8:32, unit = 1x32>}
  %0 = nm.tile_mma %as, %v, %d, %acc columns(%cols : memref<1x40xi32>)
      {pattern = #nm.pattern<8:32, unit = 1x32>, index_base = #nm.index_base<tile>}
      : memref<40x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32>
      -> !nm.fragment<64x128xf32>
  return %0 : !nm.fragment<64x128xf32>
}

// CHECK-LABEL: func.func @reduce(
func.func @reduce(%acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // CHECK: nm.tile_reduce %{{.*}} across(cluster) : !nm.fragment<64x128xf32>
  %sum = nm.tile_reduce %acc across(cluster) : !nm.fragment<64x128xf32>
  return %sum : !nm.fragment<64x128xf32>
}

// CHECK-LABEL: func.func @reduce_across_grid(
func.func @reduce_across_grid(%acc: !nm.fragment<64x128xf32>, %row: index, %first: index, %last: index, %w: memref<263x8192xf32>, %n: memref<1xi32>) -> !nm.fragment<64x128xf32> {
  // CHECK: nm.tile_reduce %{{.*}} across(grid) row(%{{.*}} of %{{.*}} to %{{.*}}) in(%{{.*}}, %{{.*}} : memref<263x8192xf32>, memref<1xi32>) : !nm.fragment<64x128xf32>
  %sum = nm.tile_reduce %acc across(grid) row(%row of %first to %last) in(%w, %n : memref<263x8192xf32>, memref<1xi32>) : !nm.fragment<64x128xf32>
  return %sum : !nm.fragment<64x128xf32>
}
