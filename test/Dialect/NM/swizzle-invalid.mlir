// RUN: nm-opt %s -split-input-file -verify-diagnostics

func.func @swizzle_c1_type() {
  // expected-error @below {{expected `nm.swizzle` to be a unit attribute of a memref.alloc, got true on memref.alloc}}
  %0 = memref.alloc() {nm.swizzle = true} : memref<8x32xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @swizzle_c1_op() {
  // expected-error @below {{expected `nm.swizzle` to be a unit attribute of a memref.alloc, got unit on memref.alloca}}
  %0 = memref.alloca() {nm.swizzle} : memref<8x32xf32>
  return
}

// -----

func.func @swizzle_c2_rank() {
  // expected-error @below {{expected a buffer with `nm.swizzle` to have rank 2 or more, rows of static extent and no layout, got 'memref<32xf32>'}}
  %0 = memref.alloc() {nm.swizzle} : memref<32xf32>
  return
}

// -----

func.func @swizzle_c2_extent(%n: index) {
  // expected-error @below {{expected a buffer with `nm.swizzle` to have rank 2 or more, rows of static extent and no layout, got 'memref<8x?xf32>'}}
  %0 = memref.alloc(%n) {nm.swizzle} : memref<8x?xf32>
  return
}

// -----

func.func @swizzle_c2_layout() {
  // expected-error @below {{no layout, got 'memref<8x32xf32, strided<[36, 1]>>'}}
  %0 = memref.alloc() {nm.swizzle} : memref<8x32xf32, strided<[36, 1]>>
  return
}

// -----

// Six chunks of 16 bytes.
func.func @swizzle_c3_chunks() {
  // expected-error @below {{expected rows of a buffer with `nm.swizzle` to be 1, 2, 4 or a multiple of 8 chunks of 16 bytes, got rows of 24 elements of 'f32'}}
  %0 = memref.alloc() {nm.swizzle} : memref<8x24xf32>
  return
}

// -----

func.func @swizzle_c3_part() {
  // expected-error @below {{got rows of 36 elements of 'f16'}}
  %0 = memref.alloc() {nm.swizzle} : memref<2x8x36xf16>
  return
}

// -----

func.func @swizzle_c3_element() {
  // expected-error @below {{got rows of 16 elements of 'index'}}
  %0 = memref.alloc() {nm.swizzle} : memref<8x16xindex>
  return
}

// -----

// What can be: one, two and four chunks, and a multiple of eight, in any slot
// of a ring.
func.func @valid(%slots: index) {
  %0 = memref.alloc() {nm.swizzle} : memref<8x4xf32>
  %1 = memref.alloc() {nm.swizzle} : memref<8x16xf16>
  %2 = memref.alloc() {nm.swizzle} : memref<8x64xi8>
  %3 = memref.alloc(%slots) {nm.swizzle} : memref<?x8x96xf32>
  return
}
