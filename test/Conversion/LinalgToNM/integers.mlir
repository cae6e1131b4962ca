// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Products of integers, as quantization writes them.

#id = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d1, d2)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>

// A zero point of the activation: the sums distribute, so that it is a bias, of
// the columns' sums (10, 26, 42, 58) times it. That of the weight is 0.
// REMARK: Function=zero_point | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xi8, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @zero_point
// CHECK-SAME: %[[X:.*]]: tensor<3x8xi8>
// CHECK: %[[B:.*]] = arith.constant dense<[-50, -130, -210, -290]> : tensor<4xi32>
// CHECK: nm.spmm %[[X]], %{{.*}} bias(%[[B]] : tensor<4xi32>) {{.*}} -> tensor<3x4xi32>
// CHECK-NOT: linalg.
func.func @zero_point(%x: tensor<3x8xi8>) -> tensor<3x4xi32> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%c : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %zx = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %y = linalg.quantized_matmul ins(%x, %w, %zx, %zero : tensor<3x8xi8>, tensor<8x4xi8>, i32, i32) outs(%f : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// PyTorch clamps the weight, which is within the bounds, on its way.
// REMARK: Function=clamped | Folded="{{.*}}arith.cmpi{{.*}}arith.select{{.*}}", Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xi8, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @clamped
// CHECK: nm.spmm %{{.*}} bias(
// CHECK-NOT: linalg.
func.func @clamped(%x: tensor<3x8xi8>) -> tensor<3x4xi32> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %low = arith.constant -128 : i8
  %high = arith.constant 127 : i8
  %ec = tensor.empty() : tensor<4x8xi8>
  %within = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<4x8xi8>) outs(%ec : tensor<4x8xi8>) {
    ^bb0(%in: i8, %out: i8):
      %below = arith.cmpi slt, %in, %low : i8
      %l = arith.select %below, %low, %in : i8
      %above = arith.cmpi sgt, %l, %high : i8
      %h = arith.select %above, %high, %l : i8
      linalg.yield %h : i8
  } -> tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%within : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %zx = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %y = linalg.quantized_matmul ins(%x, %w, %zx, %zero : tensor<3x8xi8>, tensor<8x4xi8>, i32, i32) outs(%f : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// One row, and the other sign.
// REMARK: Function=zero_point_vector | Op=nm.spmv
// CHECK-LABEL: func.func @zero_point_vector
// CHECK: %[[B:.*]] = arith.constant dense<[1280, 3328, 5376, 7424]> : tensor<4xi32>
// CHECK: nm.spmv %{{.*}} bias(%[[B]] : tensor<4xi32>)
func.func @zero_point_vector(%x: tensor<1x8xi8>) -> tensor<1x4xi32> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%c : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %zx = arith.constant -128 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4xi32>) -> tensor<1x4xi32>
  %y = linalg.quantized_matmul ins(%x, %w, %zx, %zero : tensor<1x8xi8>, tensor<8x4xi8>, i32, i32) outs(%f : tensor<1x4xi32>) -> tensor<1x4xi32>
  return %y : tensor<1x4xi32>
}

// Unsigned activations, as in a product of mixed signs: 128 less they are signed,
// and the zero point of 100 is -28.
// REMARK: Function=unsigned_activation | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xi8, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @unsigned_activation
// CHECK-SAME: %[[X:.*]]: tensor<3x8xi8>
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3x8xi8>)
// CHECK: arith.xori
// CHECK: %[[B:.*]] = arith.constant dense<[280, 728, 1176, 1624]> : tensor<4xi32>
// CHECK: nm.spmm %[[A]], %{{.*}} bias(%[[B]] : tensor<4xi32>)
func.func @unsigned_activation(%x: tensor<3x8xi8>) -> tensor<3x4xi32> {
  %w = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %zero = arith.constant 0 : i32
  %zx = arith.constant 100 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x8xi8>, tensor<4x8xi8>) outs(%f : tensor<3x4xi32>) {
    ^bb0(%a: i8, %b: i8, %acc: i32):
      %au = arith.extui %a : i8 to i32
      %a32 = arith.subi %au, %zx : i32
      %b32 = arith.extsi %b : i8 to i32
      %p = arith.muli %a32, %b32 : i32
      %sum = arith.addi %acc, %p : i32
      linalg.yield %sum : i32
  } -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// Unsigned numbers of 16 bits, of signed ones of 8.
// REMARK: Function=sign_lost | Op=linalg.generic, Reason="the body computes on the activation before the product"
// CHECK-LABEL: func.func @sign_lost
// CHECK-NOT: nm.
func.func @sign_lost(%x: tensor<3x8xi8>) -> tensor<3x4xi32> {
  %w = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x8xi8>, tensor<4x8xi8>) outs(%f : tensor<3x4xi32>) {
    ^bb0(%a: i8, %b: i8, %acc: i32):
      %as = arith.extsi %a : i8 to i16
      %a32 = arith.extui %as : i16 to i32
      %b32 = arith.extsi %b : i8 to i32
      %p = arith.muli %a32, %b32 : i32
      %sum = arith.addi %acc, %p : i32
      linalg.yield %sum : i32
  } -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// Without one; what scales the sums stays for nm-fuse-epilogue.
