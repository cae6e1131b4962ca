// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Contractions after --linalg-generalize-named-ops and
// --linalg-fuse-elementwise-ops: one generic on the original constant, whose
// transpose, broadcast, casts and scales are in its maps and its body.

#x = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#w = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#s = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#y = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// REMARK: Function=plain | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @plain
// CHECK: nm.spmm {{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.
func.func @plain(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x8xf32>, tensor<4x8xf32>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %b, %a : f32
    %c = arith.addf %p, %acc : f32
    linalg.yield %c : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// REMARK: Function=weight_first | Op=nm.spmm
// CHECK-LABEL: func.func @weight_first
// CHECK: nm.spmm {{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.
func.func @weight_first(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<4x8xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %c = arith.addf %acc, %p : f32
    linalg.yield %c : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// The casts and the scale of an int8 weight are in the body.
// REMARK: Function=int8_weight_only | Folded="arith.sitofp, arith.mulf", Op=nm.spmm
// CHECK-LABEL: func.func @int8_weight_only
// CHECK: nm.spmm {{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg.
func.func @int8_weight_only(%x: tensor<2x3x8xf32>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[1, 2, 0, 0, 0, 3, 4, 0], [5, 0, 6, 0, 0, 0, 7, 8], [0, 9, 0, 10, 11, 12, 0, 0], [0, 0, 13, 14, 15, 0, 0, 16]]> : tensor<4x8xi8>
  %s = arith.constant dense<[[0.5], [2.0], [-1.0], [4.0]]> : tensor<4x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : tensor<2x3x8xf32>, tensor<4x8xi8>, tensor<4x1xf32>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %b: i8, %scale: f32, %acc: f32):
    %r = arith.sitofp %b : i8 to f32
    %q = arith.mulf %r, %scale : f32
    %p = arith.mulf %a, %q : f32
    %c = arith.addf %acc, %p : f32
    linalg.yield %c : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// Both are widened: the product does that itself.
// REMARK: Function=widened | Op=nm.spmm
// CHECK-LABEL: func.func @widened
// CHECK: nm.spmm {{.*}} : tensor<6x8xf16>, !nm.condensed<8x4xf16, #nm.pattern<2:4>> -> tensor<6x4xf32>
func.func @widened(%x: tensor<2x3x8xf16>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf16>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x8xf16>, tensor<4x8xf16>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %p = arith.mulf %wa, %wb : f32
    %c = arith.addf %acc, %p : f32
    linalg.yield %c : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// Only the activation is: that is done before.
// REMARK: Function=activation_widened | Op=nm.spmm
// CHECK-LABEL: func.func @activation_widened
// CHECK: arith.extf
// CHECK: nm.spmm {{.*}} : tensor<6x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<6x4xf32>
func.func @activation_widened(%x: tensor<2x3x8xf16>) -> tensor<2x3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x8xf16>, tensor<4x8xf32>) outs(%f : tensor<2x3x4xf32>) {
  ^bb0(%a: f16, %b: f32, %acc: f32):
    %wa = arith.extf %a : f16 to f32
    %p = arith.mulf %wa, %b : f32
    %c = arith.addf %acc, %p : f32
    linalg.yield %c : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

#id = affine_map<(d0, d1) -> (d0, d1)>
// Both are widened before the product, which does that itself.
// REMARK: Function=widened_before | Op=nm.spmm
// CHECK-LABEL: func.func @widened_before
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm {{.*}} : tensor<3x8xf16>, !nm.condensed<8x4xf16, #nm.pattern<2:4>> -> tensor<3x4xf32>
func.func @widened_before(%x: tensor<3x8xf16>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf16>
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<3x8xf32>
  %ew = tensor.empty() : tensor<8x4xf32>
  %wx = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x8xf16>) outs(%ex : tensor<3x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %c = arith.extf %in : f16 to f32
    linalg.yield %c : f32
  } -> tensor<3x8xf32>
  %wt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x4xf16>) outs(%ew : tensor<8x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %c = arith.extf %in : f16 to f32
    linalg.yield %c : f32
  } -> tensor<8x4xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul ins(%wx, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
