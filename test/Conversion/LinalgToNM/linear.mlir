// RUN: nm-opt --nm-import-linalg --cse %s | FileCheck %s

// Linear on a matrix: the constant transposed ([n, k], torch's), or as it is
// ([k, n], GPT-2's and ONNX's). The values and the indices are those of the
// constant, and the transpose is gone.

// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[X:.*]]: tensor<3x8xf32>)
// CHECK: %[[W:.*]] = nm.constant {
// CHECK-SAME: indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]> : tensor<4x4xi8>
// CHECK-SAME: values = dense<{{\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00, 1.300000e+01],
// CHECK-SAME: : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
// CHECK-NOT: linalg.
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x4xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[X]], %[[W]] outs(%[[E]] : tensor<3x4xf32>) :
// CHECK-SAME: tensor<3x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<3x4xf32>
// CHECK: return %[[Y]]
func.func @transposed(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @direct
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: nm.spmm
func.func @direct(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// A dynamic m; the bias stays.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[E:.*]] = tensor.empty(%[[M]]) : tensor<?x4xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[X]], %{{.*}} outs(%[[E]] : tensor<?x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %{{.*}} : tensor<?x4xf32>, tensor<4xf32>)
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @dynamic(%x: tensor<?x8xf32>, %bias: tensor<4xf32>) -> tensor<?x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?x8xf32>
    %o = tensor.empty(%m) : tensor<?x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<?x8xf32>, tensor<8x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
    %b = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y, %bias : tensor<?x4xf32>, tensor<4xf32>) outs(%o : tensor<?x4xf32>) {
    ^bb0(%in: f32, %add: f32, %out: f32):
      %s = arith.addf %in, %add : f32
      linalg.yield %s : f32
    } -> tensor<?x4xf32>
    return %b : tensor<?x4xf32>
}

// A matmul that says itself that its right side is transposed, and one on views
// whose static extents are hidden.
// CHECK-LABEL: func.func @transpose_b
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: %[[Y:.*]] = nm.spmm %{{.*}} : tensor<?x?xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<?x4xf32>
// CHECK: tensor.cast %[[Y]] : tensor<?x4xf32> to tensor<?x?xf32>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#bt = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @transpose_b(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %wc = tensor.cast %w : tensor<4x8xf32> to tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
    %y = linalg.matmul indexing_maps = [#a, #bt, #c]
        ins(%x, %wc : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %y : tensor<?x?xf32>
}
