// A pattern given by options is checked, not searched.
//
// RUN: nm-opt --nm-import-linalg="keep=3 window=4" %s | FileCheck %s --check-prefix=LOOSE
// RUN: nm-opt --nm-import-linalg="keep=4" %s | FileCheck %s --check-prefix=ALL
// RUN: nm-opt --nm-import-linalg="keep=1 window=2 unit-k=4 unit-n=4" %s 2>&1 | FileCheck %s --check-prefix=VIOLATED
// RUN: not nm-opt --nm-import-linalg="window=4" %s 2>&1 | FileCheck %s --check-prefix=NO-KEEP
// RUN: not nm-opt --nm-import-linalg="keep=5 window=4" %s 2>&1 | FileCheck %s --check-prefix=TOO-MANY
// RUN: not nm-opt --nm-import-linalg="keep=1 unit-k=0" %s 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not nm-opt --nm-import-linalg="max-ratio=1.5" %s 2>&1 | FileCheck %s --check-prefix=RATIO
// RUN: not nm-opt --nm-import-linalg="max-ratio-wide=-0.25" %s 2>&1 | FileCheck %s --check-prefix=WIDE

// LOOSE: nm.spmm {{.*}} !nm.condensed<8x4xf32, #nm.pattern<3:4>>
// ALL: nm.spmm {{.*}} !nm.condensed<8x4xf32, #nm.pattern<4:all>>

// VIOLATED: [[#@LINE+11]]:{{[0-9]+}}: warning: {{.*}}the weight violates the forced pattern: expected at most 1 of 2 units kept in each window, got 2 in window 0 of unit column 0 (rows 0 to 7, columns 0 to 3)
// VIOLATED-NOT: nm.
// VIOLATED: linalg.matmul

// NO-KEEP: error: expected keep with window, unit-k or unit-n, got none
// TOO-MANY: error: expected a pattern with keep <= window, got 5:4, unit 1x1
// UNIT: error: expected unit-k of at least 1, got 0
// RATIO: error: expected max-ratio from 0 to 1, got 1.5
// WIDE: error: expected max-ratio-wide from 0 to 1, got -0.25

func.func @main(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
