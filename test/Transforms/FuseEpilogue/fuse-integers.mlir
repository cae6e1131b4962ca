// Sums of integers become floats by a scale, as dequantization writes it, and what
// follows is then fused as ever.

// RUN: nm-opt %s --nm-fuse-epilogue --remarks-filter='nm-fuse.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// The numbers are equal within rounding, on the CPU and in the emulator.
// RUN: nm-run %s --entry=main --seed=4 --device=cpu --pipeline-options=fuse=0 \
// RUN:   --output=%t.0.npy --output=%t.1.npy --output=%t.2.npy --output=%t.3.npy --output=%t.4.npy
// RUN: nm-run %s --entry=main --seed=4 --device=cpu --pipeline-options=fuse=1 \
// RUN:   --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy
// RUN: nm-run %s --entry=main --seed=4 --device=emulator --pipeline-options=fuse=1 \
// RUN:   --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy

!w = !nm.condensed<4x8xi8, #nm.pattern<2:4, unit = 1x8>>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>

// A scale a column, a bias and an activation: a quantized layer.
// REMARK: remark: [Passed] fused | Category:nm-fuse-epilogue | Function=columns | Steps="scale, bias, relu"
// CHECK-LABEL: func.func @columns(
// CHECK: %[[Y:.*]] = nm.spmm %{{.*}} scale(%{{.*}} : tensor<8xf32>) bias(%{{.*}} : tensor<8xf32>) {{.*}}acc = i32{{.*}} -> tensor<16x8xf32>
// CHECK-NOT: linalg.
// CHECK: return %[[Y]]
func.func @columns(%x: tensor<16x4xi8>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[[3, -7, 100, 12, -128, 25, 12, 9], [0, 0, 0, 0, 0, 0, 0, 0],
                                  [10, 25, -50, 127, 25, -12, 15, -20], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi8>
  %w = nm.condense %weight : tensor<4x8xi8> -> !w
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %s = arith.constant dense<[0.5, 0.25, 0.125, 1.0, 2.0, 0.75, 1.5, 3.0]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xi32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xi32>) {acc = i32} : tensor<16x4xi8>, !w -> tensor<16x8xi32>
  %c = tensor.empty() : tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s, %b : tensor<16x8xi32>, tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<16x8xf32>) {
    ^bb0(%v0: i32, %v1: f32, %v2: f32, %o: f32):
      %f = arith.sitofp %v0 : i32 to f32
      %m = arith.mulf %f, %v1 : f32
      %a = arith.addf %m, %v2 : f32
      %r = arith.maximumf %a, %zero : f32
      linalg.yield %r : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// One scale for all, as a divisor, and a result in f16.
// REMARK: Function=constant | Steps="scale, cast"
// CHECK-LABEL: func.func @constant(
// CHECK: %[[S:.*]] = arith.constant dense<1.562500e-02> : tensor<8xf32>
// CHECK: nm.spmm %{{.*}} scale(%[[S]] : tensor<8xf32>) {{.*}} -> tensor<16x8xf16>
// CHECK-NOT: linalg.
func.func @constant(%x: tensor<16x4xi8>) -> tensor<16x8xf16> {
  %weight = arith.constant dense<[[3, -7, 100, 12, -128, 25, 12, 9], [0, 0, 0, 0, 0, 0, 0, 0],
                                  [10, 25, -50, 127, 25, -12, 15, -20], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi8>
  %w = nm.condense %weight : tensor<4x8xi8> -> !w
  %d = arith.constant 64.0 : f32
  %e = tensor.empty() : tensor<16x8xi32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xi32>) {acc = i32} : tensor<16x4xi8>, !w -> tensor<16x8xi32>
  %c = tensor.empty() : tensor<16x8xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xi32>) outs(%c : tensor<16x8xf16>) {
    ^bb0(%v0: i32, %o: f16):
      %f = arith.sitofp %v0 : i32 to f32
      %m = arith.divf %f, %d : f32
      %h = arith.truncf %m : f32 to f16
      linalg.yield %h : f16
  } -> tensor<16x8xf16>
  return %y : tensor<16x8xf16>
}

