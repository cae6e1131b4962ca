// RUN: nm-opt --nm-import-sparse-encodings --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s --implicit-check-not=sparse < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: nm-opt --nm-import-pipeline --remarks-filter='nm-import-linalg' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=RAISED < %t.remarks
// RUN: FileCheck %s --check-prefix=IMPORTED < %t

// What structured[n, m] says of a constant goes to the product that sums over
// that dimension, and all encodings are dropped. The weights are 2:4 and, by
// chance, also have a tighter pattern, which is not searched for.
//
// IMPORTED-NOT: {{sparse|claimed}}

#id = affine_map<(d0, d1) -> (d0, d1)>
#KN = #sparse_tensor.encoding<{ map = (k, n) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>
#BLOCKS_FIRST = #sparse_tensor.encoding<{ map = (k, n) -> (k floordiv 4 : dense, n : dense, k mod 4 : structured[2, 4]) }>
#NK = #sparse_tensor.encoding<{ map = (n, k) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>
#EXPERTS = #sparse_tensor.encoding<{ map = (e, k, n) -> (e : dense, n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>
#WIDE = #sparse_tensor.encoding<{ map = (k, n) -> (n : dense, k floordiv 8 : dense, k mod 8 : structured[3, 8]) }>
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#BSR = #sparse_tensor.encoding<{ map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
#PLAIN = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : dense) }>
#NOTHING = #sparse_tensor.encoding<{ map = (k, n) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[0, 4]) }>

// REMARK: :[[#@LINE+10]]:{{.*}} remark: [Passed] claimed | Category:nm-import-sparse-encodings | Function=convert | Op=linalg.matmul, Pattern=#nm.pattern<2:4>
// RAISED: Function=convert | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @convert
// CHECK: %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<8x4xf32>
// CHECK: linalg.matmul {nm.claimed_loop = 2 : i64, nm.claimed_pattern = #nm.pattern<2:4>} ins(%{{.*}}, %[[W]] : tensor<3x8xf32>, tensor<8x4xf32>)
func.func @convert(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0],
                             [5.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0], [0.0, 0.0, 0.0, 8.0]]> : tensor<8x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %s = sparse_tensor.convert %w : tensor<8x4xf32> to tensor<8x4xf32, #KN>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %s : tensor<3x8xf32>, tensor<8x4xf32, #KN>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// A constant whose own type has the encoding; the pattern is looser than what
// the search would find and raise, or even too loose for it.
// REMARK: Function=constant | Op=linalg.matmul, Pattern=#nm.pattern<3:8>
// RAISED: Function=constant | Op=nm.spmm, Rows=3, Weight="!nm.condensed<8x4xf32, #nm.pattern<3:8>>"
// CHECK-LABEL: func.func @constant
// CHECK: linalg.matmul {nm.claimed_loop = 2 : i64, nm.claimed_pattern = #nm.pattern<3:8>}
func.func @constant(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0],
                             [5.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0], [0.0, 0.0, 0.0, 8.0]]> : tensor<8x4xf32, #WIDE>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x4xf32, #WIDE>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// torch's weight, encoded before it is transposed; coordinates and values.
