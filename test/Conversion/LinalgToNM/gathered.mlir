// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// The weight is one of several constants, and an index of the run says which: the
// product stays, but what the constants have is said, with a warning where they
// are sparse in vain.

#first = affine_map<(d0, d1, d2) -> (d0)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// As torch-mlir writes w[experts] of the experts of a mixture.
// REMARK: :[[#@LINE+20]]:{{.*}} warning: the product is computed densely: which of 2 weights is taken is known only at run time; all have the pattern #nm.pattern<2:4>; with a product for each weight (a loop over experts, say) all are sparse
// REMARK: remark: [Missed] not-raised | Category:nm-import-linalg | Function=experts | Op=linalg.batch_matmul, Pattern=#nm.pattern<2:4>, Reason="which of 2 weights is taken is known only at run time; all have the pattern #nm.pattern<2:4>"
// CHECK-LABEL: func.func @experts(
// CHECK-NOT: nm.
func.func @experts(%x: tensor<3x8xf32>, %experts: tensor<3xi64>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %e = tensor.empty() : tensor<3x4x8xf32>
  %chosen = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%experts : tensor<3xi64>) outs(%e : tensor<3x4x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %expert = arith.index_cast %in : i64 to index
    %n = linalg.index 1 : index
    %k = linalg.index 2 : index
    %v = tensor.extract %w[%expert, %n, %k] : tensor<2x4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x4x8xf32>
  %columns = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  %y = linalg.batch_matmul ins(%chosen, %columns : tensor<3x4x8xf32>, tensor<3x8x1xf32>) outs(%init : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2]] : tensor<3x4x1xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// One of them is dense: no warning.
// REMARK-NOT: warning
// REMARK: Function=one_is_dense | Op=linalg.batch_matmul, Reason="which of 2 weights is taken is known only at run time; the weight is dense along k"
// CHECK-LABEL: func.func @one_is_dense(
// CHECK-NOT: nm.
func.func @one_is_dense(%x: tensor<3x8xf32>, %experts: tensor<3xi64>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]]> : tensor<2x4x8xf32>
  %e = tensor.empty() : tensor<3x4x8xf32>
  %chosen = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%experts : tensor<3xi64>) outs(%e : tensor<3x4x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %expert = arith.index_cast %in : i64 to index
    %n = linalg.index 1 : index
    %k = linalg.index 2 : index
    %v = tensor.extract %w[%expert, %n, %k] : tensor<2x4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x4x8xf32>
  %columns = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  %y = linalg.batch_matmul ins(%chosen, %columns : tensor<3x4x8xf32>, tensor<3x8x1xf32>) outs(%init : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  %r = tensor.collapse_shape %y [[0], [1, 2]] : tensor<3x4x1xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// A slice at an index of the run.
// REMARK: warning: the product is computed densely
// REMARK: Function=slice | Op=linalg.matmul, Pattern=#nm.pattern<2:4>
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: nm.
func.func @slice(%x: tensor<3x8xf32>, %expert: index) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %chosen = tensor.extract_slice %w[%expert, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<2x4x8xf32> to tensor<4x8xf32>
  %t = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%chosen : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Rows of a table, looked up, are no matrices to choose from: not a candidate,
// neither as the activation nor as a vector.
// REMARK-NOT: Function=embedding
// CHECK-LABEL: func.func @embedding(
// CHECK: linalg.matmul
func.func @embedding(%ids: tensor<3xi64>, %w: tensor<8x4xf32>) -> tensor<3x4xf32> {
  %table = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %e = tensor.empty() : tensor<3x8xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<3xi64>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %id = arith.index_cast %in : i64 to index
    %k = linalg.index 1 : index
    %v = tensor.extract %table[%id, %k] : tensor<4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// An index that is constant chooses at compile time.
// REMARK: [Passed] raised | Category:nm-import-linalg | Function=constant_index | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @constant_index(
// CHECK: nm.spmm
func.func @constant_index(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %second = arith.constant 1 : index
  %wt = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x4xf32>) {
  ^bb0(%out: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %v = tensor.extract %w[%second, %n, %k] : tensor<2x4x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Indices that are the elements of a constant do so too, one for each of a batch.
// REMARK: [Passed] raised | Category:nm-import-linalg | Function=constant_indices | Folded=linalg.generic, Op=nm.sp{{m[mv]}}, Products=3
// CHECK-LABEL: func.func @constant_indices(
// CHECK-COUNT-3: nm.sp
func.func @constant_indices(%x: tensor<3x2x8xf32>) -> tensor<3x2x4xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]], [[0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0], [5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 0.0, 8.0], [9.0, 0.0, 0.0, 10.0, 0.0, 0.0, 11.0, 12.0], [13.0, 0.0, 14.0, 0.0, 15.0, 16.0, 0.0, 0.0]]]> : tensor<2x4x8xf32>
  %experts = arith.constant dense<[1, 0, 1]> : tensor<3xi64>
  %e = tensor.empty() : tensor<3x8x4xf32>
  %chosen = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%experts : tensor<3xi64>) outs(%e : tensor<3x8x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %expert = arith.index_cast %in : i64 to index
    %k = linalg.index 1 : index
    %n = linalg.index 2 : index
    %v = tensor.extract %w[%expert, %n, %k] : tensor<2x4x8xf32>
    linalg.yield %v : f32
  } -> tensor<3x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x2x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%o : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %y = linalg.batch_matmul ins(%x, %chosen : tensor<3x2x8xf32>, tensor<3x8x4xf32>) outs(%init : tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}
