func.func @scale(%x: tensor<4xf16>, %s: f16) -> tensor<4xf16> {
  %t = tensor.splat %s : tensor<4xf16>
  %y = arith.mulf %x, %t : tensor<4xf16>
  return %y : tensor<4xf16>
}
