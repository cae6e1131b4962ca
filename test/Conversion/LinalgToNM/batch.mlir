// RUN: nm-opt --nm-import-linalg %s | FileCheck %s

// Products with a batch: the weight is broadcast, and one product with all of m
// collapsed replaces them. No [B, K, N] copy is left.
//
// CHECK-NOT: x8x4xf32

#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @batch
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x8xf32>)
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[A]], %{{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
// CHECK: %[[C:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 4]
// CHECK: return %[[C]]
func.func @batch(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %eb = tensor.empty() : tensor<2x8x4xf32>
    %wb = linalg.generic {indexing_maps = [#rhs, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%wt : tensor<8x4xf32>) outs(%eb : tensor<2x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x4xf32>
    %o = tensor.empty() : tensor<2x3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %y = linalg.batch_matmul ins(%x, %wb : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %y : tensor<2x3x4xf32>
}

// Both parts of m dynamic.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x8xf32>
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[A]]
// CHECK: tensor.empty(%[[M]]) : tensor<?x4xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[A]]
// CHECK-DAG: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[X]], %c1
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [%[[B]], %[[S]], 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
func.func @dynamic(%x: tensor<?x?x8xf32>, %b: index, %s: index) -> tensor<?x?x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %eb = tensor.empty(%b) : tensor<?x8x4xf32>
    %wb = linalg.generic {indexing_maps = [#rhs, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%wt : tensor<8x4xf32>) outs(%eb : tensor<?x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x4xf32>
    %o = tensor.empty(%b, %s) : tensor<?x?x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %y = linalg.batch_matmul ins(%x, %wb : tensor<?x?x8xf32>, tensor<?x8x4xf32>) outs(%f : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    return %y : tensor<?x?x4xf32>
}

// Rank 4: two batch dimensions, broadcast and then collapsed.
// CHECK-LABEL: func.func @collapsed_batch
// CHECK: nm.spmm %{{.*}} : tensor<18x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<18x4xf32>
// CHECK: tensor.expand_shape %{{.*}} output_shape [6, 3, 4]
#rhs4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @collapsed_batch(%x: tensor<2x3x3x8xf32>) -> tensor<2x3x3x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %e4 = tensor.empty() : tensor<2x3x8x4xf32>
    %w4 = linalg.generic {indexing_maps = [#rhs4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%wt : tensor<8x4xf32>) outs(%e4 : tensor<2x3x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x8x4xf32>
    %xc = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x3x8xf32> into tensor<6x3x8xf32>
    %wc = tensor.collapse_shape %w4 [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
    %o = tensor.empty() : tensor<6x3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
    %y = linalg.batch_matmul ins(%xc, %wc : tensor<6x3x8xf32>, tensor<6x8x4xf32>) outs(%f : tensor<6x3x4xf32>) -> tensor<6x3x4xf32>
    %ye = tensor.expand_shape %y [[0, 1], [2], [3]] output_shape [2, 3, 3, 4] : tensor<6x3x4xf32> into tensor<2x3x3x4xf32>
    return %ye : tensor<2x3x3x4xf32>
}

// The broadcast as a named op, of a constant that is expanded first.
// CHECK-LABEL: func.func @named_broadcast
// CHECK: nm.spmm %{{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
func.func @named_broadcast(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %eb = tensor.empty() : tensor<2x8x4xf32>
    %wb = linalg.broadcast ins(%wt : tensor<8x4xf32>) outs(%eb : tensor<2x8x4xf32>) dimensions = [0]
    %o = tensor.empty() : tensor<2x3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %y = linalg.batch_matmul ins(%x, %wb : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %y : tensor<2x3x4xf32>
}

// einsum 'bsk,nk->bsn' of older versions: unit dimensions come and go.
// CHECK-LABEL: func.func @unit_dims
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: nm.spmm %{{.*}} : tensor<3x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<3x4xf32>
func.func @unit_dims(%x: tensor<1x3x8xf32>) -> tensor<1x3x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %w4 = tensor.expand_shape %w [[0], [1, 2, 3]] output_shape [4, 8, 1, 1] : tensor<4x8xf32> into tensor<4x8x1x1xf32>
    %e4 = tensor.empty() : tensor<8x4x1x1xf32>
    %t4 = linalg.transpose ins(%w4 : tensor<4x8x1x1xf32>) outs(%e4 : tensor<8x4x1x1xf32>) permutation = [1, 0, 2, 3]
    %t2 = tensor.collapse_shape %t4 [[0], [1, 2, 3]] : tensor<8x4x1x1xf32> into tensor<8x4xf32>
    %t3 = tensor.expand_shape %t2 [[0, 1], [2]] output_shape [1, 8, 4] : tensor<8x4xf32> into tensor<1x8x4xf32>
    %o = tensor.empty() : tensor<1x3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %y = linalg.batch_matmul ins(%x, %t3 : tensor<1x3x8xf32>, tensor<1x8x4xf32>) outs(%f : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    return %y : tensor<1x3x4xf32>
}

// The generic form of two or more dynamic dimensions: the reduction comes before
// n, the sum is written the other way round.
// CHECK-LABEL: func.func @generic
// CHECK: nm.spmm %{{.*}} : tensor<?x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<?x4xf32>
#x4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#w4 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#y4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
func.func @generic(%x: tensor<?x?x2x8xf32>, %o: tensor<?x?x2x4xf32>) -> tensor<?x?x2x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?x?x2x4xf32>) -> tensor<?x?x2x4xf32>
    %y = linalg.generic {indexing_maps = [#x4, #w4, #y4], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]}
        ins(%x, %wt : tensor<?x?x2x8xf32>, tensor<8x4xf32>) outs(%f : tensor<?x?x2x4xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %p, %acc : f32
      linalg.yield %s : f32
    } -> tensor<?x?x2x4xf32>
    return %y : tensor<?x?x2x4xf32>
}
