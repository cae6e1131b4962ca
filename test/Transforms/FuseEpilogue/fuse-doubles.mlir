// What follows a product of f64 is done in f64, by the product.

// RUN: nm-opt %s --nm-fuse-pipeline | FileCheck %s

// The numbers are equal within roundings of f64, on the CPU and in the emulator.
// RUN: nm-run %s --entry=main --device=cpu --pipeline-options=fuse=0 --output=%t.0.npy --output=%t.1.npy
// RUN: nm-run %s --entry=main --device=cpu --expect=%t.0.npy --expect=%t.1.npy --tolerance=1e-15
// RUN: nm-run %s --entry=main --device=emulator --pipeline-options=fuse=0 --expect=%t.0.npy --expect=%t.1.npy --tolerance=1e-15
// RUN: nm-run %s --entry=main --device=emulator --expect=%t.0.npy --expect=%t.1.npy --tolerance=1e-15 --report=- | FileCheck %s --check-prefix=REPORT

// REPORT: nm.spmm {{.*}} f64 {{.*}} scale+bias+gelu_erf+residual
// REPORT: result #0: 16x8xf64, relative error {{.*}}: ok

!w = !nm.condensed<8x8xf64, #nm.pattern<2:4, unit = 1x4>>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>

// A third is no f32.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[SCALE:.*]] = arith.constant dense<0.33333333333333331> : tensor<8xf64>
// CHECK-DAG: nm.spmm %{{.*}}, %{{.*}} scale(%[[SCALE]] : tensor<8xf64>) bias(%{{.*}} : tensor<8xf64>) residual(%{{.*}} : tensor<16x8xf64>) outs(%{{.*}} : tensor<16x8xf64>) {acc = f64, epilogue = #nm.epilogue<gelu_erf>}
// What is rounded to f32 stays outside: a product of f64 gives f64.
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}} : tensor<16x8xf64>) {acc = f64}
// CHECK: arith.truncf
func.func @main(%x: tensor<16x8xf64>, %b: tensor<8xf64>, %r: tensor<16x8xf64>, %s: tensor<16x8xf32>) -> (tensor<16x8xf64>, tensor<16x8xf32>) {
  %w = nm.constant {values = dense<[
      [0.1, -0.7, 1.3, 1.2, -1.5, 0.2, 0.12, 1.1], [0.3, 0.4, -2.2, 0.9, 1.7, -0.6, 0.8, 0.55],
      [1.9, 0.2, -0.5, 0.7, 0.2, -1.2, 1.5, -2.1], [-0.3, 1.4, 0.7, -0.9, 0.6, 0.65, -0.8, 0.5]]> : tensor<4x8xf64>,
      indices = dense<[[0, 1], [2, 3], [1, 0], [3, 1]]> : tensor<4x2xi8>} : !w
  %e = tensor.empty() : tensor<16x8xf64>
  %y = nm.spmm %x, %w outs(%e : tensor<16x8xf64>) {acc = f64} : tensor<16x8xf64>, !w -> tensor<16x8xf64>
  %third = arith.constant 0.33333333333333331 : f64
  %half = arith.constant 5.000000e-01 : f64
  %one = arith.constant 1.000000e+00 : f64
  %root = arith.constant 0.70710678118654757 : f64
  %f = linalg.generic {indexing_maps = [#id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b, %r : tensor<16x8xf64>, tensor<8xf64>, tensor<16x8xf64>) outs(%e : tensor<16x8xf64>) {
  ^bb0(%v0: f64, %bias: f64, %residual: f64, %o: f64):
    %v1 = arith.mulf %v0, %third : f64
    %v = arith.addf %v1, %bias : f64
    %scaled = arith.mulf %v, %root : f64
    %erf = math.erf %scaled : f64
    %t = arith.addf %erf, %one : f64
    %h = arith.mulf %t, %half : f64
    %g = arith.mulf %v, %h : f64
    %sum = arith.addf %g, %residual : f64
    linalg.yield %sum : f64
  } -> tensor<16x8xf64>
  %z = nm.spmm %r, %w outs(%e : tensor<16x8xf64>) {acc = f64} : tensor<16x8xf64>, !w -> tensor<16x8xf64>
  %es = tensor.empty() : tensor<16x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %s : tensor<16x8xf64>, tensor<16x8xf32>) outs(%es : tensor<16x8xf32>) {
  ^bb0(%v: f64, %c: f32, %o: f32):
    %narrow = arith.truncf %v : f64 to f32
    %sum = arith.addf %narrow, %c : f32
    linalg.yield %sum : f32
  } -> tensor<16x8xf32>
  return %f, %n : tensor<16x8xf64>, tensor<16x8xf32>
}
