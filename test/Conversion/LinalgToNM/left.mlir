// RUN: nm-opt --nm-import-linalg %s | FileCheck %s

// The constant on the left, W x X: A and C are feature-major and stay where they
// are.

// CHECK-LABEL: func.func @left
// CHECK-SAME: (%[[X:.*]]: tensor<8x3xf32>)
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x3xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[X]], %{{.*}} outs(%[[E]] : tensor<4x3xf32>)
// CHECK-SAME: a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>
// CHECK: return %[[Y]]
func.func @left(%x: tensor<8x3xf32>) -> tensor<4x3xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<4x3xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x3xf32>) -> tensor<4x3xf32>
    %y = linalg.matmul ins(%w, %x : tensor<4x8xf32>, tensor<8x3xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
    return %y : tensor<4x3xf32>
}

// With a batch of one, nothing needs to move either.
// CHECK-LABEL: func.func @batch_of_one
// CHECK-NOT: linalg.transpose
// CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<1x8x3xf32> into tensor<8x3xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[A]], {{.*}}a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [1, 4, 3]
func.func @batch_of_one(%x: tensor<1x8x3xf32>) -> tensor<1x4x3xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %wb = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
    %o = tensor.empty() : tensor<1x4x3xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
    %y = linalg.batch_matmul ins(%wb, %x : tensor<1x4x8xf32>, tensor<1x8x3xf32>) outs(%f : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
    return %y : tensor<1x4x3xf32>
}

// With a batch, m and k are interleaved: one product between transposes.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x3xf32>)
// CHECK: %[[XT:.*]] = linalg.transpose ins(%[[X]] : tensor<2x8x3xf32>) outs(%{{.*}} : tensor<2x3x8xf32>) permutation = [0, 2, 1]
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[XT]] {{\[\[}}0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[A]]
// CHECK: %[[YE:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 4]
// CHECK: linalg.transpose ins(%[[YE]] : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<2x4x3xf32>) permutation = [0, 2, 1]
#lhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @batch(%x: tensor<2x8x3xf32>) -> tensor<2x4x3xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %eb = tensor.empty() : tensor<2x4x8xf32>
    %wb = linalg.generic {indexing_maps = [#lhs, #id], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%w : tensor<4x8xf32>) outs(%eb : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8xf32>
    %o = tensor.empty() : tensor<2x4x3xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %y = linalg.batch_matmul ins(%wb, %x : tensor<2x4x8xf32>, tensor<2x8x3xf32>) outs(%f : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    return %y : tensor<2x4x3xf32>
}
