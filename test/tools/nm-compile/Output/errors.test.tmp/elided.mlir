func.func @f() -> tensor<64x64xf32> {
  %w = arith.constant dense_resource<__elided__> : tensor<64x64xf32>
  return %w : tensor<64x64xf32>
}
