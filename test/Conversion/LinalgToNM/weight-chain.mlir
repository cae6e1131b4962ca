// RUN: nm-opt --nm-import-linalg --mlir-print-debuginfo %s | FileCheck %s

// What the constant is looked through, beyond named transposes and broadcasts.

// The transpose as a generic of older versions.
// CHECK-LABEL: func.func @generic_transpose
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @generic_transpose(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// A cast on the way: the values are of the type that the product reads, rounded
// as the cast rounds (0.1 is 0x2E66 in f16).
// CHECK-LABEL: func.func @cast
// CHECK: nm.constant {{.*}}values = dense<{{\[\[}}9.997550e-02], [3.000000e+00]]> : tensor<2x1xf16>
// CHECK-SAME: !nm.condensed<4x1xf16, #nm.pattern<1:2>>
// CHECK: nm.spmm %{{.*}} outs(%{{.*}} : tensor<3x1xf32>)
func.func @cast(%x: tensor<3x4xf16>) -> tensor<3x1xf32> {
    %w = arith.constant dense<[[0.1], [-0.0], [3.0], [0.0]]> : tensor<4x1xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x1xf16>
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<4x1xf32>) outs(%e : tensor<4x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %c = arith.truncf %in : f32 to f16
      linalg.yield %c : f16
    } -> tensor<4x1xf16>
    %o = tensor.empty() : tensor<3x1xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x1xf32>) -> tensor<3x1xf32>
    %y = linalg.matmul ins(%x, %h : tensor<3x4xf16>, tensor<4x1xf16>) outs(%f : tensor<3x1xf32>) -> tensor<3x1xf32>
    return %y : tensor<3x1xf32>
}

// A slice of a packed constant: its rows 4 to 7 are the weight.
// CHECK-LABEL: func.func @slice
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK: nm.spmm
func.func @slice(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %p = arith.constant dense<[[9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0], [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0], [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0], [9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0], [1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<8x8xf32>
    %zero = arith.constant 0.0 : f32
    %w = tensor.extract_slice %p[4, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// A weight used twice is one constant; so is one that two constants hold.
// CHECK-LABEL: func.func @tied
// CHECK: %[[W:.*]] = nm.constant
// CHECK-NOT: nm.constant
// CHECK: nm.spmm %{{.*}}, %[[W]]
// CHECK: nm.spmm %{{.*}}, %[[W]]
// CHECK: return
func.func @tied(%x: tensor<3x8xf32>, %z: tensor<5x8xf32>) -> (tensor<3x4xf32>, tensor<5x4xf32>) {
    %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
    %again = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    %o3 = tensor.empty() : tensor<3x4xf32>
    %f3 = linalg.fill ins(%zero : f32) outs(%o3 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y3 = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f3 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %o5 = tensor.empty() : tensor<5x4xf32>
    %f5 = linalg.fill ins(%zero : f32) outs(%o5 : tensor<5x4xf32>) -> tensor<5x4xf32>
    %y5 = linalg.matmul ins(%z, %wt : tensor<5x8xf32>, tensor<8x4xf32>) outs(%f5 : tensor<5x4xf32>) -> tensor<5x4xf32>
    return %y3, %y5 : tensor<3x4xf32>, tensor<5x4xf32>
}

// The op keeps its location, the constant that of the weight.
// CHECK-LABEL: func.func @located
// CHECK: nm.constant {{.*}} loc(#[[WLOC:.*]])
// CHECK: nm.spmm {{.*}} loc(#[[YLOC:.*]])
// CHECK-DAG: #[[WLOC]] = loc("weight")
// CHECK-DAG: #[[YLOC]] = loc("product")
func.func @located(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32> loc("weight")
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32> loc("product")
    return %y : tensor<3x4xf32>
}
