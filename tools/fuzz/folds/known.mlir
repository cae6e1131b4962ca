// What nm-fuzz-folds has to find: a function for each fault of MLIR 22.1.8 that
// KnownFaults.cpp lists (test/tools/fuzz/folds.test).

// index -> i8 -> index is folded away; the truncation is lost.
func.func @index_cast_round_trip(%x: index) -> index {
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  return %1 : index
}
func.func @index_castui_round_trip(%x: index) -> index {
  %0 = arith.index_castui %x : index to i8
  %1 = arith.index_castui %0 : i8 to index
  return %1 : index
}

// nsw of two sums is given to a sum that may wrap.
func.func @addi_of_nsw(%x: i8) -> i8 {
  %min = arith.constant -128 : i8
  %c-1 = arith.constant -1 : i8
  %0 = arith.addi %x, %min overflow<nsw> : i8
  %1 = arith.addi %0, %c-1 overflow<nsw> : i8
  return %1 : i8
}

// The result of an scf.if that scf.condition passes twice is replaced once.
func.func @while_condition_twice(%limit: i32, %other: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %w:3 = scf.while (%s = %zero) : (i32) -> (i32, i32, i32) {
    %go = arith.cmpi slt, %s, %limit : i32
    %next = scf.if %go -> i32 {
      %a = arith.addi %s, %two : i32
      scf.yield %a : i32
    } else {
      scf.yield %other : i32
    }
    scf.condition(%go) %next, %next, %s : i32, i32, i32
  } do {
  ^bb0(%p: i32, %q: i32, %t: i32):
    scf.yield %q : i32
  }
  return %w#2 : i32
}

// What an scf.if yields as it is becomes a use where it is not defined.
func.func @while_yield_of_before(%x: i64, %c: i1, %y: i64) -> i64 {
  %0:2 = scf.while (%s = %y) : (i64) -> (i64, i64) {
    %1 = arith.subi %x, %s : i64
    %2 = scf.if %c -> i64 {
      scf.yield %1 : i64
    } else {
      scf.yield %x : i64
    }
    scf.condition(%c) %s, %2 : i64, i64
  } do {
  ^bb0(%p: i64, %q: i64):
    scf.yield %q : i64
  }
  return %0#0 : i64
}

// cmp(sub(x, y), 0) becomes cmp(x, y), although the difference may wrap.
func.func @index_cmp_of_sub(%x: index, %y: index) -> i1 {
  %0 = index.sub %x, %y
  %c0 = index.constant 0
  %1 = index.cmp slt(%0, %c0)
  return %1 : i1
}

// Once operands become constants, another one of the ones is dropped: what
// comes out does not verify, crashes, or is another slice.
func.func @extract_slice_rank(%s: tensor<1x1x8x1xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %s[0, %c0, 2, %c0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
func.func @extract_slice_rank_invalid(%s: tensor<1x3x1xi32>, %i: index) -> tensor<1x?xi32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %s[%i, %i, 0] [1, %c2, 1] [1, 2, 1]
      : tensor<1x3x1xi32> to tensor<1x?xi32>
  return %0 : tensor<1x?xi32>
}
func.func @extract_slice_rank_crash(%s: tensor<1x2x1xi32>, %i: index) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %s[%i, %i, 0] [%c1, 2, 1] [1, 1, 2]
      : tensor<1x2x1xi32> to tensor<?x2xi32>
  %1 = tensor.cast %0 : tensor<?x2xi32> to tensor<?x?xi32>
  return %1 : tensor<?x?xi32>
}
func.func @insert_slice_rank(%s: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %s into %d[0, 0, 0, 0] [1, %c2, 1, %c2] [1, 1, 1, 1]
      : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}

// 4 - INT_MIN is negative: the loop is taken for one without a turn.
func.func @for_of_wrapping_distance(%step: i32, %x: i32) -> i32 {
  %min = arith.constant -2147483648 : i32
  %c4 = arith.constant 4 : i32
  %0 = scf.for %i = %min to %c4 step %step iter_args(%a = %x) -> i32 : i32 {
    scf.yield %i : i32
  }
  return %0 : i32
}

