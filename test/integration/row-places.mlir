// Places of extremes, elements at places of rows, and quotients of a row are what the CPU path
// finds, bit for bit. tools/scripts/mutation plants errors that these functions see.
//
// REQUIRES: numpy
// RUN: nm-run %s --entry=first --device=cpu --output-dir=%t.first.cpu
// RUN: nm-run %s --entry=first --device=emulator --output-dir=%t.first
// RUN: cmp %t.first.cpu/0.npy %t.first/0.npy
// RUN: nm-run %s --entry=before --device=cpu --output-dir=%t.before.cpu
// RUN: nm-run %s --entry=before --device=emulator --output-dir=%t.before
// RUN: cmp %t.before.cpu/0.npy %t.before/0.npy
// RUN: nm-run %s --entry=masked --device=cpu --output-dir=%t.masked.cpu
// RUN: nm-run %s --entry=masked --device=emulator --output-dir=%t.masked
// RUN: cmp %t.masked.cpu/0.npy %t.masked/0.npy
// RUN: nm-run %s --entry=picked --device=cpu --output-dir=%t.picked.cpu
// RUN: nm-run %s --entry=picked --device=emulator --output-dir=%t.picked
// RUN: cmp %t.picked.cpu/0.npy %t.picked/0.npy
// RUN: nm-run %s --entry=quotients --device=cpu --output-dir=%t.quotients.cpu
// RUN: nm-run %s --entry=quotients --device=emulator --output-dir=%t.quotients
// RUN: cmp %t.quotients.cpu/0.npy %t.quotients/0.npy

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>

// The first NaN of a row, of numbers that are there more than once.
func.func @first(%in: tensor<9x70xf32>) -> tensor<9xi64> {
  %low = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0 : i64
  %c41 = arith.constant 41 : index
  %ties = tensor.empty() : tensor<9x70xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<9x70xf32>) outs(%ties : tensor<9x70xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = linalg.index 0 : index
    %i = linalg.index 1 : index
    %n = arith.addi %r, %i : index
    %is = arith.cmpi eq, %n, %c41 : index
    %0 = math.roundeven %a : f32
    %1 = arith.select %is, %nan, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<9x70xf32>
  %e = tensor.empty() : tensor<9xf32>
  %w = tensor.empty() : tensor<9xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %g = linalg.fill ins(%zero : i64) outs(%w : tensor<9xi64>) -> tensor<9xi64>
  %y:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<9x70xf32>) outs(%f, %g : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %o: f32, %p: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %m = arith.maximumf %a, %o : f32
    %h = arith.cmpf ugt, %a, %o : f32
    %j = arith.cmpf ord, %o, %o : f32
    %b = arith.andi %h, %j : i1
    %s = arith.select %b, %k, %p : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<9xf32>, tensor<9xi64>)
  return %y#1 : tensor<9xi64>
}

// The first of the largest numbers before the NaN.
func.func @before(%in: tensor<9x70xf32>) -> tensor<9xi64> {
  %low = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0 : i64
  %c41 = arith.constant 41 : index
  %ties = tensor.empty() : tensor<9x70xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<9x70xf32>) outs(%ties : tensor<9x70xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = linalg.index 0 : index
    %i = linalg.index 1 : index
    %n = arith.addi %r, %i : index
    %is = arith.cmpi eq, %n, %c41 : index
    %0 = math.roundeven %a : f32
    %1 = arith.select %is, %nan, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<9x70xf32>
  %e = tensor.empty() : tensor<9xf32>
  %w = tensor.empty() : tensor<9xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %g = linalg.fill ins(%zero : i64) outs(%w : tensor<9xi64>) -> tensor<9xi64>
  %y:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<9x70xf32>) outs(%f, %g : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %o: f32, %p: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %m = arith.maximumf %a, %o : f32
    %b = arith.cmpf ogt, %a, %o : f32
    %s = arith.select %b, %k, %p : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<9xf32>, tensor<9xi64>)
  return %y#1 : tensor<9xi64>
}

// What a mask leaves out does not count.
func.func @masked(%x: tensor<9x70xi32>) -> tensor<9xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<9xi32>
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<9xi32>) -> tensor<9xi32>
  %y = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<9x70xi32>) outs(%f : tensor<9xi32>) {
  ^bb0(%a: i32, %o: i32):
    %is = arith.cmpi sgt, %a, %zero : i32
    %0 = arith.muli %a, %o : i32
    %1 = arith.select %is, %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<9xi32>
  return %y : tensor<9xi32>
}

// One element of each row of what is computed of the row's sum.
func.func @picked(%x: tensor<9x70xi32>) -> tensor<9xi32> {
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<9xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<9xi32>) -> tensor<9xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<9x70xi32>) outs(%f : tensor<9xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<9xi32>
  %w = tensor.empty() : tensor<9x70xi32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<9x70xi32>, tensor<9xi32>) outs(%w : tensor<9x70xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<9x70xi32>
  %y = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%e : tensor<9xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.muli %i, %c7 : index
    %v = tensor.extract %d[%i, %j] : tensor<9x70xi32>
    linalg.yield %v : i32
  } -> tensor<9xi32>
  return %y : tensor<9xi32>
}

// Quotients of tiny numbers and one of the row, which are rounded as divisions round.
func.func @quotients(%x: tensor<9x70xf32>, %d: tensor<9xf32>) -> tensor<9x70xf32> {
  %tiny = arith.constant 1.0e-38 : f32
  %e = tensor.empty() : tensor<9x70xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %d : tensor<9x70xf32>, tensor<9xf32>) outs(%e : tensor<9x70xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %tiny : f32
    %1 = math.absf %b : f32
    %2 = arith.divf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<9x70xf32>
  return %y : tensor<9x70xf32>
}
