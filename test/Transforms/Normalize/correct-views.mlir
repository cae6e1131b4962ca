// RUN: nm-opt %s --split-input-file --nm-correct-views --canonicalize --cse --remarks-filter=nm-.* --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// What torch-mlir writes for a linear layer on [batch, tokens, 8]: all that
// follows the view has its size, until a reshape says its sizes itself.
// REMARK: remark: [Passed] corrected | Category:nm-correct-views | Function=linear | Remark="tensor<?x?x8xf32> to tensor<?x8xf32>"
// CHECK-LABEL: @linear
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x?x8xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[ROWS]], %{{.*}}
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[M]]) : tensor<?x4xf32>
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}}) outs(%[[EMPTY]]
// CHECK: linalg.matmul ins(%[[ROWS]], %{{.*}}) outs(%[[ZEROS]]
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<?x4xf32>)
// CHECK: tensor.reshape
#rows = affine_map<(m, n) -> (m, n)>
#bias = affine_map<(m, n) -> (n)>
func.func @linear(%x: tensor<?x?x8xf32>, %w: tensor<8x4xf32>, %bias: tensor<4xf32>, %sizes: tensor<3xi64>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %empty = tensor.empty(%batch) : tensor<?x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%zeros : tensor<?x4xf32>) -> tensor<?x4xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%2, %bias : tensor<?x4xf32>, tensor<4xf32>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x4xf32>
  %4 = tensor.reshape %3(%sizes) : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
  return %4 : tensor<?x?x4xf32>
}

// -----

// The cast has become part of the op before; the residual of it has one of its
// own, and what torch-mlir checked of the size is gone: it said 1.
// REMARK: remark: [Passed] corrected | {{.*}} Function=absorbed
// CHECK-LABEL: @absorbed
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x?x8xf32>, %[[Y:[^:]*]]: tensor<?x?x8xf32>)
// CHECK-NOT: cf.assert
// CHECK-NOT: x1x
// CHECK: %[[EXP:.*]] = linalg.exp ins(%[[X]] : tensor<?x?x8xf32>) outs(%{{.*}} : tensor<?x?x8xf32>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[EXP]] {{\[}}[0, 1], [2]]
// CHECK: %[[SUM:.*]] = linalg.add ins(%[[EXP]], %[[Y]] : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%{{.*}} : tensor<?x?x8xf32>)
// CHECK: return %[[ROWS]], %[[SUM]]
func.func @absorbed(%x: tensor<?x?x8xf32>, %y: tensor<?x?x8xf32>) -> (tensor<?x8xf32>, tensor<?x?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batch = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %tokens = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %empty = tensor.empty(%batch) : tensor<?x1x8xf32>
  %exp = linalg.exp ins(%x : tensor<?x?x8xf32>) outs(%empty : tensor<?x1x8xf32>) -> tensor<?x1x8xf32>
  %rows = tensor.collapse_shape %exp [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %ok = arith.cmpi eq, %tokens, %c1 : index
  cf.assert %ok, "mismatched size for broadcast"
  %narrow = tensor.cast %y : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %sum = linalg.add ins(%exp, %narrow : tensor<?x1x8xf32>, tensor<?x1x8xf32>) outs(%empty : tensor<?x1x8xf32>) -> tensor<?x1x8xf32>
  %wide = tensor.cast %sum : tensor<?x1x8xf32> to tensor<?x?x8xf32>
  return %rows, %wide : tensor<?x8xf32>, tensor<?x?x8xf32>
}

// -----

// Behind a transpose, and an expand of another dimension.
// REMARK: remark: [Passed] corrected | {{.*}} Function=transposed
// CHECK-LABEL: @transposed
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x2x?x4xf32>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<?x2x?x4xf32>) outs(%{{.*}} : tensor<?x?x2x4xf32>) permutation = [2, 0, 1, 3]
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[T]] {{\[}}[0, 1], [2, 3]] : tensor<?x?x2x4xf32> into tensor<?x8xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[ROWS]]
// CHECK: tensor.expand_shape %[[ROWS]] {{\[}}[0], [1, 2]] output_shape [%[[M]], 4, 2]
func.func @transposed(%x: tensor<?x2x?x4xf32>) -> tensor<?x4x2xf32> {
  %c2 = arith.constant 2 : index
  %tokens = tensor.dim %x, %c2 : tensor<?x2x?x4xf32>
  %0 = tensor.cast %x : tensor<?x2x?x4xf32> to tensor<1x2x?x4xf32>
  %empty = tensor.empty(%tokens) : tensor<?x1x2x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<1x2x?x4xf32>) outs(%empty : tensor<?x1x2x4xf32>) permutation = [2, 0, 1, 3]
  %2 = tensor.collapse_shape %1 [[0], [1, 2, 3]] : tensor<?x1x2x4xf32> into tensor<?x8xf32>
  %3 = tensor.expand_shape %2 [[0], [1, 2]] output_shape [%tokens, 4, 2] : tensor<?x8xf32> into tensor<?x4x2xf32>
  return %3 : tensor<?x4x2xf32>
}

// -----

