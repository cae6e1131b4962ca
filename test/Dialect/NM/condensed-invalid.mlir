// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of !nm.condensed, #nm.packing and the ops that make
// condensed weights and take them apart (docs/Spec.md).

// expected-error @below {{expected positive block_n and step_k, got 0 and 32}}
func.func private @packing_c1() attributes {p = #nm.packing<block_n = 0, step_k = 32>}

// -----

// expected-error @below {{expected 0 to 32 columns (the rows of a step), got 33}}
func.func private @packing_c2() attributes {p = #nm.packing<block_n = 64, step_k = 32, columns = 33>}

// -----

// expected-error @below {{expected extents from 1 to 2^31 - 1, got 0x128}}
func.func private @condensed_c1_k(!nm.condensed<0x128xf32, #nm.pattern<2:4>>)

// -----

// expected-error @below {{expected extents from 1 to 2^31 - 1, got 64x2147483648}}
func.func private @condensed_c1_huge(!nm.condensed<64x2147483648xf32, #nm.pattern<2:4>>)

// -----

// expected-error @below {{expected f16, bf16, f32, f64 or i8 elements, got 'f80'}}
func.func private @condensed_c2(!nm.condensed<64x128xf80, #nm.pattern<2:4>>)

// -----

// expected-error @below {{elements, got 'ui8'}}
func.func private @condensed_c2_unsigned(!nm.condensed<64x128xui8, #nm.pattern<2:4>>)

// -----

// expected-error @below {{expected at most 4 kept units (all of k), got 5}}
func.func private @condensed_c3(!nm.condensed<64x128xf32, #nm.pattern<5:all, unit = 16x16>>)

// -----

// expected-error @below {{expected a number of panels that divides block_n = 64, got 3}}
func.func private @packing_c3() attributes {p = #nm.packing<block_n = 64, step_k = 32, panels = 3>}

// -----

// expected-error @below {{expected at least one lane_rows, got 0}}
func.func private @packing_c4() attributes {p = #nm.packing<block_n = 64, step_k = 32, lane_rows = 0>}

// -----

// expected-error @below {{expected the coding rows beside columns, got mask}}
func.func private @packing_c5() attributes {p = #nm.packing<block_n = 64, step_k = 32, columns = 4, coding = mask>}

// -----

// expected-error @below {{expected the coding rows, positions, mask or bits, got window, which is that of a weight without packing}}
func.func private @packing_c5_window() attributes {p = #nm.packing<block_n = 64, step_k = 32, coding = window>}

// -----

// expected-error @below {{expected position_rows, value_rows and value_columns of 0 or more, got 0, -1 and 0}}
func.func private @packing_c6() attributes {p = #nm.packing<block_n = 64, step_k = 32, value_rows = -1>}

// -----

// expected-error @below {{expected position_rows, value_rows and value_columns of 0 or more, got 0, 0 and -64}}
func.func private @packing_c6_columns() attributes {p = #nm.packing<block_n = 64, step_k = 32, value_columns = -64>}

// -----

// expected-error @below {{expected position_rows of whole windows that divide a step of 64 rows, beside positions in windows of a number of units, got 48}}
func.func private @condensed_c10(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 64, coding = positions, position_rows = 48>>)

// -----

// expected-error @below {{expected position_rows of whole windows that divide a step of 64 rows, beside positions in windows of a number of units, got 64}}
func.func private @condensed_c10_rows(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 64, position_rows = 64>>)

// -----

// expected-error @below {{expected position_rows of whole windows that divide a step of 64 rows, beside positions in windows of a number of units, got 64}}
func.func private @condensed_c10_all(!nm.condensed<64x128xf32, #nm.pattern<8:all>, #nm.packing<block_n = 64, step_k = 64, coding = positions, position_rows = 64>>)

// -----

// expected-error @below {{expected value_rows of at least the 16 condensed rows of all steps, and a multiple of lane_rows, got 15}}
func.func private @condensed_c11(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, value_rows = 15>>)

// -----

// expected-error @below {{expected value_rows of at least the 16 condensed rows of all steps, and a multiple of lane_rows, got 18}}
func.func private @condensed_c11_lanes(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, lane_rows = 4, value_rows = 18>>)

// -----

// expected-error @below {{expected value_columns of at least the 128 columns of all blocks, and a multiple of the columns of a panel and of those that share an index, got 64}}
func.func private @condensed_c12(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, value_columns = 64>>)

// -----

// expected-error @below {{expected value_columns of at least the 128 columns of all blocks, and a multiple of the columns of a panel and of those that share an index, got 160}}
func.func private @condensed_c12_panels(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, value_columns = 160>>)

// -----

func.func @constant_c5_position_rows() {
  // expected-error @below {{expected packed positions below 8 (position_rows), got 8 at element 2}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[6, 1, 8, 0]]]> : tensor<1x1x4xi8>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 8, coding = positions, position_rows = 8>>
  return
}

// -----

// expected-error @below {{expected lane_rows to divide the 8 condensed rows of a step, and to be 1 for units of more than one row, got 3}}
func.func private @condensed_c7(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, lane_rows = 3>>)

// -----

// expected-error @below {{expected windows of at most 64 units, and steps of whole words of them, for masks, got windows of 4 units and steps of 3 windows}}
func.func private @condensed_c8(!nm.condensed<64x128xf32, #nm.pattern<2:4>, #nm.packing<block_n = 64, step_k = 12, coding = mask>>)

// -----

// expected-error @below {{expected steps whose positions are whole words of 32 bits, got 8 of 5 bits}}
func.func private @condensed_c8_bits(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 32, coding = bits>>)

// -----

// expected-error @below {{expected panels of a multiple of 16 columns, and lane_rows = 16, for fragments, got 8 columns and lane_rows = 16}}
func.func private @condensed_c9(!nm.condensed<64x128xf16, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 8, step_k = 64, lane_rows = 16, coding = positions, fragments = true>>)

// -----

// expected-error @below {{for fragments, got 32 columns and lane_rows = 8}}
func.func private @condensed_c9_rows(!nm.condensed<64x128xf16, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 8, coding = positions, fragments = true>>)

// -----

// expected-error @below {{expected step_k to hold whole windows of 32 rows, got 48}}
func.func private @condensed_c4(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 48>>)

// -----

// expected-error @below {{expected step_k to hold whole windows of 64 rows, got 32}}
func.func private @condensed_c4_all(!nm.condensed<64x128xf32, #nm.pattern<8:all>, #nm.packing<block_n = 64, step_k = 32>>)

// -----

// expected-error @below {{expected block_n to divide the unit's 32 columns or to be a multiple of them, got 48}}
func.func private @condensed_c5(!nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 48, step_k = 32>>)

// -----

// expected-error @below {{expected a packed weight whose sizes fit 64 bits and whose steps have less than 2^31 rows, got block_n = 4611686018427387904 and step_k = 32 for 64x128, 8:32, unit 1x1}}
func.func private @condensed_c6(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 4611686018427387904, step_k = 32>>)

// -----

// expected-error @below {{and whose steps have less than 2^31 rows, got block_n = 64 and step_k = 2147483648}}
func.func private @condensed_c6_rows(!nm.condensed<64x128xf32, #nm.pattern<8:32>, #nm.packing<block_n = 64, step_k = 2147483648>>)

// -----

// expected-error @below {{expected positive extents, got 0x128}}
func.func private @fragment_c1(!nm.fragment<0x128xf32>)

// -----

// expected-error @below {{expected f32 or i32 elements, got 'f16'}}
func.func private @fragment_c2(!nm.fragment<64x128xf16>)

// -----

// expected-error @below {{expected positions of index, got 'i32'}}
func.func private @fragment_c3(!nm.fragment<4x8xi32, positions>)

// -----

// expected-error @below {{expected rows, values or positions, got columns}}
func.func private @fragment_role(!nm.fragment<4x8xi32, columns>)

// -----

func.func @constant_c1() {
  // expected-error @below {{expected values of type 'tensor<2x2xf32>', got 'tensor<3x2xf32>'}}
  %w = nm.constant {values = dense<1.0> : tensor<3x2xf32>, indices = dense<[[0, 1], [3, 2]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c2() {
  // expected-error @below {{expected indices of type 'tensor<2x2xi8>', got 'tensor<2x2xi32>'}}
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 1], [3, 2]]> : tensor<2x2xi32>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c3() {
  // expected-error @below {{expected column information exactly when the packing has columns}}
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 1], [3, 2]]> : tensor<2x2xi8>,
                    columns = dense<0> : tensor<1x4xi32>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c3_shape() {
  // expected-error @below {{expected columns of type 'tensor<1x3xi32>', got 'tensor<1x4xi32>'}}
  %w = nm.constant {values = dense<1.0> : tensor<1x2x2xf32>, indices = dense<0> : tensor<1x2x2xi32>,
                    columns = dense<0> : tensor<1x4xi32>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>, #nm.packing<block_n = 2, step_k = 4, columns = 3>>
  return
}

// -----

func.func @constant_c4_window() {
  // expected-error @below {{expected indices below 4 (the window), got 4 at row 1, column 0}}
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 1], [4, 2]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return
}

// -----

// Of one value for billions of indices one is looked at.
func.func @constant_c4_splat() {
  // expected-error @below {{expected ascending, unique indices in each window, got 1 after 1 at row 1, column 0}}
  %w = nm.constant {values = dense<1.0> : tensor<4x2147483647xf32>, indices = dense<1> : tensor<4x2147483647xi8>}
      : !nm.condensed<8x2147483647xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c4_duplicate() {
  // expected-error @below {{expected ascending, unique indices in each window, got 1 after 1 at row 1, column 1}}
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 1], [3, 1]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c4_descending() {
  // expected-error @below {{expected ascending, unique indices in each window, got 0 after 3 at row 3, column 0}}
  %w = nm.constant {values = dense<1.0> : tensor<4x1xf32>, indices = dense<[[0], [1], [3], [0]]> : tensor<4x1xi8>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @condense_c1(%dense: tensor<64x127xf32>) {
  // expected-error @below {{expected dense weight of type 'tensor<64x128xf32>', got 'tensor<64x127xf32>'}}
  %w = nm.condense %dense : tensor<64x127xf32> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @constant_c5_rows() {
  // expected-error @below {{expected packed indices from 0 to 3, multiples of 1 (the rows of a step), got 4 at element 1}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[0, 4]], [[0, 3]]]> : tensor<2x1x2xi32>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4>>
  return
}

// -----

func.func @constant_c5_unit() {
  // expected-error @below {{expected packed indices from 0 to 6, multiples of 2 (the rows of a step), got 5 at element 0}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[5, 6]]]> : tensor<1x1x2xi32>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4, unit = 2x1>, #nm.packing<block_n = 1, step_k = 8>>
  return
}

// -----

func.func @constant_c5_list() {
  // expected-error @below {{expected packed indices from 0 to 1, multiples of 1 (the columns of a step), got -1 at element 3}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[0, 1]], [[0, -1]]]> : tensor<2x1x2xi32>,
                    columns = dense<[[0, 3], [-1, 2]]> : tensor<2x2xi32>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4, columns = 2>>
  return
}

// -----

func.func @constant_c5_position() {
  // expected-error @below {{expected packed positions below 4 (the window), got 4 at element 3}}
  %w = nm.constant {values = dense<1.0> : tensor<1x2x2xf32>, indices = dense<[[[0, 1]], [[0, 4]]]> : tensor<2x1x2xi8>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4, lane_rows = 2, coding = positions>>
  return
}

// -----

func.func @constant_c5_mask() {
  // expected-error @below {{expected packed masks of windows that keep 1 of 16 units, got 3221225472 at element 1}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[0x80000001]], [[0xC0000000]]]> : tensor<2x1x1xi32>}
      : !nm.condensed<64x1xf32, #nm.pattern<1:16>, #nm.packing<block_n = 1, step_k = 32, coding = mask>>
  return
}

// -----

func.func @constant_c5_mask_rest() {
  // expected-error @below {{expected packed masks of windows that keep 1 of 10 units, got 2148534275 at element 0}}
  %w = nm.constant {values = dense<1.0> : tensor<1x3x1xf32>, indices = dense<0x80100803> : tensor<1x1x1xi32>}
      : !nm.condensed<30x1xf32, #nm.pattern<1:10>, #nm.packing<block_n = 1, step_k = 30, coding = mask>>
  return
}

// -----

func.func @constant_c5_bits() {
  // expected-error @below {{expected packed positions below 6 (the window), got 7 at unit 10 of step 1 and unit column 1}}
  %w = nm.constant {values = dense<1.0> : tensor<1x64x2xf32>, indices = dense<[[[0, 0], [0, 0], [0, 0]], [[0, 0xC0000000], [0, 1], [0, 0]]]> : tensor<2x3x2xi32>}
      : !nm.condensed<192x2xf32, #nm.pattern<2:6>, #nm.packing<block_n = 2, step_k = 96, coding = bits>>
  return
}

// -----

func.func @constant_c5_columns() {
  // expected-error @below {{expected columns from -1 (none) to 3 (the rows of a step), got 4 at element 3}}
  %w = nm.constant {values = dense<1.0> : tensor<1x4x1xf32>, indices = dense<[[[0, 1]], [[0, 1]]]> : tensor<2x1x2xi32>,
                    columns = dense<[[0, 3], [-1, 4]]> : tensor<2x2xi32>}
      : !nm.condensed<8x1xf32, #nm.pattern<2:4>, #nm.packing<block_n = 1, step_k = 4, columns = 2>>
  return
}

// -----

func.func @condense_c1_packed(%dense: tensor<64x128xf32>) {
  // expected-error @below {{expected a type without packing}}
  %w = nm.condense %dense : tensor<64x128xf32>
      -> !nm.condensed<64x128xf32, #nm.pattern<2:4>, #nm.packing<block_n = 64, step_k = 64>>
  return
}

// -----

func.func @expand_c1(%w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>) {
  // expected-error @below {{expected dense weight of type 'tensor<64x128xf32>', got 'tensor<128x64xf32>'}}
  %d = nm.expand %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<128x64xf32>
  return
}

// -----

func.func @assemble_c1(%v: tensor<32x128xf16>, %i: tensor<32x128xi8>) {
  // expected-error @below {{expected values of type 'tensor<32x128xf32>', got 'tensor<32x128xf16>'}}
  %w = nm.assemble %v, %i : tensor<32x128xf16>, tensor<32x128xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @assemble_c2(%v: tensor<32x128xf32>, %i: tensor<32x127xi8>) {
  // expected-error @below {{expected indices of type 'tensor<32x128xi8>', got 'tensor<32x127xi8>'}}
  %w = nm.assemble %v, %i : tensor<32x128xf32>, tensor<32x127xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @assemble_c3(%v: tensor<32x128xf32>, %i: tensor<32x128xi8>, %c: tensor<1x4xi32>) {
  // expected-error @below {{expected column information exactly when the packing has columns}}
  %w = nm.assemble %v, %i columns(%c : tensor<1x4xi32>)
      : tensor<32x128xf32>, tensor<32x128xi8> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @values_c1(%w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>) {
  // expected-error @below {{expected values of type 'tensor<32x128xf32>', got 'tensor<64x128xf32>'}}
  %v = nm.values %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<64x128xf32>
  return
}

// -----

func.func @indices_c1(%w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>) {
  // expected-error @below {{expected indices of type 'tensor<32x128xi8>', got 'tensor<32x128xi32>'}}
  %i = nm.indices %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<32x128xi32>
  return
}
