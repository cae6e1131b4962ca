// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Weights that element-wise ops compute from several constants are evaluated.
// Which places are pruned is seen in the values that come out.

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, 0)>
#row = affine_map<(d0, d1) -> (d0)>
#scalar = affine_map<(d0, d1) -> ()>

// int8 weight-only, as torch-mlir writes it: a scale for each row of W.
// REMARK: Function=int8_weight_only | Folded="arith.sitofp, arith.mulf", Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @int8_weight_only
// CHECK: nm.constant {{.*}}values = dense<{{\[\[}}5.000000e-01, 1.000000e+01, -9.000000e+00, 5.200000e+01]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @int8_weight_only(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %s = arith.constant dense<[[0.5], [2.0], [-1.0], [4.0]]> : tensor<4x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xi8>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %c = arith.sitofp %in : i8 to f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %s : tensor<4x8xf32>, tensor<4x1xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %c = arith.mulf %in, %scale : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// One scale of rank 0, by which is divided, and a negation.
// REMARK: Function=per_tensor | Folded="arith.sitofp, arith.divf, arith.negf", Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @per_tensor
// CHECK: nm.constant {{.*}}values = dense<{{\[\[}}-2.000000e+00, -1.000000e+01, -1.800000e+01, -2.600000e+01]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @per_tensor(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %s = arith.constant dense<0.5> : tensor<f32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<4x8xi8>, tensor<f32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %c = arith.sitofp %in : i8 to f32
    %q = arith.divf %c, %scale : f32
    %n = arith.negf %q : f32
    linalg.yield %n : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Pruned places hold the zero point of their row, and no zeros.
// REMARK: Function=zero_point | Folded="arith.extsi, arith.extsi, arith.subi, arith.sitofp, arith.mulf", Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @zero_point
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @zero_point(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[4, 5, 3, 3, 3, 6, 7, 3], [4, -1, 5, -1, -1, -1, 6, 7], [7, 16, 7, 17, 18, 19, 7, 7], [20, 20, 33, 34, 35, 20, 20, 36]]> : tensor<4x8xi8>
  %z = arith.constant dense<[3, -1, 7, 20]> : tensor<4xi8>
  %s = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %z : tensor<4x8xi8>, tensor<4xi8>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %a = arith.extsi %in : i8 to i32
    %b = arith.extsi %zp : i8 to i32
    %c = arith.subi %a, %b : i32
    %d = arith.sitofp %c : i32 to f32
    %q = arith.mulf %d, %s : f32
    linalg.yield %q : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Zeros where the zero point is another number: nothing is pruned.
// REMARK: Function=zeros_are_values | Op=linalg.matmul, Reason="the weight is dense along k"
// CHECK-LABEL: func.func @zeros_are_values
// CHECK-NOT: nm.
func.func @zeros_are_values(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 0.0], [6.0, 0.0, 7.0, 0.0, 0.0, 0.0, 8.0, 9.0], [0.0, 10.0, 0.0, 11.0, 12.0, 13.0, 0.0, 0.0], [0.0, 0.0, 14.0, 15.0, 16.0, 0.0, 0.0, 17.0]]> : tensor<4x8xf32>
  %z = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.subf %in, %z : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A mask of floats, written on whole tensors.
// REMARK: Function=mask | Folded=arith.mulf, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @mask
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @mask(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]> : tensor<4x8xf32>
  %k = arith.constant dense<[[1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %d = arith.mulf %w, %k : tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A mask of booleans that selects.
// REMARK: Function=select | Folded=arith.select, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @select
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @select(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0], [17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]]> : tensor<4x8xf32>
  %k = arith.constant dense<[[true, true, false, false, false, true, true, false], [true, false, true, false, false, false, true, true], [false, true, false, true, true, true, false, false], [false, false, true, true, true, false, false, true]]> : tensor<4x8xi1>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%k, %w : tensor<4x8xi1>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%keep: i1, %in: f32, %out: f32):
    %c = arith.select %keep, %in, %zero : f32
    linalg.yield %c : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Clamped, and cast down and up again.
