// RUN: nm-opt --nm-to-linalg --split-input-file --verify-diagnostics %s

// expected-error@below {{expected a weight made by nm.constant, nm.assemble or nm.condense, got a block argument}}
func.func @argument(%x: tensor<8xf32>, %w: !nm.condensed<8x4xf32, #nm.pattern<2:4>>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %y = nm.spmv %x, %w outs(%o : tensor<4xf32>)
      : tensor<8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @memrefs(%x: memref<8xf32>, %v: memref<4x4xf32>, %d: memref<4x4xi8>, %o: memref<4xf32>) {
  %w = nm.assemble %v, %d : memref<4x4xf32>, memref<4x4xi8> -> !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  // expected-error@below {{expected tensors, got 'memref<4xf32>'}}
  nm.spmv %x, %w outs(%o : memref<4xf32>) : memref<8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @elided(%x: tensor<8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{the data of resource '__elided__' was elided}}
  %w = nm.constant {
    values = dense_resource<__elided__> : tensor<4x4xf32>,
    indices = dense<[[0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]> : tensor<4x4xi8>
  } : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  %y = nm.spmv %x, %w outs(%o : tensor<4xf32>)
      : tensor<8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Indices in a resource are checked when they are read.
func.func @out_of_window(%x: tensor<4xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@below {{expected indices below 4 (the window), got 4 at row 1, column 1}}
  %w = nm.constant {
    values = dense<1.0> : tensor<2x2xf32>,
    indices = dense_resource<bad> : tensor<2x2xi8>
  } : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  %y = nm.spmv %x, %w outs(%o : tensor<2xf32>)
      : tensor<4xf32>, !nm.condensed<4x2xf32, #nm.pattern<2:4>> -> tensor<2xf32>
  return %y : tensor<2xf32>
}

{-#
  dialect_resources: { builtin: { bad: "0x0100000000020304" } }
#-}
