// Kernels of rows of dynamic extents give what the CPU path does, bit for bit, where
// vectors are whole and where they are not. tools/scripts/mutation plants errors that these
// functions see.
//
// REQUIRES: numpy
// RUN: nm-run %s --entry=flat --dynamic-size=32 --device=cpu --output-dir=%t.flat.32.cpu
// RUN: nm-run %s --entry=flat --dynamic-size=32 --device=emulator --output-dir=%t.flat.32
// RUN: cmp %t.flat.32.cpu/0.npy %t.flat.32/0.npy
// RUN: nm-run %s --entry=flat --dynamic-size=33 --device=cpu --output-dir=%t.flat.33.cpu
// RUN: nm-run %s --entry=flat --dynamic-size=33 --device=emulator --output-dir=%t.flat.33
// RUN: cmp %t.flat.33.cpu/0.npy %t.flat.33/0.npy
// RUN: nm-run %s --entry=biased --dynamic-size=32 --device=cpu --output-dir=%t.biased.32.cpu
// RUN: nm-run %s --entry=biased --dynamic-size=32 --device=emulator --output-dir=%t.biased.32
// RUN: cmp %t.biased.32.cpu/0.npy %t.biased.32/0.npy
// RUN: nm-run %s --entry=biased --dynamic-size=33 --device=cpu --output-dir=%t.biased.33.cpu
// RUN: nm-run %s --entry=biased --dynamic-size=33 --device=emulator --output-dir=%t.biased.33
// RUN: cmp %t.biased.33.cpu/0.npy %t.biased.33/0.npy
// RUN: nm-run %s --entry=heads --dynamic-size=32 --device=cpu --output-dir=%t.heads.32.cpu
// RUN: nm-run %s --entry=heads --dynamic-size=32 --device=emulator --output-dir=%t.heads.32
// RUN: cmp %t.heads.32.cpu/0.npy %t.heads.32/0.npy
// RUN: nm-run %s --entry=heads --dynamic-size=33 --device=cpu --output-dir=%t.heads.33.cpu
// RUN: nm-run %s --entry=heads --dynamic-size=33 --device=emulator --output-dir=%t.heads.33
// RUN: cmp %t.heads.33.cpu/0.npy %t.heads.33/0.npy
// RUN: nm-run %s --entry=short --dynamic-size=3 --device=cpu --output-dir=%t.short.3.cpu
// RUN: nm-run %s --entry=short --dynamic-size=3 --device=emulator --output-dir=%t.short.3
// RUN: cmp %t.short.3.cpu/0.npy %t.short.3/0.npy
// RUN: nm-run %s --entry=rows --dynamic-size=32 --device=cpu --output-dir=%t.rows.32.cpu
// RUN: nm-run %s --entry=rows --dynamic-size=32 --device=emulator --output-dir=%t.rows.32
// RUN: cmp %t.rows.32.cpu/0.npy %t.rows.32/0.npy
// RUN: nm-run %s --entry=rows --dynamic-size=33 --device=cpu --output-dir=%t.rows.33.cpu
// RUN: nm-run %s --entry=rows --dynamic-size=33 --device=emulator --output-dir=%t.rows.33
// RUN: cmp %t.rows.33.cpu/0.npy %t.rows.33/0.npy
// RUN: nm-run %s --entry=tokens --dynamic-size=32 --device=cpu --output-dir=%t.tokens.32.cpu
// RUN: nm-run %s --entry=tokens --dynamic-size=32 --device=emulator --output-dir=%t.tokens.32
// RUN: cmp %t.tokens.32.cpu/0.npy %t.tokens.32/0.npy
// RUN: nm-run %s --entry=tokens --dynamic-size=33 --device=cpu --output-dir=%t.tokens.33.cpu
// RUN: nm-run %s --entry=tokens --dynamic-size=33 --device=emulator --output-dir=%t.tokens.33
// RUN: cmp %t.tokens.33.cpu/0.npy %t.tokens.33/0.npy
// RUN: nm-run %s --entry=columns --dynamic-size=33 --device=cpu --output-dir=%t.columns.33.cpu
// RUN: nm-run %s --entry=columns --dynamic-size=33 --device=emulator --output-dir=%t.columns.33
// RUN: cmp %t.columns.33.cpu/0.npy %t.columns.33/0.npy
// RUN: nm-run %s --entry=points --dynamic-size=30 --device=cpu --output-dir=%t.points.30.cpu
// RUN: nm-run %s --entry=points --dynamic-size=30 --device=emulator --output-dir=%t.points.30
// RUN: cmp %t.points.30.cpu/0.npy %t.points.30/0.npy
// RUN: nm-run %s --entry=points --dynamic-size=31 --device=cpu --output-dir=%t.points.31.cpu
// RUN: nm-run %s --entry=points --dynamic-size=31 --device=emulator --output-dir=%t.points.31
// RUN: cmp %t.points.31.cpu/0.npy %t.points.31/0.npy
// RUN: nm-run %s --entry=colours --dynamic-size=40 --device=cpu --output-dir=%t.colours.40.cpu
// RUN: nm-run %s --entry=colours --dynamic-size=40 --device=emulator --output-dir=%t.colours.40
// RUN: cmp %t.colours.40.cpu/0.npy %t.colours.40/0.npy
// RUN: nm-run %s --entry=colours --dynamic-size=33 --device=cpu --output-dir=%t.colours.33.cpu
// RUN: nm-run %s --entry=colours --dynamic-size=33 --device=emulator --output-dir=%t.colours.33
// RUN: cmp %t.colours.33.cpu/0.npy %t.colours.33/0.npy
// RUN: nm-run %s --entry=units --dynamic-size=34 --device=cpu --output-dir=%t.units.34.cpu
// RUN: nm-run %s --entry=units --dynamic-size=34 --device=emulator --output-dir=%t.units.34
// RUN: cmp %t.units.34.cpu/0.npy %t.units.34/0.npy
// RUN: nm-run %s --entry=units --dynamic-size=17 --device=cpu --output-dir=%t.units.17.cpu
// RUN: nm-run %s --entry=units --dynamic-size=17 --device=emulator --output-dir=%t.units.17
// RUN: cmp %t.units.17.cpu/0.npy %t.units.17/0.npy

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Elements that lie one behind another, the last of them of no whole block.
func.func @flat(%x: tensor<?x?xi16>) -> tensor<?x?xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?xi16>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?xi16>
  %e = tensor.empty(%n0, %n1) : tensor<?x?xi16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xi16>) outs(%e : tensor<?x?xi16>) {
  ^bb0(%a: i16, %o: i16):
    %0 = arith.muli %a, %a : i16
    linalg.yield %0 : i16
  } -> tensor<?x?xi16>
  return %y : tensor<?x?xi16>
}