// REMARK: Function=transposed | Op=linalg.matmul, Pattern=#nm.pattern<2:4>
// RAISED: Function=transposed | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @transposed
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00
// CHECK: linalg.transpose ins(%{{.*}} : tensor<4x8xf32>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK: linalg.matmul {nm.claimed_loop = 2 : i64
func.func @transposed(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant sparse<[[0, 0], [0, 3], [1, 1], [1, 5], [1, 6], [2, 7], [3, 2]], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<4x8xf32>
  %s = sparse_tensor.convert %w : tensor<4x8xf32> to tensor<4x8xf32, #NK>
  %et = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%s : tensor<4x8xf32, #NK>) outs(%et : tensor<8x4xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %t : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Two products read it, by rows of blocks; the second through an unknown extent.
// REMARK-COUNT-2: Function=two_users | Op=linalg.matmul, Pattern=#nm.pattern<2:4>
// RAISED-COUNT-2: Function=two_users | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @two_users
// CHECK-COUNT-2: linalg.matmul {nm.claimed_loop = 2 : i64
func.func @two_users(%x: tensor<3x8xf32>, %z: tensor<3x8xf32>) -> (tensor<3x4xf32>, tensor<3x?xf32>) {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 4.0],
                             [5.0, 0.0, 0.0, 0.0], [0.0, 6.0, 0.0, 0.0], [0.0, 0.0, 7.0, 0.0], [0.0, 0.0, 0.0, 8.0]]> : tensor<8x4xf32>
  %s = sparse_tensor.convert %w : tensor<8x4xf32> to tensor<8x4xf32, #BLOCKS_FIRST>
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %ed = tensor.empty(%c4) : tensor<3x?xf32>
  %fd = linalg.fill ins(%zero : f32) outs(%ed : tensor<3x?xf32>) -> tensor<3x?xf32>
  %d = tensor.cast %s : tensor<8x4xf32, #BLOCKS_FIRST> to tensor<8x?xf32, #BLOCKS_FIRST>
  %y0 = linalg.matmul ins(%x, %s : tensor<3x8xf32>, tensor<8x4xf32, #BLOCKS_FIRST>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y1 = linalg.matmul ins(%z, %d : tensor<3x8xf32>, tensor<8x?xf32, #BLOCKS_FIRST>) outs(%fd : tensor<3x?xf32>) -> tensor<3x?xf32>
  return %y0, %y1 : tensor<3x4xf32>, tensor<3x?xf32>
}

// A weight for each expert.
// REMARK: Function=experts | Op=linalg.batch_matmul, Pattern=#nm.pattern<2:4>
// RAISED: Function=experts | Op=nm.spmm, Products=2, Rows=2, Weight="!nm.condensed<4x2xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @experts
// CHECK: linalg.batch_matmul {nm.claimed_loop = 3 : i64
func.func @experts(%x: tensor<2x3x4xf32>) -> tensor<2x3x2xf32> {
  %w = arith.constant dense<[[[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, 0.0]],
                             [[0.0, 0.0], [0.0, 4.0], [5.0, 0.0], [6.0, 0.0]]]> : tensor<2x4x2xf32>
  %s = sparse_tensor.convert %w : tensor<2x4x2xf32> to tensor<2x4x2xf32, #EXPERTS>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %y = linalg.batch_matmul ins(%x, %s : tensor<2x3x4xf32>, tensor<2x4x2xf32, #EXPERTS>) outs(%f : tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %y : tensor<2x3x2xf32>
}

// Along n: no product sums over that. What the data are is found as ever.
// REMARK: :[[#@LINE+7]]:{{.*}} remark: [Missed] encoding-dropped | Category:nm-import-sparse-encodings | Function=along_n | Reason="the structured level lies along dimension 1, over which the product does not sum"
// RAISED: Function=along_n | Op=linalg.matmul, Reason="the weight is dense along k
// CHECK-LABEL: func.func @along_n
// CHECK-NOT: nm.
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<4x4xf32>)
func.func @along_n(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 2.0], [3.0, 0.0, 0.0, 4.0], [5.0, 0.0, 0.0, 6.0], [7.0, 0.0, 0.0, 8.0]]> : tensor<4x4xf32>
  %s = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #NK>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%x, %s : tensor<3x4xf32>, tensor<4x4xf32, #NK>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// Other formats say nothing of windows. The result may have one as well.
