// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s

// CHECK-DAG: #[[$ID:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMN:[a-z0-9]+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$ROW:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0, 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func @tensors
func.func @tensors(%x: tensor<?x384xf32>, %w: tensor<384xf32>, %e: tensor<?x384xf32>, %s: tensor<?x1xf32>) -> (tensor<?x384xf32>, tensor<?x1xf32>) {
  // CHECK: nm.rows ins(%{{.*}}, %{{.*}} : tensor<?x384xf32>, tensor<384xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x384xf32>, tensor<?x1xf32>)
  // CHECK-SAME: attributes {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$ID]], #[[$ROW]]], rows = 1 : i64} {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK: nm.reduce addf %[[A]], %{{.*}} : f32
  // CHECK: nm.yield %{{.*}}, %{{.*}} : f32, f32
  // CHECK-NEXT: } -> tensor<?x384xf32>, tensor<?x1xf32>
  %r:2 = nm.rows ins(%x, %w : tensor<?x384xf32>, tensor<384xf32>) outs(%e, %s : tensor<?x384xf32>, tensor<?x1xf32>)
      attributes {indexing_maps = [#id, #column, #id, #row], rows = 1 : i64} {
  ^bb0(%a: f32, %b: f32):
    %zero = arith.constant 0.0 : f32
    %sum = nm.reduce addf %a, %zero : f32
    %y = arith.mulf %sum, %b : f32
    nm.yield %y, %sum : f32, f32
  } -> tensor<?x384xf32>, tensor<?x1xf32>
  return %r#0, %r#1 : tensor<?x384xf32>, tensor<?x1xf32>
}

// Without inputs, on memrefs, with a schedule.
// CHECK-LABEL: func @memrefs
func.func @memrefs(%y: memref<4x8xi32>) {
  // CHECK: nm.rows outs(%{{.*}} : memref<4x8xi32>) attributes {{{.*}}schedule = #nm.row_schedule<threads = 2, rows = 64, vector = 4, chunks = 1>}
  nm.rows outs(%y : memref<4x8xi32>) attributes {indexing_maps = [#id], rows = 1 : i64, schedule = #nm.row_schedule<threads = 2, rows = 64, vector = 4, chunks = 1, loops = false>} {
    %c = arith.constant 7 : i32
    nm.yield %c : i32
  }
  return
}
