// Where the device's memory runs out, the error says how much was for what.

// RUN: not nm-run %s --device=emulator 2>&1 | FileCheck %s

// CHECK: `forward` failed with status 2: cannot allocate 281474976710652 bytes for result #1, 70368744177663xf32: the emulator has no memory for 281474976710652 bytes; {{[0-9]+}} bytes are in use, {{[0-9]+}} of them constants
func.func @forward(%x: tensor<4xf32>) -> (tensor<f32>, tensor<70368744177663xf32>) {
  %e = tensor.empty() : tensor<70368744177663xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<70368744177663xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %v = arith.sitofp %j : i32 to f32
      linalg.yield %v : f32
  } -> tensor<70368744177663xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%f : tensor<70368744177663xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%v: f32, %o: f32):
      %a = arith.addf %v, %o : f32
      linalg.yield %a : f32
  } -> tensor<f32>
  return %s, %f : tensor<f32>, tensor<70368744177663xf32>
}
