// RUN: nm-opt %s --nm-assert-shapes --split-input-file --verify-diagnostics
// RUN: nm-opt %s --nm-correct-views --split-input-file > /dev/null

// A dimension that the type does not have.
func.func @negative(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = arith.constant -1 : index
  // expected-error @+1 {{'tensor.dim' op expected a dimension of 'tensor<?x8xf32>', got -1}}
  %d = tensor.dim %x, %c : tensor<?x8xf32>
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %r = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @large(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c = arith.constant 65536 : index
  // expected-error @+1 {{'tensor.dim' op expected a dimension of 'tensor<?x8xf32>', got 65536}}
  %d = tensor.dim %x, %c : tensor<?x8xf32>
  %e = tensor.empty(%d) : tensor<?x8xf32>
  %y = tensor.cast %e : tensor<?x8xf32> to tensor<1x8xf32>
  %r = tensor.cast %y : tensor<1x8xf32> to tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @memory(%x: memref<?x8xf32>) -> index {
  %c = arith.constant 2 : index
  // expected-error @+1 {{'memref.dim' op expected a dimension of 'memref<?x8xf32>', got 2}}
  %d = memref.dim %x, %c : memref<?x8xf32>
  return %d : index
}

// -----

func.func @cropped(%x: tensor<5xf32>, %v: f32) -> tensor<5xf32> {
  // expected-error @+1 {{expected paddings of at least 0, got -1; take a slice instead}}
  %y = tensor.pad %x low[1] high[-1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<5xf32> to tensor<5xf32>
  return %y : tensor<5xf32>
}
