// RUN: nm-opt %s --split-input-file --verify-diagnostics

func.func @two_inputs(%x: tensor<4xi64>, %a: tensor<i64>) -> (tensor<4xi64>, tensor<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected 1 `ins` operands, got 2}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x, %x : tensor<4xi64>, tensor<4xi64>) outs(%x, %a : tensor<4xi64>, tensor<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  } -> tensor<4xi64>, tensor<i64>
  return %0#0, %0#1 : tensor<4xi64>, tensor<i64>
}

// -----

func.func @no_accumulator(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @+1 {{'tm_tensor.scan' op expected 2 `outs` operands, got 1}}
  %0 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

func.func @tensors_and_memrefs(%x: memref<4xi64>, %y: tensor<4xi64>, %a: tensor<i64>) -> tensor<4xi64> {
  // expected-error @+1 {{'tm_tensor.scan' op expected operands that are all tensors or all memrefs, got 'tensor<4xi64>' as operand #1}}
  %0:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi64>) outs(%y, %a : tensor<4xi64>, tensor<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  } -> tensor<4xi64>, tensor<i64>
  return %0#0 : tensor<4xi64>
}

// -----

func.func @dimension(%x: memref<4xi64>, %a: memref<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected a dimension below the rank, 1, got 1}}
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<4xi64>) outs(%x, %a : memref<4xi64>, memref<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @negative_dimension(%x: memref<4xi64>, %a: memref<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected a dimension below the rank, 1, got -1}}
  tm_tensor.scan dimension(-1) inclusive(true) ins(%x : memref<4xi64>) outs(%x, %a : memref<4xi64>, memref<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @element_type(%x: memref<4xi64>, %y: memref<4xi32>, %a: memref<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected totals of element type 'i64', got 'memref<4xi32>'}}
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi64>) outs(%y, %a : memref<4xi32>, memref<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @totals_shape(%x: memref<4xi64>, %y: memref<5xi64>, %a: memref<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected totals of shape [4], got 'memref<5xi64>'}}
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi64>) outs(%y, %a : memref<5xi64>, memref<i64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @accumulator_shape(%x: memref<4x?xi64>, %a: memref<5xi64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected an accumulator of shape [4], got 'memref<5xi64>'}}
  tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<4x?xi64>) outs(%x, %a : memref<4x?xi64>, memref<5xi64>) {
  ^bb0(%t: i64, %n: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @region_arguments(%x: memref<4xi64>, %a: memref<i64>) {
  // expected-error @+1 {{'tm_tensor.scan' op expected a region with arguments ('i64', 'i64'), got ('i64')}}
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi64>) outs(%x, %a : memref<4xi64>, memref<i64>) {
  ^bb0(%t: i64):
    tm_tensor.yield %t : i64
  }
  return
}

// -----

func.func @region_result(%x: memref<4xi64>, %a: memref<i64>) {
  tm_tensor.scan dimension(0) inclusive(true) ins(%x : memref<4xi64>) outs(%x, %a : memref<4xi64>, memref<i64>) {
  ^bb0(%t: i64, %n: i64):
    // expected-error @+1 {{'tm_tensor.yield' op expected to yield one 'i64', got ('i64', 'i64')}}
    tm_tensor.yield %t, %n : i64, i64
  }
  return
}
