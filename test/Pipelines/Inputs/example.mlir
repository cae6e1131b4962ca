// One layer, y = x W + b: of each four rows of W two hold weights.
func.func @layer(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %w = arith.constant dense<[
      [0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 2.00, 2.25],
      [1.00, 1.25, 1.50, 1.75, 2.00, 2.25, 2.50, 2.75],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [3.00, 3.25, 3.50, 3.75, 4.00, 4.25, 4.50, 4.75],
      [3.50, 3.75, 4.00, 4.25, 4.50, 4.75, 5.00, 5.25],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<8x8xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x8xf32>)
      outs(%z : tensor<16x8xf32>) -> tensor<16x8xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
                       affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
