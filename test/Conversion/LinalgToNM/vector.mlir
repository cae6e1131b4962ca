// RUN: nm-opt --nm-import-linalg %s | FileCheck %s

// m = 1: nm.spmv, whatever the ranks.

// CHECK-LABEL: func.func @matvec
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[Y:.*]] = nm.spmv %{{.*}} outs(%[[E]] : tensor<4xf32>) : tensor<8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4xf32>
// CHECK: return %[[Y]]
func.func @matvec(%x: tensor<8xf32>) -> tensor<4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %y = linalg.matvec ins(%w, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @vecmat
// CHECK: nm.spmv %{{.*}} : tensor<8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4xf32>
func.func @vecmat(%x: tensor<8xf32>) -> tensor<4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %o = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    %y = linalg.vecmat ins(%x, %wt : tensor<8xf32>, tensor<8x4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @one_token
// CHECK-SAME: (%[[X:.*]]: tensor<1x8xf32>)
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1]] : tensor<1x8xf32> into tensor<8xf32>
// CHECK: %[[Y:.*]] = nm.spmv %[[A]]
// CHECK: %[[C:.*]] = tensor.expand_shape %[[Y]] {{\[\[}}0, 1]] output_shape [1, 4]
// CHECK: return %[[C]]
func.func @one_token(%x: tensor<1x8xf32>) -> tensor<1x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<1x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<1x8xf32>, tensor<8x4xf32>) outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
    return %y : tensor<1x4xf32>
}

// CHECK-LABEL: func.func @one_token_batch
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]] : tensor<1x1x8xf32> into tensor<8xf32>
// CHECK: nm.spmv
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2]] output_shape [1, 1, 4]
func.func @one_token_batch(%x: tensor<1x1x8xf32>) -> tensor<1x1x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %wb = tensor.expand_shape %wt [[0, 1], [2]] output_shape [1, 8, 4] : tensor<8x4xf32> into tensor<1x8x4xf32>
    %o = tensor.empty() : tensor<1x1x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    %y = linalg.batch_matmul ins(%x, %wb : tensor<1x1x8xf32>, tensor<1x8x4xf32>) outs(%f : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
    return %y : tensor<1x1x4xf32>
}

// A constant vector is a weight of one column, which is no dimension of C.
// CHECK-LABEL: func.func @vector_weight
// CHECK: nm.constant {indices = dense<{{\[\[}}0], [1], [1], [0]]> : tensor<4x1xi8>, values = dense<{{\[\[}}1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]>
// CHECK: %[[Y:.*]] = nm.spmm %{{.*}} : tensor<6x8xf32>, !nm.condensed<8x1xf32, #nm.pattern<1:2>> -> tensor<6x1xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0, 1]] : tensor<6x1xf32> into tensor<6xf32>
// CHECK: return %[[C]]
func.func @vector_weight(%x: tensor<6x8xf32>) -> tensor<6xf32> {
    %w = arith.constant dense<[1.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0, 0.0]> : tensor<8xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<6xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<6xf32>) -> tensor<6xf32>
    %y = linalg.matvec ins(%x, %w : tensor<6x8xf32>, tensor<8xf32>) outs(%f : tensor<6xf32>) -> tensor<6xf32>
    return %y : tensor<6xf32>
}

// CHECK-LABEL: func.func @dot
// CHECK: %[[Y:.*]] = nm.spmv %{{.*}} : tensor<8xf32>, !nm.condensed<8x1xf32, #nm.pattern<1:2>> -> tensor<1xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[Y]] [] : tensor<1xf32> into tensor<f32>
// CHECK: return %[[C]]
func.func @dot(%x: tensor<8xf32>) -> tensor<f32> {
    %w = arith.constant dense<[1.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0, 0.0]> : tensor<8xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<f32>) -> tensor<f32>
    %y = linalg.dot ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<f32>) -> tensor<f32>
    return %y : tensor<f32>
}
