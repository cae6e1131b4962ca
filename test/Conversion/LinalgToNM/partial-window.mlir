// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// k cuts the last window short: what counts is N of M, not how many of all rows
// are kept. 2:4 keeps 4 of 7 rows here, and 24 of 32 vectors 48 of 57.

// REMARK: Function=transposed | Op=nm.spmm, Rows=4, Weight="!nm.condensed<7x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @transposed(
func.func @transposed(%x: tensor<3x7xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 0.0], [0.0, 5.0, 6.0, 0.0, 0.0, 7.0, 8.0], [9.0, 0.0, 0.0, 10.0, 11.0, 0.0, 12.0], [0.0, 0.0, 13.0, 14.0, 15.0, 16.0, 0.0]]> : tensor<4x7xf32>
  %t = tensor.empty() : tensor<7x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x7xf32>) outs(%t : tensor<7x4xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x7xf32>, tensor<7x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// REMARK: Function=direct | Op=nm.spmm, Rows=4, Weight="!nm.condensed<7x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @direct(
func.func @direct(%x: tensor<3x7xf32>) -> tensor<3x4xf32> {
  %wt = arith.constant dense<[[1.0, 0.0, 9.0, 0.0], [2.0, 5.0, 0.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [3.0, 0.0, 11.0, 15.0], [4.0, 7.0, 0.0, 16.0], [0.0, 8.0, 12.0, 0.0]]> : tensor<7x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x7xf32>, tensor<7x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Vectors of 8 columns: 3 of 4, that is 6 of 7 rows.
// REMARK: Function=vectors | Op=nm.spmm, Rows=6, Weight="!nm.condensed<7x16xf32, #nm.pattern<3:4, unit = 1x8>>"
// CHECK-LABEL: func.func @vectors(
func.func @vectors(%x: tensor<3x7xf32>) -> tensor<3x16xf32> {
  %wt = arith.constant dense<[[1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0], [8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0], [9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0], [3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0], [4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0]]> : tensor<7x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x7xf32>, tensor<7x16xf32>) outs(%init : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// Blocks of 4x4, of which k cuts the last one short: 1 of 2, that is 8 of 10 rows.
// REMARK: Function=blocks | Op=nm.spmm, Rows=8, Weight="!nm.condensed<10x8xf32, #nm.pattern<1:2, unit = 4x4>>"
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%x: tensor<3x10xf32>) -> tensor<3x8xf32> {
  %w = arith.constant dense<[[1.0, 8.0, 2.0, 9.0, 0.0, 0.0, 0.0, 0.0, 5.0, 12.0], [4.0, 11.0, 5.0, 12.0, 0.0, 0.0, 0.0, 0.0, 8.0, 2.0], [7.0, 1.0, 8.0, 2.0, 0.0, 0.0, 0.0, 0.0, 11.0, 5.0], [10.0, 4.0, 11.0, 5.0, 0.0, 0.0, 0.0, 0.0, 1.0, 8.0], [0.0, 0.0, 0.0, 0.0, 2.0, 9.0, 3.0, 10.0, 4.0, 11.0], [0.0, 0.0, 0.0, 0.0, 5.0, 12.0, 6.0, 13.0, 7.0, 1.0], [0.0, 0.0, 0.0, 0.0, 8.0, 2.0, 9.0, 3.0, 10.0, 4.0], [0.0, 0.0, 0.0, 0.0, 11.0, 5.0, 12.0, 6.0, 13.0, 7.0]]> : tensor<8x10xf32>
  %t = tensor.empty() : tensor<10x8xf32>
  %wt = linalg.transpose ins(%w : tensor<8x10xf32>) outs(%t : tensor<10x8xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8xf32>) -> tensor<3x8xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x10xf32>, tensor<10x8xf32>) outs(%init : tensor<3x8xf32>) -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// As many rows as the weight has save nothing.
// REMARK: Function=nothing_saved | Op=linalg.matmul, Reason="the weight is dense along k
// CHECK-LABEL: func.func @nothing_saved(
func.func @nothing_saved(%x: tensor<3x6xf32>) -> tensor<3x16xf32> {
  %wt = arith.constant dense<[[1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0], [8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0], [9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0], [3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0, 6.0, 9.0], [10.0, 13.0, 3.0, 6.0, 9.0, 12.0, 2.0, 5.0, 8.0, 11.0, 1.0, 4.0, 7.0, 10.0, 13.0, 3.0]]> : tensor<6x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x6xf32>, tensor<6x16xf32>) outs(%init : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// A window that is full keeps too many.
// REMARK: Function=three_of_four | Op=linalg.matmul, Reason="the weight is dense along k
// CHECK-LABEL: func.func @three_of_four(
func.func @three_of_four(%x: tensor<3x5xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 0.0, 4.0], [5.0, 6.0, 0.0, 7.0, 8.0], [0.0, 9.0, 10.0, 11.0, 12.0], [13.0, 0.0, 14.0, 15.0, 16.0]]> : tensor<4x5xf32>
  %t = tensor.empty() : tensor<5x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x5xf32>) outs(%t : tensor<5x4xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x5xf32>, tensor<5x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
