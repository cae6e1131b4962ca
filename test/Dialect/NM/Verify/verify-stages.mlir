// RUN: nm-opt --nm-verify-imported --nm-select-schedule --nm-split-constants --nm-verify-planned %s -o /dev/null
// RUN: nm-opt --nm-plan-pipeline --nm-bufferize-pipeline --nm-tile --nm-verify-tiled --nm-promote-shared --nm-verify-promoted \
// RUN:   --nm-pack-tile --nm-verify-packed --nm-double-buffer --nm-verify-buffered \
// RUN:   --nm-load-fragments --nm-prefetch-fragments --nm-verify-loaded --nm-map-to-threads --nm-allocate-shared --nm-verify-mapped %s -o /dev/null
// RUN: nm-opt --nm-to-ptx-pipeline %s -o /dev/null

// A module that keeps the promise of every stage.
func.func @f(%a: tensor<64x128xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<32x64xf32>, indices = dense<[[0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31], [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31]]> : tensor<32x2xi8>} : !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  %r = nm.spmm %a, %w outs(%c : tensor<64x64xf32>) : tensor<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
