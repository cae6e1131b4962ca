// RUN: nm-opt %s --nm-fuse-elementwise --split-input-file | FileCheck %s --check-prefixes=CHECK,RECOMPUTE
// RUN: nm-opt %s --nm-fuse-elementwise=recompute=false --split-input-file | FileCheck %s --check-prefixes=CHECK,ONCE

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @chain
func.func @chain(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // CHECK: linalg.generic
  // CHECK: math.exp
  // CHECK: arith.negf
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = arith.negf %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  return %b : tensor<2x4xf32>
}

// -----

// Into a reduction an op is merged where an element is read once, with recompute.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @reduction
func.func @reduction(%x: tensor<2x4xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: math.exp
  // RECOMPUTE-NOT: linalg.generic
  // ONCE: linalg.generic
  // CHECK: arith.addf
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x4xf32>) outs(%z : tensor<2xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  } -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// -----

// softmax's exp has two users: it is computed in both, with recompute.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func @two_users
func.func @two_users(%x: tensor<2x4xf32>, %z: tensor<2xf32>) -> tensor<2x4xf32> {
  // CHECK: linalg.generic
  // CHECK: math.exp
  // RECOMPUTE-NEXT: arith.addf
  // ONCE: arith.addf
  // RECOMPUTE: math.exp
  // RECOMPUTE-NEXT: arith.divf
  // ONCE-NOT: math.exp
  // ONCE: arith.divf
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<2x4xf32>) outs(%z : tensor<2xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  } -> tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<2x4xf32>, tensor<2xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %s: f32, %o: f32):
      %r = arith.divf %v, %s : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// Never into a contraction, also not one that reads every element once.
#a = affine_map<(i, k) -> (i, k)>
#x = affine_map<(i, k) -> (k)>
#y = affine_map<(i, k) -> (i)>
// CHECK-LABEL: func @contraction
func.func @contraction(%m: tensor<2x4xf32>, %x: tensor<4xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: math.exp
  // CHECK: linalg.generic
  // CHECK: arith.mulf
  %e = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%v: f32, %o: f32):
      %r = math.exp %v : f32
      linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %b = linalg.generic {indexing_maps = [#a, #x, #y], iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : tensor<2x4xf32>, tensor<4xf32>) outs(%z : tensor<2xf32>) {
    ^bb0(%v: f32, %w: f32, %acc: f32):
      %p = arith.mulf %v, %w : f32
      %r = arith.addf %acc, %p : f32
      linalg.yield %r : f32
  } -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// -----

// An iota and a broadcast are counted and read where they are used, by however
// many and through reshapes; with recompute.
#iota = affine_map<(i) -> (i)>
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @counted_and_repeated(
// CHECK-SAME: %[[X:.*]]: tensor<4xi64>
func.func @counted_and_repeated(%x: tensor<4xi64>, %y: tensor<32xi64>) -> (tensor<4x8xi64>, tensor<4xi64>, tensor<4xi64>) {
  // ONCE-COUNT-5: linalg.generic
  // RECOMPUTE: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<4xi64>, tensor<4x8xi64>)
  // RECOMPUTE: linalg.index 0
  // RECOMPUTE: linalg.generic
  // RECOMPUTE: linalg.index 0
  // RECOMPUTE: linalg.generic
  // RECOMPUTE: linalg.index 0
  // RECOMPUTE-NOT: linalg.generic
  %e = tensor.empty() : tensor<4xi64>
  %i = linalg.generic {indexing_maps = [#iota], iterator_types = ["parallel"]} outs(%e : tensor<4xi64>) {
    ^bb0(%o: i64):
      %n = linalg.index 0 : index
      %r = arith.index_cast %n : index to i64
      linalg.yield %r : i64
  } -> tensor<4xi64>
  %e2 = tensor.empty() : tensor<4x8xi64>
  %b = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4xi64>) outs(%e2 : tensor<4x8xi64>) {
    ^bb0(%v: i64, %o: i64):
      linalg.yield %v : i64
  } -> tensor<4x8xi64>
  %flat = tensor.collapse_shape %b [[0, 1]] : tensor<4x8xi64> into tensor<32xi64>
  %e3 = tensor.empty() : tensor<32xi64>
  %s = linalg.generic {indexing_maps = [#iota, #iota, #iota], iterator_types = ["parallel"]}
      ins(%flat, %y : tensor<32xi64>, tensor<32xi64>) outs(%e3 : tensor<32xi64>) {
    ^bb0(%v: i64, %w: i64, %o: i64):
      %r = arith.addi %v, %w : i64
      linalg.yield %r : i64
  } -> tensor<32xi64>
  %s2 = tensor.expand_shape %s [[0, 1]] output_shape [4, 8] : tensor<32xi64> into tensor<4x8xi64>
  %t = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s2, %i : tensor<4x8xi64>, tensor<4xi64>) outs(%e2 : tensor<4x8xi64>) {
    ^bb0(%v: i64, %w: i64, %o: i64):
      %r = arith.muli %v, %w : i64
      linalg.yield %r : i64
  } -> tensor<4x8xi64>
  %u = linalg.generic {indexing_maps = [#iota, #iota, #iota], iterator_types = ["parallel"]}
      ins(%x, %i : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4xi64>) {
    ^bb0(%v: i64, %w: i64, %o: i64):
      %r = arith.addi %v, %w : i64
      linalg.yield %r : i64
  } -> tensor<4xi64>
  %v = linalg.generic {indexing_maps = [#iota, #iota, #iota], iterator_types = ["parallel"]}
      ins(%x, %i : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4xi64>) {
    ^bb0(%v: i64, %w: i64, %o: i64):
      %r = arith.subi %v, %w : i64
      linalg.yield %r : i64
  } -> tensor<4xi64>
  return %t, %u, %v : tensor<4x8xi64>, tensor<4xi64>, tensor<4xi64>
}

// -----

// What asserts something is no part of another op, as it would be left and assert twice.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @asserts
func.func @asserts(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK-COUNT-1: cf.assert
  // CHECK: linalg.generic
  // CHECK-NOT: cf.assert
  // CHECK: return
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xi64>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4xi64>) outs(%e : tensor<4xi64>) {
    ^bb0(%v: i64, %o: i64):
      %ok = arith.cmpi sge, %v, %zero : i64
      cf.assert %ok, "expected no negative number"
      linalg.yield %v : i64
  } -> tensor<4xi64>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<4xi64>) outs(%e : tensor<4xi64>) {
    ^bb0(%v: i64, %o: i64):
      %r = arith.addi %v, %v : i64
      linalg.yield %r : i64
  } -> tensor<4xi64>
  return %b : tensor<4xi64>
}
