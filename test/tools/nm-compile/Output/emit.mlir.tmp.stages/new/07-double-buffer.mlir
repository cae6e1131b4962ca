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
      %alloc_0 = memref.alloc() : memref<2x1x16xi32, #gpu.address_space<workgroup>>
      %alloc_1 = memref.alloc() : memref<2x16x32xf32, #gpu.address_space<workgroup>>
      %alloc_2 = memref.alloc() : memref<2x16x36xf32, #gpu.address_space<workgroup>>
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
      %c0_9 = arith.constant 0 : index
      %subview = memref.subview %alloc_2[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %subview_10 = memref.subview %alloc_1[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %subview_11 = memref.subview %alloc_0[0, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      %c64_12 = arith.constant 64 : index
      %9 = arith.muli %c0_9, %c64_12 : index
      %subview_13 = memref.subview %arg0[%6, %9] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
      %c16 = arith.constant 16 : index
      %10 = arith.muli %c0_9, %c16 : index
      %subview_14 = memref.subview %0[%10, %7] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
      %c4_15 = arith.constant 4 : index
      %11 = arith.muli %4, %c4_15 : index
      %12 = arith.addi %11, %c0_9 : index
      %subview_16 = memref.subview %2[%12, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      %subview_17 = memref.subview %1[%12, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      nm.tile_gather %subview_13, %subview_16, %subview {async, transpose} : memref<32x64xf32, strided<[256, 1], offset: ?>>, memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      nm.tile_copy %subview_14, %subview_10 {async} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      nm.tile_copy %subview_17, %subview_11 {async} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      nm.commit
      %13 = scf.for %arg13 = %c0 to %c4_8 step %c1_7 iter_args(%arg14 = %8) -> (!nm.fragment<32x32xf32>) {
        nm.wait {pending = 0 : i64}
        gpu.barrier
        %c1_19 = arith.constant 1 : index
        %14 = arith.addi %arg13, %c1_19 : index
        %15 = arith.cmpi slt, %14, %c4_8 : index
        scf.if %15 {
          %c2_31 = arith.constant 2 : index
          %22 = arith.remui %14, %c2_31 : index
          %subview_32 = memref.subview %alloc_2[%22, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_33 = memref.subview %alloc_1[%22, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_34 = memref.subview %alloc_0[%22, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
          %c64_35 = arith.constant 64 : index
          %23 = arith.muli %14, %c64_35 : index
          %subview_36 = memref.subview %arg0[%6, %23] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
          %c16_37 = arith.constant 16 : index
          %24 = arith.muli %14, %c16_37 : index
          %subview_38 = memref.subview %0[%24, %7] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
          %c4_39 = arith.constant 4 : index
          %25 = arith.muli %4, %c4_39 : index
          %26 = arith.addi %25, %14 : index
          %subview_40 = memref.subview %2[%26, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          %subview_41 = memref.subview %1[%26, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          nm.tile_gather %subview_36, %subview_40, %subview_32 {async, transpose} : memref<32x64xf32, strided<[256, 1], offset: ?>>, memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          nm.tile_copy %subview_38, %subview_33 {async} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          nm.tile_copy %subview_41, %subview_34 {async} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
        }
        nm.commit
        %c2_20 = arith.constant 2 : index
        %16 = arith.remui %arg13, %c2_20 : index
        %subview_21 = memref.subview %alloc_2[%16, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_22 = memref.subview %alloc_1[%16, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_23 = memref.subview %alloc_0[%16, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
        %c64_24 = arith.constant 64 : index
        %17 = arith.muli %arg13, %c64_24 : index
        %subview_25 = memref.subview %arg0[%6, %17] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
        %c16_26 = arith.constant 16 : index
        %18 = arith.muli %arg13, %c16_26 : index
        %subview_27 = memref.subview %0[%18, %7] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
        %c4_28 = arith.constant 4 : index
        %19 = arith.muli %4, %c4_28 : index
        %20 = arith.addi %19, %arg13 : index
        %subview_29 = memref.subview %2[%20, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %subview_30 = memref.subview %1[%20, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %21 = nm.tile_mma %subview_21, %subview_22, %subview_23, %arg14 {index_base = #nm.index_base<tile>, pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>> -> !nm.fragment<32x32xf32>
        scf.yield %21 : !nm.fragment<32x32xf32>
      }
      %subview_18 = memref.subview %alloc[%6, %7] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      nm.tile_store %13, %subview_18 : !nm.fragment<32x32xf32>, memref<32x32xf32, strided<[64, 1], offset: ?>>
      gpu.terminator
    } {nm.schedule = #nm.schedule<block = [32, 32, 64], warps = [1, 1], lanes = [8, 4], thread = [4, 8], packed = true, stages = 2>}
    return %alloc : memref<64x64xf32>
  }
}

{-#

#-}
