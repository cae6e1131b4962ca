// Reductions over some loops, with fills before and element-wise ops after.
func.func @rows(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %c = arith.constant 5.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x3xf32>) outs(%f : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
// -----
func.func @columns(%x: tensor<4x5x3xf32>, %z: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<4x5x3xf32>) outs(%f : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.maximumf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<4x3xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %y, %m : tensor<4x3xf32>, tensor<3xf32>
}
// -----
func.func @two_results(%x: tensor<?x7xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?x7xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %i = tensor.empty(%n) : tensor<?xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<?xi64>) -> tensor<?xi64>
  %y:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x7xf32>) outs(%f, %g : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %b: f32, %p: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %s = arith.maximumf %a, %b : f32
    %q = arith.cmpf ogt, %a, %b : f32
    %r = arith.select %q, %k, %p : i64
    linalg.yield %s, %r : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %y#0, %y#1 : tensor<?xf32>, tensor<?xi64>
}
// -----
func.func @softmax(%x: tensor<3x17xf16>) -> tensor<3x17xf16> {
  %low = arith.constant 0xFC00 : f16
  %c = arith.constant 0.0 : f16
  %e1 = tensor.empty() : tensor<3xf16>
  %e2 = tensor.empty() : tensor<3x17xf16>
  %f = linalg.fill ins(%low : f16) outs(%e1 : tensor<3xf16>) -> tensor<3xf16>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<3x17xf16>) outs(%f : tensor<3xf16>) dimensions = [1]
  %b = linalg.broadcast ins(%m : tensor<3xf16>) outs(%e2 : tensor<3x17xf16>) dimensions = [1]
  %d = linalg.sub ins(%x, %b : tensor<3x17xf16>, tensor<3x17xf16>) outs(%e2 : tensor<3x17xf16>) -> tensor<3x17xf16>
  %p = linalg.exp ins(%d : tensor<3x17xf16>) outs(%e2 : tensor<3x17xf16>) -> tensor<3x17xf16>
  %z = linalg.fill ins(%c : f16) outs(%e1 : tensor<3xf16>) -> tensor<3xf16>
  %s = linalg.reduce { arith.addf } ins(%p : tensor<3x17xf16>) outs(%z : tensor<3xf16>) dimensions = [1]
  %t = linalg.broadcast ins(%s : tensor<3xf16>) outs(%e2 : tensor<3x17xf16>) dimensions = [1]
  %y = linalg.div ins(%p, %t : tensor<3x17xf16>, tensor<3x17xf16>) outs(%e2 : tensor<3x17xf16>) -> tensor<3x17xf16>
  return %y : tensor<3x17xf16>
}
