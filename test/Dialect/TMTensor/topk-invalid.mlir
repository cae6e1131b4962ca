// RUN: nm-opt %s --split-input-file --verify-diagnostics

func.func @no_input(%v: memref<3xf32>, %p: memref<3xi32>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected 1 or 2 `ins` operands, got 3}}
  tm_tensor.topk dimension(0) ins(%v, %p, %p : memref<3xf32>, memref<3xi32>, memref<3xi32>) outs(%v, %p : memref<3xf32>, memref<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @values_type(%x: memref<9xf32>, %v: memref<3xf16>, %p: memref<3xi32>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected values of element type 'f32', got 'memref<3xf16>'}}
  tm_tensor.topk dimension(0) ins(%x : memref<9xf32>) outs(%v, %p : memref<3xf16>, memref<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @index_type(%x: memref<9xf32>, %v: memref<3xf32>, %p: memref<3xi64>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected indices of type i32, got 'memref<3xi64>'}}
  tm_tensor.topk dimension(0) ins(%x : memref<9xf32>) outs(%v, %p : memref<3xf32>, memref<3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @values_rank(%x: memref<9x2xf32>, %v: memref<3xf32>, %p: memref<3xi32>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected values of shape [9, 2], got 'memref<3xf32>'}}
  tm_tensor.topk dimension(0) ins(%x : memref<9x2xf32>) outs(%v, %p : memref<3xf32>, memref<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @other_dimension(%x: memref<9x2xf32>, %v: memref<3x1xf32>, %p: memref<3x1xi32>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected values of shape [3, 2], got 'memref<3x1xf32>'}}
  tm_tensor.topk dimension(0) ins(%x : memref<9x2xf32>) outs(%v, %p : memref<3x1xf32>, memref<3x1xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @indices_shape(%x: memref<9xf32>, %v: memref<3xf32>, %p: memref<4xi32>) {
  // expected-error @+1 {{'tm_tensor.topk' op expected indices of shape [3], got 'memref<4xi32>'}}
  tm_tensor.topk dimension(0) ins(%x : memref<9xf32>) outs(%v, %p : memref<3xf32>, memref<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}
