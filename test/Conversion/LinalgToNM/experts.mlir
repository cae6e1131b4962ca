// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// A weight for each of a batch: a product for each, on slices of A and C. No
// weight is copied and none is left behind.

// REMARK: Function=experts | Op=nm.spmm, Products=2, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @experts
// CHECK-SAME: %[[X:.*]]: tensor<2x3x8xf32>
// CHECK-COUNT-2: nm.constant
// CHECK: %[[C:.*]] = tensor.empty() : tensor<2x3x4xf32>
// CHECK-DAG: %[[C0:.*]] = tensor.extract_slice %[[C]][0, 0, 0] [1, 3, 4]
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0, 0] [1, 3, 8] [1, 1, 1] : tensor<2x3x8xf32> to tensor<3x8xf32>
// CHECK: %[[Y0:.*]] = nm.spmm %[[X0]], %{{.*}} outs(%[[C0]] : tensor<3x4xf32>)
// CHECK: %[[P:.*]] = tensor.insert_slice %[[Y0]] into %[[C]][0, 0, 0]
// CHECK: %[[X1:.*]] = tensor.extract_slice %[[X]][1, 0, 0] [1, 3, 8]
// CHECK: nm.spmm %[[X1]]
// CHECK: %[[Y:.*]] = tensor.insert_slice %{{.*}} into %[[P]][1, 0, 0]
// CHECK: return %[[Y]]
func.func @experts(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]], [[0.0, 5.0, 9.0, 13.0], [0.0, 6.0, 0.0, 0.0], [1.0, 0.0, 0.0, 14.0], [2.0, 0.0, 10.0, 0.0], [3.0, 0.0, 0.0, 15.0], [4.0, 7.0, 0.0, 16.0], [0.0, 0.0, 11.0, 0.0], [0.0, 8.0, 12.0, 0.0]]]> : tensor<2x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// One token each: A is a vector.
// REMARK: Function=one_token | Op=nm.spmv, Products=2
// CHECK-LABEL: func.func @one_token
// CHECK: tensor.extract_slice %{{.*}} : tensor<2x1x8xf32> to tensor<1x8xf32>
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x8xf32> into tensor<8xf32>
// CHECK: nm.spmv %[[X]], %{{.*}} outs(%{{.*}} : tensor<4xf32>)
func.func @one_token(%x: tensor<2x1x8xf32>) -> tensor<2x1x4xf32> {
  %w = arith.constant dense<[[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]], [[0.0, 5.0, 9.0, 13.0], [0.0, 6.0, 0.0, 0.0], [1.0, 0.0, 0.0, 14.0], [2.0, 0.0, 10.0, 0.0], [3.0, 0.0, 0.0, 15.0], [4.0, 7.0, 0.0, 16.0], [0.0, 0.0, 11.0, 0.0], [0.0, 8.0, 12.0, 0.0]]]> : tensor<2x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x1x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x1x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  return %y : tensor<2x1x4xf32>
}

#in = affine_map<(e, m, n, k) -> (e, m, k)>
#weight = affine_map<(e, m, n, k) -> (e, n, k)>
#out = affine_map<(e, m, n, k) -> (e, m, n)>
// m is dynamic, and the weights are [experts, n, k].
// REMARK: Function=dynamic | Op=nm.spmm, Products=2
// CHECK-LABEL: func.func @dynamic
// CHECK: tensor.extract_slice %{{.*}}[1, 0, 0] [1, %{{.*}}, 8] [1, 1, 1] : tensor<2x?x8xf32> to tensor<?x8xf32>
// CHECK: nm.spmm
// CHECK-NOT: linalg.
func.func @dynamic(%x: tensor<2x?x8xf32>, %o: tensor<2x?x4xf32>) -> tensor<2x?x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %y = linalg.batch_matmul indexing_maps = [#in, #weight, #out]
      ins(%x, %w : tensor<2x?x8xf32>, tensor<2x4x8xf32>) outs(%f : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  return %y : tensor<2x?x4xf32>
}

#in2 = affine_map<(m, e, n, k) -> (m, e, k)>
#weight2 = affine_map<(m, e, n, k) -> (e, n, k)>
#out2 = affine_map<(m, e, n, k) -> (m, e, n)>
// The experts run along the middle dimension: their slices have gaps.
// REMARK: Function=middle | Op=nm.spmm, Products=2
// CHECK-LABEL: func.func @middle
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 0] [3, 1, 8] [1, 1, 1] : tensor<3x2x8xf32> to tensor<3x8xf32>
// CHECK: tensor.insert_slice %{{.*}}[0, 1, 0] [3, 1, 4]
func.func @middle(%x: tensor<3x2x8xf32>) -> tensor<3x2x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %y = linalg.contract indexing_maps = [#in2, #weight2, #out2]
      ins(%x, %w : tensor<3x2x8xf32>, tensor<2x4x8xf32>) outs(%f : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}

// All of them, or none.
// REMARK: Function=one_is_dense | Op=linalg.batch_matmul, Reason="weight 1 of 2: the weight is dense along k"
// CHECK-LABEL: func.func @one_is_dense
// CHECK-NOT: nm.
func.func @one_is_dense(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]], [[1.0, 9.0, 17.0, 25.0], [2.0, 10.0, 18.0, 26.0], [3.0, 11.0, 19.0, 27.0], [4.0, 12.0, 20.0, 28.0], [5.0, 13.0, 21.0, 29.0], [6.0, 14.0, 22.0, 30.0], [7.0, 15.0, 23.0, 31.0], [8.0, 16.0, 24.0, 32.0]]]> : tensor<2x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%f : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// REMARK: Function=too_many | Op=linalg.batch_matmul, Reason="a batch has more than 256 weights"
// CHECK-LABEL: func.func @too_many
// CHECK-NOT: nm.
func.func @too_many(%x: tensor<257x3x8xf32>) -> tensor<257x3x4xf32> {
  %w = arith.constant dense<1.0> : tensor<257x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<257x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<257x3x4xf32>) -> tensor<257x3x4xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<257x3x8xf32>, tensor<257x8x4xf32>) outs(%f : tensor<257x3x4xf32>) -> tensor<257x3x4xf32>
  return %y : tensor<257x3x4xf32>
}
