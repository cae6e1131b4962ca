// -0.0 is a pruned place; infinities and NaNs are weights like any other.
//
// RUN: nm-opt --nm-import-linalg %s | FileCheck %s

// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]>
// CHECK-SAME: values = dense<{{\[\[}}0x7F800000, 5.000000e+00, 9.000000e+00, 1.300000e+01], [2.000000e+00, 0x7FC00000,
// CHECK-SAME: #nm.pattern<2:4>

func.func @main(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[0x7F800000, 5.0, -0.0, -0.0], [2.0, -0.0, 9.0, -0.0], [0.0, 0x7FC00000, -0.0, 13.0], [0.0, -0.0, 10.0, 14.0], [0.0, -0.0, 11.0, 15.0], [3.0, -0.0, 12.0, -0.0], [4.0, 7.0, -0.0, -0.0], [0.0, 8.0, -0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
