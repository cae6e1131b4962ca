func.func @f() -> tensor<64x64xf32> {
  %w = arith.constant dense_resource<w> : tensor<64x64xf32>
  return %w : tensor<64x64xf32>
}
{-# dialect_resources: { builtin: { w: "0x10000000AABBCCDD" } } #-}