// REMARK: Function=clamp | Folded="arith.maximumf, arith.minimumf, arith.truncf, arith.extf", Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @clamp
// CHECK: nm.constant {{.*}}values = dense<{{\[\[}}1.000000e+00, 4.000000e+00, 4.000000e+00, 4.000000e+00]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @clamp(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %low = arith.constant -4.0 : f32
  %high = arith.constant 4.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %low : f32
    %b = arith.minimumf %a, %high : f32
    %c = arith.truncf %b : f32 to f16
    %g = arith.extf %c : f16 to f32
    linalg.yield %g : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%d : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// NaN and infinity times a scale, infinity times zero: values, which are kept.
// REMARK: Function=not_finite | Folded=arith.mulf, Op=nm.spmm, Rows=2, Weight="!nm.condensed<4x2xf32, #nm.pattern<1:2>>"
// CHECK-LABEL: func.func @not_finite
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi8>, values = dense<{{\[\[}}0x7F800000, 0x{{[7F]}}FC00000], [2.000000e+00, 0x{{[7F]}}FC00000]]>
func.func @not_finite(%x: tensor<3x4xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[0x7F800000, -0.0, 0.0, 1.0], [0.0, 0x7F800000, 0x7FC00000, 0.0]]> : tensor<2x4xf32>
  %s = arith.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<2x4xf32>, tensor<2xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %c = arith.mulf %in, %scale : f32
    linalg.yield %c : f32
  } -> tensor<2x4xf32>
  %et = tensor.empty() : tensor<4x2xf32>
  %wt = linalg.transpose ins(%d : tensor<2x4xf32>) outs(%et : tensor<4x2xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// What cannot be looked through but depends on constants only is evaluated: two
// halves that are put together, and a product of constants (W = P x Q).
// REMARK: Function=concat | Folded=tensor.insert_slice, Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @concat
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm
func.func @concat(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %p = arith.constant dense<[[1.0, 2.0, 0.0, 0.0], [5.0, 0.0, 6.0, 0.0], [0.0, 9.0, 0.0, 10.0], [0.0, 0.0, 13.0, 14.0]]> : tensor<4x4xf32>
  %q = arith.constant dense<[[0.0, 3.0, 4.0, 0.0], [0.0, 0.0, 7.0, 8.0], [11.0, 12.0, 0.0, 0.0], [15.0, 0.0, 0.0, 16.0]]> : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %l = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %r = tensor.insert_slice %q into %l[0, 4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%r : tensor<4x8xf32>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// REMARK: Function=product | Folded=linalg.matmul, Op=nm.spmm, Rows=1, Weight="!nm.condensed<2x4xf32, #nm.pattern<1:2>>"
// CHECK-LABEL: func.func @product
// CHECK: nm.constant {{.*}}values = dense<{{\[\[}}1.000000e+00, 8.000000e+00, 0.000000e+00, 3.000000e+00]]>
// CHECK: nm.spmm
func.func @product(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %p = arith.constant dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %q = arith.constant dense<[[1.0, 0.0, 0.0, 3.0], [0.0, 4.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %wt = linalg.matmul ins(%p, %q : tensor<2x2xf32>, tensor<2x4xf32>) outs(%z : tensor<2x4xf32>) -> tensor<2x4xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<3x2xf32>, tensor<2x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A scale whose extent along k only the cast at the end shows.
// CHECK-LABEL: @hidden_extents
// CHECK: nm.spmm
#scale = affine_map<(i, j) -> (j)>
#elements = affine_map<(i, j) -> (i, j)>
func.func @hidden_extents(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1, 1], [0, 2], [0, 0], [0, 0], [1, 1], [0, 2], [0, 0], [0, 0]]> : tensor<8x2xi8>
  %s = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %wide = tensor.cast %w : tensor<8x2xi8> to tensor<?x?xi8>
  %scales = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %empty = tensor.empty(%c8, %c2) : tensor<?x?xf32>
  %scaled = linalg.generic {indexing_maps = [#scale, #elements, #elements], iterator_types = ["parallel", "parallel"]}
      ins(%scales, %wide : tensor<?xf32>, tensor<?x?xi8>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: i8, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %a, %f : f32
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  %weight = tensor.cast %scaled : tensor<?x?xf32> to tensor<8x2xf32>
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<4x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %weight : tensor<4x8xf32>, tensor<8x2xf32>) outs(%zeros : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
