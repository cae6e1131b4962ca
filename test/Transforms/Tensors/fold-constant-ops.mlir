// RUN: nm-opt %s --nm-fold-constant-ops --split-input-file | FileCheck %s
// RUN: nm-opt %s --nm-fold-constant-ops=max-elements=3 --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: nm-opt %s --nm-fold-constant-ops=max-growth=0 --split-input-file --remarks-filter='nm-.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=GROWTH

// Through transposes and reshapes, to the last op of the chain.
// CHECK-LABEL: func @chain
// SMALL-LABEL: func @chain
func.func @chain() -> tensor<4xf32> {
  // CHECK: arith.constant dense<[1.000000e+00, 3.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // CHECK-NOT: linalg
  // SMALL-NOT: linalg.transpose
  // SMALL: linalg.copy
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %r = linalg.copy ins(%c : tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Elements of any width, and one value repeated, are read where they lie; booleans of
// a resource are bytes.
// CHECK-LABEL: func @elements
func.func @elements() -> (tensor<3xi1>, tensor<3xi4>, tensor<3xf16>) {
  // CHECK-DAG: arith.constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-DAG: arith.constant dense<[1, -8, 7]> : tensor<3xi4>
  // CHECK-DAG: arith.constant dense<1.500000e+00> : tensor<3xf16>
  // CHECK-NOT: linalg
  %bits = arith.constant dense_resource<bits> : tensor<3xi1>
  %nibbles = arith.constant dense<[1, -8, 7]> : tensor<3xi4>
  %splat = arith.constant dense<1.5> : tensor<3xf16>
  %e1 = tensor.empty() : tensor<3xi1>
  %e2 = tensor.empty() : tensor<3xi4>
  %e3 = tensor.empty() : tensor<3xf16>
  %c1 = linalg.copy ins(%bits : tensor<3xi1>) outs(%e1 : tensor<3xi1>) -> tensor<3xi1>
  %c2 = linalg.copy ins(%nibbles : tensor<3xi4>) outs(%e2 : tensor<3xi4>) -> tensor<3xi4>
  %c3 = linalg.copy ins(%splat : tensor<3xf16>) outs(%e3 : tensor<3xf16>) -> tensor<3xf16>
  return %c1, %c2, %c3 : tensor<3xi1>, tensor<3xi4>, tensor<3xf16>
}
{-#
  dialect_resources: {
    builtin: {
      bits: "0x01000000010001"
    }
  }
#-}

// -----

// Slices with offsets and strides, of one tensor and into another.
// CHECK-LABEL: func @slices
func.func @slices() -> tensor<3x4xf32> {
  // CHECK: arith.constant dense<{{\[\[}}5.000000e+00, 0.000000e+00, 7.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [9.000000e+00, 0.000000e+00, 1.100000e+01, 0.000000e+00]]> : tensor<3x4xf32>
  // CHECK-NOT: slice
  %w = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<3x4xf32>
  %s = tensor.extract_slice %w[1, 1] [2, 2] [1, 2] : tensor<3x4xf32> to tensor<2x2xf32>
  %i = tensor.insert_slice %s into %zeros[0, 0] [2, 2] [2, 2] : tensor<2x2xf32> into tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.copy ins(%i : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// A causal mask, from nothing but indices.
#row = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @mask
func.func @mask() -> tensor<2x2xi1> {
  // CHECK: arith.constant dense<{{\[\[}}true, false], [true, true]]> : tensor<2x2xi1>
  %e = tensor.empty() : tensor<2x2xi1>
  %m = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<2x2xi1>) {
    ^bb0(%o: i1):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.cmpi uge, %i, %j : index
      linalg.yield %c : i1
  } -> tensor<2x2xi1>
  return %m : tensor<2x2xi1>
}

// -----

// A reduction over an initial value, and a gather.
#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
// CHECK-LABEL: func @sum
func.func @sum() -> tensor<f32> {
  // CHECK: arith.constant dense<1.500000e+01> : tensor<f32>
  // CHECK-NOT: linalg.fill
  %table = arith.constant dense<[10.0, 2.0, 3.0]> : tensor<3xf32>
  %positions = arith.constant dense<[0, 2, 1]> : tensor<3xi64>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%positions : tensor<3xi64>) outs(%f : tensor<f32>) {
    ^bb0(%p: i64, %acc: f32):
      %i = arith.index_cast %p : i64 to index
      %x = tensor.extract %table[%i] : tensor<3xf32>
      %a = arith.addf %acc, %x : f32
      linalg.yield %a : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// An index out of bounds is left to fail at run time; a fill alone stays.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @left_alone
func.func @left_alone() -> (tensor<1xf32>, tensor<4xf32>) {
  // CHECK: linalg.generic
  // CHECK: linalg.fill
  %table = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<1xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<1xf32>) {
    ^bb0(%o: f32):
      %x = tensor.extract %table[%c2] : tensor<2xf32>
      linalg.yield %x : f32
  } -> tensor<1xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  return %g, %f : tensor<1xf32>, tensor<4xf32>
}

// Rounded once: by way of f64 it would be 9007199254740992.
// CHECK-LABEL: @long_integer
// CHECK: arith.constant dense<9.007200e+15> : tensor<1xf32>
func.func @long_integer() -> tensor<1xf32> {
  %x = arith.constant dense<9007199791611905> : tensor<1xi64>
  %e = tensor.empty() : tensor<1xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<1xi64>) outs(%e : tensor<1xf32>) {
    ^bb0(%a: i64, %o: f32):
      %f = arith.sitofp %a : i64 to f32
      linalg.yield %f : f32
  } -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// -----

// A result is no larger than the constants that it is computed from: the gather
// from the table is computed, the broadcast of what it gives is not, nor is a mask
// that no constant has a part in. A constant that is the same everywhere does not
// count, and the bytes of a table count once.
#id = affine_map<(i) -> (i)>
// GROWTH: remark: [Missed] not-folded | Category:nm-fold-constant-ops | Function=growth | bytes=8, bytes of constants=0
// GROWTH: remark: [Missed] not-folded | Category:nm-fold-constant-ops | Function=growth | bytes=16, bytes of constants=12
// GROWTH-LABEL: func @growth
// CHECK-LABEL: func @growth
func.func @growth() -> (tensor<2x2xf32>, tensor<8xi1>) {
  // GROWTH-DAG: %[[GATHERED:.*]] = arith.constant dense<[3.000000e+00, 1.000000e+00]> : tensor<2xf32>
  // GROWTH: linalg.broadcast ins(%[[GATHERED]] : tensor<2xf32>)
  // GROWTH: linalg.generic
  // CHECK-NOT: linalg
  %table = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %last = arith.constant 2 : index
  %e = tensor.empty() : tensor<2xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %twice = arith.addi %i, %i : index
      %j = arith.subi %last, %twice : index
      %x = tensor.extract %table[%j] : tensor<3xf32>
      linalg.yield %x : f32
  } -> tensor<2xf32>
  %e22 = tensor.empty() : tensor<2x2xf32>
  %b = linalg.broadcast ins(%g : tensor<2xf32>) outs(%e22 : tensor<2x2xf32>) dimensions = [0]
  %same = arith.constant dense<5> : tensor<8xi64>
  %e8 = tensor.empty() : tensor<8xi1>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%same : tensor<8xi64>) outs(%e8 : tensor<8xi1>) {
    ^bb0(%s: i64, %o: i1):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %c = arith.cmpi slt, %k, %s : i64
      linalg.yield %c : i1
  } -> tensor<8xi1>
  return %b, %m : tensor<2x2xf32>, tensor<8xi1>
}

// Running totals of constants along the first dimension, whose accumulator nobody reads.
// Exclusive ones, and those with a reader, are left alone.
// CHECK-LABEL: func @scan
func.func @scan() -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<2xi32>, tensor<3x2xi32>) {
  // CHECK: arith.constant dense<{{\[}}[1, 2], [4, 6], [9, 12]]> : tensor<3x2xi32>
  // CHECK: tm_tensor.scan dimension(0) inclusive(true)
  // CHECK: tm_tensor.scan dimension(0) inclusive(false)
  %x = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %e = tensor.empty() : tensor<3x2xi32>
  %a = tensor.empty() : tensor<2xi32>
  %y:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3x2xi32>) outs(%e, %a : tensor<3x2xi32>, tensor<2xi32>) {
  ^bb0(%total: i32, %next: i32):
    %s = arith.addi %total, %next : i32
    tm_tensor.yield %s : i32
  } -> tensor<3x2xi32>, tensor<2xi32>
  %z:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<3x2xi32>) outs(%e, %a : tensor<3x2xi32>, tensor<2xi32>) {
  ^bb0(%total: i32, %next: i32):
    %s = arith.subi %total, %next : i32
    tm_tensor.yield %s : i32
  } -> tensor<3x2xi32>, tensor<2xi32>
  %w:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<3x2xi32>) outs(%e, %a : tensor<3x2xi32>, tensor<2xi32>) {
  ^bb0(%total: i32, %next: i32):
    %s = arith.addi %total, %next : i32
    tm_tensor.yield %s : i32
  } -> tensor<3x2xi32>, tensor<2xi32>
  return %y#0, %z#0, %z#1, %w#0 : tensor<3x2xi32>, tensor<3x2xi32>, tensor<2xi32>, tensor<3x2xi32>
}
