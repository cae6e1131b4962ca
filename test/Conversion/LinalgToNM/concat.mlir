// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Weights below each other, as torch.cat of the projections of an attention.
// REMARK: :[[#@LINE+13]]:{{.*}} remark: [Passed] raised | Category:nm-import-linalg | Function=stacked | Folded=tensor.concat, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x3xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @stacked(
// CHECK-NEXT: nm.constant {indices = dense<{{\[}}[0, 1, 2], [1, 2, 3], [1, 0, 0], [2, 1, 3]]> : tensor<4x3xi8>, values = dense<{{\[}}[1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00], [7.000000e+00, 9.000000e+00, 1.100000e+01], [8.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<4x3xf32>}
// CHECK: nm.spmm
func.func @stacked(%x: tensor<5x8xf32>) -> tensor<5x3xf32> {
  %q = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 7.0, 8.0, 0.0], [0.0, 3.0, 4.0, 0.0, 9.0, 10.0, 0.0, 0.0]]> : tensor<2x8xf32>
  %k = arith.constant dense<[[0.0, 0.0, 5.0, 6.0, 11.0, 0.0, 0.0, 12.0]]> : tensor<1x8xf32>
  %w = tensor.concat dim(0) %q, %k : (tensor<2x8xf32>, tensor<1x8xf32>) -> tensor<3x8xf32>
  %t = tensor.empty() : tensor<8x3xf32>
  %wt = linalg.transpose ins(%w : tensor<3x8xf32>) outs(%t : tensor<8x3xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<5x8xf32>, tensor<8x3xf32>) outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// The same weight, made along the other dimension.
