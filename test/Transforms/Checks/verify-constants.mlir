// By its path, which NM_VERIFY_ROUNDTRIP leaves alone: MLIR's bytecode writes
// resources without elements so that it cannot read them.
// RUN: %nm_tools/nm-opt %s --nm-verify-constants --split-input-file --verify-diagnostics

// Data of another size than the type's, and none.
func.func @long() -> tensor<2xf32> {
  // expected-error @+1 {{expected 8 bytes of data in `w` for 'tensor<2xf32>', got 12}}
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  return %w : tensor<2xf32>
}
{-# dialect_resources: { builtin: { w: "0x04000000000000000000000000000000" } } #-}

// -----

func.func @short() -> tensor<2xindex> {
  // expected-error @+1 {{expected 16 bytes of data in `w` for 'tensor<2xindex>', got 8}}
  %w = arith.constant dense_resource<w> : tensor<2xindex>
  return %w : tensor<2xindex>
}
{-# dialect_resources: { builtin: { w: "0x040000000000000000000000" } } #-}

// -----

func.func @elided() -> tensor<2xf32> {
  // expected-error @+1 {{expected the data of `gone`, got none: it was elided}}
  %w = arith.constant dense_resource<gone> : tensor<2xf32>
  return %w : tensor<2xf32>
}

// -----

func.func @something_of_nothing() -> tensor<2x0xf32> {
  // expected-error @+1 {{expected 0 bytes of data in `w` for 'tensor<2x0xf32>', got 16}}
  %w = arith.constant dense_resource<w> : tensor<2x0xf32>
  return %w : tensor<2x0xf32>
}
{-# dialect_resources: { builtin: { w: "0x0400000000000000000000000000000000000000" } } #-}

// -----

// In memory, and inside of another attribute.
// expected-error @+1 {{expected 8 bytes of data in `w` for 'tensor<2xf32>', got 4}}
memref.global "private" constant @w : memref<2xf32> = dense_resource<w>
{-# dialect_resources: { builtin: { w: "0x0400000000000000" } } #-}

// -----

// expected-error @+1 {{expected 8 bytes of data in `w` for 'tensor<2xf32>', got 4}}
func.func private @nested() attributes {test.list = [{data = dense_resource<w> : tensor<2xf32>}]}
{-# dialect_resources: { builtin: { w: "0x0400000000000000" } } #-}

// -----

// What is as it should be; bools are bits or bytes.
func.func @good() -> (tensor<2xf32>, tensor<0x4xf32>, tensor<9xi1>) {
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  %n = arith.constant dense_resource<n> : tensor<0x4xf32>
  %b = arith.constant dense_resource<b> : tensor<9xi1>
  return %w, %n, %b : tensor<2xf32>, tensor<0x4xf32>, tensor<9xi1>
}
{-# dialect_resources: { builtin: { w: "0x040000000000000000000000", n: "0x04000000", b: "0x040000000101" } } #-}
