// RUN: nm-opt %s -split-input-file -verify-diagnostics

func.func @pack_c1(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  // expected-error @below {{expected one weight without and with a packing}}
  %p = nm.pack %w : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x32xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
  return
}

// -----

func.func @pack_c2(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  // expected-error @below {{expected a known order of rows, got `random`}}
  %p = nm.pack %w {order = "random"} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
  return
}

// -----

func.func @pack_c2_lists(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  // expected-error @below {{expected a packing without columns, whose number depends on the data}}
  %p = nm.pack %w : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32, columns = 16>>
  return
}

// -----

func.func @pack_c2_rows(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  // expected-error @below {{expected an order of rows that divide a step of 32 rows and are whole windows, got one of 24}}
  %p = nm.pack %w {order = "banks", ordered_rows = 24 : i64} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32>>
  return
}

// -----

func.func @pack_c2_coding(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  // expected-error @below {{expected indices that are rows, or positions that count in as many as are ordered, with an order of the rows}}
  %p = nm.pack %w {order = "banks"} : !nm.condensed<128x64xf16, #nm.pattern<1:2>> -> !nm.condensed<128x64xf16, #nm.pattern<1:2>, #nm.packing<block_n = 32, step_k = 32, coding = positions>>
  return
}

// -----

// expected-error @below {{expected numbers of a weight and of a layout from 0 to 65535, got 0 and 65536}}
func.func private @part_c1_large(tensor<32x128xf16> {nm.part = [#nm.part<weight = 0, layout = 65536, kind = values, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]})

// -----

// expected-error @below {{expected numbers of a weight and of a layout from 0 to 65535, got -1 and 0}}
func.func private @part_c1(tensor<32x128xf16> {nm.part = [#nm.part<weight = -1, layout = 0, kind = values, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]})

// -----

// expected-error @below {{expected rows in the order of k without a packing, got `banks` of 0 rows}}
func.func private @part_c2(tensor<32x128xf16> {nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>, order = "banks">]})

// -----

// expected-error @below {{expected `nm.part` to be a list of #nm.part, at least one, on an argument of a function, got []}}
func.func private @part_c3(tensor<32x128xf16> {nm.part = []})

// -----

// expected-error @below {{expected argument #0 of type 'tensor<32x128xi8>', which `nm.part` says, got 'tensor<32x128xi16>'}}
func.func private @part_c4(tensor<32x128xi16> {nm.part = [#nm.part<weight = 0, layout = 0, kind = indices, type = !nm.condensed<64x128xf16, #nm.pattern<2:4>>>]})
