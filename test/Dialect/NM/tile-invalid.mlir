// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of the tile level (docs/Spec.md).

func.func @tile_mma_c1(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected indices of rank 2, got 'memref<16xi8>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c1_values(%a: memref<64x64xf32>, %v: memref<2048xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected values of rank 2, or of rank 3 in panels, got 'memref<2048xf32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<2048xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c7(%a: memref<64x64xf32>, %v: memref<?x16x32xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected panels of values that make up 128 columns, got 'memref<?x16x32xf32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<?x16x32xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

// Token-major A is no panels.
func.func @tile_mma_c1_a(%a: memref<2x64x32xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected A of rank 2, got 'memref<2x64x32xf32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>, a_layout = #nm.layout<token_major>}
      : memref<2x64x32xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c1_a_rank(%a: memref<64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected A of rank 2, or of rank 3 in panels, got 'memref<64xf32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>, a_layout = #nm.layout<feature_major>}
      : memref<64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c2_panels(%a: memref<3x64x32xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected rows of m of A of at most 64, got 96}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>, a_layout = #nm.layout<feature_major>}
      : memref<3x64x32xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c2_m(%a: memref<64x65xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected rows of m of A of at most 64, got 65}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x65xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c2_n(%a: memref<64x64xf32>, %v: memref<16x129xf32>, %d: memref<16x5xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected columns of values of at most 128, got 129}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x129xf32>, memref<16x5xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c3(%a: memref<64x64xi8>, %v: memref<16x128xi8>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected A and values whose products are summed in 'f32', got 'i8' and 'i8'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xi8>, memref<16x128xi8>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c4(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xf32>, %acc: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected indices of integers, got 'memref<16x4xf32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xf32> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c5(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>, %cols: memref<1x40xi32>) {
  // expected-error @below {{expected the coding rows beside columns, got window}}
  %0 = nm.tile_mma %a, %v, %d, %acc columns(%cols : memref<1x40xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_mma_c6(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<4x16xi32>, %acc: !nm.fragment<64x128xf32>, %cols: memref<1x?xi32>) {
  // expected-error @below {{expected columns of one row of i32 of static extent, got 'memref<1x?xi32>'}}
  %0 = nm.tile_mma %a, %v, %d, %acc columns(%cols : memref<1x?xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_copy_c1_space(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  // expected-error @below {{expected a destination of static shape in workgroup memory, got 'memref<64x64xf32>'}}
  nm.tile_copy %a, %b : memref<64x64xf32> to memref<64x64xf32>
  return
}

// -----

func.func @tile_copy_c1_type(%a: memref<64x64xf32>, %b: memref<64x64xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of the source's element type 'f32', got}}
  nm.tile_copy %a, %b : memref<64x64xf32> to memref<64x64xf16, #gpu.address_space<workgroup>>
  return
}

// -----

// Panels of the destination are of a copy that transposes.
func.func @tile_copy_c1_panels(%a: memref<64x4xf16>, %b: memref<2x64x2xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected the destination of rank 2, got 'memref<2x64x2xf16, #gpu.address_space<workgroup>>'}}
  nm.tile_copy %a, %b : memref<64x4xf16> to memref<2x64x2xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c1_rank(%a: memref<4x64xf16>, %b: memref<64xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected the destination of rank 2, or of rank 3 in panels, got 'memref<64xf16, #gpu.address_space<workgroup>>'}}
  nm.tile_copy %a, %b {transpose} : memref<4x64xf16> to memref<64xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c1_gaps(%a: memref<4x64xf16>, %b: memref<2x64x2xf16, strided<[256, 4, 1]>, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected panels of the destination that have columns and no gaps, got 'memref<2x64x2xf16, strided<[256, 4, 1]>}}
  nm.tile_copy %a, %b {transpose} : memref<4x64xf16> to memref<2x64x2xf16, strided<[256, 4, 1]>, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c1_columns(%a: memref<0x64xf16>, %b: memref<2x64x0xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected panels of the destination that have columns and no gaps, got 'memref<2x64x0xf16}}
  nm.tile_copy %a, %b {transpose} : memref<0x64xf16> to memref<2x64x0xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c2_panels(%a: memref<5x64xf16>, %b: memref<2x64x2xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected source extents of at most 4, got 5}}
  nm.tile_copy %a, %b {transpose} : memref<5x64xf16> to memref<2x64x2xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c2(%a: memref<32x64xf32>, %b: memref<32x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected source extents of at most 32, got 64}}
  nm.tile_copy %a, %b {transpose} : memref<32x64xf32> to memref<32x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c3(%a: memref<2x32x16xf32>, %b: memref<32x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected panels of the source that make up 64 columns, got 'memref<2x32x16xf32>'}}
  nm.tile_copy %a, %b : memref<2x32x16xf32> to memref<32x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c3_transpose(%a: memref<2x64x16xf32>, %b: memref<32x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a source that is transposed of rank 2, got 'memref<2x64x16xf32>'}}
  nm.tile_copy %a, %b {transpose} : memref<2x64x16xf32> to memref<32x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_gather_c1_panels(%a: memref<2x64x32xf32>, %cols: memref<1x40xi32>, %b: memref<40x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected the source of rank 2, got 'memref<2x64x32xf32>'}}
  nm.tile_gather %a, %cols, %b : memref<2x64x32xf32>, memref<1x40xi32> to memref<40x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_gather_c1(%a: memref<64x64xf32>, %cols: memref<1x40xi32>, %b: memref<?x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of static shape in workgroup memory, got}}
  nm.tile_gather %a, %cols, %b : memref<64x64xf32>, memref<1x40xi32> to memref<?x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_gather_c2(%a: memref<64x64xf32>, %cols: memref<1x39xi32>, %b: memref<40x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected columns of 1x40 i32, got 'memref<1x39xi32>'}}
  nm.tile_gather %a, %cols, %b : memref<64x64xf32>, memref<1x39xi32> to memref<40x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_fetch_c1_space(%a: memref<128x32xf32>, %s: memref<128x32xf32>) {
  // expected-error @below {{expected a destination of static shape in workgroup memory, got 'memref<128x32xf32>'}}
  nm.tile_fetch %a, %s : memref<128x32xf32> to memref<128x32xf32>
  return
}

// -----

func.func @tile_fetch_c1_type(%a: memref<128x32xf32>, %s: memref<128x32xf16, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of the source's element type 'f32', got}}
  nm.tile_fetch %a, %s : memref<128x32xf32> to memref<128x32xf16, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_fetch_c2(%a: memref<128x30xf32>, %s: memref<128x30xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a tile of whole blocks, multiples of 2 rows by 4 columns, got 'memref<128x30xf32}}
  nm.tile_fetch %a, %s : memref<128x30xf32> to memref<128x30xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_fetch_c2_bytes(%a: memref<128x32xi8>, %s: memref<128x32xi8, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected elements of 2, 4 or 8 bytes, got}}
  nm.tile_fetch %a, %s : memref<128x32xi8> to memref<128x32xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_fetch_c3(%a: memref<132x32xf32>, %s: memref<128x32xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected source extents of at most 128, got 132}}
  nm.tile_fetch %a, %s : memref<132x32xf32> to memref<128x32xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_transpose_c1_staging(%s: memref<128x32xf32>, %b: memref<32x128xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of static shape in workgroup memory, got 'memref<128x32xf32>'}}
  nm.tile_transpose %s, %b : memref<128x32xf32> to memref<32x128xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_transpose_c1_destination(%s: memref<128x32xf32, #gpu.address_space<workgroup>>, %b: memref<32x128xf32>) {
  // expected-error @below {{expected a destination of static shape in workgroup memory, got 'memref<32x128xf32>'}}
  nm.tile_transpose %s, %b : memref<128x32xf32, #gpu.address_space<workgroup>> to memref<32x128xf32>
  return
}

// -----

func.func @tile_transpose_c1_blocks(%s: memref<127x32xf32, #gpu.address_space<workgroup>>, %b: memref<32x127xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a tile of whole blocks, multiples of 2 rows by 4 columns, got 'memref<127x32xf32}}
  nm.tile_transpose %s, %b : memref<127x32xf32, #gpu.address_space<workgroup>> to memref<32x127xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_transpose_c2(%s: memref<128x32xf32, #gpu.address_space<workgroup>>, %b: memref<32x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of the staging buffer's extents, exchanged, got 'memref<128x32xf32}}
  nm.tile_transpose %s, %b : memref<128x32xf32, #gpu.address_space<workgroup>> to memref<32x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_store_c1(%v: !nm.fragment<64x128xf32>, %c: memref<128xf32>) {
  // expected-error @below {{expected the destination of rank 2, got 'memref<128xf32>'}}
  nm.tile_store %v, %c : !nm.fragment<64x128xf32>, memref<128xf32>
  return
}

// -----

func.func @tile_store_c2(%v: !nm.fragment<64x128xf32>, %c: memref<65x128xf32>) {
  // expected-error @below {{expected rows of m of at most 64, got 65}}
  nm.tile_store %v, %c : !nm.fragment<64x128xf32>, memref<65x128xf32>
  return
}

// -----

func.func @tile_store_c3(%v: !nm.fragment<64x128xf32>, %c: memref<64x128xf32>, %b: memref<1x128xf32>) {
  // expected-error @below {{expected the bias of rank 1, got 'memref<1x128xf32>'}}
  nm.tile_store %v, %c bias(%b : memref<1x128xf32>) : !nm.fragment<64x128xf32>, memref<64x128xf32>
  return
}

// -----

func.func @tile_store_c4(%v: !nm.fragment<64x128xf32>, %c: memref<64x128xf32>, %r: memref<64x128xf16>) {
  // expected-error @below {{expected a residual like the destination 'memref<64x128xf32>', got 'memref<64x128xf16>'}}
  nm.tile_store %v, %c residual(%r : memref<64x128xf16>) : !nm.fragment<64x128xf32>, memref<64x128xf32>
  return
}

// -----

func.func @tile_store_c5(%v: !nm.fragment<64x128xf32>, %c: memref<64x128xf32>, %s: memref<1x128xf32>) {
  // expected-error @below {{expected the scale of rank 1, got 'memref<1x128xf32>'}}
  nm.tile_store %v, %c scale(%s : memref<1x128xf32>) : !nm.fragment<64x128xf32>, memref<64x128xf32>
  return
}

// -----

func.func @tile_store_c6(%v: !nm.fragment<64x128xi32>, %c: memref<64x128xf32>) {
  // expected-error @below {{expected a destination for sums of 'i32' without a scale, got 'memref<64x128xf32>'}}
  nm.tile_store %v, %c : !nm.fragment<64x128xi32>, memref<64x128xf32>
  return
}

// -----

func.func @wait_for_less_than_nothing() {
  // expected-error @below {{attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  nm.wait {pending = -1 : i64}
  return
}

// -----

func.func @tile_copy_c4(%a: memref<64x64xf32>, %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                        %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected an asynchronous copy, not transposed, of a source as large as the destination, of rows of a multiple of 16 bytes, through a barrier, got 'memref<64x64xf32>' to}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c4_smaller(%a: memref<64x?xf32>, %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                                %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected an asynchronous copy, not transposed, of a source as large as the destination, of rows of a multiple of 16 bytes, through a barrier, got 'memref<64x?xf32>' to}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      {async} : memref<64x?xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c4_transposed(%a: memref<64x64xf32>, %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                                   %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected an asynchronous copy, not transposed, of}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      {async, transpose} : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c4_rows(%a: memref<64x6xf32, strided<[8, 1]>>, %as: memref<64x6xf32, #gpu.address_space<workgroup>>,
                             %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{of rows of a multiple of 16 bytes, through a barrier, got 'memref<64x6xf32, strided<[8, 1]>>'}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      {async} : memref<64x6xf32, strided<[8, 1]>> to memref<64x6xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c4_bytes(%a: memref<3x6xf32>, %as: memref<3x6xf32, #gpu.address_space<workgroup>>,
                              %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{of rows of a multiple of 16 bytes, through a barrier, got 'memref<3x6xf32>'}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      {async} : memref<3x6xf32> to memref<3x6xf32, #gpu.address_space<workgroup>>
  return
}

// -----

// Without gaps, but in another order.
func.func @tile_copy_c4_panels(%a: memref<2x16x2xf32>, %as: memref<16x4xf32, #gpu.address_space<workgroup>>,
                               %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{of rows of a multiple of 16 bytes, through a barrier, got 'memref<2x16x2xf32>'}}
  nm.tile_copy %a, %as through %b : memref<1xi64, #gpu.address_space<workgroup>>
      {async} : memref<2x16x2xf32> to memref<16x4xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c4_barriers(%a: memref<64x64xf32>, %as: memref<64x64xf32, #gpu.address_space<workgroup>>,
                                 %b: memref<2xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<2xi64, #gpu.address_space<workgroup>>'}}
  nm.tile_copy %a, %as through %b : memref<2xi64, #gpu.address_space<workgroup>>
      {async} : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_copy_c5(%a: memref<64x64xf32>, %as: memref<64x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a cached copy to be an asynchronous one of threads}}
  nm.tile_copy %a, %as {cached} : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @init_barriers_c1(%b: memref<2xi64>) {
  // expected-error @below {{expected barriers of i64 in workgroup memory, got 'memref<2xi64>'}}
  nm.init_barriers %b : memref<2xi64>
  return
}

// -----

func.func @commit_c1(%b: memref<1xi32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<1xi32, #gpu.address_space<workgroup>>'}}
  nm.commit 64 through %b : memref<1xi32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @commit_c1_bytes(%b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected at most 1048575 bytes a phase, got 1048576}}
  nm.commit 1048576 through %b : memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @wait_c1(%b: memref<2xi64, #gpu.address_space<workgroup>>, %odd: i1) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<2xi64, #gpu.address_space<workgroup>>'}}
  nm.wait for %b phase %odd : memref<2xi64, #gpu.address_space<workgroup>> {pending = 0 : i64}
  return
}

// -----

func.func @commit_c2(%b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected bytes beside a barrier, and none without}}
  "nm.commit"(%b) <{operandSegmentSizes = array<i32: 1, 0>}> : (memref<1xi64, #gpu.address_space<workgroup>>) -> ()
  return
}

// -----

func.func @wait_c2(%b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a phase beside a barrier, and none without}}
  "nm.wait"(%b) <{pending = 0 : i64, operandSegmentSizes = array<i32: 1, 0>}> : (memref<1xi64, #gpu.address_space<workgroup>>) -> ()
  return
}