// REMARK: :[[#@LINE+11]]:{{.*}} remark: [Passed] raised | Category:nm-import-linalg | Function=side_by_side | Folded=tensor.concat, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x3xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @side_by_side(
// CHECK: nm.constant {indices = dense<{{\[}}[0, 1, 2], [1, 2, 3], [1, 0, 0], [2, 1, 3]]> : tensor<4x3xi8>, values = dense<{{\[}}[1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00], [7.000000e+00, 9.000000e+00, 1.100000e+01], [8.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<4x3xf32>}
// CHECK: nm.spmm
func.func @side_by_side(%x: tensor<5x8xf32>) -> tensor<5x3xf32> {
  %q = arith.constant dense<[[1.0, 0.0], [2.0, 3.0], [0.0, 4.0], [0.0, 0.0], [0.0, 9.0], [7.0, 10.0], [8.0, 0.0], [0.0, 0.0]]> : tensor<8x2xf32>
  %k = arith.constant dense<[[0.0], [0.0], [5.0], [6.0], [11.0], [0.0], [0.0], [12.0]]> : tensor<8x1xf32>
  %w = tensor.concat dim(1) %q, %k : (tensor<8x2xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x3xf32>) outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// With a part that is known only at run time there is no constant weight.
// REMARK-NOT: Function=unknown_part
// CHECK-LABEL: func.func @unknown_part(
// CHECK: tensor.concat
// CHECK: linalg.matmul
func.func @unknown_part(%x: tensor<5x8xf32>, %k: tensor<8x1xf32>) -> tensor<5x3xf32> {
  %q = arith.constant dense<[[1.0, 0.0], [2.0, 3.0], [0.0, 4.0], [0.0, 0.0], [0.0, 9.0], [7.0, 10.0], [8.0, 0.0], [0.0, 0.0]]> : tensor<8x2xf32>
  %w = tensor.concat dim(1) %q, %k : (tensor<8x2xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x3xf32>) outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// The same weight, written slice by slice, as older versions of torch-mlir do;
// one row is written twice.
// REMARK: Function=inserted | Folded=tensor.insert_slice, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x3xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @inserted(
// CHECK-NEXT: nm.constant {indices = dense<{{\[}}[0, 1, 2], [1, 2, 3], [1, 0, 0], [2, 1, 3]]> : tensor<4x3xi8>, values = dense<{{\[}}[1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00], [7.000000e+00, 9.000000e+00, 1.100000e+01], [8.000000e+00, 1.000000e+01, 1.200000e+01]]> : tensor<4x3xf32>}
func.func @inserted(%x: tensor<5x8xf32>) -> tensor<5x3xf32> {
  %q = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 7.0, 8.0, 0.0], [0.0, 3.0, 4.0, 0.0, 9.0, 10.0, 0.0, 0.0]]> : tensor<2x8xf32>
  %k = arith.constant dense<[0.0, 0.0, 5.0, 6.0, 11.0, 0.0, 0.0, 12.0]> : tensor<8xf32>
  %e0 = tensor.empty() : tensor<3x8xf32>
  %w0 = tensor.insert_slice %q into %e0[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<3x8xf32>
  %w1 = tensor.insert_slice %q into %w0[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<3x8xf32>
  %w = tensor.insert_slice %k into %w1[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %t = tensor.empty() : tensor<8x3xf32>
  %wt = linalg.transpose ins(%w : tensor<3x8xf32>) outs(%t : tensor<8x3xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<5x8xf32>, tensor<8x3xf32>) outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// A slice of a concatenation that lies within one part is one of that part, also
// through two concatenations: nothing is folded. The rows are the second of @q
// and, with a stride, the first and the third of @v.
// REMARK: Function=slices | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x1xf32, #nm.pattern<2:4>>"
// REMARK: Function=slices | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x2xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @slices(
// CHECK-DAG: nm.constant {indices = dense<{{\[}}[1], [2], [0], [1]]> : tensor<4x1xi8>, values = dense<{{\[}}[3.000000e+00], [4.000000e+00], [9.000000e+00], [1.000000e+01]]> : tensor<4x1xf32>}
// CHECK-DAG: nm.constant {indices = dense<{{\[}}[0, 1], [1, 3], [1, 0], [2, 1]]> : tensor<4x2xi8>, values = dense<{{\[}}[1.000000e+00, 9.000000e+00], [2.000000e+00, 1.000000e+01], [3.000000e+00, 1.100000e+01], [4.000000e+00, 1.200000e+01]]> : tensor<4x2xf32>}
func.func @slices(%x: tensor<5x8xf32>) -> (tensor<5x1xf32>, tensor<5x2xf32>) {
  %q = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 7.0, 8.0, 0.0], [0.0, 3.0, 4.0, 0.0, 9.0, 10.0, 0.0, 0.0]]> : tensor<2x8xf32>
  %v = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %qq = tensor.concat dim(0) %q, %q : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %w = tensor.concat dim(0) %qq, %v : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %one = tensor.extract_slice %w[3, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
  %two = tensor.extract_slice %w[4, 0] [2, 8] [2, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  %t1 = tensor.empty() : tensor<8x1xf32>
  %one_t = linalg.transpose ins(%one : tensor<1x8xf32>) outs(%t1 : tensor<8x1xf32>) permutation = [1, 0]
  %t2 = tensor.empty() : tensor<8x2xf32>
  %two_t = linalg.transpose ins(%two : tensor<2x8xf32>) outs(%t2 : tensor<8x2xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<5x1xf32>
  %init1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %y1 = linalg.matmul ins(%x, %one_t : tensor<5x8xf32>, tensor<8x1xf32>) outs(%init1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %e2 = tensor.empty() : tensor<5x2xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<5x2xf32>) -> tensor<5x2xf32>
  %y2 = linalg.matmul ins(%x, %two_t : tensor<5x8xf32>, tensor<8x2xf32>) outs(%init2 : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %y1, %y2 : tensor<5x1xf32>, tensor<5x2xf32>
}

// A slice across parts is one of what they are put together to; two of the same
// share a constant.
// REMARK: Function=across | Folded=tensor.concat, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x2xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @across(
// CHECK-COUNT-1: nm.constant {indices = dense<{{\[}}[1, 0], [2, 1], [0, 1], [1, 2]]> : tensor<4x2xi8>, values = dense<{{\[}}[3.000000e+00, 1.000000e+00], [4.000000e+00, 2.000000e+00], [9.000000e+00, 3.000000e+00], [1.000000e+01, 4.000000e+00]]> : tensor<4x2xf32>}
// CHECK-NOT: nm.constant
// CHECK-COUNT-2: nm.spmm
func.func @across(%x: tensor<5x8xf32>) -> (tensor<5x2xf32>, tensor<5x2xf32>) {
  %q = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 7.0, 8.0, 0.0], [0.0, 3.0, 4.0, 0.0, 9.0, 10.0, 0.0, 0.0]]> : tensor<2x8xf32>
  %v = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %w = tensor.concat dim(0) %q, %v : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %t = tensor.empty() : tensor<8x2xf32>
  %one = tensor.extract_slice %w[1, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %one_t = linalg.transpose ins(%one : tensor<2x8xf32>) outs(%t : tensor<8x2xf32>) permutation = [1, 0]
  %y1 = linalg.matmul ins(%x, %one_t : tensor<5x8xf32>, tensor<8x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  %again = tensor.concat dim(0) %q, %v : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %two = tensor.extract_slice %again[1, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %two_t = linalg.transpose ins(%two : tensor<2x8xf32>) outs(%t : tensor<8x2xf32>) permutation = [1, 0]
  %y2 = linalg.matmul ins(%x, %two_t : tensor<5x8xf32>, tensor<8x2xf32>) outs(%init : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %y1, %y2 : tensor<5x2xf32>, tensor<5x2xf32>
}
