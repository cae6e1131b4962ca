module {
  func.func @f(%arg0: tensor<64x256xf32>) -> tensor<64x64xf32> {
    %0 = nm.constant {indices = dense_resource<__elided__> : tensor<64x2xi8>, values = dense<1.000000e+00> : tensor<64x64xf32>} : !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
    %1 = tensor.empty() : tensor<64x64xf32>
    %2 = nm.spmm %arg0, %0 outs(%1 : tensor<64x64xf32>) : tensor<64x256xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}
