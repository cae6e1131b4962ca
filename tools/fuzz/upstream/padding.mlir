// mlir-opt --canonicalize: a padding of -2^63 stands for one that is a value, and
// nothing checks that there is one; who asks for the paddings gets a null value.
func.func @padding(%x: tensor<?x5xf32>, %v: f32) -> tensor<?x9xf32> {
  %p = tensor.pad %x low[1, 2] high[0, -9223372036854775808] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x5xf32> to tensor<?x9xf32>
  return %p : tensor<?x9xf32>
}
