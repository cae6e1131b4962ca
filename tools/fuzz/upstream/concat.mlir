// mlir-opt 22.1.8 ends in mlir::tensor::ConcatOp::verify.
func.func @f(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %c = tensor.concat dim(-1) %x, %y : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
