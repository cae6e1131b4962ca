func.func @whole_tile(%a: memref<64x64xf32, #gpu.address_space<workgroup>>, %cols: memref<1x40xi32>, %v: memref<16x128xf32>,
                      %d: memref<4x16xi32>, %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // expected-error @below {{expected a promoted A that holds the listed rows only}}
  // expected-note @below {{nm-pack-tile probably missed it}}
  %r = nm.tile_mma %a, %v, %d, %acc columns(%cols : memref<1x40xi32>)
    {pattern = #nm.pattern<8:32, unit = 1x32>, index_base = #nm.index_base<tile>}
    : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
  return %r : !nm.fragment<64x128xf32>
}

