func.func @product(%a: memref<64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: memref<128xf32>) {
  // expected-error @below {{expected a gpu.launch in place of the product}}
  // expected-note @below {{nm-tile probably missed it}}
  nm.spmv %a, %w outs(%c : memref<128xf32>) : memref<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @no_launch(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // expected-error @below {{expected a gpu.launch with a schedule around it}}
  // expected-note @below {{nm-tile probably missed it}}
  %r = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
    : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return %r : !nm.fragment<64x128xf32>
}

