// RUN: nm-opt %s --nm-gathers-to-sums --split-input-file | FileCheck %s

// One element of each row of what is divided by the row's sum: a sum of it and of zeros.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @one_of_each
// CHECK: %[[X:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[$ROW]], #[[$ID]], #[[$ROW]]], iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %[[X]] : tensor<4xi64>, tensor<4x8xf32>) outs(%[[FILL]] : tensor<4xf32>)
// CHECK: ^bb0(%[[P:.*]]: i64, %[[A:.*]]: f32, %[[O:.*]]: f32):
// CHECK: %[[PLACE:.*]] = arith.index_cast %[[P]] : i64 to index
// CHECK: %[[J:.*]] = linalg.index 1 : index
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[J]], %[[PLACE]] : index
// CHECK: %[[V:.*]] = arith.select %[[IS]], %[[A]], %[[ZERO]] : f32
// CHECK: arith.addf %[[V]], %[[O]] : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SUM]] : tensor<4xi64>, tensor<4xf32>)
// CHECK: ^bb0(%{{.*}}: i64, %[[READ:.*]]: f32, %{{.*}}: f32):
// CHECK: cf.assert
// CHECK-NOT: tensor.extract
// CHECK: linalg.yield %[[READ]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @one_of_each(%x: tensor<4x8xf32>, %places: tensor<4xi64>) -> tensor<4xf32> {
  %c = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %w = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%w : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%places : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %ok = arith.cmpi ult, %j, %c8 : index
    cf.assert %ok, "a place beyond the row"
    %v = tensor.extract %q[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Left alone are gathers of what is no row's: of an argument, of what is in memory anyway, and
// of another row.
// CHECK-LABEL: func @left
// CHECK-COUNT-3: tensor.extract
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @left(%x: tensor<4x8xf32>, %places: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %w = tensor.empty() : tensor<4x8xf32>
  %q, %r = linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<4x8xf32>, tensor<4xf32>) outs(%w, %w : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %0 = arith.divf %a, %b : f32
    %1 = arith.mulf %a, %b : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%places : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %v = tensor.extract %x[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %z = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%places : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %v = tensor.extract %q[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %u = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%places : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%p: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %v = tensor.extract %r[%j, %i] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y, %z, %u, %q : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>
}