// A bias of integers, which a zero point of A is, is scaled as well.
// REMARK: Function=zero_point | Steps=scale
// CHECK-LABEL: func.func @zero_point(
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8xi32>, tensor<8xf32>)
// CHECK: nm.spmm %{{.*}} scale(%{{.*}} : tensor<8xf32>) bias(%[[B]] : tensor<8xf32>)
func.func @zero_point(%x: tensor<16x4xi8>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[[3, -7, 100, 12, -128, 25, 12, 9], [0, 0, 0, 0, 0, 0, 0, 0],
                                  [10, 25, -50, 127, 25, -12, 15, -20], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi8>
  %w = nm.condense %weight : tensor<4x8xi8> -> !w
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %s = arith.constant dense<[0.5, 0.25, 0.125, 1.0, 2.0, 0.75, 1.5, 3.0]> : tensor<8xf32>
  %z = arith.constant dense<[-5, 40, 300, -7000, 9, 0, 1, 2]> : tensor<8xi32>
  %e = tensor.empty() : tensor<16x8xi32>
  %p = nm.spmm %x, %w bias(%z : tensor<8xi32>) outs(%e : tensor<16x8xi32>) {acc = i32} : tensor<16x4xi8>, !w -> tensor<16x8xi32>
  %c = tensor.empty() : tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<16x8xi32>, tensor<8xf32>) outs(%c : tensor<16x8xf32>) {
    ^bb0(%v0: i32, %v1: f32, %o: f32):
      %f = arith.sitofp %v0 : i32 to f32
      %m = arith.mulf %v1, %f : f32
      linalg.yield %m : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Without a scale there are no floats.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=bias_first | Reason="only a scale, a constant or one number a column, makes floats of sums of integers"
// CHECK-LABEL: func.func @bias_first(
// CHECK: nm.spmm {{.*}} -> tensor<16x8xi32>
// CHECK: arith.sitofp
func.func @bias_first(%x: tensor<16x4xi8>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[[3, -7, 100, 12, -128, 25, 12, 9], [0, 0, 0, 0, 0, 0, 0, 0],
                                  [10, 25, -50, 127, 25, -12, 15, -20], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi8>
  %w = nm.condense %weight : tensor<4x8xi8> -> !w
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %s = arith.constant dense<[0.5, 0.25, 0.125, 1.0, 2.0, 0.75, 1.5, 3.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<16x8xi32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xi32>) {acc = i32} : tensor<16x4xi8>, !w -> tensor<16x8xi32>
  %c = tensor.empty() : tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xi32>, tensor<8xf32>) outs(%c : tensor<16x8xf32>) {
    ^bb0(%v0: i32, %v1: f32, %o: f32):
      %f = arith.sitofp %v0 : i32 to f32
      %m = arith.addf %f, %v1 : f32
      linalg.yield %m : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A scale a row, of activations that were quantized by rows.
// REMARK: Function=row_first | Reason="only a scale, a constant or one number a column, makes floats of sums of integers"
// CHECK-LABEL: func.func @row_first(
// CHECK: nm.spmm {{.*}} -> tensor<16x8xi32>
// CHECK: arith.sitofp
func.func @row_first(%x: tensor<16x4xi8>, %r: tensor<16xf32>) -> tensor<16x8xf32> {
  %weight = arith.constant dense<[[3, -7, 100, 12, -128, 25, 12, 9], [0, 0, 0, 0, 0, 0, 0, 0],
                                  [10, 25, -50, 127, 25, -12, 15, -20], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<4x8xi8>
  %w = nm.condense %weight : tensor<4x8xi8> -> !w
  %b = arith.constant dense<[0.25, -0.50, 0.75, 1.00, -1.25, 1.50, -1.75, 2.00]> : tensor<8xf32>
  %s = arith.constant dense<[0.5, 0.25, 0.125, 1.0, 2.0, 0.75, 1.5, 3.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<16x8xi32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xi32>) {acc = i32} : tensor<16x4xi8>, !w -> tensor<16x8xi32>
  %c = tensor.empty() : tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %r, %s : tensor<16x8xi32>, tensor<16xf32>, tensor<8xf32>) outs(%c : tensor<16x8xf32>) {
    ^bb0(%v0: i32, %v1: f32, %v2: f32, %o: f32):
      %f = arith.sitofp %v0 : i32 to f32
      %m = arith.mulf %f, %v1 : f32
      %n = arith.mulf %m, %v2 : f32
      linalg.yield %n : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The functions above in one call, for nm-run.
func.func @main(%x: tensor<16x4xi8>, %r: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16x8xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = call @columns(%x) : (tensor<16x4xi8>) -> tensor<16x8xf32>
  %1 = call @constant(%x) : (tensor<16x4xi8>) -> tensor<16x8xf16>
  %2 = call @zero_point(%x) : (tensor<16x4xi8>) -> tensor<16x8xf32>
  %3 = call @bias_first(%x) : (tensor<16x4xi8>) -> tensor<16x8xf32>
  %4 = call @row_first(%x, %r) : (tensor<16x4xi8>, tensor<16xf32>) -> tensor<16x8xf32>
  return %0, %1, %2, %3, %4 : tensor<16x8xf32>, tensor<16x8xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
