// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Named contractions in all their variants, and parts of packed constants.

#am = affine_map<(m, n, k) -> (m, k)>
#bt = affine_map<(m, n, k) -> (n, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#at = affine_map<(m, n, k) -> (k, m)>
#c = affine_map<(m, n, k) -> (m, n)>
#ct = affine_map<(m, n, k) -> (n, m)>

// REMARK: Function=transpose_a | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @transpose_a
// CHECK: nm.spmm {{.*}}a_layout = #nm.layout<feature_major>
func.func @transpose_a(%x: tensor<8x3xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul indexing_maps = [#at, #b, #c]
      ins(%x, %w : tensor<8x3xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// C is written transposed.
// REMARK: Function=contract | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @contract
// CHECK: nm.spmm {{.*}}c_layout = #nm.layout<feature_major>
// CHECK-NOT: linalg.
func.func @contract(%x: tensor<3x8xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.contract indexing_maps = [#am, #bt, #ct]
      ins(%x, %w : tensor<3x8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// k is two dimensions.
// REMARK: Function=contract_reduce | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @contract_reduce
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.
// CHECK: nm.spmm
func.func @contract_reduce(%x: tensor<3x2x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0], [0.0, 3.0, 4.0, 0.0]], [[5.0, 0.0, 6.0, 0.0], [0.0, 0.0, 7.0, 8.0]], [[0.0, 9.0, 0.0, 10.0], [11.0, 12.0, 0.0, 0.0]], [[0.0, 0.0, 13.0, 14.0], [15.0, 0.0, 0.0, 16.0]]]> : tensor<4x2x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (n, k, l)>, affine_map<(m, n, k, l) -> (m, n)>]
      ins(%x, %w : tensor<3x2x4xf32>, tensor<4x2x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// One of three packed weights, without its leading dimension.
// REMARK: Function=rank_reduced | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @rank_reduced
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @rank_reduced(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %p = arith.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]], [[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]]> : tensor<3x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %w = tensor.extract_slice %p[1, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Every other row.
// REMARK: Function=strided | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @strided
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @strided(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %p = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]> : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %w = tensor.extract_slice %p[0, 0] [4, 8] [2, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// unflatten, then a chunk.
// REMARK: Function=chunk | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @chunk
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @chunk(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %p = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0], [1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]> : tensor<12x8xf32>
  %zero = arith.constant 0.0 : f32
  %u = tensor.expand_shape %p [[0, 1], [2]] output_shape [3, 4, 8] : tensor<12x8xf32> into tensor<3x4x8xf32>
  %w = tensor.extract_slice %u[1, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

#e = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// An embedding that is also the last layer: the table stays for the gather.
// REMARK: Function=tied_embedding | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @tied_embedding
// CHECK-DAG: %[[E:.*]] = arith.constant dense<{{.*}}> : tensor<4x8xf32>
// CHECK-DAG: %[[W:.*]] = nm.constant
// CHECK: tensor.extract %[[E]]
// CHECK: nm.spmm %{{.*}}, %[[W]]
func.func @tied_embedding(%t: tensor<3xi64>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x8xf32>
  %x = linalg.generic {indexing_maps = [#e, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<3xi64>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %w[%i, %j] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// m = 0.
// REMARK: Function=no_rows | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @no_rows
// CHECK: nm.spmm {{.*}} -> tensor<0x4xf32>
func.func @no_rows(%x: tensor<0x8xf32>) -> tensor<0x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<0x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<0x4xf32>) -> tensor<0x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<0x8xf32>, tensor<8x4xf32>) outs(%f : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %y : tensor<0x4xf32>
}
