module {
  func.func @f(%arg0: tensor<64x256xf32>) -> tensor<64x64xf32> {
    %cst = arith.constant dense_resource<weight.packed> : tensor<64x64xf32>
    %cst_0 = arith.constant dense_resource<__elided__> : tensor<8x1x16xi32>
    %cst_1 = arith.constant dense_resource<__elided__> : tensor<8x16xi32>
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = nm.assemble %cst, %cst_0 columns(%cst_1 : tensor<8x16xi32>) : tensor<64x64xf32>, tensor<8x1x16xi32> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 64, columns = 16>>
    %2 = nm.spmm %arg0, %1 outs(%0 : tensor<64x64xf32>) {schedule = #nm.schedule<block = [32, 32, 64], warps = [1, 1], lanes = [8, 4], thread = [4, 8], packed = true, stages = 2>} : tensor<64x256xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 64, columns = 16>> -> tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

{-#

#-}
