module {
  memref.global "private" constant @__constant_8x16xi32 : memref<8x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_8x1x16xi32 : memref<8x1x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_64x64xf32 : memref<64x64xf32> = dense_resource<weight.packed> {alignment = 64 : i64}
  func.func @f(%arg0: memref<64x256xf32>) -> memref<64x64xf32> {
    %0 = memref.get_global @__constant_64x64xf32 : memref<64x64xf32>
    %1 = memref.get_global @__constant_8x1x16xi32 : memref<8x1x16xi32>
    %2 = memref.get_global @__constant_8x16xi32 : memref<8x16xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    %3 = nm.assemble %0, %1 columns(%2 : memref<8x16xi32>) : memref<64x64xf32>, memref<8x1x16xi32> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 64, columns = 16>>
    nm.spmm %arg0, %3 outs(%alloc : memref<64x64xf32>) {schedule = #nm.schedule<block = [32, 32, 64], warps = [1, 1], lanes = [8, 4], thread = [4, 8], packed = true, stages = 2>} : memref<64x256xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 64, columns = 16>>
    return %alloc : memref<64x64xf32>
  }
}

{-#

#-}
