// Products, sparse and dense, and what surrounds them in models.
func.func @sparse(%x: tensor<?x8xf32>, %bias: tensor<4xf32>) -> tensor<?x4xf32> {
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 3.0], [2.0, 0.0, 1.0, 0.0], [0.0, 1.0, 2.0, 0.0], [0.0, 2.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0], [5.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 4.0, 0.0]]> : tensor<8x4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<?x4xf32>, tensor<4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
// -----
func.func @batched(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %p = linalg.batch_matmul ins(%x, %y : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%f : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %p : tensor<2x3x5xf32>
}
// -----
func.func @convolution(%x: tensor<1x2x7x7xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %y : tensor<1x3x3x3xf32>
}
// -----
func.func @pooling(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %k = tensor.empty() : tensor<2x2xf32>
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x2x8x8xf32>, tensor<2x2xf32>) outs(%f : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}
// -----
func.func @integers(%x: tensor<3x8xi8>, %y: tensor<8x5xi8>) -> tensor<3x5xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  %p = linalg.matmul ins(%x, %y : tensor<3x8xi8>, tensor<8x5xi8>) outs(%f : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %p : tensor<3x5xi32>
}