// -(-n / m) of the smallest n, which is its own negative.
func.func @index_ceildivs_of_minimum() -> index {
  %min = index.constant -9223372036854775808
  %c4 = index.constant 4
  %0 = index.ceildivs %min, %c4
  return %0 : index
}
func.func @ceildivsi_of_minimum() -> i32 {
  %min = arith.constant -2147483648 : i32
  %c4 = arith.constant 4 : i32
  %0 = arith.ceildivsi %min, %c4 : i32
  return %0 : i32
}

// dense<0> of a type with dynamic extents.
func.func @fold_of_dynamic_extents_xori(%x: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %0 = arith.xori %x, %x : tensor<4x?xi32>
  return %0 : tensor<4x?xi32>
}
func.func @fold_of_dynamic_extents_cmpi(%x: tensor<4x?xi32>) -> tensor<4x?xi1> {
  %0 = arith.cmpi ult, %x, %x : tensor<4x?xi32>
  return %0 : tensor<4x?xi1>
}

// The predicates true and false are "unreachable".
func.func @cmpf_of_int_to_float(%x: i8) -> i1 {
  %0 = arith.uitofp %x : i8 to f32
  %c = arith.constant -100.0 : f32
  %1 = arith.cmpf true, %0, %c : f32
  return %1 : i1
}

// 12 >> 12 is poison in i8.
func.func @narrowing_of_shift(%x: tensor<?x12xi1>) -> index {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %x, %c1 : tensor<?x12xi1>
  %1 = arith.shrsi %0, %0 : index
  return %1 : index
}

// What fits as an unsigned number is compared, or divided, as a signed one;
// and the reverse.
func.func @narrowing_of_signed(%x: i32) -> index {
  %0 = index.castu %x : i32 to index
  %c7 = arith.constant 7 : index
  %1 = arith.maxsi %c7, %0 : index
  return %1 : index
}
func.func @narrowing_of_unsigned(%x: i16) -> index {
  %0 = arith.index_castui %x : i16 to index
  %c = arith.constant -4 : index
  %1 = arith.remui %c, %0 : index
  return %1 : index
}

// nsw of 32 bits is kept for 16.
func.func @narrowing_of_flags(%x: i8) -> i32 {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.muli %0, %0 overflow<nsw, nuw> : i32
  return %1 : i32
}

// The analysis of ranges divides by zero. (The function is undefined, but may
// stand where it is never called.)
func.func @range_of_division_by_zero() -> index {
  %a = arith.constant 4294967295 : index
  %b = arith.constant 9223372036854775807 : index
  %0 = arith.subi %a, %b overflow<nsw, nuw> : index
  %1 = arith.floordivsi %0, %0 : index
  return %1 : index
}

// What a region yields beside a float is not seen: signed ops become unsigned.
func.func @range_of_region_while(%x: i8, %y: i32, %z: i32) -> i8 {
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %0:4 = scf.while (%a = %c0, %b = %c2) : (i32, i32) -> (i32, f32, i8, i8) {
    %1 = arith.cmpi slt, %a, %b : i32
    %half = arith.constant 0.5 : f32
    scf.condition(%1) %a, %half, %x, %x : i32, f32, i8, i8
  } do {
  ^bb0(%a: i32, %b: f32, %c: i8, %d: i8):
    scf.yield %z, %y : i32, i32
  }
  return %0#3 : i8
}
func.func @range_of_region_if(%c: i1, %f: f32, %x: i16) -> i32 {
  %0:2 = scf.if %c -> (f32, i16) {
    %half = arith.constant 0.5 : f32
    scf.yield %half, %x : f32, i16
  } else {
    %c0 = arith.constant 0 : i16
    scf.yield %f, %c0 : f32, i16
  }
  %1 = arith.extsi %0#1 : i16 to i32
  return %1 : i32
}
