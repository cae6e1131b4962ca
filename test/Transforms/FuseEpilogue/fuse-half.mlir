// RUN: nm-opt --nm-fuse-pipeline %s | FileCheck %s

// Activations of f16 and bf16, each of whose ops torch-mlir rounds: they are computed in f32 and
// rounded once.

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// gelu of BertModel in f16: MLIR folds no root of a constant of 16 bits.
// CHECK-LABEL: func.func @root_of_a_constant(
// CHECK: nm.spmm {{.*}} bias({{.*}}) outs({{.*}} : tensor<16x8xf16>) {epilogue = #nm.epilogue<gelu_erf>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @root_of_a_constant(%x: tensor<16x4xf16>, %w: !nm.condensed<4x8xf16, #nm.pattern<2:4>>, %b: tensor<8xf32>) -> tensor<16x8xf16> {
  %two = arith.constant 2.0 : f16
  %one = arith.constant 1.0 : f16
  %half = arith.constant 0.5 : f16
  %c = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<16x8xf32>) : tensor<16x4xf16>, !nm.condensed<4x8xf16, #nm.pattern<2:4>> -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf16>
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf16>) {
    ^bb0(%v0: f32, %v1: f32, %o: f16):
      %s = arith.addf %v0, %v1 : f32
      %t = arith.truncf %s : f32 to f16
      linalg.yield %t : f16
  } -> tensor<16x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf16>) outs(%e : tensor<16x8xf16>) {
    ^bb0(%v0: f16, %o: f16):
      %r = math.sqrt %two : f16
      %d = arith.divf %v0, %r : f16
      %f = math.erf %d : f16
      %g = arith.addf %f, %one : f16
      %h = arith.mulf %g, %half : f16
      %s = arith.mulf %v0, %h : f16
      linalg.yield %s : f16
  } -> tensor<16x8xf16>
  return %y : tensor<16x8xf16>
}

// NewGELU of GPT-2 in bf16: what several ops read of the bias is merged for each of them.
// CHECK-LABEL: func.func @merged_for_each(
// CHECK: nm.spmm {{.*}} bias({{.*}}) outs({{.*}} : tensor<16x8xbf16>) {epilogue = #nm.epilogue<gelu_tanh>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @merged_for_each(%x: tensor<16x4xbf16>, %w: !nm.condensed<4x8xbf16, #nm.pattern<2:4>>, %b: tensor<8xf32>) -> tensor<16x8xbf16> {
  %three = arith.constant 3 : i64
  %kappa = arith.constant 0.044715 : bf16
  %beta = arith.constant 0.79788456080286541 : bf16
  %one = arith.constant 1.0 : bf16
  %half = arith.constant 0.5 : bf16
  %c = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<16x8xf32>) : tensor<16x4xbf16>, !nm.condensed<4x8xbf16, #nm.pattern<2:4>> -> tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xbf16>
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xbf16>) {
    ^bb0(%v0: f32, %v1: f32, %o: bf16):
      %s = arith.addf %v0, %v1 : f32
      %t = arith.truncf %s : f32 to bf16
      linalg.yield %t : bf16
  } -> tensor<16x8xbf16>
  %cube = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xbf16>) outs(%e : tensor<16x8xbf16>) {
    ^bb0(%v0: bf16, %o: bf16):
      %s = math.fpowi %v0, %three : bf16, i64
      linalg.yield %s : bf16
  } -> tensor<16x8xbf16>
  %inner = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l, %cube : tensor<16x8xbf16>, tensor<16x8xbf16>) outs(%e : tensor<16x8xbf16>) {
    ^bb0(%v0: bf16, %v1: bf16, %o: bf16):
      %m = arith.mulf %v1, %kappa : bf16
      %s = arith.addf %v0, %m : bf16
      %t = arith.mulf %s, %beta : bf16
      linalg.yield %t : bf16
  } -> tensor<16x8xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l, %inner : tensor<16x8xbf16>, tensor<16x8xbf16>) outs(%e : tensor<16x8xbf16>) {
    ^bb0(%v0: bf16, %v1: bf16, %o: bf16):
      %t = math.tanh %v1 : bf16
      %a = arith.addf %t, %one : bf16
      %h = arith.mulf %v0, %half : bf16
      %s = arith.mulf %h, %a : bf16
      linalg.yield %s : bf16
  } -> tensor<16x8xbf16>
  return %y : tensor<16x8xbf16>
}

// The bias of a Linear of f16, which torch-mlir widens: a constant of f32, by which products of
// one A can be merged (nm-merge-products).
// CHECK-LABEL: func.func @widened_bias(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<16x4xf16>, %[[W:[a-z0-9]+]]:
// CHECK: %[[B:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 5.000000e-01, 2.500000e-01]> : tensor<4xf32>
// CHECK-NOT: linalg.generic
// CHECK: nm.spmm %[[X]], %[[W]] bias(%[[B]] : tensor<4xf32>) outs({{.*}} : tensor<16x4xf16>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @widened_bias(%x: tensor<16x4xf16>, %w: !nm.condensed<4x4xf16, #nm.pattern<2:4>>) -> tensor<16x4xf16> {
  %narrow = arith.constant dense<[1.0, 2.0, 0.5, 0.25]> : tensor<4xf16>
  %v = tensor.empty() : tensor<4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%narrow : tensor<4xf16>) outs(%v : tensor<4xf32>) {
    ^bb0(%v0: f16, %o: f32):
      %t = arith.extf %v0 : f16 to f32
      linalg.yield %t : f32
  } -> tensor<4xf32>
  %c = tensor.empty() : tensor<16x4xf32>
  %p = nm.spmm %x, %w outs(%c : tensor<16x4xf32>) : tensor<16x4xf16>, !nm.condensed<4x4xf16, #nm.pattern<2:4>> -> tensor<16x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x4xf32>, tensor<4xf32>) outs(%c : tensor<16x4xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %t = arith.addf %v0, %v1 : f32
      linalg.yield %t : f32
  } -> tensor<16x4xf32>
  %e = tensor.empty() : tensor<16x4xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<16x4xf32>) outs(%e : tensor<16x4xf16>) {
    ^bb0(%v0: f32, %o: f16):
      %t = arith.truncf %v0 : f32 to f16
      linalg.yield %t : f16
  } -> tensor<16x4xf16>
  return %y : tensor<16x4xf16>
}
