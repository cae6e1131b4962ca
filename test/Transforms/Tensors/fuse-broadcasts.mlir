// RUN: nm-opt %s --nm-fuse-broadcasts --split-input-file | FileCheck %s
// RUN: nm-opt %s --nm-fuse-broadcasts --split-input-file --remarks-filter='nm-.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A weight that is repeated for each matrix of a batch, by a named op.
// REMARK: remark: [Passed] fused | Category:nm-fuse-broadcasts | Function=batch | Op=linalg.batch_matmul
// CHECK-DAG: #[[$W:[a-z0-9]+]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-LABEL: func @batch
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x8x4xf32>, %[[B:[a-z0-9]+]]: tensor<4x4xf32>
func.func @batch(%a: tensor<2x8x4xf32>, %w: tensor<4x4xf32>, %init: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  // CHECK-NOT: linalg.broadcast
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$W]], #{{.*}}]
  // CHECK-SAME: ins(%[[A]], %[[B]] : tensor<2x8x4xf32>, tensor<4x4xf32>)
  %e = tensor.empty() : tensor<2x4x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4x4xf32>) outs(%e : tensor<2x4x4xf32>) dimensions = [0]
  %c = linalg.batch_matmul ins(%a, %b : tensor<2x8x4xf32>, tensor<2x4x4xf32>) outs(%init : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %c : tensor<2x8x4xf32>
}

// -----

// As torch-mlir writes it: an extent of one, and a permuted result. The sum reads
// through two broadcasts.
// CHECK-DAG: #[[$ROW:[a-z0-9]+]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[$COLUMN:[a-z0-9]+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @generic
func.func @generic(%row: tensor<1x4xf32>, %column: tensor<2xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$ROW]], #[[$COLUMN]], #{{.*}}]
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<1x4xf32>, tensor<2xf32>)
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<2x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%row : tensor<1x4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%column : tensor<2xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2x4xf32>
  %s = linalg.add ins(%r, %c : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %s : tensor<2x4xf32>
}

// -----

// Left alone: what computes, a transpose, an initial value, and a reduction that
// no other operand gives the extent of.
// CHECK-LABEL: func @left_alone
func.func @left_alone(%x: tensor<4xf32>, %y: tensor<2x4xf32>, %i: tensor<4xf32>, %o: tensor<2x4xf32>)
    -> (tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  // CHECK: %[[NEGATED:.*]] = linalg.generic
  // CHECK: linalg.add ins(%[[NEGATED]],
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %z = arith.negf %a : f32
    linalg.yield %z : f32
  } -> tensor<2x4xf32>
  %s = linalg.add ins(%n, %y : tensor<2x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: %[[TRANSPOSED:.*]] = linalg.transpose
  // CHECK: linalg.exp ins(%[[TRANSPOSED]]
  %e2 = tensor.empty() : tensor<4x2xf32>
  %t = linalg.transpose ins(%y : tensor<2x4xf32>) outs(%e2 : tensor<4x2xf32>) permutation = [1, 0]
  %u = linalg.exp ins(%t : tensor<4x2xf32>) outs(%e2 : tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK: %[[REPEATED:.*]] = linalg.broadcast
  // CHECK: outs(%[[REPEATED]] : tensor<2x4xf32>)
  %b = linalg.broadcast ins(%x : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x4xf32>) outs(%b : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %z = arith.addf %p, %q : f32
    linalg.yield %z : f32
  } -> tensor<2x4xf32>
  // CHECK: linalg.reduce ins(%[[REPEATED]]
  %w = linalg.reduce ins(%b : tensor<2x4xf32>) outs(%i : tensor<4xf32>) dimensions = [0]
    (%p: f32, %q: f32) {
      %z = arith.addf %p, %q : f32
      linalg.yield %z : f32
    }
  return %s, %u, %v, %w : tensor<2x4xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<4xf32>
}