// As torch-mlir writes einsum: a batch of 1, into whose rows the size goes.
// REMARK: remark: [Passed] corrected | {{.*}} Function=batch_of_one
// CHECK-LABEL: @batch_of_one
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x?x4x2xf32>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2, 3]] : tensor<?x?x4x2xf32> into tensor<?x8xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[ROWS]], %c0
// CHECK: tensor.expand_shape %[[ROWS]] {{\[}}[0, 1], [2]] output_shape [1, %[[M]], 8]
func.func @batch_of_one(%x: tensor<?x?x4x2xf32>) -> tensor<1x?x8xf32> {
  %0 = tensor.cast %x : tensor<?x?x4x2xf32> to tensor<1x?x4x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<1x?x4x2xf32> into tensor<1x?x8xf32>
  return %1 : tensor<1x?x8xf32>
}

// -----

// A slice, whose offset may have been computed from the size: nothing is done.
// REMARK: remark: [Missed] not-corrected | Category:nm-correct-views | Function=sliced | Op=tensor.extract_slice, Reason="what a larger size means for it is not known"
// REMARK: warning: a dynamic size is taken for 1 by what leads here, and others will fail at run time: what a larger size means for it is not known; export the model with nm.export, or with fewer dynamic dimensions
// CHECK-LABEL: @sliced
// CHECK: tensor.cast
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @sliced(%x: tensor<?x?x8xf32>) -> (tensor<?x8xf32>, tensor<2x1x8xf32>) {
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %2 = tensor.extract_slice %0[0, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<?x1x8xf32> to tensor<2x1x8xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<2x1x8xf32>
}

// -----

// REMARK: remark: [Missed] not-corrected | {{.*}} Function=reduced | Op=linalg.reduce, Reason="it reduces what grows"
// CHECK-LABEL: @reduced
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @reduced(%x: tensor<?x?x8xf32>, %init: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %sum = linalg.reduce ins(%0 : tensor<?x1x8xf32>) outs(%init : tensor<?x8xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %2 = arith.addf %in, %out : f32
      linalg.yield %2 : f32
    }
  return %1, %sum : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// REMARK: remark: [Missed] not-corrected | {{.*}} Function=static_operand | Op=linalg.add, Reason="another operand does not grow"
// CHECK-LABEL: @static_operand
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @static_operand(%x: tensor<?x?x8xf32>, %y: tensor<?x1x8xf32>) -> (tensor<?x8xf32>, tensor<?x?x8xf32>) {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %empty = tensor.empty(%batch) : tensor<?x1x8xf32>
  %sum = linalg.add ins(%0, %y : tensor<?x1x8xf32>, tensor<?x1x8xf32>) outs(%empty : tensor<?x1x8xf32>) -> tensor<?x1x8xf32>
  %wide = tensor.cast %sum : tensor<?x1x8xf32> to tensor<?x?x8xf32>
  return %1, %wide : tensor<?x8xf32>, tensor<?x?x8xf32>
}

// -----

// No op and no function says what a larger size of these would mean.
// REMARK: not-corrected | {{.*}} Function=accumulated | Op=linalg.exp, Reason="it accumulates into another value"
// CHECK-LABEL: @accumulated
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @accumulated(%x: tensor<?x?x8xf32>, %y: tensor<?x1x8xf32>) -> (tensor<?x8xf32>, tensor<?x1x8xf32>) {
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  %exp = linalg.exp ins(%0 : tensor<?x1x8xf32>) outs(%y : tensor<?x1x8xf32>) -> tensor<?x1x8xf32>
  return %1, %exp : tensor<?x8xf32>, tensor<?x1x8xf32>
}

// -----

// REMARK: not-corrected | {{.*}} Function=returned | Op=func.return, Reason="what a larger size means for it is not known"
// CHECK-LABEL: @returned
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
func.func @returned(%x: tensor<?x?x8xf32>) -> (tensor<?x8xf32>, tensor<?x1x8xf32>) {
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
  return %1, %0 : tensor<?x8xf32>, tensor<?x1x8xf32>
}

// -----

// The body reads a table of the size that is taken for 1.
// REMARK: not-corrected | {{.*}} Function=indexed | Op=linalg.generic, Reason="its body reads the index of what grows"
// CHECK-LABEL: @indexed
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]]
#cube = affine_map<(i, j, k) -> (i, j, k)>
func.func @indexed(%x: tensor<?x?x4xf32>, %table: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %empty = tensor.empty(%batch) : tensor<?x1x4xf32>
  %0 = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x4xf32>) outs(%empty : tensor<?x1x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %b = tensor.extract %table[%i, %j] : tensor<1x4xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x1x4xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x1x4xf32> into tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// Two dynamic sizes beside it could take it: nothing is done.
// REMARK-NOT: remark
// CHECK-LABEL: @unclear
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]]
func.func @unclear(%x: tensor<?x?x?x4x2xf32>) -> tensor<?x1x?x8xf32> {
  %0 = tensor.cast %x : tensor<?x?x?x4x2xf32> to tensor<?x1x?x4x2xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2], [3, 4]] : tensor<?x1x?x4x2xf32> into tensor<?x1x?x8xf32>
  return %1 : tensor<?x1x?x8xf32>
}

// -----

// No view: the module says what it means.
// CHECK-LABEL: @no_view
// CHECK: tensor.cast %{{.*}} : tensor<?x?x8xf32> to tensor<?x1x8xf32>
func.func @no_view(%x: tensor<?x?x8xf32>) -> tensor<?x1x8xf32> {
  %0 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
  return %0 : tensor<?x1x8xf32>
}
