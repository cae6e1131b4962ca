// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of nm.rows, nm.reduce and #nm.row_schedule
// (docs/Spec.md).

#id = affine_map<(d0) -> (d0)>
func.func @rows_c1_maps(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected a map for each of 2 operands, got 1}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c1_rows(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected rows of 0 to 1 dimensions, got 2}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 2 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

func.func @rows_c1_dims(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected maps of 1 dimensions, got affine_map<(d0, d1) -> (d0)>}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0, d1) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0)>
func.func @rows_c1_extent(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected a map that has d1, whose extent is not known}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

func.func @rows_c2_rank(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{operand #0: expected a map of as many results as 'memref<4x4xf32>' has dimensions, got affine_map<(d0) -> (d0)>}}
  nm.rows ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

func.func @rows_c2_zero(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{operand #0: expected the constant 0 in a dimension of one element alone, got affine_map<(d0) -> (d0, 0)> of 'memref<4x4xf32>'}}
  nm.rows ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

func.func @rows_c2_twice(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{operand #0: expected a map of different dimensions and the constant 0, got affine_map<(d0) -> (d0, d0)>}}
  nm.rows ins(%x : memref<4x4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c3(%x: memref<4xf32>, %y: memref<5xf32>) {
  // expected-error @below {{operand #1: expected 4 elements along d0, as others have, got 5}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<5xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

func.func @rows_c4(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{operand #1: expected an output with 2 dimensions of the space, got affine_map<(d0, d1) -> (d1)>}}
  nm.rows ins(%x : memref<4x8xf32>) outs(%y : memref<8xf32>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c5_argument(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected an argument of the body for each input, of its elements' type}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
    %c = arith.constant 1.0 : f32
    nm.yield %c : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c5_yield(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected nm.yield of a value for each output, of its elements' type}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    %b = arith.extf %a : f32 to f64
    nm.yield %b : f64
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @reduce_c1(%x: memref<4xf32>, %y: memref<4xf32>) {
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64} {
  ^bb0(%a: f32):
    // expected-error @below {{expected a kind that combines, got assign}}
    %s = nm.reduce assign %a, %a : f32
    nm.yield %s : f32
  }
  return
}

// -----

// expected-error @below {{expected threads of a row that are a power of two up to 1024, got 3}}
func.func @row_schedule_c1(%x: i32) attributes {s = #nm.row_schedule<threads = 3, rows = 1, vector = 1, chunks = 1>} {
  return
}

// -----

// expected-error @below {{expected 1 to 64 rows of a block of 16 threads a row, got 65}}
func.func @row_schedule_c2_most(%x: i32) attributes {s = #nm.row_schedule<threads = 16, rows = 65, vector = 1, chunks = 1>} {
  return
}

// -----

// expected-error @below {{expected vector and chunks from 1 to 64, got 0 and 1}}
func.func @row_schedule_c3(%x: i32) attributes {s = #nm.row_schedule<threads = 64, rows = 1, vector = 0, chunks = 1>} {
  return
}

// -----

// expected-error @below {{expected one part, or without loops several or 0, as many as elements need, got 2}}
func.func @row_schedule_c4(%x: i32) attributes {s = #nm.row_schedule<threads = 32, rows = 2, vector = 1, chunks = 1, loops = true, parts = 2>} {
  return
}

// -----

// expected-error @below {{expected no turns that are kept, or up to 67108863 of loops of a block of one row, got 1}}
func.func @row_schedule_c5(%x: i32) attributes {s = #nm.row_schedule<threads = 32, rows = 1, vector = 1, chunks = 1, kept = 1>} {
  return
}

// -----

// expected-error @below {{expected no turns that are kept, or up to 67108863 of loops of a block of one row, got 2}}
func.func @row_schedule_c5_rows(%x: i32) attributes {s = #nm.row_schedule<threads = 32, rows = 2, vector = 1, chunks = 1, loops = true, kept = 2>} {
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c11(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{expected no nm.reduce with blocks as many as elements need (parts = 0)}}
  nm.rows ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 32, rows = 1, vector = 1, chunks = 2, parts = 0>} {
  ^bb0(%a: f32):
    %s = nm.reduce addf %a, %a : f32
    nm.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c12(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @below {{expected a bound from 1 on of one dimension of elements whose extent is not known, got most = 8}}
  nm.rows ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, most = 8 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c6(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected a row that is reduced to have one part, or 2, 4 or 8 of at least 32 threads each, got 2 parts of 1 threads}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 1, rows = 1, vector = 1, chunks = 2, parts = 2>} {
  ^bb0(%a: f32):
    %s = nm.reduce addf %a, %a : f32
    nm.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @complex(%x: memref<4xcomplex<f32>>, %y: memref<4xcomplex<f32>>) {
  // expected-error @below {{operand #0 must be variadic of ranked tensor of 1-bit signless integer}}
  nm.rows ins(%x : memref<4xcomplex<f32>>) outs(%y : memref<4xcomplex<f32>>) attributes {indexing_maps = [#id, #id], rows = 0 : i64} {
  ^bb0(%a: complex<f32>):
    nm.yield
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c7(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected a block of whole warps, whose lanes exchange what they reduce, got one of 4 threads}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 4, rows = 1, vector = 1, chunks = 1>} {
  ^bb0(%a: f32):
    %s = nm.reduce addf %a, %a : f32
    nm.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c8_elements(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected loops, or a schedule of all elements of a row, got one of 3}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 1, rows = 1, vector = 1, chunks = 3>} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c8_dynamic(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @below {{expected loops, or a schedule of all elements of a row, got one of 3}}
  nm.rows ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 1, rows = 1, vector = 1, chunks = 3>} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @rows_c8_vector(%x: memref<6xf32>, %y: memref<6xf32>) {
  // expected-error @below {{expected vectors that 6 elements are divided in, or blocks of one row, of at least 8 threads and one dimension of as many elements, got vectors of 4}}
  nm.rows ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64, schedule = #nm.row_schedule<threads = 2, rows = 1, vector = 4, chunks = 1>} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @index_c1(%x: memref<6xf32>, %y: memref<6xf32>) {
  nm.rows ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64} {
  ^bb0(%a: f32):
    // expected-error @below {{expected one of the 1 dimensions of the space, got 1}}
    %i = nm.index 1 : index
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @rows_c4_value(%x: memref<4x8xi32>, %y: memref<4xi32>) {
  nm.rows ins(%x : memref<4x8xi32>) outs(%y : memref<4xi32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: i32):
    // expected-error @below {{value #0: expected one of the row, as its output has no dimension of elements; nm.reduce gives one}}
    nm.yield %a : i32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @rows_c9(%x: memref<4x8xi1>, %y: memref<4x8xi1>) {
  nm.rows ins(%x : memref<4x8xi1>) outs(%y : memref<4x8xi1>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: i1):
    // expected-error @below {{expected a condition of the row in nm.rows, got one of its elements}}
    cf.assert %a, "some element"
    nm.yield %a : i1
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @rows_c10(%x: memref<4x8xi32>, %t: memref<?xi32>, %y: memref<4x8xi32>) {
  nm.rows ins(%x : memref<4x8xi32>) outs(%y : memref<4x8xi32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: i32):
    %i = nm.index 1 : index
    // expected-error @below {{expected an array of known extents with an element in nm.rows, got 'memref<?xi32>'}}
    %b = memref.load %t[%i] : memref<?xi32>
    nm.yield %b : i32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @rows_c10_effect(%x: memref<4x8xi32>, %t: memref<8xi32>, %y: memref<4x8xi32>) {
  nm.rows ins(%x : memref<4x8xi32>) outs(%y : memref<4x8xi32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: i32):
    %i = nm.index 1 : index
    // expected-error @below {{expected an op without regions or effects in nm.rows}}
    memref.store %a, %t[%i] : memref<8xi32>
    nm.yield %a : i32
  }
  return
}
