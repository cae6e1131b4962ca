// RUN: nm-opt --nm-import-linalg %s | FileCheck %s

// f16 operands: a result of f32 with a cast behind it, or of f16.

// CHECK-LABEL: func.func @accumulate_f32
// CHECK: %[[Y:.*]] = nm.spmm %{{.*}} outs(%{{.*}} : tensor<3x4xf32>) : tensor<3x8xf16>, !nm.condensed<8x4xf16, #nm.pattern<2:4>> -> tensor<3x4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<3x4xf32>)
// CHECK: arith.truncf
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @accumulate_f32(%x: tensor<3x8xf16>) -> tensor<3x4xf16> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf16>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf16>
    %wt = linalg.transpose ins(%w : tensor<4x8xf16>) outs(%e : tensor<8x4xf16>) permutation = [1, 0]
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf16>, tensor<8x4xf16>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    %h = tensor.empty() : tensor<3x4xf16>
    %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%y : tensor<3x4xf32>) outs(%h : tensor<3x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %c = arith.truncf %in : f32 to f16
      linalg.yield %c : f16
    } -> tensor<3x4xf16>
    return %t : tensor<3x4xf16>
}

// CHECK-LABEL: func.func @accumulate_f16
// CHECK: nm.spmm %{{.*}} outs(%{{.*}} : tensor<3x4xf16>)
func.func @accumulate_f16(%x: tensor<3x8xf16>) -> tensor<3x4xf16> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf16>
    %zero = arith.constant 0.0 : f16
    %o = tensor.empty() : tensor<3x4xf16>
    %f = linalg.fill ins(%zero : f16) outs(%o : tensor<3x4xf16>) -> tensor<3x4xf16>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf16>, tensor<8x4xf16>) outs(%f : tensor<3x4xf16>) -> tensor<3x4xf16>
    return %y : tensor<3x4xf16>
}
