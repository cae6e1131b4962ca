// The search raises what keeps few enough units of a window: by default half.
//
// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: nm-opt --nm-import-linalg="max-ratio=0.75" %s | FileCheck %s --check-prefix=MORE

// HALF: Function=main | Op=linalg.matmul, Reason="the tightest pattern along k (3:4, unit 1x1) keeps 3 of 4 units, more than the limit of 0.50 (max-ratio)"
// HALF-NOT: nm.spmm
// MORE: nm.spmm {{.*}} !nm.condensed<8x4xf32, #nm.pattern<3:4>>

func.func @main(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 2.0, 0.0], [2.0, 0.0, 9.0, 4.0], [3.0, 6.0, 0.0, 13.0], [0.0, 2.0, 10.0, 14.0], [0.0, 2.0, 10.0, 14.0], [1.0, 5.0, 2.0, 0.0], [2.0, 0.0, 9.0, 4.0], [3.0, 6.0, 0.0, 13.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
