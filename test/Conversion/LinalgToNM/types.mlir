// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Every pair of types that nm.spmm takes is raised, no other.

// CHECK-LABEL: func.func @bf16
// CHECK: nm.constant {{.*}} : !nm.condensed<4x1xbf16, #nm.pattern<1:2>>
// CHECK: nm.spmm {{.*}} : tensor<3x4xbf16>, !nm.condensed<4x1xbf16, #nm.pattern<1:2>> -> tensor<3x1xf32>
func.func @bf16(%x: tensor<3x4xbf16>) -> tensor<3x1xf32> {
  %w = arith.constant dense<[[1.0], [-0.0], [-0.0], [2.0]]> : tensor<4x1xbf16>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x1xf32>) -> tensor<3x1xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xbf16>, tensor<4x1xbf16>) outs(%f : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

// CHECK-LABEL: func.func @i8
// CHECK: nm.spmm {{.*}} {acc = i32} : tensor<3x4xi8>, !nm.condensed<4x1xi8, #nm.pattern<1:2>> -> tensor<3x1xi32>
func.func @i8(%x: tensor<3x4xi8>) -> tensor<3x1xi32> {
  %w = arith.constant dense<[[1], [0], [0], [-2]]> : tensor<4x1xi8>
  %zero = arith.constant 0 : i32
  %o = tensor.empty() : tensor<3x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%o : tensor<3x1xi32>) -> tensor<3x1xi32>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xi8>, tensor<4x1xi8>) outs(%f : tensor<3x1xi32>) -> tensor<3x1xi32>
  return %y : tensor<3x1xi32>
}

// CHECK-LABEL: func.func @vector_i8
// CHECK: nm.spmv {{.*}} {acc = i32} : tensor<4xi8>, !nm.condensed<4x1xi8, #nm.pattern<1:2>>
func.func @vector_i8(%x: tensor<1x4xi8>) -> tensor<1x1xi32> {
  %w = arith.constant dense<[[1], [0], [0], [-2]]> : tensor<4x1xi8>
  %zero = arith.constant 0 : i32
  %o = tensor.empty() : tensor<1x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%o : tensor<1x1xi32>) -> tensor<1x1xi32>
  %y = linalg.matmul ins(%x, %w : tensor<1x4xi8>, tensor<4x1xi8>) outs(%f : tensor<1x1xi32>) -> tensor<1x1xi32>
  return %y : tensor<1x1xi32>
}

// A weight that the product widens is widened at compile time.
// CHECK-LABEL: func.func @mixed
// CHECK: nm.spmm {{.*}} : tensor<3x4xf32>, !nm.condensed<4x1xf32, #nm.pattern<1:2>> -> tensor<3x1xf32>
func.func @mixed(%x: tensor<3x4xf32>) -> tensor<3x1xf32> {
  %w = arith.constant dense<[[1.0], [0.0], [0.0], [2.0]]> : tensor<4x1xf16>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x1xf32>) -> tensor<3x1xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x1xf16>) outs(%f : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

// The bits are the same as those of @i8, the numbers are not.
// CHECK-LABEL: func.func @unsigned
// CHECK-NOT: nm.
func.func @unsigned(%x: tensor<3x4xi8>) -> tensor<3x1xi32> {
  %w = arith.constant dense<[[1], [0], [0], [-2]]> : tensor<4x1xi8>
  %zero = arith.constant 0 : i32
  %o = tensor.empty() : tensor<3x1xi32>
  %f = linalg.fill ins(%zero : i32) outs(%o : tensor<3x1xi32>) -> tensor<3x1xi32>
  %y = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<3x4xi8>, tensor<4x1xi8>) outs(%f : tensor<3x1xi32>) -> tensor<3x1xi32>
  return %y : tensor<3x1xi32>
}

// Sums of i8 products in i8 wrap where nm's do not.
// REMARK: Function=narrow_sum | Op=linalg.matmul, Reason="unsupported element types i8 x i8 -> i8"
// CHECK-LABEL: func.func @narrow_sum
// CHECK-NOT: nm.
func.func @narrow_sum(%x: tensor<3x4xi8>) -> tensor<3x1xi8> {
  %w = arith.constant dense<[[1], [0], [0], [-2]]> : tensor<4x1xi8>
  %zero = arith.constant 0 : i8
  %o = tensor.empty() : tensor<3x1xi8>
  %f = linalg.fill ins(%zero : i8) outs(%o : tensor<3x1xi8>) -> tensor<3x1xi8>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xi8>, tensor<4x1xi8>) outs(%f : tensor<3x1xi8>) -> tensor<3x1xi8>
  return %y : tensor<3x1xi8>
}

// CHECK-LABEL: func.func @f64
// CHECK: nm.spmm {{.*}} {acc = f64} : tensor<3x4xf64>, !nm.condensed<4x1xf64, #nm.pattern<1:2>> -> tensor<3x1xf64>
func.func @f64(%x: tensor<3x4xf64>) -> tensor<3x1xf64> {
  %w = arith.constant dense<[[1.0], [0.0], [0.0], [2.0]]> : tensor<4x1xf64>
  %zero = arith.constant 0.0 : f64
  %o = tensor.empty() : tensor<3x1xf64>
  %f = linalg.fill ins(%zero : f64) outs(%o : tensor<3x1xf64>) -> tensor<3x1xf64>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xf64>, tensor<4x1xf64>) outs(%f : tensor<3x1xf64>) -> tensor<3x1xf64>
  return %y : tensor<3x1xf64>
}

// Products of f32 that are summed in f64 stay: nm sums them in f32.
// REMARK: Function=wide_sum | Op=linalg.generic, Reason="the body computes more than a sum of products"
// CHECK-LABEL: func.func @wide_sum
// CHECK-NOT: nm.
func.func @wide_sum(%x: tensor<3x4xf32>) -> tensor<3x1xf64> {
  %w = arith.constant dense<[[1.0], [0.0], [0.0], [2.0]]> : tensor<4x1xf32>
  %zero = arith.constant 0.0 : f64
  %o = tensor.empty() : tensor<3x1xf64>
  %f = linalg.fill ins(%zero : f64) outs(%o : tensor<3x1xf64>) -> tensor<3x1xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x4xf32>, tensor<4x1xf32>) outs(%f : tensor<3x1xf64>) {
  ^bb0(%a: f32, %b: f32, %c: f64):
    %p = arith.mulf %a, %b : f32
    %e = arith.extf %p : f32 to f64
    %s = arith.addf %c, %e : f64
    linalg.yield %s : f64
  } -> tensor<3x1xf64>
  return %y : tensor<3x1xf64>
}
