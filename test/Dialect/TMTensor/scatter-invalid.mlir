// RUN: nm-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_depth(%u: memref<3xf32>, %i: memref<3x?xi64>, %o: memref<8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected integer indices of shape [updates, static depth], got 'memref<3x?xi64>'}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x?xi64>) outs(%o : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @float_indices(%u: memref<3xf32>, %i: memref<3x1xf32>, %o: memref<8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected integer indices of shape [updates, static depth], got 'memref<3x1xf32>'}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x1xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @map_length(%u: memref<3xf32>, %i: memref<3x2xi64>, %o: memref<8x8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected a dimension_map of 2 dimensions, one for each index of an update, got 1}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x2xi64>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @map_twice(%u: memref<3xf32>, %i: memref<3x2xi64>, %o: memref<8x8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected distinct dimensions below the rank of the original, 2, in dimension_map, got 1}}
  tm_tensor.scatter {dimension_map = array<i64: 1, 1>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x2xi64>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @map_out_of_range(%u: memref<3xf32>, %i: memref<3x1xi64>, %o: memref<8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected distinct dimensions below the rank of the original, 1, in dimension_map, got 1}}
  tm_tensor.scatter {dimension_map = array<i64: 1>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x1xi64>) outs(%o : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @rank_not_covered(%u: memref<3xf32>, %i: memref<3x1xi64>, %o: memref<8x8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected updates of a rank from 2 to 3, got 'memref<3xf32>'}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xf32>, memref<3x1xi64>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @counts(%u: memref<3x8xf32>, %i: memref<4x1xi64>, %o: memref<8x8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected as many updates as indices, got 'memref<3x8xf32>' and 'memref<4x1xi64>'}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3x8xf32>, memref<4x1xi64>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @too_large(%u: memref<3x9xf32>, %i: memref<3x1xi64>, %o: memref<8x8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected updates that fit the original, got 'memref<3x9xf32>' for 'memref<8x8xf32>': dimension 1 is too large}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3x9xf32>, memref<3x1xi64>) outs(%o : memref<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  }
  return
}

// -----

func.func @element_type(%u: memref<3xf16>, %i: memref<3x1xi64>, %o: memref<8xf32>) {
  // expected-error @+1 {{'tm_tensor.scatter' op expected updates of element type 'f32', got 'memref<3xf16>'}}
  tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : memref<3xf16>, memref<3x1xi64>) outs(%o : memref<8xf32>) {
  ^bb0(%a: f16, %b: f32):
    tm_tensor.yield %b : f32
  }
  return
}

// -----

func.func @result_type(%u: tensor<3xf32>, %i: tensor<3x1xi64>, %o: tensor<?xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected type of operand #2 ('tensor<?xf32>') to match type of corresponding result ('tensor<8xf32>')}}
  %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(true) ins(%u, %i : tensor<3xf32>, tensor<3x1xi64>) outs(%o : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
