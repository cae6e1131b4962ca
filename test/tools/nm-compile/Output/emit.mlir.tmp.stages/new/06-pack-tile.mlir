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
      %alloc_0 = memref.alloc() : memref<16x36xf32, #gpu.address_space<workgroup>>
      %subview = memref.subview %alloc_0[0, 0] [16, 32] [1, 1] : memref<16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %alloc_1 = memref.alloc() : memref<1x16xi32, #gpu.address_space<workgroup>>
      %alloc_2 = memref.alloc() : memref<16x32xf32, #gpu.address_space<workgroup>>
      %c2_3 = arith.constant 2 : index
      %4 = arith.remui %arg1, %c2_3 : index
      %c2_4 = arith.constant 2 : index
      %5 = arith.divui %arg1, %c2_4 : index
      %c32_5 = arith.constant 32 : index
      %6 = arith.muli %5, %c32_5 : index
      %c32_6 = arith.constant 32 : index
      %7 = arith.muli %4, %c32_6 : index
      %8 = nm.tile_zero : !nm.fragment<32x32xf32>
      %c1_7 = arith.constant 1 : index
      %c4_8 = arith.constant 4 : index
      %c0 = arith.constant 0 : index
      %9 = scf.for %arg13 = %c0 to %c4_8 step %c1_7 iter_args(%arg14 = %8) -> (!nm.fragment<32x32xf32>) {
        %c64_10 = arith.constant 64 : index
        %10 = arith.muli %arg13, %c64_10 : index
        %subview_11 = memref.subview %arg0[%6, %10] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
        %c16 = arith.constant 16 : index
        %11 = arith.muli %arg13, %c16 : index
        %subview_12 = memref.subview %0[%11, %7] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
        %c4_13 = arith.constant 4 : index
        %12 = arith.muli %4, %c4_13 : index
        %13 = arith.addi %12, %arg13 : index
        %subview_14 = memref.subview %2[%13, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %subview_15 = memref.subview %1[%13, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        gpu.barrier
        nm.tile_gather %subview_11, %subview_14, %subview {transpose} : memref<32x64xf32, strided<[256, 1], offset: ?>>, memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
        nm.tile_copy %subview_12, %alloc_2 : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, #gpu.address_space<workgroup>>
        nm.tile_copy %subview_15, %alloc_1 : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %14 = nm.tile_mma %subview, %alloc_2, %alloc_1, %arg14 {index_base = #nm.index_base<tile>, pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>, memref<16x32xf32, #gpu.address_space<workgroup>>, memref<1x16xi32, #gpu.address_space<workgroup>> -> !nm.fragment<32x32xf32>
        scf.yield %14 : !nm.fragment<32x32xf32>
      }
      %subview_9 = memref.subview %alloc[%6, %7] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      nm.tile_store %9, %subview_9 : !nm.fragment<32x32xf32>, memref<32x32xf32, strided<[64, 1], offset: ?>>
      gpu.terminator
    } {nm.schedule = #nm.schedule<block = [32, 32, 64], warps = [1, 1], lanes = [8, 4], thread = [4, 8], packed = true, stages = 2>}
    return %alloc : memref<64x64xf32>
  }
}

{-#

#-}
