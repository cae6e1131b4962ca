// RUN: nm-opt %s --nm-assert-divisors --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @signed
// CHECK-SAME: (%[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[NONZERO:.*]] = arith.cmpi ne, %[[B]], %c0{{.*}} : i64
// CHECK: %[[LARGE:.*]] = arith.cmpi ne, %[[B]], %c-1{{.*}} : i64
// CHECK: %[[LEAST:.*]] = arith.constant -9223372036854775808 : i64
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[A]], %[[LEAST]] : i64
// CHECK: %[[FITS:.*]] = arith.ori %[[LARGE]], %[[OTHER]]
// CHECK: %[[OK:.*]] = arith.andi %[[NONZERO]], %[[FITS]]
// CHECK: cf.assert %[[OK]], "arith.divsi: division by zero, or of the least number by -1 (assert-divisors.mlir:{{.*}})"
// CHECK: %[[DIVISOR:.*]] = arith.select %[[OK]], %[[B]], %c1{{.*}} : i64
// CHECK: arith.divsi %[[A]], %[[DIVISOR]]
func.func @signed(%a: i64, %b: i64) -> i64 {
  %q = arith.divsi %a, %b : i64
  return %q : i64
}

// -----

// Every form, in loops too.
func.func private @use(index, index, index, index, index, index, index, index, index, index)
func.func private @use_narrow(i32, i32, i32)
func.func private @use_wide(i64, i64)
// CHECK-LABEL: func @forms
// CHECK-COUNT-17: cf.assert
func.func @forms(%a: index, %b: index, %c: i32, %d: i32, %e: i64, %f: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.divui %a, %b : index
  %1 = arith.remsi %c, %d : i32
  %2 = arith.remui %c, %d : i32
  %3 = arith.ceildivsi %a, %b : index
  %4 = arith.ceildivui %c, %d : i32
  %5 = arith.floordivsi %a, %b : index
  %6 = index.divs %a, %b
  %7 = index.divu %a, %b
  %8 = index.rems %a, %b
  %9 = index.remu %a, %b
  %10 = index.ceildivs %a, %b
  %11 = index.ceildivu %a, %b
  %12 = index.floordivs %a, %b
  %13 = llvm.sdiv %e, %f : i64
  %14 = llvm.urem %e, %f : i64
  call @use(%0, %3, %5, %6, %7, %8, %9, %10, %11, %12) : (index, index, index, index, index, index, index, index, index, index) -> ()
  call @use_narrow(%1, %2, %4) : (i32, i32, i32) -> ()
  call @use_wide(%13, %14) : (i64, i64) -> ()
  scf.for %i = %c0 to %a step %c1 {
    %15 = arith.divsi %i, %b : index
    func.call @use(%15, %15, %15, %15, %15, %15, %15, %15, %15, %15) : (index, index, index, index, index, index, index, index, index, index) -> ()
    scf.parallel (%j) = (%c0) to (%a) step (%c1) {
      %16 = arith.remui %i, %j : index
      func.call @use(%16, %16, %16, %16, %16, %16, %16, %16, %16, %16) : (index, index, index, index, index, index, index, index, index, index) -> ()
    }
  }
  return
}

// -----

// What is known needs no check, and kernels are left alone.
// CHECK-LABEL: func @known
// CHECK-NOT: cf.assert
func.func @known(%a: i64, %v: vector<2xi32>, %n: index) -> (i64, i64, vector<2xi32>) {
  %c7 = arith.constant 7 : i64
  %minus = arith.constant -1 : i64
  %sizes = arith.constant dense<[3, 4]> : vector<2xi32>
  %q = arith.divsi %a, %c7 : i64
  %r = arith.remui %q, %minus : i64
  %w = arith.divsi %v, %sizes : vector<2xi32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%bx = %n, %by = %n, %bz = %n) {
    %t = arith.divsi %tx, %n : index
    gpu.terminator
  }
  return %q, %r, %w : i64, i64, vector<2xi32>
}

// -----

// A quotient that is only chosen is checked where it is chosen.
// CHECK-LABEL: func @chosen
// CHECK-SAME: %[[INFER:[a-z0-9]+]]: i1, %[[KEEP:[a-z0-9]+]]: i1
// CHECK: %[[OK:.*]] = arith.andi
// CHECK-NOT: cf.assert
// CHECK: arith.divsi
// CHECK: %[[NO:.*]] = arith.xori %[[INFER]], %true
// CHECK: %[[FIRST:.*]] = arith.ori %[[OK]], %[[NO]]
// CHECK: cf.assert %[[FIRST]]
// CHECK: arith.select %[[INFER]]
// CHECK: %[[SECOND:.*]] = arith.ori %[[OK]], %[[KEEP]]
// CHECK: cf.assert %[[SECOND]]
// CHECK: arith.select %[[KEEP]]
func.func @chosen(%a: i64, %b: i64, %infer: i1, %keep: i1, %n: index) -> (i64, index) {
  %q = arith.divsi %a, %b : i64
  %size = arith.select %infer, %q, %a : i64
  %cast = arith.index_cast %q : i64 to index
  %other = arith.select %keep, %n, %cast : index
  return %size, %other : i64, index
}

// One that is also used otherwise is not.
// CHECK-LABEL: func @chosen_and_returned
// CHECK: cf.assert
// CHECK: arith.divsi
// CHECK-NOT: cf.assert
func.func @chosen_and_returned(%a: i64, %b: i64, %infer: i1) -> (i64, i64) {
  %q = arith.divsi %a, %b : i64
  %size = arith.select %infer, %q, %a : i64
  return %size, %q : i64, i64
}

// -----

func.func @vectors(%a: vector<2xi32>, %b: vector<2xi32>) -> vector<2xi32> {
  // expected-error @+1 {{unsupported: division of 'vector<2xi32>' on the host by what is not constant}}
  %q = arith.divsi %a, %b : vector<2xi32>
  return %q : vector<2xi32>
}

// -----

func.func @no_bits(%a: i0, %b: i0) -> i0 {
  // expected-error @+1 {{unsupported: division of 'i0' on the host by what is not constant}}
  %q = arith.divsi %a, %b : i0
  return %q : i0
}