// REMARK: Function=formats | Reason="a level is `compressed`: a format of storage, not an N:M pattern"
// REMARK: Function=formats | Reason="a level is `compressed`: a format of storage, not an N:M pattern"
// REMARK: Function=formats | Reason="no level is `structured[n, m]`"
// REMARK: Function=formats | Reason="the level `structured[0, 4]` keeps nothing"
// CHECK-LABEL: func.func @formats
// CHECK-COUNT-4: linalg.matmul ins(
func.func @formats(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 2.0], [3.0, 9.0, 0.0, 4.0], [5.0, 0.0, 0.0, 6.0], [7.0, 0.0, 9.0, 8.0]]> : tensor<4x4xf32>
  %s0 = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #CSR>
  %s1 = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #BSR>
  %s2 = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #PLAIN>
  %s3 = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #NOTHING>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %es = tensor.empty() : tensor<4x4xf32, #CSR>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x4xf32, #CSR>) -> tensor<4x4xf32, #CSR>
  %y0 = linalg.matmul ins(%x, %s0 : tensor<4x4xf32>, tensor<4x4xf32, #CSR>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y1 = linalg.matmul ins(%y0, %s1 : tensor<4x4xf32>, tensor<4x4xf32, #BSR>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y2 = linalg.matmul ins(%y1, %s2 : tensor<4x4xf32>, tensor<4x4xf32, #PLAIN>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y3 = linalg.matmul ins(%y2, %s3 : tensor<4x4xf32>, tensor<4x4xf32, #NOTHING>) outs(%fs : tensor<4x4xf32, #CSR>) -> tensor<4x4xf32, #CSR>
  %y4 = sparse_tensor.convert %y3 : tensor<4x4xf32, #CSR> to tensor<4x4xf32>
  return %y4 : tensor<4x4xf32>
}

// An activation may be encoded too, and then is a tensor like any other; what
// is computed from an encoded weight has a pattern of its own.
// REMARK: Function=activation | Reason="the tensor is not known at compile time"
// REMARK: Function=activation | Reason="`linalg.generic` computes on the tensor before any product"
// CHECK-LABEL: func.func @activation
// CHECK: linalg.matmul ins(
func.func @activation(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 2.0], [0.0, 9.0, 0.0, 4.0], [0.0, 0.0, 0.0, 0.0], [7.0, 0.0, 9.0, 0.0]]> : tensor<4x4xf32>
  %a = sparse_tensor.convert %x : tensor<4x4xf32> to tensor<4x4xf32, #NK>
  %s = sparse_tensor.convert %w : tensor<4x4xf32> to tensor<4x4xf32, #KN>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %ones = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x4xf32, #KN>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %in, %one : f32
      linalg.yield %sum : f32
  } -> tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%a, %ones : tensor<4x4xf32, #NK>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// k is two dimensions, and the windows lie along the outer one.
// REMARK: Function=outer_k | Op=linalg.generic, Pattern=#nm.pattern<2:4>
// RAISED: remark: [Missed] claim-dropped | Category:nm-import-linalg | Function=outer_k | Reason="the windows of the encoding are not windows of k"
// CHECK-LABEL: func.func @outer_k
// CHECK: linalg.generic
#OUTER = #sparse_tensor.encoding<{ map = (k0, k1, n) -> (n : dense, k1 : dense, k0 floordiv 4 : dense, k0 mod 4 : structured[2, 4]) }>
func.func @outer_k(%x: tensor<3x4x2xf32>, %init: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[[1.0, 0.0], [2.0, 3.0]], [[4.0, 5.0], [0.0, 0.0]], [[0.0, 6.0], [7.0, 8.0]], [[0.0, 0.0], [0.0, 0.0]]]> : tensor<4x2x2xf32>
  %s = sparse_tensor.convert %w : tensor<4x2x2xf32> to tensor<4x2x2xf32, #OUTER>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, i, j) -> (m, i, j)>, affine_map<(m, n, i, j) -> (i, j, n)>, affine_map<(m, n, i, j) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %s : tensor<3x4x2xf32>, tensor<4x2x2xf32, #OUTER>) outs(%init : tensor<3x2xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %p = arith.mulf %a, %b : f32
      %sum = arith.addf %out, %p : f32
      linalg.yield %sum : f32
  } -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
