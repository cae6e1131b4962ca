// RUN: nm-opt %s --split-input-file --verify-diagnostics

func.func @no_value(%q: memref<8x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected 3 or 4 `ins` operands, got 2}}
  tm_tensor.attention ins(%q, %q : memref<8x16xf32>, memref<8x16xf32>) outs(%q : memref<8x16xf32>)
  return
}

// -----

func.func @query(%q: memref<8x16xi32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a query of floats with 2 or more dimensions, got 'memref<8x16xi32>'}}
  tm_tensor.attention ins(%q, %q, %q : memref<8x16xi32>, memref<8x16xi32>, memref<8x16xi32>) outs(%q : memref<8x16xi32>)
  return
}

// -----

func.func @rank(%q: memref<2x8x16xf32>, %k: memref<8x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a key of rank 3, got 'memref<8x16xf32>'}}
  tm_tensor.attention ins(%q, %k, %q : memref<2x8x16xf32>, memref<8x16xf32>, memref<2x8x16xf32>) outs(%q : memref<2x8x16xf32>)
  return
}

// -----

func.func @key(%q: memref<2x8x16xf32>, %k: memref<3x8x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a key of shape [2, 8, 16], got 'memref<3x8x16xf32>'}}
  tm_tensor.attention ins(%q, %k, %q : memref<2x8x16xf32>, memref<3x8x16xf32>, memref<2x8x16xf32>) outs(%q : memref<2x8x16xf32>)
  return
}

// -----

func.func @value(%q: memref<8x16xf32>, %k: memref<4x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a value of shape [4, 16], got 'memref<8x16xf32>'}}
  tm_tensor.attention ins(%q, %k, %q : memref<8x16xf32>, memref<4x16xf32>, memref<8x16xf32>) outs(%q : memref<8x16xf32>)
  return
}

// -----

func.func @mask_type(%q: memref<8x16xf32>, %m: memref<8x8xi8>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a mask of element type i1 or 'f32', got 'memref<8x8xi8>'}}
  tm_tensor.attention ins(%q, %q, %q, %m : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>, memref<8x8xi8>) outs(%q : memref<8x16xf32>)
  return
}

// -----

func.func @mask_shape(%q: memref<8x16xf32>, %m: memref<8x7xi1>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected a mask of shape [8, 8], got 'memref<8x7xi1>'}}
  tm_tensor.attention ins(%q, %q, %q, %m : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>, memref<8x7xi1>) outs(%q : memref<8x16xf32>)
  return
}