// -----

func.func @tile_reduce_c1(%acc: !nm.fragment<64x128xf32>, %i: index, %w: memref<263x4096xf32>, %n: memref<1xi32>) {
  // expected-error @below {{expected a workspace with a row of 8192 x 'f32' for each part, got 'memref<263x4096xf32>'}}
  %sum = nm.tile_reduce %acc across(grid) row(%i of %i to %i) in(%w, %n : memref<263x4096xf32>, memref<1xi32>) : !nm.fragment<64x128xf32>
  return
}

// -----

func.func @tile_reduce_c2(%acc: !nm.fragment<64x128xf32>, %i: index, %w: memref<263x8192xf32>, %n: memref<2xi32>) {
  // expected-error @below {{expected arrivals that are one i32, got 'memref<2xi32>'}}
  %sum = nm.tile_reduce %acc across(grid) row(%i of %i to %i) in(%w, %n : memref<263x8192xf32>, memref<2xi32>) : !nm.fragment<64x128xf32>
  return
}

// -----

func.func @wait_c3() {
  // expected-error @below {{expected `pending` without a barrier}}
  nm.wait
  return
}

// -----

func.func @arrive_c1(%b: memref<1xi32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<1xi32, #gpu.address_space<workgroup>>'}}
  nm.arrive %b : memref<1xi32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @arrive_c1_copies(%b: memref<2xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<2xi64, #gpu.address_space<workgroup>>'}}
  nm.arrive %b {copies} : memref<2xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @arrive_c2(%b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected `copies`, which are a thread's, or `warp`, got both}}
  nm.arrive %b {copies, warp} : memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @init_barriers_without_arrivals(%b: memref<2xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{attribute 'arrivals' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  nm.init_barriers %b {arrivals = 0 : i64} : memref<2xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c1_rank(%map: !nm.tensor_map, %i: index, %s: memref<64xf32, #gpu.address_space<workgroup>>, %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected the destination of rank 2, or of rank 3 in panels, got 'memref<64xf32, #gpu.address_space<workgroup>>'}}
  nm.tile_box %map[%i, %i], %s through %b : memref<64xf32, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c1(%map: !nm.tensor_map, %i: index, %s: memref<64x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>, %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of static shape without gaps in workgroup memory, got 'memref<64x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>'}}
  nm.tile_box %map[%i, %i], %s through %b : memref<64x32xf32, strided<[36, 1]>, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c1_space(%map: !nm.tensor_map, %i: index, %s: memref<64x32xf32>, %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected a destination of static shape without gaps in workgroup memory, got 'memref<64x32xf32>'}}
  nm.tile_box %map[%i, %i], %s through %b : memref<64x32xf32>, memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c2(%map: !nm.tensor_map, %i: index, %s: memref<64x32xf32, #gpu.address_space<workgroup>>, %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected 2 to 5 coordinates, one for each dimension of the tensor, got 1}}
  nm.tile_box %map[%i], %s through %b : memref<64x32xf32, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c2_most(%map: !nm.tensor_map, %i: index, %s: memref<64x32xf32, #gpu.address_space<workgroup>>, %b: memref<1xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected 2 to 5 coordinates, one for each dimension of the tensor, got 6}}
  nm.tile_box %map[%i, %i, %i, %i, %i, %i], %s through %b : memref<64x32xf32, #gpu.address_space<workgroup>>, memref<1xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @tile_box_c3(%map: !nm.tensor_map, %i: index, %s: memref<64x32xf32, #gpu.address_space<workgroup>>, %b: memref<2xi64, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected one barrier of i64 in workgroup memory, got 'memref<2xi64, #gpu.address_space<workgroup>>'}}
  nm.tile_box %map[%i, %i], %s through %b : memref<64x32xf32, #gpu.address_space<workgroup>>, memref<2xi64, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @roles_c1() {
  // expected-error @below {{expected it in a gpu.launch, outside of loops, so that all threads of the block reach it}}
  nm.roles producers = 1 {
  } consumers {
  }
  return
}

// -----

func.func @roles_c1_loop() {
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c96, %sy = %c1, %sz = %c1) {
    scf.for %i = %c1 to %c96 step %c1 {
      // expected-error @below {{expected it in a gpu.launch, outside of loops, so that all threads of the block reach it}}
      nm.roles producers = 1 {
      } consumers {
      }
    }
    gpu.terminator
  }
  return
}

// -----

func.func @roles_c2() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected a block of more threads than its 2 warps of producers have}}
    nm.roles producers = 2 {
    } consumers {
    }
    gpu.terminator
  }
  return
}

// -----

func.func @roles_without_producers() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    // expected-error @below {{attribute 'producers' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    nm.roles producers = 0 {
    } consumers {
    }
    gpu.terminator
  }
  return
}
