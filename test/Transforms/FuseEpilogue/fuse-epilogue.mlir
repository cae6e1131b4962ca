// What follows a product as torch-mlir writes it, and how the product does it.

// RUN: nm-opt %s --nm-fuse-pipeline | FileCheck %s

// The numbers are equal within rounding, on the CPU and in the emulator.
// RUN: nm-run %s --entry=main --device=cpu --pipeline-options=fuse=0 \
// RUN:   --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy --output=%t.3.npy --output=%t.4.npy \
// RUN:   --output=%t.5.npy --output=%t.6.npy --output=%t.7.npy --output=%t.8.npy --output=%t.9.npy \
// RUN:   --output=%t.10.npy --output=%t.11.npy --output=%t.12.npy --output=%t.13.npy --output=%t.14.npy \
// RUN:   --output=%t.15.npy --output=%t.16.npy --output=%t.17.npy --output=%t.18.npy
// RUN: nm-run %s --entry=main --device=cpu --pipeline-options=fuse=1 \
// RUN:   --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy \
// RUN:   --expect=%t.5.npy --expect=%t.6.npy --expect=%t.7.npy --expect=%t.8.npy --expect=%t.9.npy \
// RUN:   --expect=%t.10.npy --expect=%t.11.npy --expect=%t.12.npy --expect=%t.13.npy --expect=%t.14.npy \
// RUN:   --expect=%t.15.npy --expect=%t.16.npy --expect=%t.17.npy --expect=%t.18.npy
// RUN: nm-run %s --entry=main --device=emulator --pipeline-options=fuse=0 \
// RUN:   --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy \
// RUN:   --expect=%t.5.npy --expect=%t.6.npy --expect=%t.7.npy --expect=%t.8.npy --expect=%t.9.npy \
// RUN:   --expect=%t.10.npy --expect=%t.11.npy --expect=%t.12.npy --expect=%t.13.npy --expect=%t.14.npy \
// RUN:   --expect=%t.15.npy --expect=%t.16.npy --expect=%t.17.npy --expect=%t.18.npy
// RUN: nm-run %s --entry=main --device=emulator --pipeline-options=fuse=1 \
// RUN:   --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy \
// RUN:   --expect=%t.5.npy --expect=%t.6.npy --expect=%t.7.npy --expect=%t.8.npy --expect=%t.9.npy \
// RUN:   --expect=%t.10.npy --expect=%t.11.npy --expect=%t.12.npy --expect=%t.13.npy --expect=%t.14.npy \
// RUN:   --expect=%t.15.npy --expect=%t.16.npy --expect=%t.17.npy --expect=%t.18.npy

!w = !nm.condensed<4x8xf32, #nm.pattern<2:4, unit = 1x8>>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>
#col3 = affine_map<(i, j, k) -> (k)>

