// RUN: nm-opt --split-input-file --verify-diagnostics --nm-import-pipeline %s

#NK = #sparse_tensor.encoding<{ map = (n, k) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>

// The data of an encoded argument are not known.
// expected-error@+1 {{expected arguments without a sparse_tensor encoding, got one on argument #1 of 'argument': only a constant's pattern is known at compile time; convert a constant inside the function, or drop the encoding to compute densely}}
func.func @argument(%x: tensor<3x8xf32>, %w: tensor<4x8xf32, #NK>) -> tensor<3x8xf32> {
  return %x : tensor<3x8xf32>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

// expected-error@+1 {{expected results without a sparse_tensor encoding, got one on result #0 of 'result'}}
func.func private @result() -> tensor<4x8xf32, #CSR>

// -----

#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>

func.func @other_op(%x: tensor<4x8xf32>) -> index {
  %s = sparse_tensor.convert %x : tensor<4x8xf32> to tensor<4x8xf32, #CSR>
  // expected-error@+1 {{'sparse_tensor.number_of_entries' op unsupported: of sparse_tensor, nm takes encodings and sparse_tensor.convert; write the tensor as a constant, or run upstream's sparsifier first}}
  %n = sparse_tensor.number_of_entries %s : tensor<4x8xf32, #CSR>
  return %n : index
}

// -----

#NK = #sparse_tensor.encoding<{ map = (n, k) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[1, 4]) }>

// A claim that the data break, in column 1 (row 1 of W), from k = 4 on.
func.func @broken(%x: tensor<3x8xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{the weight breaks the pattern that its sparse_tensor encoding claims: expected at most 1 of 4 units kept in each window, got 2 in window 1 of unit column 1 (rows 4 to 7, columns 1 to 1); prune it to the pattern, or drop the encoding}}
  %w = arith.constant dense<[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0], [0.0, 3.0, 0.0, 0.0, 4.0, 0.0, 5.0, 0.0]]> : tensor<2x8xf32>
  %s = sparse_tensor.convert %w : tensor<2x8xf32> to tensor<2x8xf32, #NK>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %s : tensor<3x8xf32>, tensor<2x8xf32, #NK>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

#KN = #sparse_tensor.encoding<{ map = (k, n) -> (n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>

// One value for all keeps all.
func.func @splat(%x: tensor<3x8xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{the weight breaks the pattern that its sparse_tensor encoding claims: expected at most 2 of 4 units kept in each window, got 4 in window 0 of unit column 0}}
  %w = arith.constant dense<1.0> : tensor<8x2xf32, #KN>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x2xf32, #KN>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// A claim written by hand.
func.func @no_loop(%x: tensor<3x8xf32>, %w: tensor<8x2xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{expected `nm.claimed_pattern`, a pattern, with `nm.claimed_loop`, the number of a reduction loop}}
  %y = linalg.matmul {nm.claimed_loop = 1 : i64, nm.claimed_pattern = #nm.pattern<2:4>}
      ins(%x, %w : tensor<3x8xf32>, tensor<8x2xf32>) outs(%c : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
