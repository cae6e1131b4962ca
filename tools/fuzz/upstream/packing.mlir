// mlir-opt: a tile of -2^63 stands for one that is a value; the verifier does not
// look whether there is one, and takes the size of none.
func.func @packing(%x: tensor<8x8xf32>, %y: tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32> {
  %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, -9223372036854775808]
      into %y : tensor<8x8xf32> -> tensor<4x4x2x2xf32>
  return %p : tensor<4x4x2x2xf32>
}