// A bias, as aten.linear has it.
// CHECK-LABEL: func.func @bias(
// CHECK: %[[Y:.*]] = nm.spmm %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<8xf32>) outs(
// CHECK-NEXT: return %[[Y]]
func.func @bias(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The bias as operand 0, from addmm.
// CHECK-LABEL: func.func @bias_first(
// CHECK: nm.spmm {{.*}} bias(%{{.*}} : tensor<8xf32>) outs(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @bias_first(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b, %p : tensor<8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A number is a bias for all columns; a difference is a sum.
// CHECK-LABEL: func.func @bias_splat(
// CHECK: %[[B:.*]] = arith.constant dense<-1.500000e+00> : tensor<8xf32>
// CHECK: nm.spmm {{.*}} bias(%[[B]] : tensor<8xf32>) outs(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @bias_splat(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %c = arith.constant 1.5 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.subf %v0, %c : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// relu of TorchScript and fx.
// CHECK-LABEL: func.func @relu_max(
// CHECK: nm.spmm {{.*}} bias({{.*}}) outs({{.*}}) {epilogue = #nm.epilogue<relu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @relu_max(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.maximumf %v0, %zero : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// relu as torch-mlir writes it: an unordered comparison keeps NaN.
// CHECK-LABEL: func.func @relu_select(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<relu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @relu_select(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %c = arith.cmpf ugt, %v0, %zero : f32
      %s = arith.select %c, %v0, %zero : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The same with both exchanged.
// CHECK-LABEL: func.func @relu_select_negative(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<relu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @relu_select_negative(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %c = arith.cmpf ogt, %zero, %v0 : f32
      %s = arith.select %c, %zero, %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// gelu of bert_f32_2of4, torch-mlir 20261001.
// CHECK-LABEL: func.func @gelu_erf(
// CHECK: nm.spmm {{.*}} bias({{.*}}) outs({{.*}}) {epilogue = #nm.epilogue<gelu_erf>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gelu_erf(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %root = arith.constant 1.41421354 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %d = arith.divf %v0, %root : f32
      %f = math.erf %d : f32
      %g = arith.addf %f, %one : f32
      %h = arith.mulf %g, %half : f32
      %s = arith.mulf %v0, %h : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// gelu of gpt2_f32_2of4 (NewGELU): eight ops, three of which read the product.
// CHECK-LABEL: func.func @gelu_tanh(
// CHECK: nm.spmm {{.*}} bias({{.*}}) outs({{.*}}) {epilogue = #nm.epilogue<gelu_tanh>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gelu_tanh(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3 : i64
  %kappa = arith.constant 4.471500e-02 : f64
  %beta = arith.constant 0.79788456080286541 : f64
  %one = arith.constant 1.0 : f32
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.mulf %v0, %half : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = math.fpowi %v0, %three : f32, i64
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g1 : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %k = arith.truncf %kappa : f64 to f32
      %s = arith.mulf %v0, %k : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l, %g2 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g3 : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %k = arith.truncf %beta : f64 to f32
      %s = arith.mulf %v0, %k : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g4 : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = math.tanh %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g6 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g5 : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.addf %v0, %one : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g0, %g6 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The same with x^3 as products and the factors elsewhere.
// CHECK-LABEL: func.func @gelu_tanh_products(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<gelu_tanh>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gelu_tanh_products(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %half = arith.constant 0.5 : f32
  %kappa = arith.constant 0.035677408136300125 : f32
  %beta = arith.constant 0.79788456080286541 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %q = arith.mulf %v0, %v0 : f32
      %c = arith.mulf %q, %kappa : f32
      %d = arith.addf %beta, %c : f32
      %i = arith.mulf %v0, %d : f32
      %t = math.tanh %i : f32
      %u = arith.mulf %t, %half : f32
      %z = arith.addf %half, %u : f32
      %s = arith.mulf %z, %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// silu of llama: the sigmoid is an op of its own.
// CHECK-LABEL: func.func @silu(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<silu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @silu(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %g1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %n = arith.negf %v0 : f32
      %f = math.exp %n : f32
      %g = arith.addf %f, %one : f32
      %s = arith.divf %one, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %g1 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// x / (1 + e^-x).
// CHECK-LABEL: func.func @silu_quotient(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<silu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @silu_quotient(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %n = arith.negf %v0 : f32
      %f = math.exp %n : f32
      %g = arith.addf %one, %f : f32
      %s = arith.divf %v0, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// silu(x Wg) * (x Wu): the second product is the residual of the first, multiplied.
// CHECK-LABEL: func.func @gated(
// CHECK: %[[U:.*]] = nm.spmm {{.*}} bias(
// CHECK: nm.spmm {{.*}} residual(%[[U]] : tensor<16x8xf32>) outs({{.*}}) {combine = #nm.combine<mul>, epilogue = #nm.epilogue<silu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @gated(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %u = nm.spmm %x, %w bias(%b : tensor<8xf32>) outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %g1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %n = arith.negf %v0 : f32
      %f = math.exp %n : f32
      %g = arith.addf %f, %one : f32
      %s = arith.divf %one, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %g1 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g2, %u : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A residual after the activation, in either order.
// CHECK-LABEL: func.func @residual(
// CHECK: nm.spmm {{.*}} bias({{.*}}) residual(%arg1 : tensor<16x8xf32>) outs({{.*}}) {epilogue = #nm.epilogue<relu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @residual(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %l2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.maximumf %v0, %zero : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %l2 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A number, then one a column after the bias: the bias is scaled at compile time.
// CHECK-LABEL: func.func @scale(
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[6.250000e-02, 2.500000e-01, 5.625000e-01, 1.000000e+00,
// CHECK-DAG: %[[S:.*]] = arith.constant dense<[2.500000e-01, -5.000000e-01, 7.500000e-01, 1.000000e+00,
// CHECK: nm.spmm {{.*}} scale(%[[S]] : tensor<8xf32>) bias(%[[B]] : tensor<8xf32>) outs(
// CHECK: return
func.func @scale(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A quotient is a product.
// CHECK-LABEL: func.func @scale_quotient(
// CHECK: %[[S:.*]] = arith.constant dense<2.500000e-01> : tensor<8xf32>
// CHECK: nm.spmm {{.*}} scale(%[[S]] : tensor<8xf32>) outs(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @scale_quotient(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %c = arith.constant 4.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.divf %v0, %c : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// f16 from an accumulation in f32: the bias is added in f16 by torch, in f32 here.
// CHECK-LABEL: func.func @cast(
// CHECK: nm.spmm {{.*}} bias({{.*}} : tensor<8xf16>) outs({{.*}} : tensor<16x8xf16>) {{.*}} -> tensor<16x8xf16>
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @cast(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf16> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %eh = tensor.empty() : tensor<16x8xf16>
  %bh = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%eh : tensor<16x8xf16>) {
    ^bb0(%v0: f32, %o: f16):
      %s = arith.truncf %v0 : f32 to f16
      linalg.yield %s : f16
  } -> tensor<16x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %bh : tensor<16x8xf16>, tensor<8xf16>) outs(%eh : tensor<16x8xf16>) {
    ^bb0(%v0: f16, %v1: f16, %o: f16):
      %s = arith.addf %v0, %v1 : f16
      linalg.yield %s : f16
  } -> tensor<16x8xf16>
  return %y : tensor<16x8xf16>
}

// silu of llama in f16: extended for the activation.
// CHECK-LABEL: func.func @silu_f16(
// CHECK: nm.spmm {{.*}} outs({{.*}} : tensor<16x8xf16>) {epilogue = #nm.epilogue<silu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @silu_f16(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf16> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %eh = tensor.empty() : tensor<16x8xf16>
  %one = arith.constant 1.0 : f32
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%eh : tensor<16x8xf16>) {
    ^bb0(%v0: f32, %o: f16):
      %s = arith.truncf %v0 : f32 to f16
      linalg.yield %s : f16
  } -> tensor<16x8xf16>
  %l = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<16x8xf16>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f16, %o: f32):
      %s = arith.extf %v0 : f16 to f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %n = arith.negf %v0 : f32
      %f = math.exp %n : f32
      %g = arith.addf %f, %one : f32
      %s = arith.divf %one, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %g2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l, %g1 : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.mulf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g2 : tensor<16x8xf32>) outs(%eh : tensor<16x8xf16>) {
    ^bb0(%v0: f32, %o: f16):
      %s = arith.truncf %v0 : f32 to f16
      linalg.yield %s : f16
  } -> tensor<16x8xf16>
  return %y : tensor<16x8xf16>
}

