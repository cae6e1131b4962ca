// linalg.transpose stores a permutation that it could not read: its parser uses a
// null attribute. mlir-opt ends with a segmentation fault.
func.func @f(%a: tensor<64x128xf32>, %o: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %t = linalg.transpose ins(%a : tensor<64x128xf32>) outs(%o : tensor<128x64xf32>) permutation = [18446744073709551616, 0]
  return %t : tensor<128x64xf32>
}
