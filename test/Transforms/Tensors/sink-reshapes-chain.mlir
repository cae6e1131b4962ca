// RUN: nm-opt %s --nm-import-pipeline --nm-sink-reshapes | FileCheck %s

// One op of the chain sinks in each round of the driver, whose limit is not one of
// the pass: the expansion ends up behind all of them.
// CHECK-LABEL: func @forward
// CHECK-COUNT-10: math.tanh
// CHECK: tensor.expand_shape
// CHECK-NOT: math.tanh
#m = affine_map<(a, b, c) -> (a, b, c)>
#v = affine_map<(a, b, c) -> (c)>
func.func @forward(%x: tensor<1x8xf32>, %y: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.18, 0.0, 0.79, 0.65], [0.51, 0.0, 0.28, 0.71, 0.75, 0.0, 0.0, 0.41], [0.85, 0.19, 0.0, 0.0, 0.0, 0.56, 0.0, 0.0], [0.0, 0.27, 0.12, 0.85, 0.0, 0.33, 0.62, 0.0], [0.28, 0.0, 0.0, 0.0, 0.29, 0.0, 0.44, 0.3], [0.19, 0.12, 0.0, 0.0, 0.92, 0.31, 0.0, 0.0], [0.0, 0.0, 0.8, 0.58, 0.0, 0.2, 0.47, 0.0], [0.0, 0.55, 0.41, 0.79, 0.0, 0.0, 0.0, 0.61]]> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<1x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %b = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]> : tensor<8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x8xf32>) outs(%f : tensor<1x8xf32>) -> tensor<1x8xf32>
  %q0 = tensor.expand_shape %p [[0], [1, 2]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
  %o = tensor.empty() : tensor<1x1x8xf32>
  %q1 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q0 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q2 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q1 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q3 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q2 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q4 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q3 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q5 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q4 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q6 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q5 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q7 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q6 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q8 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q7 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q9 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q8 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  %q10 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q9 : tensor<1x1x8xf32>) outs(%o : tensor<1x1x8xf32>) {
  ^bb0(%l: f32, %out: f32):
    %s = math.tanh %l : f32
    linalg.yield %s : f32
  } -> tensor<1x1x8xf32>
  return %q10 : tensor<1x1x8xf32>
}