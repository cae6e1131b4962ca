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
