// RUN: nm-opt %s -split-input-file -verify-diagnostics

func.func @tensor_map_c1_rank(%a: memref<64xf16>) {
  // expected-error @below {{expected a source in global memory of rank 2 to 5 whose innermost stride is 1, got 'memref<64xf16>'}}
  %0 = nm.tensor_map %a box = [64] swizzle = 0 : memref<64xf16>
  return
}

// -----

func.func @tensor_map_c1_large_rank(%a: memref<1x1x1x1x1x64xf16>) {
  // expected-error @below {{of rank 2 to 5}}
  %0 = nm.tensor_map %a box = [1, 1, 1, 1, 1, 64] swizzle = 0 : memref<1x1x1x1x1x64xf16>
  return
}

// -----

func.func @tensor_map_c1_innermost(%a: memref<8x64xf16, strided<[128, 2]>>) {
  // expected-error @below {{whose innermost stride is 1}}
  %0 = nm.tensor_map %a box = [8, 64] swizzle = 0 : memref<8x64xf16, strided<[128, 2]>>
  return
}

// -----

func.func @tensor_map_c1_memory(%a: memref<8x64xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a source in global memory}}
  %0 = nm.tensor_map %a box = [8, 64] swizzle = 0 : memref<8x64xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tensor_map_c2(%a: memref<8x64xi1>) {
  // expected-error @below {{expected elements of i8, i16, i32, i64, f16, bf16, f32 or f64, got 'i1'}}
  %0 = nm.tensor_map %a box = [8, 64] swizzle = 0 : memref<8x64xi1>
  return
}

// -----

func.func @tensor_map_c2_vector(%a: memref<8x64xvector<4xf32>>) {
  // expected-error @below {{expected elements of i8, i16, i32, i64, f16, bf16, f32 or f64, got 'vector<4xf32>'}}
  %0 = nm.tensor_map %a box = [8, 64] swizzle = 0 : memref<8x64xvector<4xf32>>
  return
}

// -----

func.func @tensor_map_c3(%a: memref<8x36xf16>) {
  // expected-error @below {{expected strides, the innermost aside, of a multiple of 16 bytes below 2^40, got 36 elements of 2 bytes}}
  %0 = nm.tensor_map %a box = [8, 8] swizzle = 0 : memref<8x36xf16>
  return
}

// -----

func.func @tensor_map_c3_large(%a: memref<8x64xf64, strided<[137438953472, 1]>>) {
  // expected-error @below {{below 2^40, got 137438953472 elements of 8 bytes}}
  %0 = nm.tensor_map %a box = [8, 8] swizzle = 0 : memref<8x64xf64, strided<[137438953472, 1]>>
  return
}

// -----

func.func @tensor_map_c3_zero(%a: memref<8x64xf16, strided<[0, 1]>>) {
  // expected-error @below {{below 2^40, got 0 elements of 2 bytes}}
  %0 = nm.tensor_map %a box = [8, 8] swizzle = 0 : memref<8x64xf16, strided<[0, 1]>>
  return
}

// -----

func.func @tensor_map_c4_rank(%a: memref<8x64xf16>) {
  // expected-error @below {{expected a box of 2 extents from 1 to 256, got [64]}}
  %0 = nm.tensor_map %a box = [64] swizzle = 0 : memref<8x64xf16>
  return
}

// -----

func.func @tensor_map_c4_empty(%a: memref<8x64xf16>) {
  // expected-error @below {{expected a box of 2 extents from 1 to 256, got [0, 64]}}
  %0 = nm.tensor_map %a box = [0, 64] swizzle = 0 : memref<8x64xf16>
  return
}

// -----

func.func @tensor_map_c4_large(%a: memref<8x512xf16>) {
  // expected-error @below {{expected a box of 2 extents from 1 to 256, got [8, 257]}}
  %0 = nm.tensor_map %a box = [8, 257] swizzle = 0 : memref<8x512xf16>
  return
}

// -----

func.func @tensor_map_c5(%a: memref<8x64xf16>) {
  // expected-error @below {{expected a swizzle of 0, 32, 64 or 128 bytes, got 16}}
  %0 = nm.tensor_map %a box = [8, 8] swizzle = 16 : memref<8x64xf16>
  return
}

// -----

func.func @tensor_map_c6(%a: memref<8x64xf16>) {
  // expected-error @below {{expected rows of the box of a multiple of 16 bytes, got 24}}
  %0 = nm.tensor_map %a box = [8, 12] swizzle = 0 : memref<8x64xf16>
  return
}

// -----

func.func @tensor_map_c7(%a: memref<8x64xf16>) {
  // expected-error @below {{expected rows of the box of at most the 64 bytes of the swizzle, got 128}}
  %0 = nm.tensor_map %a box = [8, 64] swizzle = 64 : memref<8x64xf16>
  return
}

// -----

func.func @tensor_map_c8_launch(%a: memref<8x64xf16>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%x, %y, %z) in (%bx = %c1, %by = %c1, %bz = %c1) {
    // expected-error @below {{expected host code around it, got a kernel}}
    %0 = nm.tensor_map %a box = [8, 64] swizzle = 128 : memref<8x64xf16>
    gpu.terminator
  }
  return
}

// -----

gpu.module @kernels {
  func.func @tensor_map_c8_module(%a: memref<8x64xf16>) {
    // expected-error @below {{expected host code around it, got a kernel}}
    %0 = nm.tensor_map %a box = [8, 64] swizzle = 128 : memref<8x64xf16>
    return
  }
}
