// RUN: nm-opt %s -nm-verify-input -split-input-file -verify-diagnostics

func.func @accepted(%x: tensor<?x64xf32>) -> tensor<0x9223372036854775807xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense_resource<sound> : tensor<2x1xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  %e = tensor.empty() : tensor<0x9223372036854775807xf32>
  return %e : tensor<0x9223372036854775807xf32>
}
{-# dialect_resources: { builtin: { sound: "0x010000000003" } } #-}

// -----

// expected-error @below {{expected types of less than 2^48 bytes, got 'tensor<4294967296x4294967296xf32>'}}
func.func @argument_that_wraps(%x: tensor<4294967296x4294967296xf32>) {
  return
}

// -----

func.func @result_that_wraps() {
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected types of less than 2^48 bytes, got 'tensor<281474976710656x?xi8>'}}
  %e = tensor.empty(%c1) : tensor<281474976710656x?xi8>
  return
}

// -----

func.func @index_outside() {
  // expected-error @below {{expected indices below 4 (the window), got 255 at row 1, column 0}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense_resource<outside> : tensor<2x1xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}
{-# dialect_resources: { builtin: { outside: "0x0100000000FF" } } #-}

// -----

func.func @index_twice() {
  // expected-error @below {{expected ascending, unique indices in each window, got 1 after 1 at row 1, column 0}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense_resource<twice> : tensor<2x1xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}
{-# dialect_resources: { builtin: { twice: "0x010000000101" } } #-}

// -----

func.func @too_few_bytes() {
  // expected-error @below {{expected 2 elements of 1 bytes in resource 'few', got 1 bytes}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense_resource<few> : tensor<2x1xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}
{-# dialect_resources: { builtin: { few: "0x0100000000" } } #-}

// -----

func.func @packed_outside() {
  // expected-error @below {{expected packed indices from 0 to 3, multiples of 1 (the rows of a step), got 1000 at element 1}}
  %w = nm.constant {values = dense<1.0> : tensor<1x2x1xf32>, indices = dense_resource<packed> : tensor<1x1x2xi32>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4>>
  return
}
{-# dialect_resources: { builtin: { packed: "0x0400000000000000E8030000" } } #-}

// -----

func.func @columns_outside() {
  // expected-error @below {{expected columns from -1 (none) to 3 (the rows of a step), got -2 at element 0}}
  %w = nm.constant {values = dense<1.0> : tensor<1x2x1xf32>, indices = dense<[[[0, 1]]]> : tensor<1x1x2xi32>, columns = dense_resource<columns> : tensor<1x2xi32>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4, columns = 2>>
  return
}
{-# dialect_resources: { builtin: { columns: "0x04000000FEFFFFFF01000000" } } #-}

// -----

func.func @splat() -> tensor<1000000x1000000xf32> {
  // expected-error @below {{expected a constant of less than 2^38 bytes, got 'tensor<1000000x1000000xf32>' (4000000000000 bytes)}}
  %c = arith.constant dense<1.0> : tensor<1000000x1000000xf32>
  return %c : tensor<1000000x1000000xf32>
}

// -----

func.func @elided() {
  // expected-error @below {{the data of resource 'absent' was elided}}
  %w = nm.constant {values = dense_resource<absent> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}

// -----

// expected-error @below {{unsupported: a function that calls itself, directly or through others}}
func.func @direct(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @direct(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @through(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @another(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-error @below {{unsupported: a function that calls itself, directly or through others}}
func.func @another(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @through(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @below {{unsupported: a function named `free`, as one that compiled code calls; rename it}}
func.func @free(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @assembled(%v: tensor<2x1xf32>) -> tensor<4x1xf32> {
  %indices = arith.constant dense<[[1], [1]]> : tensor<2x1xi8>
  // expected-error @below {{'nm.assemble' op expected ascending, unique indices in each window, got 1 after 1 at row 1, column 0}}
  %w = nm.assemble %v, %indices : tensor<2x1xf32>, tensor<2x1xi8> -> !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  %y = nm.expand %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>> -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

// -----

func.func @step_of_zero(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'scf.for' op expected a step of at least 1, got 0}}
  scf.for %i = %c0 to %n step %c0 {
  }
  return
}

// -----

func.func @indices_of_dynamic_shape() {
  // expected-error @below {{expected elements of static shape, got tensor<2x?xi8>}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense_resource<some> : tensor<2x?xi8>}
      : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}
{-# dialect_resources: { builtin: { some: "0x010000000003" } } #-}