// A row that all rows have in common: the place of an element is known by divisions.
func.func @biased(%x: tensor<?x?xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?xi32>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%n0, %n1) : tensor<?x?xi32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<?x?xi32>, tensor<?xi32>) outs(%e : tensor<?x?xi32>) {
  ^bb0(%a: i32, %c: i32, %o: i32):
    %0 = arith.addi %a, %c : i32
    linalg.yield %0 : i32
  } -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}

// Heads and tokens change places.
func.func @heads(%x: tensor<?x3x?xi32>) -> tensor<3x?x?xi32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x3x?xi32>
  %c2 = arith.constant 2 : index
  %n2 = tensor.dim %x, %c2 : tensor<?x3x?xi32>
  %e = tensor.empty(%n0, %n2) : tensor<3x?x?xi32>
  %y = linalg.transpose ins(%x : tensor<?x3x?xi32>) outs(%e : tensor<3x?x?xi32>) permutation = [1, 0, 2]
  return %y : tensor<3x?x?xi32>
}

// Rows may be shorter than a vector.
func.func @short(%x: tensor<300x7x?xi16>) -> tensor<7x300x?xi16> {
  %c2 = arith.constant 2 : index
  %n2 = tensor.dim %x, %c2 : tensor<300x7x?xi16>
  %e = tensor.empty(%n2) : tensor<7x300x?xi16>
  %y = linalg.transpose ins(%x : tensor<300x7x?xi16>) outs(%e : tensor<7x300x?xi16>) permutation = [1, 0, 2]
  return %y : tensor<7x300x?xi16>
}

