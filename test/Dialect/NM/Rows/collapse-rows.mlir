// RUN: nm-opt %s --nm-collapse-rows --split-input-file | FileCheck %s

// Rows and elements of two dimensions each are one, also beside a weight of elements alone.
// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[$LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @both
// CHECK-SAME: %[[X:.*]]: memref<4x?x8x16xf16>, %[[W:.*]]: memref<8x16xf16>, %[[Y:.*]]: memref
// CHECK: %[[V:.*]] = memref.collapse_shape %[[W]] {{\[\[}}0, 1]] : memref<8x16xf16> into memref<128xf16>
// CHECK: nm.rows ins(%{{.*}}, %[[V]] : memref<?x128xf16>, memref<128xf16>) outs(%{{.*}} : memref<?x128xf16>)
// CHECK-SAME: indexing_maps = [#[[$ID]], #[[$LAST]], #[[$ID]]], rows = 1 : i64
func.func @both(%x: memref<4x?x8x16xf16>, %w: memref<8x16xf16>, %y: memref<4x?x8x16xf16>) {
  nm.rows ins(%x, %w : memref<4x?x8x16xf16>, memref<8x16xf16>) outs(%y : memref<4x?x8x16xf16>) attributes {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], rows = 2 : i64} {
  ^bb0(%a: f16, %b: f16):
    %c = arith.mulf %a, %b : f16
    nm.yield %c : f16
  }
  return
}

// -----

// Dimensions of one element lie between, and the place along another dimension is counted.
// CHECK-LABEL: func @units
// CHECK: nm.rows ins(%{{.*}} : memref<6x8xf32>) outs(%{{.*}} : memref<6x1x8xf32>)
// CHECK-SAME: rows = 1 : i64
// CHECK: nm.index 1
func.func @units(%x: memref<2x1x3x8xf32>, %y: memref<2x3x1x8xf32>) {
  nm.rows ins(%x : memref<2x1x3x8xf32>) outs(%y : memref<2x3x1x8xf32>) attributes {indexing_maps = [affine_map<(a, b, c) -> (a, 0, b, c)>, affine_map<(a, b, c) -> (a, b, 0, c)>], rows = 2 : i64} {
  ^bb0(%a: f32):
    %i = nm.index 2 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    %b = arith.addf %a, %k : f32
    nm.yield %b : f32
  }
  return
}

// -----

// Of what is computed of elements alone it does not matter what a row is. A reduction and an
// assertion are of one.
// CHECK-LABEL: func @alone
// CHECK: nm.rows ins(%{{.*}} : memref<?xf16>) outs(%{{.*}} : memref<?xf16>)
// CHECK-SAME: rows = 0 : i64
// CHECK: nm.rows ins(%{{.*}} : memref<?x16xf16>) outs(%{{.*}} : memref<?x16xf16>)
// CHECK-SAME: rows = 1 : i64
// CHECK: nm.rows ins(%{{.*}}, %{{.*}} : memref<?x16xf16>, memref<?xi1>)
// CHECK-SAME: rows = 1 : i64
func.func @alone(%x: memref<?x16xf16>, %ok: memref<?xi1>, %y: memref<?x16xf16>) {
  nm.rows ins(%x : memref<?x16xf16>) outs(%y : memref<?x16xf16>) attributes {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], rows = 1 : i64} {
  ^bb0(%a: f16):
    %n = arith.negf %a : f16
    nm.yield %n : f16
  }
  nm.rows ins(%x : memref<?x16xf16>) outs(%y : memref<?x16xf16>) attributes {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], rows = 1 : i64} {
  ^bb0(%a: f16):
    %s = nm.reduce maximumf %a, %a : f16
    nm.yield %s : f16
  }
  nm.rows ins(%x, %ok : memref<?x16xf16>, memref<?xi1>) outs(%y : memref<?x16xf16>) attributes {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], rows = 1 : i64} {
  ^bb0(%a: f16, %b: i1):
    cf.assert %b, "a row is refused"
    nm.yield %a : f16
  }
  return
}

// -----

// Dimensions stay apart in another order, where one array has one of both alone, with memory
// between them, and where a place is counted along one.
// CHECK-LABEL: func @stay
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @stay(%x: memref<2x3x8xf32>, %t: memref<3x2x8xf32>, %m: memref<2x8xf32>, %p: memref<2x3x8xf32, strided<[64, 16, 1]>>, %y: memref<2x3x8xf32>) {
  nm.rows ins(%x : memref<2x3x8xf32>) outs(%t : memref<3x2x8xf32>) attributes {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (b, a, c)>], rows = 2 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  nm.rows ins(%x, %m : memref<2x3x8xf32>, memref<2x8xf32>) outs(%y : memref<2x3x8xf32>) attributes {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], rows = 2 : i64} {
  ^bb0(%a: f32, %b: f32):
    nm.yield %b : f32
  }
  nm.rows ins(%p : memref<2x3x8xf32, strided<[64, 16, 1]>>) outs(%y : memref<2x3x8xf32>) attributes {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], rows = 2 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  nm.rows ins(%x : memref<2x3x8xf32>) outs(%y : memref<2x3x8xf32>) attributes {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], rows = 2 : i64} {
  ^bb0(%a: f32):
    %i = nm.index 1 : index
    %j = arith.index_cast %i : index to i64
    %k = arith.sitofp %j : i64 to f32
    nm.yield %k : f32
  }
  return
}
