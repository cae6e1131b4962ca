// RUN: nm-opt %s --split-input-file --verify-diagnostics

func.func @input(%x: memref<4xf32>) {
  // expected-error @+1 {{'tm_tensor.sort' op expected 0 `ins` operands, got 1}}
  tm_tensor.sort dimension(0) ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @dimension(%x: memref<f32>) {
  // expected-error @+1 {{'tm_tensor.sort' op expected a dimension below the rank, 0, got 0}}
  tm_tensor.sort dimension(0) outs(%x : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @shapes(%x: memref<4x?xf32>, %y: memref<5x3xi64>) {
  // expected-error @+1 {{'tm_tensor.sort' op expected operands that are sorted together of shape [4, ?], got 'memref<5x3xi64>'}}
  tm_tensor.sort dimension(0) outs(%x, %y : memref<4x?xf32>, memref<5x3xi64>) {
  ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @region_arguments(%x: memref<4xf32>, %y: memref<4xi64>) {
  // expected-error @+1 {{'tm_tensor.sort' op expected a region with arguments ('f32', 'f32', 'i64', 'i64'), got ('f32', 'f32')}}
  tm_tensor.sort dimension(0) outs(%x, %y : memref<4xf32>, memref<4xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf oge, %a, %b : f32
    tm_tensor.yield %c : i1
  }
  return
}

// -----

func.func @region_result(%x: memref<4xf32>) {
  tm_tensor.sort dimension(0) outs(%x : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{'tm_tensor.yield' op expected to yield one 'i1', got ('f32')}}
    tm_tensor.yield %a : f32
  }
  return
}