// REMARK: Function=scaled | Op=nm.spmm
// CHECK-LABEL: func.func @scaled
// CHECK: %[[P:.*]] = nm.spmm %{{[a-z0-9]+}}, %{{[0-9]+}} outs
// CHECK: linalg.generic {{.*}} ins(%[[P]] : tensor<3x4xi32>)
func.func @scaled(%x: tensor<3x8xi8>) -> tensor<3x4xf32> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%c : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %scale = arith.constant 0.25 : f32
  %y = linalg.quantized_matmul ins(%x, %w, %zero, %zero : tensor<3x8xi8>, tensor<8x4xi8>, i32, i32) outs(%f : tensor<3x4xi32>) -> tensor<3x4xi32>
  %o = tensor.empty() : tensor<3x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x4xi32>) outs(%o : tensor<3x4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %n = arith.sitofp %in : i32 to f32
      %m = arith.mulf %n, %scale : f32
      linalg.yield %m : f32
  } -> tensor<3x4xf32>
  return %s : tensor<3x4xf32>
}

// Sums in i64 of few products of i8, which i32 holds as well: what torch.mm of
// int32 tensors that were int8 becomes.
// REMARK: Function=wide | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xi8, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @wide
// CHECK-SAME: %[[X:.*]]: tensor<3x8xi8>
// CHECK: %[[P:.*]] = nm.spmm %[[X]], {{.*}} {acc = i32} : tensor<3x8xi8>, !nm.condensed<8x4xi8, #nm.pattern<2:4>> -> tensor<3x4xi32>
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<3x4xi32>)
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK: return %[[Y]]
func.func @wide(%x: tensor<3x8xi8>) -> tensor<3x4xi64> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%c : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %e0 = tensor.empty() : tensor<3x8xi32>
  %x32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x8xi8>) outs(%e0 : tensor<3x8xi32>) {
    ^bb0(%in: i8, %out: i32):
      %n = arith.extsi %in : i8 to i32
      linalg.yield %n : i32
  } -> tensor<3x8xi32>
  %e1 = tensor.empty() : tensor<8x4xi32>
  %w32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x4xi8>) outs(%e1 : tensor<8x4xi32>) {
    ^bb0(%in: i8, %out: i32):
      %n = arith.extsi %in : i8 to i32
      linalg.yield %n : i32
  } -> tensor<8x4xi32>
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3x4xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<3x4xi64>) -> tensor<3x4xi64>
  %y = linalg.matmul ins(%x32, %w32 : tensor<3x8xi32>, tensor<8x4xi32>) outs(%f : tensor<3x4xi64>) -> tensor<3x4xi64>
  return %y : tensor<3x4xi64>
}

// The product of i8 itself says i64, and adds to something.
// REMARK: Function=wide_sum | Op=nm.spmm
// CHECK-LABEL: func.func @wide_sum
// CHECK: nm.spmm {{.*}} -> tensor<3x4xi32>
// CHECK: arith.extsi
// CHECK: arith.addi %{{.*}} : i64
func.func @wide_sum(%x: tensor<3x8xi8>, %init: tensor<3x4xi64>) -> tensor<3x4xi64> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %t = tensor.empty() : tensor<8x4xi8>
  %w = linalg.transpose ins(%c : tensor<4x8xi8>) outs(%t : tensor<8x4xi8>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %w : tensor<3x8xi8>, tensor<8x4xi8>) outs(%init : tensor<3x4xi64>) -> tensor<3x4xi64>
  return %y : tensor<3x4xi64>
}

// 2^17 products of -128 and -128 are 2^31.
// REMARK: Function=too_wide | Op=linalg.matmul, Reason="sums of 131072 and more products may pass i32"
// CHECK-LABEL: func.func @too_wide
// CHECK-NOT: nm.
func.func @too_wide(%x: tensor<3x131072xi8>) -> tensor<3x4xi64> {
  %w = arith.constant dense<1> : tensor<131072x4xi8>
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3x4xi64>
  %f = linalg.fill ins(%zero : i64) outs(%e : tensor<3x4xi64>) -> tensor<3x4xi64>
  %y = linalg.matmul ins(%x, %w : tensor<3x131072xi8>, tensor<131072x4xi8>) outs(%f : tensor<3x4xi64>) -> tensor<3x4xi64>
  return %y : tensor<3x4xi64>
}

// A difference of i8 wraps: that is no zero point.
// REMARK: Function=narrow_shift | Op=linalg.generic, Reason="the body computes on the activation before the product"
// CHECK-LABEL: func.func @narrow_shift
// CHECK-NOT: nm.
func.func @narrow_shift(%x: tensor<3x8xi8>) -> tensor<3x4xi32> {
  %c = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %five = arith.constant 5 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<3x8xi8>, tensor<4x8xi8>) outs(%f : tensor<3x4xi32>) {
    ^bb0(%a: i8, %b: i8, %acc: i32):
      %d = arith.subi %a, %five : i8
      %a32 = arith.extsi %d : i8 to i32
      %b32 = arith.extsi %b : i8 to i32
      %p = arith.muli %a32, %b32 : i32
      %sum = arith.addi %acc, %p : i32
      linalg.yield %sum : i32
  } -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}
