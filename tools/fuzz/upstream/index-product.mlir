// mlir-opt 22.1.8 calls null in the parser of linalg.batch_matmul.
func.func @f(%x: tensor<2x3x4xindex>, %y: tensor<2x4x5xindex>, %z: tensor<2x3x5xindex>) -> tensor<2x3x5xindex> {
  %r = linalg.batch_matmul ins(%x, %y : tensor<2x3x4xindex>, tensor<2x4x5xindex>) outs(%z : tensor<2x3x5xindex>) -> tensor<2x3x5xindex>
  return %r : tensor<2x3x5xindex>
}
