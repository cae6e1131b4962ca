// RUN: nm-opt %s --canonicalize
func.func @seeded_wrong(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = arith.addf %x, %y : tensor<4xf32>
  %u = arith.mulf %x, %x : tensor<4xf32>
  return %u : tensor<4xf32>
}
func.func @unrelated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.negf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
