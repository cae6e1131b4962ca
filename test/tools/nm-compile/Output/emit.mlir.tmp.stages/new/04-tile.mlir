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
    %c64 = arith.constant 64 : index
    %c31 = arith.constant 31 : index
    %c95 = arith.constant 95 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c4, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c32, %arg11 = %c1, %arg12 = %c1) module(@nm_kernels) function(@f_spmm_0) {
      %c2_0 = arith.constant 2 : index
      %4 = arith.remui %arg1, %c2_0 : index
      %c2_1 = arith.constant 2 : index
      %5 = arith.divui %arg1, %c2_1 : index
      %c32_2 = arith.constant 32 : index
      %6 = arith.muli %5, %c32_2 : index
      %c32_3 = arith.constant 32 : index
      %7 = arith.muli %4, %c32_3 : index
      %8 = nm.tile_zero : !nm.fragment<32x32xf32>
      %c1_4 = arith.constant 1 : index
      %c4_5 = arith.constant 4 : index
      %c0 = arith.constant 0 : index
      %9 = scf.for %arg13 = %c0 to %c4_5 step %c1_4 iter_args(%arg14 = %8) -> (!nm.fragment<32x32xf32>) {
        %c64_6 = arith.constant 64 : index
        %10 = arith.muli %arg13, %c64_6 : index
        %subview_7 = memref.subview %arg0[%6, %10] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
        %c16 = arith.constant 16 : index
        %11 = arith.muli %arg13, %c16 : index
        %subview_8 = memref.subview %0[%11, %7] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
        %c4_9 = arith.constant 4 : index
        %12 = arith.muli %4, %c4_9 : index
        %13 = arith.addi %12, %arg13 : index
        %subview_10 = memref.subview %2[%13, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %subview_11 = memref.subview %1[%13, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %14 = nm.tile_mma %subview_7, %subview_8, %subview_11, %arg14 columns(%subview_10 : memref<1x16xi32, strided<[16, 1], offset: ?>>) {a_layout = #nm.layout<token_major>, index_base = #nm.index_base<tile>, pattern = #nm.pattern<8:32, unit = 1x32>} : memref<32x64xf32, strided<[256, 1], offset: ?>>, memref<16x32xf32, strided<[64, 1], offset: ?>>, memref<1x16xi32, strided<[16, 1], offset: ?>> -> !nm.fragment<32x32xf32>
        scf.yield %14 : !nm.fragment<32x32xf32>
      }
      %subview = memref.subview %alloc[%6, %7] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      nm.tile_store %9, %subview : !nm.fragment<32x32xf32>, memref<32x32xf32, strided<[64, 1], offset: ?>>
      gpu.terminator
    } {nm.schedule = #nm.schedule<block = [32, 32, 64], warps = [1, 1], lanes = [8, 4], thread = [4, 8], packed = true, stages = 2>}
    return %alloc : memref<64x64xf32>
  }
}

{-#

#-}