// Any number of rows, of as many elements as is known.
func.func @rows(%x: tensor<?x?x40xi32>) -> tensor<?x?x40xi32> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x40xi32>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?x40xi32>
  %e = tensor.empty(%n1, %n0) : tensor<?x?x40xi32>
  %y = linalg.transpose ins(%x : tensor<?x?x40xi32>) outs(%e : tensor<?x?x40xi32>) permutation = [1, 0, 2]
  return %y : tensor<?x?x40xi32>
}

// Tokens become columns, in tiles.
func.func @tokens(%x: tensor<?x?x40xi16>) -> tensor<?x40x?xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x40xi16>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?x40xi16>
  %e = tensor.empty(%n0, %n1) : tensor<?x40x?xi16>
  %y = linalg.transpose ins(%x : tensor<?x?x40xi16>) outs(%e : tensor<?x40x?xi16>) permutation = [0, 2, 1]
  return %y : tensor<?x40x?xi16>
}

// Columns become tokens, in tiles.
func.func @columns(%x: tensor<?x40x?xi16>) -> tensor<?x?x40xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x40x?xi16>
  %c2 = arith.constant 2 : index
  %n2 = tensor.dim %x, %c2 : tensor<?x40x?xi16>
  %e = tensor.empty(%n0, %n2) : tensor<?x?x40xi16>
  %y = linalg.transpose ins(%x : tensor<?x40x?xi16>) outs(%e : tensor<?x?x40xi16>) permutation = [0, 2, 1]
  return %y : tensor<?x?x40xi16>
}

// Points have few colours, which become planes.
func.func @colours(%x: tensor<?x?x31xi16>) -> tensor<31x?x?xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x31xi16>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?x31xi16>
  %e = tensor.empty(%n0, %n1) : tensor<31x?x?xi16>
  %y = linalg.transpose ins(%x : tensor<?x?x31xi16>) outs(%e : tensor<31x?x?xi16>) permutation = [2, 0, 1]
  return %y : tensor<31x?x?xi16>
}

// Matrices of units of seven elements, each of which stays as it is.
func.func @units(%x: tensor<?x?x35x7xi16>) -> tensor<?x35x?x7xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x35x7xi16>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?x35x7xi16>
  %e = tensor.empty(%n0, %n1) : tensor<?x35x?x7xi16>
  %y = linalg.transpose ins(%x : tensor<?x?x35x7xi16>) outs(%e : tensor<?x35x?x7xi16>) permutation = [0, 2, 1, 3]
  return %y : tensor<?x35x?x7xi16>
}

// Points have few colours in some calls.
func.func @points(%x: tensor<?x?x?xi16>) -> tensor<?x?x?xi16> {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?x?xi16>
  %c1 = arith.constant 1 : index
  %n1 = tensor.dim %x, %c1 : tensor<?x?x?xi16>
  %c2 = arith.constant 2 : index
  %n2 = tensor.dim %x, %c2 : tensor<?x?x?xi16>
  %e = tensor.empty(%n2, %n0, %n1) : tensor<?x?x?xi16>
  %y = linalg.transpose ins(%x : tensor<?x?x?xi16>) outs(%e : tensor<?x?x?xi16>) permutation = [2, 0, 1]
  return %y : tensor<?x?x?xi16>
}
