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
  // CHECK: nm.tile_mma %{{.*}} columns(%{{.*}} : memref<1x40xi32>) {coding = #nm.coding<rows>, pattern = #nm.pattern<8:32, unit = 1x32>}
  %0 = nm.tile_mma %as, %v, %d, %acc columns(%cols : memref<1x40xi32>)
      {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
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

// CHECK-LABEL: func.func @rings(
func.func @rings(%map: !nm.tensor_map, %i: index, %odd: i1,
                 %tile: memref<16x64xf32>,
                 %boxes: memref<64x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>,
                 %as: memref<16x64xf32, #gpu.address_space<workgroup>>,
                 %full: memref<1xi64, #gpu.address_space<workgroup>>,
                 %free: memref<1xi64, #gpu.address_space<workgroup>>) {
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  // One arrival goes without saying.
  // CHECK: nm.init_barriers %[[FREE:.*]] {arrivals = 8 : i64} : memref<1xi64, #gpu.address_space<workgroup>>
  // CHECK: nm.init_barriers %[[FULL:.*]] : memref<1xi64, #gpu.address_space<workgroup>>
  nm.init_barriers %free {arrivals = 8 : i64} : memref<1xi64, #gpu.address_space<workgroup>>
  nm.init_barriers %full {arrivals = 1 : i64} : memref<1xi64, #gpu.address_space<workgroup>>
  // CHECK: gpu.launch
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c96, %sy = %c1, %sz = %c1) {
    // CHECK: nm.roles producers = 1 {
    nm.roles producers = 1 {
      // CHECK-NEXT: nm.wait for %[[FREE]] phase %{{.*}} : memref<1xi64, #gpu.address_space<workgroup>>{{$}}
      nm.wait for %free phase %odd : memref<1xi64, #gpu.address_space<workgroup>>
      // CHECK-NEXT: nm.tile_copy
      nm.tile_copy %tile, %as {async} : memref<16x64xf32> to memref<16x64xf32, #gpu.address_space<workgroup>>
      // CHECK-NEXT: nm.tile_box %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} through %[[FULL]] : memref<64x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
      nm.tile_box %map[%i, %i], %boxes through %full : memref<64x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
      // CHECK-NEXT: nm.arrive %[[FULL]] {copies} : memref<1xi64, #gpu.address_space<workgroup>>
      nm.arrive %full {copies} : memref<1xi64, #gpu.address_space<workgroup>>
    // CHECK-NEXT: } consumers {
    } consumers {
      nm.wait for %full phase %odd : memref<1xi64, #gpu.address_space<workgroup>>
      // CHECK: nm.arrive %[[FREE]] {warp} : memref<1xi64, #gpu.address_space<workgroup>>
      nm.arrive %free {warp} : memref<1xi64, #gpu.address_space<workgroup>>
    // CHECK-NEXT: }
    }
    // CHECK: nm.roles producers = 2 leader {
    nm.roles producers = 2 leader {
      gpu.barrier
    // CHECK: } consumers {
    } consumers {
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// Rows that follow each other are copied at once, and none of them alone.
// CHECK-LABEL: func.func @one_range(
func.func @one_range(%d: memref<4x6xi32, strided<[6, 1], offset: ?>>, %ds: memref<4x6xi32, #gpu.address_space<workgroup>>,
                     %full: memref<1xi64, #gpu.address_space<workgroup>>) {
  // CHECK: nm.tile_copy {{.*}} through {{.*}} to memref<4x6xi32, #gpu.address_space<workgroup>>
  nm.tile_copy %d, %ds through %full : memref<1xi64, #gpu.address_space<workgroup>>
      {async} : memref<4x6xi32, strided<[6, 1], offset: ?>> to memref<4x6xi32, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: func.func @panels_of_a(
func.func @panels_of_a(%a: memref<2x64x32xf32, #gpu.address_space<workgroup>>, %v: memref<16x128xf32>, %d: memref<16x4xi8>,
                       %p: !nm.fragment<4x4xindex, positions>, %i: index, %acc: !nm.fragment<64x128xf32>) {
  // CHECK: nm.tile_mma {{.*}} : memref<2x64x32xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8>
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>, a_layout = #nm.layout<feature_major>}
      : memref<2x64x32xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  // CHECK: nm.load_rows {{.*}} : memref<2x64x32xf32, #gpu.address_space<workgroup>>
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64, a_layout = #nm.layout<feature_major>} : memref<2x64x32xf32, #gpu.address_space<workgroup>>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// Of three rows of A two lie in one word, and the last panel has room for a fourth.
// CHECK-LABEL: func.func @words(
func.func @words(%a: memref<3x64xf16>, %as: memref<2x64x2xf16, #gpu.address_space<workgroup>>,
                 %v: memref<16x128xf16>, %d: memref<16x4xi8>, %acc: !nm.fragment<3x128xf32>) -> !nm.fragment<3x128xf32> {
  // CHECK: nm.tile_copy %{{.*}}, %{{.*}} {transpose} : memref<3x64xf16> to memref<2x64x2xf16, #gpu.address_space<workgroup>>
  nm.tile_copy %a, %as {transpose} : memref<3x64xf16> to memref<2x64x2xf16, #gpu.address_space<workgroup>>
  // CHECK: nm.tile_mma {{.*}} : memref<2x64x2xf16, #gpu.address_space<workgroup>>, memref<16x128xf16>
  %0 = nm.tile_mma %as, %v, %d, %acc {a_layout = #nm.layout<feature_major>, pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<2x64x2xf16, #gpu.address_space<workgroup>>, memref<16x128xf16>, memref<16x4xi8> -> !nm.fragment<3x128xf32>
  return %0 : !nm.fragment<3x128xf32>
}
