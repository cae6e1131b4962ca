// Weights printed without their data are told apart from zeros; data of the wrong
// size is not read.
//
// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=NONE --allow-empty < %t

// CHECK-DAG: Function=no_name | Constant=__elided__, Op=linalg.matmul, Reason="the data of resource '__elided__' was elided"
// CHECK-DAG: Function=no_data | Constant=torch_tensor_8_4, Op=linalg.matmul, Reason="the data of resource 'torch_tensor_8_4' was elided"
// CHECK-DAG: Function=short_data | Constant=short, Op=linalg.matmul, Reason="expected 32 elements of 4 bytes in resource 'short', got 8 bytes"
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: warning: {{.*}}weight data elided: the data of resource '__elided__' was elided; print the module with all elements
// CHECK-DAG: [[#@LINE+13]]:{{[0-9]+}}: warning: {{.*}}weight data elided: the data of resource 'torch_tensor_8_4' was elided
// CHECK-DAG: [[#@LINE+20]]:{{[0-9]+}}: warning: {{.*}}expected 32 elements of 4 bytes in resource 'short', got 8 bytes
// NONE-NOT: nm.spm

func.func @no_name(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense_resource<__elided__> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
func.func @no_data(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense_resource<torch_tensor_8_4> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
func.func @short_data(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense_resource<short> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F00000040"
    }
  }
#-}