// tanh is no activation of a product: the bias goes, the rest stays.
// CHECK-LABEL: func.func @prefix(
// CHECK: %[[P:.*]] = nm.spmm {{.*}} bias(
// CHECK: linalg.generic {{.*}} ins(%[[P]] : tensor<16x8xf32>)
// CHECK-NEXT: ^bb0(%[[V:.*]]: f32,
// CHECK-NEXT: math.tanh %[[V]]
func.func @prefix(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%l : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = math.tanh %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Form F3: the expansion before and between.
// CHECK-LABEL: func.func @expanded(
// CHECK: nm.spmm {{.*}} bias({{.*}}) residual(%{{.*}} : tensor<16x8xf32>) outs({{.*}}) {epilogue = #nm.epilogue<relu>}
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @expanded(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[
      [0.50, -0.75, 1.00, 1.25, -1.50, 0.25, 0.125, 1.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [1.00, 0.25, -0.50, 0.75, 0.25, -1.25, 1.50, -2.00], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x8xf32>
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %w = nm.condense %weight : tensor<4x8xf32> -> !w
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x8x8xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %r3 = tensor.expand_shape %r [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %l3 = linalg.generic {indexing_maps = [#id3, #col3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3, %b : tensor<2x8x8xf32>, tensor<8xf32>) outs(%e3 : tensor<2x8x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  %m3 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%l3 : tensor<2x8x8xf32>) outs(%e3 : tensor<2x8x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.maximumf %v0, %zero : f32
      linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  %y3 = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m3, %r3 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e3 : tensor<2x8x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<2x8x8xf32>
  %y = tensor.collapse_shape %y3 [[0, 1], [2]] : tensor<2x8x8xf32> into tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The forms above in one call, for nm-run: with and without fusion.
func.func @main(%x: tensor<16x4xf32>, %r: tensor<16x8xf32>)
    -> (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf16>, tensor<16x8xf16>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = call @bias(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = call @bias_first(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = call @bias_splat(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %3 = call @relu_max(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %4 = call @relu_select(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %5 = call @relu_select_negative(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %6 = call @gelu_erf(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %7 = call @gelu_tanh(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %8 = call @gelu_tanh_products(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %9 = call @silu(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %10 = call @silu_quotient(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %11 = call @gated(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %12 = call @residual(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %13 = call @scale(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %14 = call @scale_quotient(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %15 = call @cast(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf16>
  %16 = call @silu_f16(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf16>
  %17 = call @prefix(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %18 = call @expanded(%x, %r) : (tensor<16x4xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18
      : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf16>, tensor<16x8xf16>, tensor<16x8xf32>, tensor<16x8xf32>
}
