module {
  memref.global "private" constant @__constant_8x16xi32 : memref<8x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_8x1x16xi32 : memref<8x1x16xi32> = dense_resource<__elided__> {alignment = 64 : i64}
  memref.global "private" constant @__constant_64x64xf32 : memref<64x64xf32> = dense_resource<weight.packed> {alignment = 64 : i64}
  func.func @f(%arg0: memref<64x256xf32>) -> memref<64x64xf32> {
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
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
    %c4224 = arith.constant 4224 : index
    %c128 = arith.constant 128 : index
    %c0 = arith.constant 0 : index
    %c8832_i32 = arith.constant 8832 : i32
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %0 = memref.get_global @__constant_64x64xf32 : memref<64x64xf32>
    %1 = memref.get_global @__constant_8x1x16xi32 : memref<8x1x16xi32>
    %2 = memref.get_global @__constant_8x16xi32 : memref<8x16xi32>
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c4, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c32, %arg11 = %c1, %arg12 = %c1) dynamic_shared_memory_size %c8832_i32 module(@nm_kernels) function(@f_spmm_0) {
      %3 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %4 = arith.divui %arg4, %c32 : index
      %5 = arith.remui %arg4, %c32 : index
      %6 = arith.divui %5, %c4 : index
      %7 = arith.muli %6, %c4 : index
      %8 = arith.muli %4, %c32 : index
      %9 = arith.addi %8, %7 : index
      %10 = arith.remui %5, %c4 : index
      %11 = arith.muli %10, %c4 : index
      %view = memref.view %3[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x1x16xi32, #gpu.address_space<workgroup>>
      %view_0 = memref.view %3[%c128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x16x32xf32, #gpu.address_space<workgroup>>
      %view_1 = memref.view %3[%c4224][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x16x36xf32, #gpu.address_space<workgroup>>
      %12 = arith.remui %arg1, %c2 : index
      %13 = arith.divui %arg1, %c2 : index
      %14 = arith.muli %13, %c32 : index
      %15 = arith.muli %12, %c32 : index
      %subview = memref.subview %view_1[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %subview_2 = memref.subview %view_0[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %subview_3 = memref.subview %view[0, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      %subview_4 = memref.subview %arg0[%14, 0] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
      %subview_5 = memref.subview %0[0, %15] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
      %16 = arith.muli %12, %c4 : index
      %subview_6 = memref.subview %2[%16, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      %subview_7 = memref.subview %1[%16, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
      %17 = arith.divui %arg4, %c8 : index
      %18 = arith.remui %arg4, %c8 : index
      %19 = arith.divui %17, %c32 : index
      %20 = arith.muli %19, %c8 : index
      %21 = arith.addi %20, %18 : index
      %22 = arith.remui %17, %c32 : index
      %23 = memref.load %subview_6[%c0, %21] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %24 = arith.index_cast %23 : i32 to index
      %25 = arith.cmpi ult, %24, %c64 : index
      %26 = arith.select %25, %c1, %c0 : index
      %27 = arith.select %25, %22, %c0 : index
      %28 = arith.select %25, %24, %c0 : index
      %29 = nvgpu.device_async_copy %subview_4[%27, %28], %subview[%21, %22], 1, %26 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %30 = arith.addi %arg4, %c32 : index
      %31 = arith.divui %30, %c8 : index
      %32 = arith.remui %30, %c8 : index
      %33 = arith.divui %31, %c32 : index
      %34 = arith.muli %33, %c8 : index
      %35 = arith.addi %34, %32 : index
      %36 = arith.remui %31, %c32 : index
      %37 = memref.load %subview_6[%c0, %35] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %38 = arith.index_cast %37 : i32 to index
      %39 = arith.cmpi ult, %38, %c64 : index
      %40 = arith.select %39, %c1, %c0 : index
      %41 = arith.select %39, %36, %c0 : index
      %42 = arith.select %39, %38, %c0 : index
      %43 = nvgpu.device_async_copy %subview_4[%41, %42], %subview[%35, %36], 1, %40 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %44 = arith.addi %arg4, %c64 : index
      %45 = arith.divui %44, %c8 : index
      %46 = arith.remui %44, %c8 : index
      %47 = arith.divui %45, %c32 : index
      %48 = arith.muli %47, %c8 : index
      %49 = arith.addi %48, %46 : index
      %50 = arith.remui %45, %c32 : index
      %51 = memref.load %subview_6[%c0, %49] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %52 = arith.index_cast %51 : i32 to index
      %53 = arith.cmpi ult, %52, %c64 : index
      %54 = arith.select %53, %c1, %c0 : index
      %55 = arith.select %53, %50, %c0 : index
      %56 = arith.select %53, %52, %c0 : index
      %57 = nvgpu.device_async_copy %subview_4[%55, %56], %subview[%49, %50], 1, %54 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %58 = arith.addi %arg4, %c96 : index
      %59 = arith.divui %58, %c8 : index
      %60 = arith.remui %58, %c8 : index
      %61 = arith.divui %59, %c32 : index
      %62 = arith.muli %61, %c8 : index
      %63 = arith.addi %62, %60 : index
      %64 = arith.remui %59, %c32 : index
      %65 = memref.load %subview_6[%c0, %63] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %66 = arith.index_cast %65 : i32 to index
      %67 = arith.cmpi ult, %66, %c64 : index
      %68 = arith.select %67, %c1, %c0 : index
      %69 = arith.select %67, %64, %c0 : index
      %70 = arith.select %67, %66, %c0 : index
      %71 = nvgpu.device_async_copy %subview_4[%69, %70], %subview[%63, %64], 1, %68 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %72 = arith.addi %arg4, %c128 : index
      %73 = arith.divui %72, %c8 : index
      %74 = arith.remui %72, %c8 : index
      %75 = arith.divui %73, %c32 : index
      %76 = arith.muli %75, %c8 : index
      %77 = arith.addi %76, %74 : index
      %78 = arith.remui %73, %c32 : index
      %79 = memref.load %subview_6[%c0, %77] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %80 = arith.index_cast %79 : i32 to index
      %81 = arith.cmpi ult, %80, %c64 : index
      %82 = arith.select %81, %c1, %c0 : index
      %83 = arith.select %81, %78, %c0 : index
      %84 = arith.select %81, %80, %c0 : index
      %85 = nvgpu.device_async_copy %subview_4[%83, %84], %subview[%77, %78], 1, %82 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %86 = arith.addi %arg4, %c160 : index
      %87 = arith.divui %86, %c8 : index
      %88 = arith.remui %86, %c8 : index
      %89 = arith.divui %87, %c32 : index
      %90 = arith.muli %89, %c8 : index
      %91 = arith.addi %90, %88 : index
      %92 = arith.remui %87, %c32 : index
      %93 = memref.load %subview_6[%c0, %91] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %94 = arith.index_cast %93 : i32 to index
      %95 = arith.cmpi ult, %94, %c64 : index
      %96 = arith.select %95, %c1, %c0 : index
      %97 = arith.select %95, %92, %c0 : index
      %98 = arith.select %95, %94, %c0 : index
      %99 = nvgpu.device_async_copy %subview_4[%97, %98], %subview[%91, %92], 1, %96 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %100 = arith.addi %arg4, %c192 : index
      %101 = arith.divui %100, %c8 : index
      %102 = arith.remui %100, %c8 : index
      %103 = arith.divui %101, %c32 : index
      %104 = arith.muli %103, %c8 : index
      %105 = arith.addi %104, %102 : index
      %106 = arith.remui %101, %c32 : index
      %107 = memref.load %subview_6[%c0, %105] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %108 = arith.index_cast %107 : i32 to index
      %109 = arith.cmpi ult, %108, %c64 : index
      %110 = arith.select %109, %c1, %c0 : index
      %111 = arith.select %109, %106, %c0 : index
      %112 = arith.select %109, %108, %c0 : index
      %113 = nvgpu.device_async_copy %subview_4[%111, %112], %subview[%105, %106], 1, %110 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %114 = arith.addi %arg4, %c224 : index
      %115 = arith.divui %114, %c8 : index
      %116 = arith.remui %114, %c8 : index
      %117 = arith.divui %115, %c32 : index
      %118 = arith.muli %117, %c8 : index
      %119 = arith.addi %118, %116 : index
      %120 = arith.remui %115, %c32 : index
      %121 = memref.load %subview_6[%c0, %119] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %122 = arith.index_cast %121 : i32 to index
      %123 = arith.cmpi ult, %122, %c64 : index
      %124 = arith.select %123, %c1, %c0 : index
      %125 = arith.select %123, %120, %c0 : index
      %126 = arith.select %123, %122, %c0 : index
      %127 = nvgpu.device_async_copy %subview_4[%125, %126], %subview[%119, %120], 1, %124 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %128 = arith.addi %arg4, %c256 : index
      %129 = arith.divui %128, %c8 : index
      %130 = arith.remui %128, %c8 : index
      %131 = arith.divui %129, %c32 : index
      %132 = arith.muli %131, %c8 : index
      %133 = arith.addi %132, %130 : index
      %134 = arith.remui %129, %c32 : index
      %135 = memref.load %subview_6[%c0, %133] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %136 = arith.index_cast %135 : i32 to index
      %137 = arith.cmpi ult, %136, %c64 : index
      %138 = arith.select %137, %c1, %c0 : index
      %139 = arith.select %137, %134, %c0 : index
      %140 = arith.select %137, %136, %c0 : index
      %141 = nvgpu.device_async_copy %subview_4[%139, %140], %subview[%133, %134], 1, %138 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %142 = arith.addi %arg4, %c288 : index
      %143 = arith.divui %142, %c8 : index
      %144 = arith.remui %142, %c8 : index
      %145 = arith.divui %143, %c32 : index
      %146 = arith.muli %145, %c8 : index
      %147 = arith.addi %146, %144 : index
      %148 = arith.remui %143, %c32 : index
      %149 = memref.load %subview_6[%c0, %147] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %150 = arith.index_cast %149 : i32 to index
      %151 = arith.cmpi ult, %150, %c64 : index
      %152 = arith.select %151, %c1, %c0 : index
      %153 = arith.select %151, %148, %c0 : index
      %154 = arith.select %151, %150, %c0 : index
      %155 = nvgpu.device_async_copy %subview_4[%153, %154], %subview[%147, %148], 1, %152 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %156 = arith.addi %arg4, %c320 : index
      %157 = arith.divui %156, %c8 : index
      %158 = arith.remui %156, %c8 : index
      %159 = arith.divui %157, %c32 : index
      %160 = arith.muli %159, %c8 : index
      %161 = arith.addi %160, %158 : index
      %162 = arith.remui %157, %c32 : index
      %163 = memref.load %subview_6[%c0, %161] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %164 = arith.index_cast %163 : i32 to index
      %165 = arith.cmpi ult, %164, %c64 : index
      %166 = arith.select %165, %c1, %c0 : index
      %167 = arith.select %165, %162, %c0 : index
      %168 = arith.select %165, %164, %c0 : index
      %169 = nvgpu.device_async_copy %subview_4[%167, %168], %subview[%161, %162], 1, %166 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %170 = arith.addi %arg4, %c352 : index
      %171 = arith.divui %170, %c8 : index
      %172 = arith.remui %170, %c8 : index
      %173 = arith.divui %171, %c32 : index
      %174 = arith.muli %173, %c8 : index
      %175 = arith.addi %174, %172 : index
      %176 = arith.remui %171, %c32 : index
      %177 = memref.load %subview_6[%c0, %175] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %178 = arith.index_cast %177 : i32 to index
      %179 = arith.cmpi ult, %178, %c64 : index
      %180 = arith.select %179, %c1, %c0 : index
      %181 = arith.select %179, %176, %c0 : index
      %182 = arith.select %179, %178, %c0 : index
      %183 = nvgpu.device_async_copy %subview_4[%181, %182], %subview[%175, %176], 1, %180 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %184 = arith.addi %arg4, %c384 : index
      %185 = arith.divui %184, %c8 : index
      %186 = arith.remui %184, %c8 : index
      %187 = arith.divui %185, %c32 : index
      %188 = arith.muli %187, %c8 : index
      %189 = arith.addi %188, %186 : index
      %190 = arith.remui %185, %c32 : index
      %191 = memref.load %subview_6[%c0, %189] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %192 = arith.index_cast %191 : i32 to index
      %193 = arith.cmpi ult, %192, %c64 : index
      %194 = arith.select %193, %c1, %c0 : index
      %195 = arith.select %193, %190, %c0 : index
      %196 = arith.select %193, %192, %c0 : index
      %197 = nvgpu.device_async_copy %subview_4[%195, %196], %subview[%189, %190], 1, %194 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %198 = arith.addi %arg4, %c416 : index
      %199 = arith.divui %198, %c8 : index
      %200 = arith.remui %198, %c8 : index
      %201 = arith.divui %199, %c32 : index
      %202 = arith.muli %201, %c8 : index
      %203 = arith.addi %202, %200 : index
      %204 = arith.remui %199, %c32 : index
      %205 = memref.load %subview_6[%c0, %203] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %206 = arith.index_cast %205 : i32 to index
      %207 = arith.cmpi ult, %206, %c64 : index
      %208 = arith.select %207, %c1, %c0 : index
      %209 = arith.select %207, %204, %c0 : index
      %210 = arith.select %207, %206, %c0 : index
      %211 = nvgpu.device_async_copy %subview_4[%209, %210], %subview[%203, %204], 1, %208 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %212 = arith.addi %arg4, %c448 : index
      %213 = arith.divui %212, %c8 : index
      %214 = arith.remui %212, %c8 : index
      %215 = arith.divui %213, %c32 : index
      %216 = arith.muli %215, %c8 : index
      %217 = arith.addi %216, %214 : index
      %218 = arith.remui %213, %c32 : index
      %219 = memref.load %subview_6[%c0, %217] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %220 = arith.index_cast %219 : i32 to index
      %221 = arith.cmpi ult, %220, %c64 : index
      %222 = arith.select %221, %c1, %c0 : index
      %223 = arith.select %221, %218, %c0 : index
      %224 = arith.select %221, %220, %c0 : index
      %225 = nvgpu.device_async_copy %subview_4[%223, %224], %subview[%217, %218], 1, %222 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %226 = arith.addi %arg4, %c480 : index
      %227 = arith.divui %226, %c8 : index
      %228 = arith.remui %226, %c8 : index
      %229 = arith.divui %227, %c32 : index
      %230 = arith.muli %229, %c8 : index
      %231 = arith.addi %230, %228 : index
      %232 = arith.remui %227, %c32 : index
      %233 = memref.load %subview_6[%c0, %231] : memref<1x16xi32, strided<[16, 1], offset: ?>>
      %234 = arith.index_cast %233 : i32 to index
      %235 = arith.cmpi ult, %234, %c64 : index
      %236 = arith.select %235, %c1, %c0 : index
      %237 = arith.select %235, %232, %c0 : index
      %238 = arith.select %235, %234, %c0 : index
      %239 = nvgpu.device_async_copy %subview_4[%237, %238], %subview[%231, %232], 1, %236 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>
      %240 = arith.muli %18, %c4 : index
      %241 = nvgpu.device_async_copy %subview_5[%17, %240], %subview_2[%17, %240], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %242 = arith.muli %32, %c4 : index
      %243 = nvgpu.device_async_copy %subview_5[%31, %242], %subview_2[%31, %242], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %244 = arith.muli %46, %c4 : index
      %245 = nvgpu.device_async_copy %subview_5[%45, %244], %subview_2[%45, %244], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %246 = arith.muli %60, %c4 : index
      %247 = nvgpu.device_async_copy %subview_5[%59, %246], %subview_2[%59, %246], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1]>, #gpu.address_space<workgroup>>
      %248 = arith.cmpi ult, %arg4, %c4 : index
      scf.if %248 {
        %254 = arith.divui %arg4, %c4 : index
        %255 = arith.remui %arg4, %c4 : index
        %256 = arith.muli %255, %c4 : index
        %257 = nvgpu.device_async_copy %subview_7[%254, %256], %subview_3[%254, %256], 4 {bypassL1} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1]>, #gpu.address_space<workgroup>>
      }
      nvvm.cp.async.commit.group
      %249:8 = scf.for %arg13 = %c0 to %c4 step %c1 iter_args(%arg14 = %cst, %arg15 = %cst, %arg16 = %cst, %arg17 = %cst, %arg18 = %cst, %arg19 = %cst, %arg20 = %cst, %arg21 = %cst) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
        nvvm.cp.async.wait.group 0
        gpu.barrier
        %254 = arith.addi %arg13, %c1 : index
        %255 = arith.cmpi slt, %254, %c4 : index
        scf.if %255 {
          %598 = arith.remui %254, %c2 : index
          %subview_12 = memref.subview %view_1[%598, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_13 = memref.subview %view_0[%598, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %subview_14 = memref.subview %view[%598, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
          %599 = arith.muli %254, %c64 : index
          %subview_15 = memref.subview %arg0[%14, %599] [32, 64] [1, 1] : memref<64x256xf32> to memref<32x64xf32, strided<[256, 1], offset: ?>>
          %600 = arith.muli %254, %c16 : index
          %subview_16 = memref.subview %0[%600, %15] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
          %601 = arith.addi %16, %254 : index
          %subview_17 = memref.subview %2[%601, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          %subview_18 = memref.subview %1[%601, 0, 0] [1, 1, 16] [1, 1, 1] : memref<8x1x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
          %602 = memref.load %subview_17[%c0, %21] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %603 = arith.index_cast %602 : i32 to index
          %604 = arith.cmpi ult, %603, %c64 : index
          %605 = arith.select %604, %c1, %c0 : index
          %606 = arith.select %604, %22, %c0 : index
          %607 = arith.select %604, %603, %c0 : index
          %608 = nvgpu.device_async_copy %subview_15[%606, %607], %subview_12[%21, %22], 1, %605 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %609 = memref.load %subview_17[%c0, %35] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %610 = arith.index_cast %609 : i32 to index
          %611 = arith.cmpi ult, %610, %c64 : index
          %612 = arith.select %611, %c1, %c0 : index
          %613 = arith.select %611, %36, %c0 : index
          %614 = arith.select %611, %610, %c0 : index
          %615 = nvgpu.device_async_copy %subview_15[%613, %614], %subview_12[%35, %36], 1, %612 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %616 = memref.load %subview_17[%c0, %49] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %617 = arith.index_cast %616 : i32 to index
          %618 = arith.cmpi ult, %617, %c64 : index
          %619 = arith.select %618, %c1, %c0 : index
          %620 = arith.select %618, %50, %c0 : index
          %621 = arith.select %618, %617, %c0 : index
          %622 = nvgpu.device_async_copy %subview_15[%620, %621], %subview_12[%49, %50], 1, %619 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %623 = memref.load %subview_17[%c0, %63] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %624 = arith.index_cast %623 : i32 to index
          %625 = arith.cmpi ult, %624, %c64 : index
          %626 = arith.select %625, %c1, %c0 : index
          %627 = arith.select %625, %64, %c0 : index
          %628 = arith.select %625, %624, %c0 : index
          %629 = nvgpu.device_async_copy %subview_15[%627, %628], %subview_12[%63, %64], 1, %626 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %630 = memref.load %subview_17[%c0, %77] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %631 = arith.index_cast %630 : i32 to index
          %632 = arith.cmpi ult, %631, %c64 : index
          %633 = arith.select %632, %c1, %c0 : index
          %634 = arith.select %632, %78, %c0 : index
          %635 = arith.select %632, %631, %c0 : index
          %636 = nvgpu.device_async_copy %subview_15[%634, %635], %subview_12[%77, %78], 1, %633 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %637 = memref.load %subview_17[%c0, %91] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %638 = arith.index_cast %637 : i32 to index
          %639 = arith.cmpi ult, %638, %c64 : index
          %640 = arith.select %639, %c1, %c0 : index
          %641 = arith.select %639, %92, %c0 : index
          %642 = arith.select %639, %638, %c0 : index
          %643 = nvgpu.device_async_copy %subview_15[%641, %642], %subview_12[%91, %92], 1, %640 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %644 = memref.load %subview_17[%c0, %105] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %645 = arith.index_cast %644 : i32 to index
          %646 = arith.cmpi ult, %645, %c64 : index
          %647 = arith.select %646, %c1, %c0 : index
          %648 = arith.select %646, %106, %c0 : index
          %649 = arith.select %646, %645, %c0 : index
          %650 = nvgpu.device_async_copy %subview_15[%648, %649], %subview_12[%105, %106], 1, %647 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %651 = memref.load %subview_17[%c0, %119] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %652 = arith.index_cast %651 : i32 to index
          %653 = arith.cmpi ult, %652, %c64 : index
          %654 = arith.select %653, %c1, %c0 : index
          %655 = arith.select %653, %120, %c0 : index
          %656 = arith.select %653, %652, %c0 : index
          %657 = nvgpu.device_async_copy %subview_15[%655, %656], %subview_12[%119, %120], 1, %654 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %658 = memref.load %subview_17[%c0, %133] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %659 = arith.index_cast %658 : i32 to index
          %660 = arith.cmpi ult, %659, %c64 : index
          %661 = arith.select %660, %c1, %c0 : index
          %662 = arith.select %660, %134, %c0 : index
          %663 = arith.select %660, %659, %c0 : index
          %664 = nvgpu.device_async_copy %subview_15[%662, %663], %subview_12[%133, %134], 1, %661 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %665 = memref.load %subview_17[%c0, %147] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %666 = arith.index_cast %665 : i32 to index
          %667 = arith.cmpi ult, %666, %c64 : index
          %668 = arith.select %667, %c1, %c0 : index
          %669 = arith.select %667, %148, %c0 : index
          %670 = arith.select %667, %666, %c0 : index
          %671 = nvgpu.device_async_copy %subview_15[%669, %670], %subview_12[%147, %148], 1, %668 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %672 = memref.load %subview_17[%c0, %161] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %673 = arith.index_cast %672 : i32 to index
          %674 = arith.cmpi ult, %673, %c64 : index
          %675 = arith.select %674, %c1, %c0 : index
          %676 = arith.select %674, %162, %c0 : index
          %677 = arith.select %674, %673, %c0 : index
          %678 = nvgpu.device_async_copy %subview_15[%676, %677], %subview_12[%161, %162], 1, %675 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %679 = memref.load %subview_17[%c0, %175] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %680 = arith.index_cast %679 : i32 to index
          %681 = arith.cmpi ult, %680, %c64 : index
          %682 = arith.select %681, %c1, %c0 : index
          %683 = arith.select %681, %176, %c0 : index
          %684 = arith.select %681, %680, %c0 : index
          %685 = nvgpu.device_async_copy %subview_15[%683, %684], %subview_12[%175, %176], 1, %682 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %686 = memref.load %subview_17[%c0, %189] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %687 = arith.index_cast %686 : i32 to index
          %688 = arith.cmpi ult, %687, %c64 : index
          %689 = arith.select %688, %c1, %c0 : index
          %690 = arith.select %688, %190, %c0 : index
          %691 = arith.select %688, %687, %c0 : index
          %692 = nvgpu.device_async_copy %subview_15[%690, %691], %subview_12[%189, %190], 1, %689 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %693 = memref.load %subview_17[%c0, %203] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %694 = arith.index_cast %693 : i32 to index
          %695 = arith.cmpi ult, %694, %c64 : index
          %696 = arith.select %695, %c1, %c0 : index
          %697 = arith.select %695, %204, %c0 : index
          %698 = arith.select %695, %694, %c0 : index
          %699 = nvgpu.device_async_copy %subview_15[%697, %698], %subview_12[%203, %204], 1, %696 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %700 = memref.load %subview_17[%c0, %217] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %701 = arith.index_cast %700 : i32 to index
          %702 = arith.cmpi ult, %701, %c64 : index
          %703 = arith.select %702, %c1, %c0 : index
          %704 = arith.select %702, %218, %c0 : index
          %705 = arith.select %702, %701, %c0 : index
          %706 = nvgpu.device_async_copy %subview_15[%704, %705], %subview_12[%217, %218], 1, %703 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %707 = memref.load %subview_17[%c0, %231] : memref<1x16xi32, strided<[16, 1], offset: ?>>
          %708 = arith.index_cast %707 : i32 to index
          %709 = arith.cmpi ult, %708, %c64 : index
          %710 = arith.select %709, %c1, %c0 : index
          %711 = arith.select %709, %232, %c0 : index
          %712 = arith.select %709, %708, %c0 : index
          %713 = nvgpu.device_async_copy %subview_15[%711, %712], %subview_12[%231, %232], 1, %710 : memref<32x64xf32, strided<[256, 1], offset: ?>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
          %714 = nvgpu.device_async_copy %subview_16[%17, %240], %subview_13[%17, %240], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %715 = nvgpu.device_async_copy %subview_16[%31, %242], %subview_13[%31, %242], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %716 = nvgpu.device_async_copy %subview_16[%45, %244], %subview_13[%45, %244], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          %717 = nvgpu.device_async_copy %subview_16[%59, %246], %subview_13[%59, %246], 4 {bypassL1} : memref<16x32xf32, strided<[64, 1], offset: ?>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
          scf.if %248 {
            %718 = arith.divui %arg4, %c4 : index
            %719 = arith.remui %arg4, %c4 : index
            %720 = arith.muli %719, %c4 : index
            %721 = nvgpu.device_async_copy %subview_18[%718, %720], %subview_14[%718, %720], 4 {bypassL1} : memref<1x16xi32, strided<[16, 1], offset: ?>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
          }
        }
        nvvm.cp.async.commit.group
        %256 = arith.remui %arg13, %c2 : index
        %subview_9 = memref.subview %view_1[%256, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x36xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_10 = memref.subview %view_0[%256, 0, 0] [1, 16, 32] [1, 1, 1] : memref<2x16x32xf32, #gpu.address_space<workgroup>> to memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
        %subview_11 = memref.subview %view[%256, 0, 0] [1, 1, 16] [1, 1, 1] : memref<2x1x16xi32, #gpu.address_space<workgroup>> to memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
        %257 = vector.load %subview_11[%c0, %c0] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %258 = vector.extract %257[0] : i32 from vector<4xi32>
        %259 = arith.index_castui %258 : i32 to index
        %260 = vector.load %subview_9[%259, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %261 = vector.extract %260[0] : f32 from vector<4xf32>
        %262 = vector.extract %260[1] : f32 from vector<4xf32>
        %263 = vector.extract %260[2] : f32 from vector<4xf32>
        %264 = vector.extract %260[3] : f32 from vector<4xf32>
        %265 = vector.load %subview_10[%c0, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %266 = vector.broadcast %261 : f32 to vector<4xf32>
        %267 = vector.fma %266, %265, %arg14 : vector<4xf32>
        %268 = vector.broadcast %262 : f32 to vector<4xf32>
        %269 = vector.fma %268, %265, %arg16 : vector<4xf32>
        %270 = vector.broadcast %263 : f32 to vector<4xf32>
        %271 = vector.fma %270, %265, %arg18 : vector<4xf32>
        %272 = vector.broadcast %264 : f32 to vector<4xf32>
        %273 = vector.fma %272, %265, %arg20 : vector<4xf32>
        %274 = arith.addi %11, %c16 : index
        %275 = vector.load %subview_10[%c0, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %276 = vector.fma %266, %275, %arg15 : vector<4xf32>
        %277 = vector.fma %268, %275, %arg17 : vector<4xf32>
        %278 = vector.fma %270, %275, %arg19 : vector<4xf32>
        %279 = vector.fma %272, %275, %arg21 : vector<4xf32>
        %280 = vector.extract %257[1] : i32 from vector<4xi32>
        %281 = arith.index_castui %280 : i32 to index
        %282 = vector.load %subview_9[%281, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %283 = vector.extract %282[0] : f32 from vector<4xf32>
        %284 = vector.extract %282[1] : f32 from vector<4xf32>
        %285 = vector.extract %282[2] : f32 from vector<4xf32>
        %286 = vector.extract %282[3] : f32 from vector<4xf32>
        %287 = vector.load %subview_10[%c1, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %288 = vector.broadcast %283 : f32 to vector<4xf32>
        %289 = vector.fma %288, %287, %267 : vector<4xf32>
        %290 = vector.broadcast %284 : f32 to vector<4xf32>
        %291 = vector.fma %290, %287, %269 : vector<4xf32>
        %292 = vector.broadcast %285 : f32 to vector<4xf32>
        %293 = vector.fma %292, %287, %271 : vector<4xf32>
        %294 = vector.broadcast %286 : f32 to vector<4xf32>
        %295 = vector.fma %294, %287, %273 : vector<4xf32>
        %296 = vector.load %subview_10[%c1, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %297 = vector.fma %288, %296, %276 : vector<4xf32>
        %298 = vector.fma %290, %296, %277 : vector<4xf32>
        %299 = vector.fma %292, %296, %278 : vector<4xf32>
        %300 = vector.fma %294, %296, %279 : vector<4xf32>
        %301 = vector.extract %257[2] : i32 from vector<4xi32>
        %302 = arith.index_castui %301 : i32 to index
        %303 = vector.load %subview_9[%302, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %304 = vector.extract %303[0] : f32 from vector<4xf32>
        %305 = vector.extract %303[1] : f32 from vector<4xf32>
        %306 = vector.extract %303[2] : f32 from vector<4xf32>
        %307 = vector.extract %303[3] : f32 from vector<4xf32>
        %308 = vector.load %subview_10[%c2, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %309 = vector.broadcast %304 : f32 to vector<4xf32>
        %310 = vector.fma %309, %308, %289 : vector<4xf32>
        %311 = vector.broadcast %305 : f32 to vector<4xf32>
        %312 = vector.fma %311, %308, %291 : vector<4xf32>
        %313 = vector.broadcast %306 : f32 to vector<4xf32>
        %314 = vector.fma %313, %308, %293 : vector<4xf32>
        %315 = vector.broadcast %307 : f32 to vector<4xf32>
        %316 = vector.fma %315, %308, %295 : vector<4xf32>
        %317 = vector.load %subview_10[%c2, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %318 = vector.fma %309, %317, %297 : vector<4xf32>
        %319 = vector.fma %311, %317, %298 : vector<4xf32>
        %320 = vector.fma %313, %317, %299 : vector<4xf32>
        %321 = vector.fma %315, %317, %300 : vector<4xf32>
        %322 = vector.extract %257[3] : i32 from vector<4xi32>
        %323 = arith.index_castui %322 : i32 to index
        %324 = vector.load %subview_9[%323, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %325 = vector.extract %324[0] : f32 from vector<4xf32>
        %326 = vector.extract %324[1] : f32 from vector<4xf32>
        %327 = vector.extract %324[2] : f32 from vector<4xf32>
        %328 = vector.extract %324[3] : f32 from vector<4xf32>
        %329 = vector.load %subview_10[%c3, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %330 = vector.broadcast %325 : f32 to vector<4xf32>
        %331 = vector.fma %330, %329, %310 : vector<4xf32>
        %332 = vector.broadcast %326 : f32 to vector<4xf32>
        %333 = vector.fma %332, %329, %312 : vector<4xf32>
        %334 = vector.broadcast %327 : f32 to vector<4xf32>
        %335 = vector.fma %334, %329, %314 : vector<4xf32>
        %336 = vector.broadcast %328 : f32 to vector<4xf32>
        %337 = vector.fma %336, %329, %316 : vector<4xf32>
        %338 = vector.load %subview_10[%c3, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %339 = vector.fma %330, %338, %318 : vector<4xf32>
        %340 = vector.fma %332, %338, %319 : vector<4xf32>
        %341 = vector.fma %334, %338, %320 : vector<4xf32>
        %342 = vector.fma %336, %338, %321 : vector<4xf32>
        %343 = vector.load %subview_11[%c0, %c4] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %344 = vector.extract %343[0] : i32 from vector<4xi32>
        %345 = arith.index_castui %344 : i32 to index
        %346 = vector.load %subview_9[%345, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %347 = vector.extract %346[0] : f32 from vector<4xf32>
        %348 = vector.extract %346[1] : f32 from vector<4xf32>
        %349 = vector.extract %346[2] : f32 from vector<4xf32>
        %350 = vector.extract %346[3] : f32 from vector<4xf32>
        %351 = vector.load %subview_10[%c4, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %352 = vector.broadcast %347 : f32 to vector<4xf32>
        %353 = vector.fma %352, %351, %331 : vector<4xf32>
        %354 = vector.broadcast %348 : f32 to vector<4xf32>
        %355 = vector.fma %354, %351, %333 : vector<4xf32>
        %356 = vector.broadcast %349 : f32 to vector<4xf32>
        %357 = vector.fma %356, %351, %335 : vector<4xf32>
        %358 = vector.broadcast %350 : f32 to vector<4xf32>
        %359 = vector.fma %358, %351, %337 : vector<4xf32>
        %360 = vector.load %subview_10[%c4, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %361 = vector.fma %352, %360, %339 : vector<4xf32>
        %362 = vector.fma %354, %360, %340 : vector<4xf32>
        %363 = vector.fma %356, %360, %341 : vector<4xf32>
        %364 = vector.fma %358, %360, %342 : vector<4xf32>
        %365 = vector.extract %343[1] : i32 from vector<4xi32>
        %366 = arith.index_castui %365 : i32 to index
        %367 = vector.load %subview_9[%366, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %368 = vector.extract %367[0] : f32 from vector<4xf32>
        %369 = vector.extract %367[1] : f32 from vector<4xf32>
        %370 = vector.extract %367[2] : f32 from vector<4xf32>
        %371 = vector.extract %367[3] : f32 from vector<4xf32>
        %372 = vector.load %subview_10[%c5, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %373 = vector.broadcast %368 : f32 to vector<4xf32>
        %374 = vector.fma %373, %372, %353 : vector<4xf32>
        %375 = vector.broadcast %369 : f32 to vector<4xf32>
        %376 = vector.fma %375, %372, %355 : vector<4xf32>
        %377 = vector.broadcast %370 : f32 to vector<4xf32>
        %378 = vector.fma %377, %372, %357 : vector<4xf32>
        %379 = vector.broadcast %371 : f32 to vector<4xf32>
        %380 = vector.fma %379, %372, %359 : vector<4xf32>
        %381 = vector.load %subview_10[%c5, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %382 = vector.fma %373, %381, %361 : vector<4xf32>
        %383 = vector.fma %375, %381, %362 : vector<4xf32>
        %384 = vector.fma %377, %381, %363 : vector<4xf32>
        %385 = vector.fma %379, %381, %364 : vector<4xf32>
        %386 = vector.extract %343[2] : i32 from vector<4xi32>
        %387 = arith.index_castui %386 : i32 to index
        %388 = vector.load %subview_9[%387, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %389 = vector.extract %388[0] : f32 from vector<4xf32>
        %390 = vector.extract %388[1] : f32 from vector<4xf32>
        %391 = vector.extract %388[2] : f32 from vector<4xf32>
        %392 = vector.extract %388[3] : f32 from vector<4xf32>
        %393 = vector.load %subview_10[%c6, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %394 = vector.broadcast %389 : f32 to vector<4xf32>
        %395 = vector.fma %394, %393, %374 : vector<4xf32>
        %396 = vector.broadcast %390 : f32 to vector<4xf32>
        %397 = vector.fma %396, %393, %376 : vector<4xf32>
        %398 = vector.broadcast %391 : f32 to vector<4xf32>
        %399 = vector.fma %398, %393, %378 : vector<4xf32>
        %400 = vector.broadcast %392 : f32 to vector<4xf32>
        %401 = vector.fma %400, %393, %380 : vector<4xf32>
        %402 = vector.load %subview_10[%c6, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %403 = vector.fma %394, %402, %382 : vector<4xf32>
        %404 = vector.fma %396, %402, %383 : vector<4xf32>
        %405 = vector.fma %398, %402, %384 : vector<4xf32>
        %406 = vector.fma %400, %402, %385 : vector<4xf32>
        %407 = vector.extract %343[3] : i32 from vector<4xi32>
        %408 = arith.index_castui %407 : i32 to index
        %409 = vector.load %subview_9[%408, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %410 = vector.extract %409[0] : f32 from vector<4xf32>
        %411 = vector.extract %409[1] : f32 from vector<4xf32>
        %412 = vector.extract %409[2] : f32 from vector<4xf32>
        %413 = vector.extract %409[3] : f32 from vector<4xf32>
        %414 = vector.load %subview_10[%c7, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %415 = vector.broadcast %410 : f32 to vector<4xf32>
        %416 = vector.fma %415, %414, %395 : vector<4xf32>
        %417 = vector.broadcast %411 : f32 to vector<4xf32>
        %418 = vector.fma %417, %414, %397 : vector<4xf32>
        %419 = vector.broadcast %412 : f32 to vector<4xf32>
        %420 = vector.fma %419, %414, %399 : vector<4xf32>
        %421 = vector.broadcast %413 : f32 to vector<4xf32>
        %422 = vector.fma %421, %414, %401 : vector<4xf32>
        %423 = vector.load %subview_10[%c7, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %424 = vector.fma %415, %423, %403 : vector<4xf32>
        %425 = vector.fma %417, %423, %404 : vector<4xf32>
        %426 = vector.fma %419, %423, %405 : vector<4xf32>
        %427 = vector.fma %421, %423, %406 : vector<4xf32>
        %428 = vector.load %subview_11[%c0, %c8] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %429 = vector.extract %428[0] : i32 from vector<4xi32>
        %430 = arith.index_castui %429 : i32 to index
        %431 = vector.load %subview_9[%430, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %432 = vector.extract %431[0] : f32 from vector<4xf32>
        %433 = vector.extract %431[1] : f32 from vector<4xf32>
        %434 = vector.extract %431[2] : f32 from vector<4xf32>
        %435 = vector.extract %431[3] : f32 from vector<4xf32>
        %436 = vector.load %subview_10[%c8, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %437 = vector.broadcast %432 : f32 to vector<4xf32>
        %438 = vector.fma %437, %436, %416 : vector<4xf32>
        %439 = vector.broadcast %433 : f32 to vector<4xf32>
        %440 = vector.fma %439, %436, %418 : vector<4xf32>
        %441 = vector.broadcast %434 : f32 to vector<4xf32>
        %442 = vector.fma %441, %436, %420 : vector<4xf32>
        %443 = vector.broadcast %435 : f32 to vector<4xf32>
        %444 = vector.fma %443, %436, %422 : vector<4xf32>
        %445 = vector.load %subview_10[%c8, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %446 = vector.fma %437, %445, %424 : vector<4xf32>
        %447 = vector.fma %439, %445, %425 : vector<4xf32>
        %448 = vector.fma %441, %445, %426 : vector<4xf32>
        %449 = vector.fma %443, %445, %427 : vector<4xf32>
        %450 = vector.extract %428[1] : i32 from vector<4xi32>
        %451 = arith.index_castui %450 : i32 to index
        %452 = vector.load %subview_9[%451, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %453 = vector.extract %452[0] : f32 from vector<4xf32>
        %454 = vector.extract %452[1] : f32 from vector<4xf32>
        %455 = vector.extract %452[2] : f32 from vector<4xf32>
        %456 = vector.extract %452[3] : f32 from vector<4xf32>
        %457 = vector.load %subview_10[%c9, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %458 = vector.broadcast %453 : f32 to vector<4xf32>
        %459 = vector.fma %458, %457, %438 : vector<4xf32>
        %460 = vector.broadcast %454 : f32 to vector<4xf32>
        %461 = vector.fma %460, %457, %440 : vector<4xf32>
        %462 = vector.broadcast %455 : f32 to vector<4xf32>
        %463 = vector.fma %462, %457, %442 : vector<4xf32>
        %464 = vector.broadcast %456 : f32 to vector<4xf32>
        %465 = vector.fma %464, %457, %444 : vector<4xf32>
        %466 = vector.load %subview_10[%c9, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %467 = vector.fma %458, %466, %446 : vector<4xf32>
        %468 = vector.fma %460, %466, %447 : vector<4xf32>
        %469 = vector.fma %462, %466, %448 : vector<4xf32>
        %470 = vector.fma %464, %466, %449 : vector<4xf32>
        %471 = vector.extract %428[2] : i32 from vector<4xi32>
        %472 = arith.index_castui %471 : i32 to index
        %473 = vector.load %subview_9[%472, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %474 = vector.extract %473[0] : f32 from vector<4xf32>
        %475 = vector.extract %473[1] : f32 from vector<4xf32>
        %476 = vector.extract %473[2] : f32 from vector<4xf32>
        %477 = vector.extract %473[3] : f32 from vector<4xf32>
        %478 = vector.load %subview_10[%c10, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %479 = vector.broadcast %474 : f32 to vector<4xf32>
        %480 = vector.fma %479, %478, %459 : vector<4xf32>
        %481 = vector.broadcast %475 : f32 to vector<4xf32>
        %482 = vector.fma %481, %478, %461 : vector<4xf32>
        %483 = vector.broadcast %476 : f32 to vector<4xf32>
        %484 = vector.fma %483, %478, %463 : vector<4xf32>
        %485 = vector.broadcast %477 : f32 to vector<4xf32>
        %486 = vector.fma %485, %478, %465 : vector<4xf32>
        %487 = vector.load %subview_10[%c10, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %488 = vector.fma %479, %487, %467 : vector<4xf32>
        %489 = vector.fma %481, %487, %468 : vector<4xf32>
        %490 = vector.fma %483, %487, %469 : vector<4xf32>
        %491 = vector.fma %485, %487, %470 : vector<4xf32>
        %492 = vector.extract %428[3] : i32 from vector<4xi32>
        %493 = arith.index_castui %492 : i32 to index
        %494 = vector.load %subview_9[%493, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %495 = vector.extract %494[0] : f32 from vector<4xf32>
        %496 = vector.extract %494[1] : f32 from vector<4xf32>
        %497 = vector.extract %494[2] : f32 from vector<4xf32>
        %498 = vector.extract %494[3] : f32 from vector<4xf32>
        %499 = vector.load %subview_10[%c11, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %500 = vector.broadcast %495 : f32 to vector<4xf32>
        %501 = vector.fma %500, %499, %480 : vector<4xf32>
        %502 = vector.broadcast %496 : f32 to vector<4xf32>
        %503 = vector.fma %502, %499, %482 : vector<4xf32>
        %504 = vector.broadcast %497 : f32 to vector<4xf32>
        %505 = vector.fma %504, %499, %484 : vector<4xf32>
        %506 = vector.broadcast %498 : f32 to vector<4xf32>
        %507 = vector.fma %506, %499, %486 : vector<4xf32>
        %508 = vector.load %subview_10[%c11, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %509 = vector.fma %500, %508, %488 : vector<4xf32>
        %510 = vector.fma %502, %508, %489 : vector<4xf32>
        %511 = vector.fma %504, %508, %490 : vector<4xf32>
        %512 = vector.fma %506, %508, %491 : vector<4xf32>
        %513 = vector.load %subview_11[%c0, %c12] {alignment = 16 : i64} : memref<1x16xi32, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xi32>
        %514 = vector.extract %513[0] : i32 from vector<4xi32>
        %515 = arith.index_castui %514 : i32 to index
        %516 = vector.load %subview_9[%515, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %517 = vector.extract %516[0] : f32 from vector<4xf32>
        %518 = vector.extract %516[1] : f32 from vector<4xf32>
        %519 = vector.extract %516[2] : f32 from vector<4xf32>
        %520 = vector.extract %516[3] : f32 from vector<4xf32>
        %521 = vector.load %subview_10[%c12, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %522 = vector.broadcast %517 : f32 to vector<4xf32>
        %523 = vector.fma %522, %521, %501 : vector<4xf32>
        %524 = vector.broadcast %518 : f32 to vector<4xf32>
        %525 = vector.fma %524, %521, %503 : vector<4xf32>
        %526 = vector.broadcast %519 : f32 to vector<4xf32>
        %527 = vector.fma %526, %521, %505 : vector<4xf32>
        %528 = vector.broadcast %520 : f32 to vector<4xf32>
        %529 = vector.fma %528, %521, %507 : vector<4xf32>
        %530 = vector.load %subview_10[%c12, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %531 = vector.fma %522, %530, %509 : vector<4xf32>
        %532 = vector.fma %524, %530, %510 : vector<4xf32>
        %533 = vector.fma %526, %530, %511 : vector<4xf32>
        %534 = vector.fma %528, %530, %512 : vector<4xf32>
        %535 = vector.extract %513[1] : i32 from vector<4xi32>
        %536 = arith.index_castui %535 : i32 to index
        %537 = vector.load %subview_9[%536, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %538 = vector.extract %537[0] : f32 from vector<4xf32>
        %539 = vector.extract %537[1] : f32 from vector<4xf32>
        %540 = vector.extract %537[2] : f32 from vector<4xf32>
        %541 = vector.extract %537[3] : f32 from vector<4xf32>
        %542 = vector.load %subview_10[%c13, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %543 = vector.broadcast %538 : f32 to vector<4xf32>
        %544 = vector.fma %543, %542, %523 : vector<4xf32>
        %545 = vector.broadcast %539 : f32 to vector<4xf32>
        %546 = vector.fma %545, %542, %525 : vector<4xf32>
        %547 = vector.broadcast %540 : f32 to vector<4xf32>
        %548 = vector.fma %547, %542, %527 : vector<4xf32>
        %549 = vector.broadcast %541 : f32 to vector<4xf32>
        %550 = vector.fma %549, %542, %529 : vector<4xf32>
        %551 = vector.load %subview_10[%c13, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %552 = vector.fma %543, %551, %531 : vector<4xf32>
        %553 = vector.fma %545, %551, %532 : vector<4xf32>
        %554 = vector.fma %547, %551, %533 : vector<4xf32>
        %555 = vector.fma %549, %551, %534 : vector<4xf32>
        %556 = vector.extract %513[2] : i32 from vector<4xi32>
        %557 = arith.index_castui %556 : i32 to index
        %558 = vector.load %subview_9[%557, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %559 = vector.extract %558[0] : f32 from vector<4xf32>
        %560 = vector.extract %558[1] : f32 from vector<4xf32>
        %561 = vector.extract %558[2] : f32 from vector<4xf32>
        %562 = vector.extract %558[3] : f32 from vector<4xf32>
        %563 = vector.load %subview_10[%c14, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %564 = vector.broadcast %559 : f32 to vector<4xf32>
        %565 = vector.fma %564, %563, %544 : vector<4xf32>
        %566 = vector.broadcast %560 : f32 to vector<4xf32>
        %567 = vector.fma %566, %563, %546 : vector<4xf32>
        %568 = vector.broadcast %561 : f32 to vector<4xf32>
        %569 = vector.fma %568, %563, %548 : vector<4xf32>
        %570 = vector.broadcast %562 : f32 to vector<4xf32>
        %571 = vector.fma %570, %563, %550 : vector<4xf32>
        %572 = vector.load %subview_10[%c14, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %573 = vector.fma %564, %572, %552 : vector<4xf32>
        %574 = vector.fma %566, %572, %553 : vector<4xf32>
        %575 = vector.fma %568, %572, %554 : vector<4xf32>
        %576 = vector.fma %570, %572, %555 : vector<4xf32>
        %577 = vector.extract %513[3] : i32 from vector<4xi32>
        %578 = arith.index_castui %577 : i32 to index
        %579 = vector.load %subview_9[%578, %9] {alignment = 16 : i64} : memref<16x32xf32, strided<[36, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %580 = vector.extract %579[0] : f32 from vector<4xf32>
        %581 = vector.extract %579[1] : f32 from vector<4xf32>
        %582 = vector.extract %579[2] : f32 from vector<4xf32>
        %583 = vector.extract %579[3] : f32 from vector<4xf32>
        %584 = vector.load %subview_10[%c15, %11] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %585 = vector.broadcast %580 : f32 to vector<4xf32>
        %586 = vector.fma %585, %584, %565 : vector<4xf32>
        %587 = vector.broadcast %581 : f32 to vector<4xf32>
        %588 = vector.fma %587, %584, %567 : vector<4xf32>
        %589 = vector.broadcast %582 : f32 to vector<4xf32>
        %590 = vector.fma %589, %584, %569 : vector<4xf32>
        %591 = vector.broadcast %583 : f32 to vector<4xf32>
        %592 = vector.fma %591, %584, %571 : vector<4xf32>
        %593 = vector.load %subview_10[%c15, %274] {alignment = 16 : i64} : memref<16x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, vector<4xf32>
        %594 = vector.fma %585, %593, %573 : vector<4xf32>
        %595 = vector.fma %587, %593, %574 : vector<4xf32>
        %596 = vector.fma %589, %593, %575 : vector<4xf32>
        %597 = vector.fma %591, %593, %576 : vector<4xf32>
        scf.yield %586, %594, %588, %595, %590, %596, %592, %597 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      %subview_8 = memref.subview %alloc[%14, %15] [32, 32] [1, 1] : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
      vector.store %249#0, %subview_8[%9, %11] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %250 = arith.addi %11, %c16 : index
      vector.store %249#1, %subview_8[%9, %250] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %251 = arith.addi %9, %c1 : index
      vector.store %249#2, %subview_8[%251, %11] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %249#3, %subview_8[%251, %250] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %252 = arith.addi %9, %c2 : index
      vector.store %249#4, %subview_8[%252, %11] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %249#5, %subview_8[%252, %250] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      %253 = arith.addi %9, %c3 : index
      vector.store %249#6, %subview_8[%253, %11] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      vector.store %249#7, %subview_8[%253, %250] {alignment = 16 : i64} : memref<32x32xf32, strided<[64, 1], offset: ?>>, vector<4xf32>
      gpu.terminator
    }
    return %alloc : memref<64x64xf32>
  }
}

{-#

#-}
