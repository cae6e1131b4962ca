module attributes {gpu.container_module} {
  memref.global "private" constant @__constant_8x16xi32 : memref<8x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_8x1x16xi32 : memref<8x1x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_64x64xf32 : memref<64x64xf32> = dense_resource<weight.packed> {alignment = 64 : i64}
  func.func @f(%arg0: memref<64x256xf32>) -> memref<64x64xf32> {
    %c8832_i32 = arith.constant 8832 : i32
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = memref.get_global @__constant_64x64xf32 : memref<64x64xf32>
    %1 = memref.get_global @__constant_8x1x16xi32 : memref<8x1x16xi32>
    %2 = memref.get_global @__constant_8x16xi32 : memref<8x16xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<64x256xf32> -> memref<f32>, index, index, index, index, index
    %base_buffer_0, %offset_1, %sizes_2:2, %strides_3:2 = memref.extract_strided_metadata %0 : memref<64x64xf32> -> memref<f32>, index, index, index, index, index
    %base_buffer_4, %offset_5, %sizes_6:2, %strides_7:2 = memref.extract_strided_metadata %2 : memref<8x16xi32> -> memref<i32>, index, index, index, index, index
    %base_buffer_8, %offset_9, %sizes_10:3, %strides_11:3 = memref.extract_strided_metadata %1 : memref<8x1x16xi32> -> memref<i32>, index, index, index, index, index, index, index
    %base_buffer_12, %offset_13, %sizes_14:2, %strides_15:2 = memref.extract_strided_metadata %alloc : memref<64x64xf32> -> memref<f32>, index, index, index, index, index
    gpu.launch_func  @nm_kernels::@f_spmm_0 blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)  dynamic_shared_memory_size %c8832_i32 args(%base_buffer : memref<f32>, %base_buffer_0 : memref<f32>, %base_buffer_4 : memref<i32>, %base_buffer_8 : memref<i32>, %base_buffer_12 : memref<f32>)
    return %alloc : memref<64x64xf32>
  }
  gpu.module @nm_kernels {
    gpu.func @f_spmm_0(%arg0: memref<f32> {llvm.noalias, llvm.readonly}, %arg1: memref<f32> {llvm.noalias, llvm.readonly}, %arg2: memref<i32> {llvm.noalias, llvm.readonly}, %arg3: memref<i32> {llvm.noalias, llvm.readonly}, %arg4: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
      %c15 = arith.constant 15 : index
      %c14 = arith.constant 14 : index
      %c13 = arith.constant 13 : index
      %c12 = arith.constant 12 : index
      %c11 = arith.constant 11 : index
      %c10 = arith.constant 10 : index
      %c9 = arith.constant 9 : index
      %c7 = arith.constant 7 : index
      %c6 = arith.constant 6 : index
      %c5 = arith.constant 5 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c480 = arith.constant 480 : index
      %c448 = arith.constant 448 : index
      %c416 = arith.constant 416 : index
      %c384 = arith.constant 384 : index
      %c352 = arith.constant 352 : index
      %c320 = arith.constant 320 : index
      %c288 = arith.constant 288 : index
      %c256 = arith.constant 256 : index
      %c224 = arith.constant 224 : index
      %c192 = arith.constant 192 : index
      %c160 = arith.constant 160 : index
      %c96 = arith.constant 96 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c8 = arith.constant 8 : index
      %c2 = arith.constant 2 : index
      %c4224 = arith.constant 4224 : index
      %c128 = arith.constant 128 : index
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [64, 256], strides: [256, 1] : memref<f32> to memref<64x256xf32>
      %reinterpret_cast_0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [64, 64], strides: [64, 1] : memref<f32> to memref<64x64xf32>
      %reinterpret_cast_1 = memref.reinterpret_cast %arg2 to offset: [0], sizes: [8, 16], strides: [16, 1] : memref<i32> to memref<8x16xi32>
      %reinterpret_cast_2 = memref.reinterpret_cast %arg3 to offset: [0], sizes: [8, 1, 16], strides: [16, 16, 1] : memref<i32> to memref<8x1x16xi32>
      %reinterpret_cast_3 = memref.reinterpret_cast %arg4 to offset: [0], sizes: [64, 64], strides: [64, 1] : memref<f32> to memref<64x64xf32>
      %block_id_x = gpu.block_id  x
      %thread_id_x = gpu.thread_id  x
      %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %1 = arith.divui %thread_id_x, %c32 : index
      %2 = arith.remui %thread_id_x, %c32 : index
      %3 = arith.divui %2, %c4 : index
      %4 = arith.muli %3, %c4 : index
      %5 = arith.muli %1, %c32 : index
      %6 = arith.addi %5, %4 : index
      %7 = arith.remui %2, %c4 : index
      %8 = arith.muli %7, %c4 : index
      %view = memref.view %0[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x1x16xi32, #gpu.address_space<workgroup>>
      %view_4 = memref.view %0[%c128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x16x32xf32, #gpu.address_space<workgroup>>
      %view_5 = memref.view %0[%c4224][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x16x36xf32, #gpu.address_space<workgroup>>
      %9 = arith.remui %block_id_x, %c2 : index
      %10 = arith.divui %block_id_x, %c2 : index
      %11 = arith.muli %10, %c32 : index
      %12 = arith.muli %9, %c32 : index
      %subview = memref.subview %view_5[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %subview_6 = memref.subview %view_4[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %subview_7 = memref.subview %view[0, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      %subview_8 = memref.subview %reinterpret_cast[%11, 0] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
      %subview_9 = memref.subview %reinterpret_cast_0[0, %12] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
      %13 = arith.muli %9, %c4 : index
      %subview_10 = memref.subview %reinterpret_cast_1[%13, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      %subview_11 = memref.subview %reinterpret_cast_2[%13, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      %14 = arith.divui %thread_id_x, %c8 : index
      %15 = arith.remui %thread_id_x, %c8 : index
      %16 = arith.divui %14, %c32 : index
      %17 = arith.muli %16, %c8 : index
      %18 = arith.addi %17, %15 : index
      %19 = arith.remui %14, %c32 : index
      %20 = memref.load %subview_10[%c0, %18] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %21 = arith.index_cast %20 : i32 to index
      %22 = arith.cmpi ult, %21, %c64 : index
      %23 = arith.select %22, %c1, %c0 : index
      %24 = arith.select %22, %19, %c0 : index
      %25 = arith.select %22, %21, %c0 : index
      %26 = nvgpu.device_async_copy %subview_8[%24, %25], %subview[%18, %19], 1, %23 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %27 = arith.addi %thread_id_x, %c32 : index
      %28 = arith.divui %27, %c8 : index
      %29 = arith.remui %27, %c8 : index
      %30 = arith.divui %28, %c32 : index
      %31 = arith.muli %30, %c8 : index
      %32 = arith.addi %31, %29 : index
      %33 = arith.remui %28, %c32 : index
      %34 = memref.load %subview_10[%c0, %32] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %35 = arith.index_cast %34 : i32 to index
      %36 = arith.cmpi ult, %35, %c64 : index
      %37 = arith.select %36, %c1, %c0 : index
      %38 = arith.select %36, %33, %c0 : index
      %39 = arith.select %36, %35, %c0 : index
      %40 = nvgpu.device_async_copy %subview_8[%38, %39], %subview[%32, %33], 1, %37 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %41 = arith.addi %thread_id_x, %c64 : index
      %42 = arith.divui %41, %c8 : index
      %43 = arith.remui %41, %c8 : index
      %44 = arith.divui %42, %c32 : index
      %45 = arith.muli %44, %c8 : index
      %46 = arith.addi %45, %43 : index
      %47 = arith.remui %42, %c32 : index
      %48 = memref.load %subview_10[%c0, %46] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %49 = arith.index_cast %48 : i32 to index
      %50 = arith.cmpi ult, %49, %c64 : index
      %51 = arith.select %50, %c1, %c0 : index
      %52 = arith.select %50, %47, %c0 : index
      %53 = arith.select %50, %49, %c0 : index
      %54 = nvgpu.device_async_copy %subview_8[%52, %53], %subview[%46, %47], 1, %51 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %55 = arith.addi %thread_id_x, %c96 : index
      %56 = arith.divui %55, %c8 : index
      %57 = arith.remui %55, %c8 : index
      %58 = arith.divui %56, %c32 : index
      %59 = arith.muli %58, %c8 : index
      %60 = arith.addi %59, %57 : index
      %61 = arith.remui %56, %c32 : index
      %62 = memref.load %subview_10[%c0, %60] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %63 = arith.index_cast %62 : i32 to index
      %64 = arith.cmpi ult, %63, %c64 : index
      %65 = arith.select %64, %c1, %c0 : index
      %66 = arith.select %64, %61, %c0 : index
      %67 = arith.select %64, %63, %c0 : index
      %68 = nvgpu.device_async_copy %subview_8[%66, %67], %subview[%60, %61], 1, %65 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %69 = arith.addi %thread_id_x, %c128 : index
      %70 = arith.divui %69, %c8 : index
      %71 = arith.remui %69, %c8 : index
      %72 = arith.divui %70, %c32 : index
      %73 = arith.muli %72, %c8 : index
      %74 = arith.addi %73, %71 : index
      %75 = arith.remui %70, %c32 : index
      %76 = memref.load %subview_10[%c0, %74] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %77 = arith.index_cast %76 : i32 to index
      %78 = arith.cmpi ult, %77, %c64 : index
      %79 = arith.select %78, %c1, %c0 : index
      %80 = arith.select %78, %75, %c0 : index
      %81 = arith.select %78, %77, %c0 : index
      %82 = nvgpu.device_async_copy %subview_8[%80, %81], %subview[%74, %75], 1, %79 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %83 = arith.addi %thread_id_x, %c160 : index
      %84 = arith.divui %83, %c8 : index
      %85 = arith.remui %83, %c8 : index
      %86 = arith.divui %84, %c32 : index
      %87 = arith.muli %86, %c8 : index
      %88 = arith.addi %87, %85 : index
      %89 = arith.remui %84, %c32 : index
      %90 = memref.load %subview_10[%c0, %88] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %91 = arith.index_cast %90 : i32 to index
      %92 = arith.cmpi ult, %91, %c64 : index
      %93 = arith.select %92, %c1, %c0 : index
      %94 = arith.select %92, %89, %c0 : index
      %95 = arith.select %92, %91, %c0 : index
      %96 = nvgpu.device_async_copy %subview_8[%94, %95], %subview[%88, %89], 1, %93 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %97 = arith.addi %thread_id_x, %c192 : index
      %98 = arith.divui %97, %c8 : index
      %99 = arith.remui %97, %c8 : index
      %100 = arith.divui %98, %c32 : index
      %101 = arith.muli %100, %c8 : index
      %102 = arith.addi %101, %99 : index
      %103 = arith.remui %98, %c32 : index
      %104 = memref.load %subview_10[%c0, %102] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %105 = arith.index_cast %104 : i32 to index
      %106 = arith.cmpi ult, %105, %c64 : index
      %107 = arith.select %106, %c1, %c0 : index
      %108 = arith.select %106, %103, %c0 : index
      %109 = arith.select %106, %105, %c0 : index
      %110 = nvgpu.device_async_copy %subview_8[%108, %109], %subview[%102, %103], 1, %107 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %111 = arith.addi %thread_id_x, %c224 : index
      %112 = arith.divui %111, %c8 : index
      %113 = arith.remui %111, %c8 : index
      %114 = arith.divui %112, %c32 : index
      %115 = arith.muli %114, %c8 : index
      %116 = arith.addi %115, %113 : index
      %117 = arith.remui %112, %c32 : index
      %118 = memref.load %subview_10[%c0, %116] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %119 = arith.index_cast %118 : i32 to index
      %120 = arith.cmpi ult, %119, %c64 : index
      %121 = arith.select %120, %c1, %c0 : index
      %122 = arith.select %120, %117, %c0 : index
      %123 = arith.select %120, %119, %c0 : index
      %124 = nvgpu.device_async_copy %subview_8[%122, %123], %subview[%116, %117], 1, %121 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %125 = arith.addi %thread_id_x, %c256 : index
      %126 = arith.divui %125, %c8 : index
      %127 = arith.remui %125, %c8 : index
      %128 = arith.divui %126, %c32 : index
      %129 = arith.muli %128, %c8 : index
      %130 = arith.addi %129, %127 : index
      %131 = arith.remui %126, %c32 : index
      %132 = memref.load %subview_10[%c0, %130] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %133 = arith.index_cast %132 : i32 to index
      %134 = arith.cmpi ult, %133, %c64 : index
      %135 = arith.select %134, %c1, %c0 : index
      %136 = arith.select %134, %131, %c0 : index
      %137 = arith.select %134, %133, %c0 : index
      %138 = nvgpu.device_async_copy %subview_8[%136, %137], %subview[%130, %131], 1, %135 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %139 = arith.addi %thread_id_x, %c288 : index
      %140 = arith.divui %139, %c8 : index
      %141 = arith.remui %139, %c8 : index
      %142 = arith.divui %140, %c32 : index
      %143 = arith.muli %142, %c8 : index
      %144 = arith.addi %143, %141 : index
      %145 = arith.remui %140, %c32 : index
      %146 = memref.load %subview_10[%c0, %144] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %147 = arith.index_cast %146 : i32 to index
      %148 = arith.cmpi ult, %147, %c64 : index
      %149 = arith.select %148, %c1, %c0 : index
      %150 = arith.select %148, %145, %c0 : index
      %151 = arith.select %148, %147, %c0 : index
      %152 = nvgpu.device_async_copy %subview_8[%150, %151], %subview[%144, %145], 1, %149 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %153 = arith.addi %thread_id_x, %c320 : index
      %154 = arith.divui %153, %c8 : index
      %155 = arith.remui %153, %c8 : index
      %156 = arith.divui %154, %c32 : index
      %157 = arith.muli %156, %c8 : index
      %158 = arith.addi %157, %155 : index
      %159 = arith.remui %154, %c32 : index
      %160 = memref.load %subview_10[%c0, %158] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %161 = arith.index_cast %160 : i32 to index
      %162 = arith.cmpi ult, %161, %c64 : index
      %163 = arith.select %162, %c1, %c0 : index
      %164 = arith.select %162, %159, %c0 : index
      %165 = arith.select %162, %161, %c0 : index
      %166 = nvgpu.device_async_copy %subview_8[%164, %165], %subview[%158, %159], 1, %163 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %167 = arith.addi %thread_id_x, %c352 : index
      %168 = arith.divui %167, %c8 : index
      %169 = arith.remui %167, %c8 : index
      %170 = arith.divui %168, %c32 : index
      %171 = arith.muli %170, %c8 : index
      %172 = arith.addi %171, %169 : index
      %173 = arith.remui %168, %c32 : index
      %174 = memref.load %subview_10[%c0, %172] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %175 = arith.index_cast %174 : i32 to index
      %176 = arith.cmpi ult, %175, %c64 : index
      %177 = arith.select %176, %c1, %c0 : index
      %178 = arith.select %176, %173, %c0 : index
      %179 = arith.select %176, %175, %c0 : index
      %180 = nvgpu.device_async_copy %subview_8[%178, %179], %subview[%172, %173], 1, %177 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %181 = arith.addi %thread_id_x, %c384 : index
      %182 = arith.divui %181, %c8 : index
      %183 = arith.remui %181, %c8 : index
      %184 = arith.divui %182, %c32 : index
      %185 = arith.muli %184, %c8 : index
      %186 = arith.addi %185, %183 : index
      %187 = arith.remui %182, %c32 : index
      %188 = memref.load %subview_10[%c0, %186] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %189 = arith.index_cast %188 : i32 to index
      %190 = arith.cmpi ult, %189, %c64 : index
      %191 = arith.select %190, %c1, %c0 : index
      %192 = arith.select %190, %187, %c0 : index
      %193 = arith.select %190, %189, %c0 : index
      %194 = nvgpu.device_async_copy %subview_8[%192, %193], %subview[%186, %187], 1, %191 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %195 = arith.addi %thread_id_x, %c416 : index
      %196 = arith.divui %195, %c8 : index
      %197 = arith.remui %195, %c8 : index
      %198 = arith.divui %196, %c32 : index
      %199 = arith.muli %198, %c8 : index
      %200 = arith.addi %199, %197 : index
      %201 = arith.remui %196, %c32 : index
      %202 = memref.load %subview_10[%c0, %200] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %203 = arith.index_cast %202 : i32 to index
      %204 = arith.cmpi ult, %203, %c64 : index
      %205 = arith.select %204, %c1, %c0 : index
      %206 = arith.select %204, %201, %c0 : index
      %207 = arith.select %204, %203, %c0 : index
      %208 = nvgpu.device_async_copy %subview_8[%206, %207], %subview[%200, %201], 1, %205 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %209 = arith.addi %thread_id_x, %c448 : index
      %210 = arith.divui %209, %c8 : index
      %211 = arith.remui %209, %c8 : index
      %212 = arith.divui %210, %c32 : index
      %213 = arith.muli %212, %c8 : index
      %214 = arith.addi %213, %211 : index
      %215 = arith.remui %210, %c32 : index
      %216 = memref.load %subview_10[%c0, %214] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %217 = arith.index_cast %216 : i32 to index
      %218 = arith.cmpi ult, %217, %c64 : index
      %219 = arith.select %218, %c1, %c0 : index
      %220 = arith.select %218, %215, %c0 : index
      %221 = arith.select %218, %217, %c0 : index
      %222 = nvgpu.device_async_copy %subview_8[%220, %221], %subview[%214, %215], 1, %219 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %223 = arith.addi %thread_id_x, %c480 : index
      %224 = arith.divui %223, %c8 : index
      %225 = arith.remui %223, %c8 : index
      %226 = arith.divui %224, %c32 : index
      %227 = arith.muli %226, %c8 : index
      %228 = arith.addi %227, %225 : index
      %229 = arith.remui %224, %c32 : index
      %230 = memref.load %subview_10[%c0, %228] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %231 = arith.index_cast %230 : i32 to index
      %232 = arith.cmpi ult, %231, %c64 : index
      %233 = arith.select %232, %c1, %c0 : index
      %234 = arith.select %232, %229, %c0 : index
      %235 = arith.select %232, %231, %c0 : index
      %236 = nvgpu.device_async_copy %subview_8[%234, %235], %subview[%228, %229], 1, %233 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %237 = arith.muli %15, %c4 : index
      %238 = nvgpu.device_async_copy %subview_9[%14, %237], %subview_6[%14, %237], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %239 = arith.muli %29, %c4 : index
      %240 = nvgpu.device_async_copy %subview_9[%28, %239], %subview_6[%28, %239], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %241 = arith.muli %43, %c4 : index
      %242 = nvgpu.device_async_copy %subview_9[%42, %241], %subview_6[%42, %241], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %243 = arith.muli %57, %c4 : index
      %244 = nvgpu.device_async_copy %subview_9[%56, %243], %subview_6[%56, %243], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %245 = arith.cmpi ult, %thread_id_x, %c4 : index
      scf.if %245 {
        %251 = arith.divui %thread_id_x, %c4 : index
        %252 = arith.remui %thread_id_x, %c4 : index
        %253 = arith.muli %252, %c4 : index
        %254 = nvgpu.device_async_copy %subview_11[%251, %253], %subview_7[%251, %253], 4 {bypassL1} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      }
      nvvm.cp.async.commit.group
      %246:8 = scf.for %arg5 = %c0 to %c4 step %c1 iter_args(%arg6 = %cst, %arg7 = %cst, %arg8 = %cst, %arg9 = %cst, %arg10 = %cst, %arg11 = %cst, %arg12 = %cst, %arg13 = %cst) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
        nvvm.cp.async.wait.group 0
        gpu.barrier
        %251 = arith.addi %arg5, %c1 : index
        %252 = arith.cmpi slt, %251, %c4 : index
        scf.if %252 {
          %595 = arith.remui %251, %c2 : index
          %subview_16 = memref.subview %view_5[%595, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_17 = memref.subview %view_4[%595, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_18 = memref.subview %view[%595, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
          %596 = arith.muli %251, %c64 : index
          %subview_19 = memref.subview %reinterpret_cast[%11, %596] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
          %597 = arith.muli %251, %c16 : index
          %subview_20 = memref.subview %reinterpret_cast_0[%597, %12] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
          %598 = arith.addi %13, %251 : index
          %subview_21 = memref.subview %reinterpret_cast_1[%598, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          %subview_22 = memref.subview %reinterpret_cast_2[%598, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          %599 = memref.load %subview_21[%c0, %18] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %600 = arith.index_cast %599 : i32 to index
          %601 = arith.cmpi ult, %600, %c64 : index
          %602 = arith.select %601, %c1, %c0 : index
          %603 = arith.select %601, %19, %c0 : index
          %604 = arith.select %601, %600, %c0 : index
          %605 = nvgpu.device_async_copy %subview_19[%603, %604], %subview_16[%18, %19], 1, %602 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %606 = memref.load %subview_21[%c0, %32] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %607 = arith.index_cast %606 : i32 to index
          %608 = arith.cmpi ult, %607, %c64 : index
          %609 = arith.select %608, %c1, %c0 : index
          %610 = arith.select %608, %33, %c0 : index
          %611 = arith.select %608, %607, %c0 : index
          %612 = nvgpu.device_async_copy %subview_19[%610, %611], %subview_16[%32, %33], 1, %609 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %613 = memref.load %subview_21[%c0, %46] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %614 = arith.index_cast %613 : i32 to index
          %615 = arith.cmpi ult, %614, %c64 : index
          %616 = arith.select %615, %c1, %c0 : index
          %617 = arith.select %615, %47, %c0 : index
          %618 = arith.select %615, %614, %c0 : index
          %619 = nvgpu.device_async_copy %subview_19[%617, %618], %subview_16[%46, %47], 1, %616 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %620 = memref.load %subview_21[%c0, %60] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %621 = arith.index_cast %620 : i32 to index
          %622 = arith.cmpi ult, %621, %c64 : index
          %623 = arith.select %622, %c1, %c0 : index
          %624 = arith.select %622, %61, %c0 : index
          %625 = arith.select %622, %621, %c0 : index
          %626 = nvgpu.device_async_copy %subview_19[%624, %625], %subview_16[%60, %61], 1, %623 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %627 = memref.load %subview_21[%c0, %74] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %628 = arith.index_cast %627 : i32 to index
          %629 = arith.cmpi ult, %628, %c64 : index
          %630 = arith.select %629, %c1, %c0 : index
          %631 = arith.select %629, %75, %c0 : index
          %632 = arith.select %629, %628, %c0 : index
          %633 = nvgpu.device_async_copy %subview_19[%631, %632], %subview_16[%74, %75], 1, %630 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %634 = memref.load %subview_21[%c0, %88] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %635 = arith.index_cast %634 : i32 to index
          %636 = arith.cmpi ult, %635, %c64 : index
          %637 = arith.select %636, %c1, %c0 : index
          %638 = arith.select %636, %89, %c0 : index
          %639 = arith.select %636, %635, %c0 : index
          %640 = nvgpu.device_async_copy %subview_19[%638, %639], %subview_16[%88, %89], 1, %637 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %641 = memref.load %subview_21[%c0, %102] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %642 = arith.index_cast %641 : i32 to index
          %643 = arith.cmpi ult, %642, %c64 : index
          %644 = arith.select %643, %c1, %c0 : index
          %645 = arith.select %643, %103, %c0 : index
          %646 = arith.select %643, %642, %c0 : index
          %647 = nvgpu.device_async_copy %subview_19[%645, %646], %subview_16[%102, %103], 1, %644 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %648 = memref.load %subview_21[%c0, %116] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %649 = arith.index_cast %648 : i32 to index
          %650 = arith.cmpi ult, %649, %c64 : index
          %651 = arith.select %650, %c1, %c0 : index
          %652 = arith.select %650, %117, %c0 : index
          %653 = arith.select %650, %649, %c0 : index
          %654 = nvgpu.device_async_copy %subview_19[%652, %653], %subview_16[%116, %117], 1, %651 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %655 = memref.load %subview_21[%c0, %130] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %656 = arith.index_cast %655 : i32 to index
          %657 = arith.cmpi ult, %656, %c64 : index
          %658 = arith.select %657, %c1, %c0 : index
          %659 = arith.select %657, %131, %c0 : index
          %660 = arith.select %657, %656, %c0 : index
          %661 = nvgpu.device_async_copy %subview_19[%659, %660], %subview_16[%130, %131], 1, %658 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %662 = memref.load %subview_21[%c0, %144] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %663 = arith.index_cast %662 : i32 to index
          %664 = arith.cmpi ult, %663, %c64 : index
          %665 = arith.select %664, %c1, %c0 : index
          %666 = arith.select %664, %145, %c0 : index
          %667 = arith.select %664, %663, %c0 : index
          %668 = nvgpu.device_async_copy %subview_19[%666, %667], %subview_16[%144, %145], 1, %665 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %669 = memref.load %subview_21[%c0, %158] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %670 = arith.index_cast %669 : i32 to index
          %671 = arith.cmpi ult, %670, %c64 : index
          %672 = arith.select %671, %c1, %c0 : index
          %673 = arith.select %671, %159, %c0 : index
          %674 = arith.select %671, %670, %c0 : index
          %675 = nvgpu.device_async_copy %subview_19[%673, %674], %subview_16[%158, %159], 1, %672 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %676 = memref.load %subview_21[%c0, %172] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %677 = arith.index_cast %676 : i32 to index
          %678 = arith.cmpi ult, %677, %c64 : index
          %679 = arith.select %678, %c1, %c0 : index
          %680 = arith.select %678, %173, %c0 : index
          %681 = arith.select %678, %677, %c0 : index
          %682 = nvgpu.device_async_copy %subview_19[%680, %681], %subview_16[%172, %173], 1, %679 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %683 = memref.load %subview_21[%c0, %186] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %684 = arith.index_cast %683 : i32 to index
          %685 = arith.cmpi ult, %684, %c64 : index
          %686 = arith.select %685, %c1, %c0 : index
          %687 = arith.select %685, %187, %c0 : index
          %688 = arith.select %685, %684, %c0 : index
          %689 = nvgpu.device_async_copy %subview_19[%687, %688], %subview_16[%186, %187], 1, %686 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %690 = memref.load %subview_21[%c0, %200] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %691 = arith.index_cast %690 : i32 to index
          %692 = arith.cmpi ult, %691, %c64 : index
          %693 = arith.select %692, %c1, %c0 : index
          %694 = arith.select %692, %201, %c0 : index
          %695 = arith.select %692, %691, %c0 : index
          %696 = nvgpu.device_async_copy %subview_19[%694, %695], %subview_16[%200, %201], 1, %693 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %697 = memref.load %subview_21[%c0, %214] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %698 = arith.index_cast %697 : i32 to index
          %699 = arith.cmpi ult, %698, %c64 : index
          %700 = arith.select %699, %c1, %c0 : index
          %701 = arith.select %699, %215, %c0 : index
          %702 = arith.select %699, %698, %c0 : index
          %703 = nvgpu.device_async_copy %subview_19[%701, %702], %subview_16[%214, %215], 1, %700 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %704 = memref.load %subview_21[%c0, %228] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %705 = arith.index_cast %704 : i32 to index
          %706 = arith.cmpi ult, %705, %c64 : index
          %707 = arith.select %706, %c1, %c0 : index
          %708 = arith.select %706, %229, %c0 : index
          %709 = arith.select %706, %705, %c0 : index
          %710 = nvgpu.device_async_copy %subview_19[%708, %709], %subview_16[%228, %229], 1, %707 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %711 = nvgpu.device_async_copy %subview_20[%14, %237], %subview_17[%14, %237], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %712 = nvgpu.device_async_copy %subview_20[%28, %239], %subview_17[%28, %239], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %713 = nvgpu.device_async_copy %subview_20[%42, %241], %subview_17[%42, %241], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %714 = nvgpu.device_async_copy %subview_20[%56, %243], %subview_17[%56, %243], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          scf.if %245 {
            %715 = arith.divui %thread_id_x, %c4 : index
            %716 = arith.remui %thread_id_x, %c4 : index
            %717 = arith.muli %716, %c4 : index
            %718 = nvgpu.device_async_copy %subview_22[%715, %717], %subview_18[%715, %717], 4 {bypassL1} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
          }
        }
        nvvm.cp.async.commit.group
        %253 = arith.remui %arg5, %c2 : index
        %subview_13 = memref.subview %view_5[%253, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_14 = memref.subview %view_4[%253, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_15 = memref.subview %view[%253, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
        %254 = vector.load %subview_15[%c0, %c0] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %255 = vector.extract %254[0] : i32 from vector<4xi32>
        %256 = arith.index_castui %255 : i32 to index
        %257 = vector.load %subview_13[%256, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %258 = vector.extract %257[0] : f32 from vector<4xf32>
        %259 = vector.extract %257[1] : f32 from vector<4xf32>
        %260 = vector.extract %257[2] : f32 from vector<4xf32>
        %261 = vector.extract %257[3] : f32 from vector<4xf32>
        %262 = vector.load %subview_14[%c0, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %263 = vector.broadcast %258 : f32 to vector<4xf32>
        %264 = vector.fma %263, %262, %arg6 : vector<4xf32>
        %265 = vector.broadcast %259 : f32 to vector<4xf32>
        %266 = vector.fma %265, %262, %arg8 : vector<4xf32>
        %267 = vector.broadcast %260 : f32 to vector<4xf32>
        %268 = vector.fma %267, %262, %arg10 : vector<4xf32>
        %269 = vector.broadcast %261 : f32 to vector<4xf32>
        %270 = vector.fma %269, %262, %arg12 : vector<4xf32>
        %271 = arith.addi %8, %c16 : index
        %272 = vector.load %subview_14[%c0, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %273 = vector.fma %263, %272, %arg7 : vector<4xf32>
        %274 = vector.fma %265, %272, %arg9 : vector<4xf32>
        %275 = vector.fma %267, %272, %arg11 : vector<4xf32>
        %276 = vector.fma %269, %272, %arg13 : vector<4xf32>
        %277 = vector.extract %254[1] : i32 from vector<4xi32>
        %278 = arith.index_castui %277 : i32 to index
        %279 = vector.load %subview_13[%278, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %280 = vector.extract %279[0] : f32 from vector<4xf32>
        %281 = vector.extract %279[1] : f32 from vector<4xf32>
        %282 = vector.extract %279[2] : f32 from vector<4xf32>
        %283 = vector.extract %279[3] : f32 from vector<4xf32>
        %284 = vector.load %subview_14[%c1, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %285 = vector.broadcast %280 : f32 to vector<4xf32>
        %286 = vector.fma %285, %284, %264 : vector<4xf32>
        %287 = vector.broadcast %281 : f32 to vector<4xf32>
        %288 = vector.fma %287, %284, %266 : vector<4xf32>
        %289 = vector.broadcast %282 : f32 to vector<4xf32>
        %290 = vector.fma %289, %284, %268 : vector<4xf32>
        %291 = vector.broadcast %283 : f32 to vector<4xf32>
        %292 = vector.fma %291, %284, %270 : vector<4xf32>
        %293 = vector.load %subview_14[%c1, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %294 = vector.fma %285, %293, %273 : vector<4xf32>
        %295 = vector.fma %287, %293, %274 : vector<4xf32>
        %296 = vector.fma %289, %293, %275 : vector<4xf32>
        %297 = vector.fma %291, %293, %276 : vector<4xf32>
        %298 = vector.extract %254[2] : i32 from vector<4xi32>
        %299 = arith.index_castui %298 : i32 to index
        %300 = vector.load %subview_13[%299, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %301 = vector.extract %300[0] : f32 from vector<4xf32>
        %302 = vector.extract %300[1] : f32 from vector<4xf32>
        %303 = vector.extract %300[2] : f32 from vector<4xf32>
        %304 = vector.extract %300[3] : f32 from vector<4xf32>
        %305 = vector.load %subview_14[%c2, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %306 = vector.broadcast %301 : f32 to vector<4xf32>
        %307 = vector.fma %306, %305, %286 : vector<4xf32>
        %308 = vector.broadcast %302 : f32 to vector<4xf32>
        %309 = vector.fma %308, %305, %288 : vector<4xf32>
        %310 = vector.broadcast %303 : f32 to vector<4xf32>
        %311 = vector.fma %310, %305, %290 : vector<4xf32>
        %312 = vector.broadcast %304 : f32 to vector<4xf32>
        %313 = vector.fma %312, %305, %292 : vector<4xf32>
        %314 = vector.load %subview_14[%c2, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %315 = vector.fma %306, %314, %294 : vector<4xf32>
        %316 = vector.fma %308, %314, %295 : vector<4xf32>
        %317 = vector.fma %310, %314, %296 : vector<4xf32>
        %318 = vector.fma %312, %314, %297 : vector<4xf32>
        %319 = vector.extract %254[3] : i32 from vector<4xi32>
        %320 = arith.index_castui %319 : i32 to index
        %321 = vector.load %subview_13[%320, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %322 = vector.extract %321[0] : f32 from vector<4xf32>
        %323 = vector.extract %321[1] : f32 from vector<4xf32>
        %324 = vector.extract %321[2] : f32 from vector<4xf32>
        %325 = vector.extract %321[3] : f32 from vector<4xf32>
        %326 = vector.load %subview_14[%c3, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %327 = vector.broadcast %322 : f32 to vector<4xf32>
        %328 = vector.fma %327, %326, %307 : vector<4xf32>
        %329 = vector.broadcast %323 : f32 to vector<4xf32>
        %330 = vector.fma %329, %326, %309 : vector<4xf32>
        %331 = vector.broadcast %324 : f32 to vector<4xf32>
        %332 = vector.fma %331, %326, %311 : vector<4xf32>
        %333 = vector.broadcast %325 : f32 to vector<4xf32>
        %334 = vector.fma %333, %326, %313 : vector<4xf32>
        %335 = vector.load %subview_14[%c3, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %336 = vector.fma %327, %335, %315 : vector<4xf32>
        %337 = vector.fma %329, %335, %316 : vector<4xf32>
        %338 = vector.fma %331, %335, %317 : vector<4xf32>
        %339 = vector.fma %333, %335, %318 : vector<4xf32>
        %340 = vector.load %subview_15[%c0, %c4] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %341 = vector.extract %340[0] : i32 from vector<4xi32>
        %342 = arith.index_castui %341 : i32 to index
        %343 = vector.load %subview_13[%342, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %344 = vector.extract %343[0] : f32 from vector<4xf32>
        %345 = vector.extract %343[1] : f32 from vector<4xf32>
        %346 = vector.extract %343[2] : f32 from vector<4xf32>
        %347 = vector.extract %343[3] : f32 from vector<4xf32>
        %348 = vector.load %subview_14[%c4, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %349 = vector.broadcast %344 : f32 to vector<4xf32>
        %350 = vector.fma %349, %348, %328 : vector<4xf32>
        %351 = vector.broadcast %345 : f32 to vector<4xf32>
        %352 = vector.fma %351, %348, %330 : vector<4xf32>
        %353 = vector.broadcast %346 : f32 to vector<4xf32>
        %354 = vector.fma %353, %348, %332 : vector<4xf32>
        %355 = vector.broadcast %347 : f32 to vector<4xf32>
        %356 = vector.fma %355, %348, %334 : vector<4xf32>
        %357 = vector.load %subview_14[%c4, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %358 = vector.fma %349, %357, %336 : vector<4xf32>
        %359 = vector.fma %351, %357, %337 : vector<4xf32>
        %360 = vector.fma %353, %357, %338 : vector<4xf32>
        %361 = vector.fma %355, %357, %339 : vector<4xf32>
        %362 = vector.extract %340[1] : i32 from vector<4xi32>
        %363 = arith.index_castui %362 : i32 to index
        %364 = vector.load %subview_13[%363, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %365 = vector.extract %364[0] : f32 from vector<4xf32>
        %366 = vector.extract %364[1] : f32 from vector<4xf32>
        %367 = vector.extract %364[2] : f32 from vector<4xf32>
        %368 = vector.extract %364[3] : f32 from vector<4xf32>
        %369 = vector.load %subview_14[%c5, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %370 = vector.broadcast %365 : f32 to vector<4xf32>
        %371 = vector.fma %370, %369, %350 : vector<4xf32>
        %372 = vector.broadcast %366 : f32 to vector<4xf32>
        %373 = vector.fma %372, %369, %352 : vector<4xf32>
        %374 = vector.broadcast %367 : f32 to vector<4xf32>
        %375 = vector.fma %374, %369, %354 : vector<4xf32>
        %376 = vector.broadcast %368 : f32 to vector<4xf32>
        %377 = vector.fma %376, %369, %356 : vector<4xf32>
        %378 = vector.load %subview_14[%c5, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %379 = vector.fma %370, %378, %358 : vector<4xf32>
        %380 = vector.fma %372, %378, %359 : vector<4xf32>
        %381 = vector.fma %374, %378, %360 : vector<4xf32>
        %382 = vector.fma %376, %378, %361 : vector<4xf32>
        %383 = vector.extract %340[2] : i32 from vector<4xi32>
        %384 = arith.index_castui %383 : i32 to index
        %385 = vector.load %subview_13[%384, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %386 = vector.extract %385[0] : f32 from vector<4xf32>
        %387 = vector.extract %385[1] : f32 from vector<4xf32>
        %388 = vector.extract %385[2] : f32 from vector<4xf32>
        %389 = vector.extract %385[3] : f32 from vector<4xf32>
        %390 = vector.load %subview_14[%c6, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %391 = vector.broadcast %386 : f32 to vector<4xf32>
        %392 = vector.fma %391, %390, %371 : vector<4xf32>
        %393 = vector.broadcast %387 : f32 to vector<4xf32>
        %394 = vector.fma %393, %390, %373 : vector<4xf32>
        %395 = vector.broadcast %388 : f32 to vector<4xf32>
        %396 = vector.fma %395, %390, %375 : vector<4xf32>
        %397 = vector.broadcast %389 : f32 to vector<4xf32>
        %398 = vector.fma %397, %390, %377 : vector<4xf32>
        %399 = vector.load %subview_14[%c6, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %400 = vector.fma %391, %399, %379 : vector<4xf32>
        %401 = vector.fma %393, %399, %380 : vector<4xf32>
        %402 = vector.fma %395, %399, %381 : vector<4xf32>
        %403 = vector.fma %397, %399, %382 : vector<4xf32>
        %404 = vector.extract %340[3] : i32 from vector<4xi32>
        %405 = arith.index_castui %404 : i32 to index
        %406 = vector.load %subview_13[%405, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %407 = vector.extract %406[0] : f32 from vector<4xf32>
        %408 = vector.extract %406[1] : f32 from vector<4xf32>
        %409 = vector.extract %406[2] : f32 from vector<4xf32>
        %410 = vector.extract %406[3] : f32 from vector<4xf32>
        %411 = vector.load %subview_14[%c7, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %412 = vector.broadcast %407 : f32 to vector<4xf32>
        %413 = vector.fma %412, %411, %392 : vector<4xf32>
        %414 = vector.broadcast %408 : f32 to vector<4xf32>
        %415 = vector.fma %414, %411, %394 : vector<4xf32>
        %416 = vector.broadcast %409 : f32 to vector<4xf32>
        %417 = vector.fma %416, %411, %396 : vector<4xf32>
        %418 = vector.broadcast %410 : f32 to vector<4xf32>
        %419 = vector.fma %418, %411, %398 : vector<4xf32>
        %420 = vector.load %subview_14[%c7, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %421 = vector.fma %412, %420, %400 : vector<4xf32>
        %422 = vector.fma %414, %420, %401 : vector<4xf32>
        %423 = vector.fma %416, %420, %402 : vector<4xf32>
        %424 = vector.fma %418, %420, %403 : vector<4xf32>
        %425 = vector.load %subview_15[%c0, %c8] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %426 = vector.extract %425[0] : i32 from vector<4xi32>
        %427 = arith.index_castui %426 : i32 to index
        %428 = vector.load %subview_13[%427, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %429 = vector.extract %428[0] : f32 from vector<4xf32>
        %430 = vector.extract %428[1] : f32 from vector<4xf32>
        %431 = vector.extract %428[2] : f32 from vector<4xf32>
        %432 = vector.extract %428[3] : f32 from vector<4xf32>
        %433 = vector.load %subview_14[%c8, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %434 = vector.broadcast %429 : f32 to vector<4xf32>
        %435 = vector.fma %434, %433, %413 : vector<4xf32>
        %436 = vector.broadcast %430 : f32 to vector<4xf32>
        %437 = vector.fma %436, %433, %415 : vector<4xf32>
        %438 = vector.broadcast %431 : f32 to vector<4xf32>
        %439 = vector.fma %438, %433, %417 : vector<4xf32>
        %440 = vector.broadcast %432 : f32 to vector<4xf32>
        %441 = vector.fma %440, %433, %419 : vector<4xf32>
        %442 = vector.load %subview_14[%c8, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %443 = vector.fma %434, %442, %421 : vector<4xf32>
        %444 = vector.fma %436, %442, %422 : vector<4xf32>
        %445 = vector.fma %438, %442, %423 : vector<4xf32>
        %446 = vector.fma %440, %442, %424 : vector<4xf32>
        %447 = vector.extract %425[1] : i32 from vector<4xi32>
        %448 = arith.index_castui %447 : i32 to index
        %449 = vector.load %subview_13[%448, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %450 = vector.extract %449[0] : f32 from vector<4xf32>
        %451 = vector.extract %449[1] : f32 from vector<4xf32>
        %452 = vector.extract %449[2] : f32 from vector<4xf32>
        %453 = vector.extract %449[3] : f32 from vector<4xf32>
        %454 = vector.load %subview_14[%c9, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %455 = vector.broadcast %450 : f32 to vector<4xf32>
        %456 = vector.fma %455, %454, %435 : vector<4xf32>
        %457 = vector.broadcast %451 : f32 to vector<4xf32>
        %458 = vector.fma %457, %454, %437 : vector<4xf32>
        %459 = vector.broadcast %452 : f32 to vector<4xf32>
        %460 = vector.fma %459, %454, %439 : vector<4xf32>
        %461 = vector.broadcast %453 : f32 to vector<4xf32>
        %462 = vector.fma %461, %454, %441 : vector<4xf32>
        %463 = vector.load %subview_14[%c9, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %464 = vector.fma %455, %463, %443 : vector<4xf32>
        %465 = vector.fma %457, %463, %444 : vector<4xf32>
        %466 = vector.fma %459, %463, %445 : vector<4xf32>
        %467 = vector.fma %461, %463, %446 : vector<4xf32>
        %468 = vector.extract %425[2] : i32 from vector<4xi32>
        %469 = arith.index_castui %468 : i32 to index
        %470 = vector.load %subview_13[%469, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %471 = vector.extract %470[0] : f32 from vector<4xf32>
        %472 = vector.extract %470[1] : f32 from vector<4xf32>
        %473 = vector.extract %470[2] : f32 from vector<4xf32>
        %474 = vector.extract %470[3] : f32 from vector<4xf32>
        %475 = vector.load %subview_14[%c10, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %476 = vector.broadcast %471 : f32 to vector<4xf32>
        %477 = vector.fma %476, %475, %456 : vector<4xf32>
        %478 = vector.broadcast %472 : f32 to vector<4xf32>
        %479 = vector.fma %478, %475, %458 : vector<4xf32>
        %480 = vector.broadcast %473 : f32 to vector<4xf32>
        %481 = vector.fma %480, %475, %460 : vector<4xf32>
        %482 = vector.broadcast %474 : f32 to vector<4xf32>
        %483 = vector.fma %482, %475, %462 : vector<4xf32>
        %484 = vector.load %subview_14[%c10, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %485 = vector.fma %476, %484, %464 : vector<4xf32>
        %486 = vector.fma %478, %484, %465 : vector<4xf32>
        %487 = vector.fma %480, %484, %466 : vector<4xf32>
        %488 = vector.fma %482, %484, %467 : vector<4xf32>
        %489 = vector.extract %425[3] : i32 from vector<4xi32>
        %490 = arith.index_castui %489 : i32 to index
        %491 = vector.load %subview_13[%490, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %492 = vector.extract %491[0] : f32 from vector<4xf32>
        %493 = vector.extract %491[1] : f32 from vector<4xf32>
        %494 = vector.extract %491[2] : f32 from vector<4xf32>
        %495 = vector.extract %491[3] : f32 from vector<4xf32>
        %496 = vector.load %subview_14[%c11, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %497 = vector.broadcast %492 : f32 to vector<4xf32>
        %498 = vector.fma %497, %496, %477 : vector<4xf32>
        %499 = vector.broadcast %493 : f32 to vector<4xf32>
        %500 = vector.fma %499, %496, %479 : vector<4xf32>
        %501 = vector.broadcast %494 : f32 to vector<4xf32>
        %502 = vector.fma %501, %496, %481 : vector<4xf32>
        %503 = vector.broadcast %495 : f32 to vector<4xf32>
        %504 = vector.fma %503, %496, %483 : vector<4xf32>
        %505 = vector.load %subview_14[%c11, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %506 = vector.fma %497, %505, %485 : vector<4xf32>
        %507 = vector.fma %499, %505, %486 : vector<4xf32>
        %508 = vector.fma %501, %505, %487 : vector<4xf32>
        %509 = vector.fma %503, %505, %488 : vector<4xf32>
        %510 = vector.load %subview_15[%c0, %c12] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %511 = vector.extract %510[0] : i32 from vector<4xi32>
        %512 = arith.index_castui %511 : i32 to index
        %513 = vector.load %subview_13[%512, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %514 = vector.extract %513[0] : f32 from vector<4xf32>
        %515 = vector.extract %513[1] : f32 from vector<4xf32>
        %516 = vector.extract %513[2] : f32 from vector<4xf32>
        %517 = vector.extract %513[3] : f32 from vector<4xf32>
        %518 = vector.load %subview_14[%c12, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %519 = vector.broadcast %514 : f32 to vector<4xf32>
        %520 = vector.fma %519, %518, %498 : vector<4xf32>
        %521 = vector.broadcast %515 : f32 to vector<4xf32>
        %522 = vector.fma %521, %518, %500 : vector<4xf32>
        %523 = vector.broadcast %516 : f32 to vector<4xf32>
        %524 = vector.fma %523, %518, %502 : vector<4xf32>
        %525 = vector.broadcast %517 : f32 to vector<4xf32>
        %526 = vector.fma %525, %518, %504 : vector<4xf32>
        %527 = vector.load %subview_14[%c12, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %528 = vector.fma %519, %527, %506 : vector<4xf32>
        %529 = vector.fma %521, %527, %507 : vector<4xf32>
        %530 = vector.fma %523, %527, %508 : vector<4xf32>
        %531 = vector.fma %525, %527, %509 : vector<4xf32>
        %532 = vector.extract %510[1] : i32 from vector<4xi32>
        %533 = arith.index_castui %532 : i32 to index
        %534 = vector.load %subview_13[%533, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %535 = vector.extract %534[0] : f32 from vector<4xf32>
        %536 = vector.extract %534[1] : f32 from vector<4xf32>
        %537 = vector.extract %534[2] : f32 from vector<4xf32>
        %538 = vector.extract %534[3] : f32 from vector<4xf32>
        %539 = vector.load %subview_14[%c13, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %540 = vector.broadcast %535 : f32 to vector<4xf32>
        %541 = vector.fma %540, %539, %520 : vector<4xf32>
        %542 = vector.broadcast %536 : f32 to vector<4xf32>
        %543 = vector.fma %542, %539, %522 : vector<4xf32>
        %544 = vector.broadcast %537 : f32 to vector<4xf32>
        %545 = vector.fma %544, %539, %524 : vector<4xf32>
        %546 = vector.broadcast %538 : f32 to vector<4xf32>
        %547 = vector.fma %546, %539, %526 : vector<4xf32>
        %548 = vector.load %subview_14[%c13, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %549 = vector.fma %540, %548, %528 : vector<4xf32>
        %550 = vector.fma %542, %548, %529 : vector<4xf32>
        %551 = vector.fma %544, %548, %530 : vector<4xf32>
        %552 = vector.fma %546, %548, %531 : vector<4xf32>
        %553 = vector.extract %510[2] : i32 from vector<4xi32>
        %554 = arith.index_castui %553 : i32 to index
        %555 = vector.load %subview_13[%554, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %556 = vector.extract %555[0] : f32 from vector<4xf32>
        %557 = vector.extract %555[1] : f32 from vector<4xf32>
        %558 = vector.extract %555[2] : f32 from vector<4xf32>
        %559 = vector.extract %555[3] : f32 from vector<4xf32>
        %560 = vector.load %subview_14[%c14, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %561 = vector.broadcast %556 : f32 to vector<4xf32>
        %562 = vector.fma %561, %560, %541 : vector<4xf32>
        %563 = vector.broadcast %557 : f32 to vector<4xf32>
        %564 = vector.fma %563, %560, %543 : vector<4xf32>
        %565 = vector.broadcast %558 : f32 to vector<4xf32>
        %566 = vector.fma %565, %560, %545 : vector<4xf32>
        %567 = vector.broadcast %559 : f32 to vector<4xf32>
        %568 = vector.fma %567, %560, %547 : vector<4xf32>
        %569 = vector.load %subview_14[%c14, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %570 = vector.fma %561, %569, %549 : vector<4xf32>
        %571 = vector.fma %563, %569, %550 : vector<4xf32>
        %572 = vector.fma %565, %569, %551 : vector<4xf32>
        %573 = vector.fma %567, %569, %552 : vector<4xf32>
        %574 = vector.extract %510[3] : i32 from vector<4xi32>
        %575 = arith.index_castui %574 : i32 to index
        %576 = vector.load %subview_13[%575, %6] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %577 = vector.extract %576[0] : f32 from vector<4xf32>
        %578 = vector.extract %576[1] : f32 from vector<4xf32>
        %579 = vector.extract %576[2] : f32 from vector<4xf32>
        %580 = vector.extract %576[3] : f32 from vector<4xf32>
        %581 = vector.load %subview_14[%c15, %8] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %582 = vector.broadcast %577 : f32 to vector<4xf32>
        %583 = vector.fma %582, %581, %562 : vector<4xf32>
        %584 = vector.broadcast %578 : f32 to vector<4xf32>
        %585 = vector.fma %584, %581, %564 : vector<4xf32>
        %586 = vector.broadcast %579 : f32 to vector<4xf32>
        %587 = vector.fma %586, %581, %566 : vector<4xf32>
        %588 = vector.broadcast %580 : f32 to vector<4xf32>
        %589 = vector.fma %588, %581, %568 : vector<4xf32>
        %590 = vector.load %subview_14[%c15, %271] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %591 = vector.fma %582, %590, %570 : vector<4xf32>
        %592 = vector.fma %584, %590, %571 : vector<4xf32>
        %593 = vector.fma %586, %590, %572 : vector<4xf32>
        %594 = vector.fma %588, %590, %573 : vector<4xf32>
        scf.yield %583, %591, %585, %592, %587, %593, %589, %594 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      %subview_12 = memref.subview %reinterpret_cast_3[%11, %12] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      vector.store %246#0, %subview_12[%6, %8] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %247 = arith.addi %8, %c16 : index
      vector.store %246#1, %subview_12[%6, %247] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %248 = arith.addi %6, %c1 : index
      vector.store %246#2, %subview_12[%248, %8] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %246#3, %subview_12[%248, %247] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %249 = arith.addi %6, %c2 : index
      vector.store %246#4, %subview_12[%249, %8] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %246#5, %subview_12[%249, %247] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %250 = arith.addi %6, %c3 : index
      vector.store %246#6, %subview_12[%250, %8] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %246#7, %subview_12[%250, %247] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      gpu.return
    }
  }
}

{-#

#-}
