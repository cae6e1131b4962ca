// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of operand fragments (docs/Spec.md).

func.func @load_positions_c1(%d: memref<16xi8>, %i: index) {
  // expected-error @below {{expected indices of rank 2, got 'memref<16xi8>'}}
  %p = nm.load_positions %d[%i] {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16xi8> -> !nm.fragment<4x4xindex, positions>
  return
}

// -----

func.func @load_positions_c1_columns(%d: memref<4x16xi32>, %l: memref<1x40xi32>, %i: index) {
  // expected-error @below {{expected the coding rows beside columns, got window}}
  %p = nm.load_positions %d[%i] columns(%l : memref<1x40xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<4x16xi32> -> !nm.fragment<4x4xindex, positions>
  return
}

// -----

func.func @role_of_positions(%d: memref<16x4xi8>, %i: index) {
  // expected-error @below {{result #0 must be fragment of role positions, but got '!nm.fragment<64x128xf32>'}}
  %p = nm.load_positions %d[%i] {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @load_rows_c1(%a: memref<64x64xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected a result of 'f32', got '!nm.fragment<64x1xf16, rows>'}}
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64} : memref<64x64xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf16, rows>
  return
}

// -----

func.func @load_rows_c1_rank(%a: memref<64xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected A of rank 2, or of rank 3 in panels, got 'memref<64xf32>'}}
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64} : memref<64xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// -----

func.func @load_rows_c2(%a: memref<64x65xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected rows of m of A of at most 64, got 65}}
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64} : memref<64x65xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// -----

func.func @load_rows_c1_token_major(%a: memref<2x64x32xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected A of rank 2, got 'memref<2x64x32xf32>'}}
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64, a_layout = #nm.layout<token_major>} : memref<2x64x32xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// -----

func.func @load_rows_c2_panels(%a: memref<3x64x32xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected rows of m of A of at most 64, got 96}}
  %x = nm.load_rows %a[%p, %i] {unit = 0 : i64, a_layout = #nm.layout<feature_major>} : memref<3x64x32xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// -----

func.func @load_rows_c3(%a: memref<64x64xf32>, %p: !nm.fragment<4x4xindex, positions>, %i: index) {
  // expected-error @below {{expected a unit below 4, the positions' units, got 4}}
  %x = nm.load_rows %a[%p, %i] {unit = 4 : i64} : memref<64x64xf32>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  return
}

// -----

func.func @load_values_c1(%v: memref<16x128xf32>, %i: index) {
  // expected-error @below {{expected a result of 'f32', got '!nm.fragment<1x128xi8, values>'}}
  %w = nm.load_values %v[%i] : memref<16x128xf32> -> !nm.fragment<1x128xi8, values>
  return
}

// -----

func.func @load_values_c2(%v: memref<16x129xf32>, %i: index) {
  // expected-error @below {{expected columns of values of at most 128, got 129}}
  %w = nm.load_values %v[%i] : memref<16x129xf32> -> !nm.fragment<1x128xf32, values>
  return
}

// -----

func.func @load_values_c3(%v: memref<2x16x32xf32>, %i: index) {
  // expected-error @below {{expected panels of values that make up 128 columns, got 'memref<2x16x32xf32>'}}
  %w = nm.load_values %v[%i] : memref<2x16x32xf32> -> !nm.fragment<1x128xf32, values>
  return
}

// -----

func.func @mma_c1(%x: !nm.fragment<64x2xf32, rows>, %w: !nm.fragment<1x128xf32, values>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected fragments of MxK, KxN and MxN, got '!nm.fragment<64x2xf32, rows>', '!nm.fragment<1x128xf32, values>' and '!nm.fragment<64x128xf32>'}}
  %r = nm.mma %x, %w, %acc : !nm.fragment<64x2xf32, rows>, !nm.fragment<1x128xf32, values> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @mma_c2(%x: !nm.fragment<64x1xi8, rows>, %w: !nm.fragment<1x128xi8, values>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected rows and values whose products are summed in 'f32', got 'i8' and 'i8'}}
  %r = nm.mma %x, %w, %acc : !nm.fragment<64x1xi8, rows>, !nm.fragment<1x128xi8, values> -> !nm.fragment<64x128xf32>
  return
}
