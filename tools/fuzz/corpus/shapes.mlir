// Views, slices, padding and copies.
func.func @views(%x: tensor<2x6x4xf32>) -> tensor<12x4xf32> {
  %e = tensor.empty() : tensor<6x2x4xf32>
  %t = linalg.transpose ins(%x : tensor<2x6x4xf32>) outs(%e : tensor<6x2x4xf32>) permutation = [1, 0, 2]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<6x2x4xf32> into tensor<12x4xf32>
  return %c : tensor<12x4xf32>
}
// -----
func.func @slices(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %s = tensor.extract_slice %x[1, 2] [3, 4] [2, 1] : tensor<8x9xf32> to tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x4xf32>
  %n = linalg.negf ins(%s : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = tensor.insert_slice %n into %y[4, 1] [3, 4] [1, 2] : tensor<3x4xf32> into tensor<8x9xf32>
  return %r : tensor<8x9xf32>
}
// -----
func.func @padding(%x: tensor<?x5xf32>, %v: f32) -> tensor<?x9xf32> {
  %p = tensor.pad %x low[1, 2] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x5xf32> to tensor<?x9xf32>
  return %p : tensor<?x9xf32>
}
// -----
func.func @concatenation(%x: tensor<2x3xi32>, %y: tensor<2x5xi32>) -> tensor<2x8xi32> {
  %c = tensor.concat dim(1) %x, %y : (tensor<2x3xi32>, tensor<2x5xi32>) -> tensor<2x8xi32>
  return %c : tensor<2x8xi32>
}
// -----
func.func @gather(%table: tensor<10x4xf32>, %index: tensor<3x2xi64>) -> tensor<3x2x4xf32> {
  %e = tensor.empty() : tensor<3x2x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%index : tensor<3x2xi64>) outs(%e : tensor<3x2x4xf32>) {
  ^bb0(%a: i64, %b: f32):
    %i = arith.index_cast %a : i64 to index
    %j = linalg.index 2 : index
    %t = tensor.extract %table[%i, %j] : tensor<10x4xf32>
    linalg.yield %t : f32
  } -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}
// -----
func.func @reverse(%x: tensor<5x6xbf16>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 4, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x6xbf16>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %t = arith.extf %a : bf16 to f32
    linalg.yield %t : f32
  } -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}
