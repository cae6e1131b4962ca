// Kernels of rows give what the CPU path does, bit for bit: sums of integers are the
// same in any order. tools/scripts/mutation plants errors that these functions see.
//
// REQUIRES: numpy
// RUN: nm-run %s --entry=lanes --device=cpu --output-dir=%t.lanes.cpu
// RUN: nm-run %s --entry=lanes --device=emulator --output-dir=%t.lanes
// RUN: cmp %t.lanes.cpu/0.npy %t.lanes/0.npy
// RUN: nm-run %s --entry=warp --device=cpu --output-dir=%t.warp.cpu
// RUN: nm-run %s --entry=warp --device=emulator --output-dir=%t.warp
// RUN: cmp %t.warp.cpu/0.npy %t.warp/0.npy
// RUN: nm-run %s --entry=block --device=cpu --output-dir=%t.block.cpu
// RUN: nm-run %s --entry=block --device=emulator --output-dir=%t.block
// RUN: cmp %t.block.cpu/0.npy %t.block/0.npy
// RUN: nm-run %s --entry=loop --device=cpu --output-dir=%t.loop.cpu
// RUN: nm-run %s --entry=loop --device=emulator --output-dir=%t.loop
// RUN: cmp %t.loop.cpu/0.npy %t.loop/0.npy
// RUN: nm-run %s --entry=whole --device=cpu --output-dir=%t.whole.cpu
// RUN: nm-run %s --entry=whole --device=emulator --output-dir=%t.whole
// RUN: cmp %t.whole.cpu/0.npy %t.whole/0.npy
// RUN: nm-run %s --entry=columns --device=cpu --output-dir=%t.columns.cpu
// RUN: nm-run %s --entry=columns --device=emulator --output-dir=%t.columns
// RUN: cmp %t.columns.cpu/0.npy %t.columns/0.npy
// RUN: nm-run %s --entry=halves --device=cpu --output-dir=%t.halves.cpu
// RUN: nm-run %s --entry=halves --device=emulator --output-dir=%t.halves
// RUN: cmp %t.halves.cpu/0.npy %t.halves/0.npy
// RUN: nm-run %s --entry=parts --device=cpu --output-dir=%t.parts.cpu
// RUN: nm-run %s --entry=parts --device=emulator --output-dir=%t.parts
// RUN: cmp %t.parts.cpu/0.npy %t.parts/0.npy
// RUN: nm-run %s --entry=crossed --device=cpu --output-dir=%t.crossed.cpu
// RUN: nm-run %s --entry=crossed --device=emulator --output-dir=%t.crossed
// RUN: cmp %t.crossed.cpu/0.npy %t.crossed/0.npy
// RUN: nm-run %s --entry=both --device=cpu --output-dir=%t.both.cpu
// RUN: nm-run %s --entry=both --device=emulator --output-dir=%t.both
// RUN: cmp %t.both.cpu/0.npy %t.both/0.npy
// RUN: nm-run %s --entry=transposed --device=cpu --output-dir=%t.transposed.cpu
// RUN: nm-run %s --entry=transposed --device=emulator --output-dir=%t.transposed
// RUN: cmp %t.transposed.cpu/0.npy %t.transposed/0.npy
// RUN: cmp %t.transposed.cpu/1.npy %t.transposed/1.npy
// RUN: nm-run %s --entry=tiles --device=cpu --output-dir=%t.tiles.cpu
// RUN: nm-run %s --entry=tiles --device=emulator --output-dir=%t.tiles
// RUN: cmp %t.tiles.cpu/0.npy %t.tiles/0.npy
// RUN: nm-run %s --entry=heads --device=cpu --output-dir=%t.heads.cpu
// RUN: nm-run %s --entry=heads --device=emulator --output-dir=%t.heads
// RUN: cmp %t.heads.cpu/0.npy %t.heads/0.npy
// RUN: nm-run %s --entry=long --device=cpu --output-dir=%t.long.cpu
// RUN: nm-run %s --entry=long --device=emulator --output-dir=%t.long
// RUN: cmp %t.long.cpu/0.npy %t.long/0.npy
// RUN: nm-run %s --entry=few --device=cpu --output-dir=%t.few.cpu
// RUN: nm-run %s --entry=few --device=emulator --output-dir=%t.few
// RUN: cmp %t.few.cpu/0.npy %t.few/0.npy
// RUN: nm-run %s --entry=odd --device=cpu --output-dir=%t.odd.cpu
// RUN: nm-run %s --entry=odd --device=emulator --output-dir=%t.odd
// RUN: cmp %t.odd.cpu/0.npy %t.odd/0.npy
// RUN: nm-run %s --entry=cluster --device=cpu --output-dir=%t.cluster.cpu
// RUN: nm-run %s --entry=cluster --device=emulator --output-dir=%t.cluster
// RUN: cmp %t.cluster.cpu/0.npy %t.cluster/0.npy
// RUN: nm-run %s --entry=shifted --device=cpu --output-dir=%t.shifted.cpu
// RUN: nm-run %s --entry=shifted --device=emulator --output-dir=%t.shifted
// RUN: cmp %t.shifted.cpu/0.npy %t.shifted/0.npy
// RUN: nm-run %s --entry=own --device=cpu --output-dir=%t.own.cpu
// RUN: nm-run %s --entry=own --device=emulator --output-dir=%t.own
// RUN: cmp %t.own.cpu/0.npy %t.own/0.npy

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Eight lanes a row, and rows that are no multiple of a block.
func.func @lanes(%x: tensor<37x36xi32>) -> tensor<37x36xi32> {
  %c0 = arith.constant 0 : i32
  %min = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<37xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<37xi32>) -> tensor<37xi32>
  %g = linalg.fill ins(%min : i32) outs(%e : tensor<37xi32>) -> tensor<37xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x36xi32>) outs(%f : tensor<37xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<37xi32>
  %m = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<37x36xi32>, tensor<37xi32>) outs(%g : tensor<37xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.xori %a, %b : i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<37xi32>
  %w = tensor.empty() : tensor<37x36xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %m : tensor<37x36xi32>, tensor<37xi32>, tensor<37xi32>) outs(%w : tensor<37x36xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<37x36xi32>
  return %y : tensor<37x36xi32>
}

// A warp a row, the last words of which are one thread's.
func.func @warp(%x: tensor<5x260xi32>) -> tensor<5x260xi32> {
  %c0 = arith.constant 0 : i32
  %min = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<5xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  %g = linalg.fill ins(%min : i32) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x260xi32>) outs(%f : tensor<5xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<5xi32>
  %m = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<5x260xi32>, tensor<5xi32>) outs(%g : tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.xori %a, %b : i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<5xi32>
  %w = tensor.empty() : tensor<5x260xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %m : tensor<5x260xi32>, tensor<5xi32>, tensor<5xi32>) outs(%w : tensor<5x260xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<5x260xi32>
  return %y : tensor<5x260xi32>
}

// Several warps a row.
func.func @block(%x: tensor<3x2052xi32>) -> tensor<3x2052xi32> {
  %c0 = arith.constant 0 : i32
  %min = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<3xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %g = linalg.fill ins(%min : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x2052xi32>) outs(%f : tensor<3xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<3xi32>
  %m = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<3x2052xi32>, tensor<3xi32>) outs(%g : tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.xori %a, %b : i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<3xi32>
  %w = tensor.empty() : tensor<3x2052xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %m : tensor<3x2052xi32>, tensor<3xi32>, tensor<3xi32>) outs(%w : tensor<3x2052xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<3x2052xi32>
  return %y : tensor<3x2052xi32>
}

// A row that is read again, in turns, of which the last is not whole.
func.func @loop(%x: tensor<34x20003xi32>) -> tensor<34x20003xi32> {
  %c0 = arith.constant 0 : i32
  %min = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<34xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<34xi32>) -> tensor<34xi32>
  %g = linalg.fill ins(%min : i32) outs(%e : tensor<34xi32>) -> tensor<34xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<34x20003xi32>) outs(%f : tensor<34xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<34xi32>
  %m = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<34x20003xi32>, tensor<34xi32>) outs(%g : tensor<34xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.xori %a, %b : i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<34xi32>
  %w = tensor.empty() : tensor<34x20003xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %m : tensor<34x20003xi32>, tensor<34xi32>, tensor<34xi32>) outs(%w : tensor<34x20003xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<34x20003xi32>
  return %y : tensor<34x20003xi32>
}

// As many elements as whole turns have.
func.func @whole(%x: tensor<2x32768xi32>) -> tensor<2x32768xi32> {
  %c0 = arith.constant 0 : i32
  %min = arith.constant -2147483648 : i32
  %e = tensor.empty() : tensor<2xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %g = linalg.fill ins(%min : i32) outs(%e : tensor<2xi32>) -> tensor<2xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x32768xi32>) outs(%f : tensor<2xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<2xi32>
  %m = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<2x32768xi32>, tensor<2xi32>) outs(%g : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.xori %a, %b : i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<2xi32>
  %w = tensor.empty() : tensor<2x32768xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %m : tensor<2x32768xi32>, tensor<2xi32>, tensor<2xi32>) outs(%w : tensor<2x32768xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<2x32768xi32>
  return %y : tensor<2x32768xi32>
}

// Rows follow each other in memory, and not their elements.
func.func @columns(%x: tensor<130x37xi32>) -> tensor<37xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<37xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<37xi32>) -> tensor<37xi32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<130x37xi32>) outs(%f : tensor<37xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<37xi32>
  return %s : tensor<37xi32>
}

// A rotation of halves, of what is transposed in pieces.
func.func @halves(%x: tensor<3x4x16xi32>, %z: tensor<4x8xi32>) -> tensor<4x3x16xi32> {
  %e = tensor.empty() : tensor<4x3x16xi32>
  %t = linalg.transpose ins(%x : tensor<3x4x16xi32>) outs(%e : tensor<4x3x16xi32>) permutation = [1, 0, 2]
  %lo = tensor.extract_slice %t[0, 0, 0] [4, 3, 8] [1, 1, 1] : tensor<4x3x16xi32> to tensor<4x3x8xi32>
  %hi = tensor.extract_slice %t[0, 0, 8] [4, 3, 8] [1, 1, 1] : tensor<4x3x16xi32> to tensor<4x3x8xi32>
  %r = tensor.concat dim(2) %hi, %lo : (tensor<4x3x8xi32>, tensor<4x3x8xi32>) -> tensor<4x3x16xi32>
  %both = tensor.concat dim(1) %z, %z : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x16xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %r, %both : tensor<4x3x16xi32>, tensor<4x3x16xi32>, tensor<4x16xi32>) outs(%e : tensor<4x3x16xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.muli %b, %c : i32
    %1 = arith.subi %a, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<4x3x16xi32>
  return %y : tensor<4x3x16xi32>
}

// Several blocks a row, of which nothing is reduced.
func.func @parts(%x: tensor<3x5000xi32>, %z: tensor<5000xi32>) -> tensor<3x5000xi32> {
  %w = tensor.empty() : tensor<3x5000xi32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<3x5000xi32>, tensor<5000xi32>) outs(%w : tensor<3x5000xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<3x5000xi32>
  return %y : tensor<3x5000xi32>
}

// One array is read by two maps.
func.func @both(%x: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %w = tensor.empty() : tensor<16x16xi32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<16x16xi32>, tensor<16x16xi32>) outs(%w : tensor<16x16xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.muli %a, %a : i32
    %1 = arith.subi %0, %b : i32
    linalg.yield %1 : i32
  } -> tensor<16x16xi32>
  return %y : tensor<16x16xi32>
}

// The second sum is of rows where the first one is, and read along the elements: it
// is another kernel, although both read one array.
func.func @crossed(%x: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x16xi32>) outs(%f : tensor<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<16xi32>
  %q = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x16xi32>) outs(%f : tensor<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.muli %a, %a : i32
    %1 = arith.addi %0, %o : i32
    linalg.yield %1 : i32
  } -> tensor<16xi32>
  %w = tensor.empty() : tensor<16x16xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %q : tensor<16x16xi32>, tensor<16xi32>, tensor<16xi32>) outs(%w : tensor<16x16xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %o: i32):
    %0 = arith.muli %a, %b : i32
    %1 = arith.subi %0, %c : i32
    linalg.yield %1 : i32
  } -> tensor<16x16xi32>
  return %y : tensor<16x16xi32>
}

// Rows less their sums, and these transposed: of 37 rows in blocks of 8, through shared
// memory, a column's 37 by single elements.
func.func @transposed(%x: tensor<37x36xi32>) -> (tensor<37x36xi32>, tensor<36x37xi32>) {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<37xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<37xi32>) -> tensor<37xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x36xi32>) outs(%f : tensor<37xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<37xi32>
  %w = tensor.empty() : tensor<37x36xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<37x36xi32>, tensor<37xi32>) outs(%w : tensor<37x36xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<37x36xi32>
  %v = tensor.empty() : tensor<36x37xi32>
  %t = linalg.transpose ins(%y : tensor<37x36xi32>) outs(%v : tensor<36x37xi32>) permutation = [1, 0]
  return %y, %t : tensor<37x36xi32>, tensor<36x37xi32>
}

// Parts of rows in blocks of several: 3 x 40 rows that follow each other behind the
// transposition, of 300 elements, whose last part is not whole.
func.func @tiles(%x: tensor<3x40x300xi32>) -> tensor<300x3x40xi16> {
  %w = tensor.empty() : tensor<3x40x300xi16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x40x300xi32>) outs(%w : tensor<3x40x300xi16>) {
  ^bb0(%a: i32, %o: i16):
    %0 = arith.muli %a, %a : i32
    %1 = arith.trunci %0 : i32 to i16
    linalg.yield %1 : i16
  } -> tensor<3x40x300xi16>
  %v = tensor.empty() : tensor<300x3x40xi16>
  %t = linalg.transpose ins(%y : tensor<3x40x300xi16>) outs(%v : tensor<300x3x40xi16>) permutation = [2, 0, 1]
  return %t : tensor<300x3x40xi16>
}

// The heads of an attention, whose rows follow each other 40 at a time.
func.func @heads(%x: tensor<3x40x300xi32>) -> tensor<3x300x40xi32> {
  %z = tensor.empty() : tensor<3x40x300xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x40x300xi32>) outs(%z : tensor<3x40x300xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %a : i32
    linalg.yield %0 : i32
  } -> tensor<3x40x300xi32>
  %u = tensor.empty() : tensor<3x300x40xi32>
  %r = linalg.transpose ins(%q : tensor<3x40x300xi32>) outs(%u : tensor<3x300x40xi32>) permutation = [0, 2, 1]
  return %r : tensor<3x300x40xi32>
}

// What is read at the places that another array says is computed before, in a kernel of
// its own.
func.func @own(%x: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %w = tensor.empty() : tensor<16x16xi32>
  %c15 = arith.constant 15 : index
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x16xi32>) outs(%w : tensor<16x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.muli %a, %a : i32
    linalg.yield %0 : i32
  } -> tensor<16x16xi32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<16x16xi32>) outs(%w : tensor<16x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.subi %c15, %i : index
    %q = arith.subi %c15, %j : index
    %b = tensor.extract %y[%p, %q] : tensor<16x16xi32>
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<16x16xi32>
  return %z : tensor<16x16xi32>
}

// Rows of several warps, of which a block has eight: what is transposed goes through a
// tile of a part of them after another.
func.func @long(%x: tensor<1025x1800xi32>) -> tensor<1800x1025xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1025xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<1025xi32>) -> tensor<1025xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1025x1800xi32>) outs(%f : tensor<1025xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<1025xi32>
  %w = tensor.empty() : tensor<1025x1800xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<1025x1800xi32>, tensor<1025xi32>) outs(%w : tensor<1025x1800xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<1025x1800xi32>
  %v = tensor.empty() : tensor<1800x1025xi32>
  %t = linalg.transpose ins(%y : tensor<1025x1800xi32>) outs(%v : tensor<1800x1025xi32>) permutation = [1, 0]
  return %t : tensor<1800x1025xi32>
}

// Fewer such rows are shared by the blocks of a cluster.
func.func @few(%x: tensor<45x1800xi32>) -> tensor<1800x45xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<45xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<45xi32>) -> tensor<45xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<45x1800xi32>) outs(%f : tensor<45xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<45xi32>
  %w = tensor.empty() : tensor<45x1800xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<45x1800xi32>, tensor<45xi32>) outs(%w : tensor<45x1800xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<45x1800xi32>
  %v = tensor.empty() : tensor<1800x45xi32>
  %t = linalg.transpose ins(%y : tensor<45x1800xi32>) outs(%v : tensor<1800x45xi32>) permutation = [1, 0]
  return %t : tensor<1800x45xi32>
}

// Long rows that begin at any place of 16 bytes: what is in no whole vector is read one by
// one, and so is what all rows read, which begins elsewhere.
func.func @odd(%x: tensor<34x20011xi32>, %w: tensor<20011xi32>) -> tensor<34x20011xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<34xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<34xi32>) -> tensor<34xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<34x20011xi32>) outs(%f : tensor<34xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<34xi32>
  %v = tensor.empty() : tensor<34x20011xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %w : tensor<34x20011xi32>, tensor<34xi32>, tensor<20011xi32>) outs(%v : tensor<34x20011xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<34x20011xi32>
  return %y : tensor<34x20011xi32>
}

// Few such rows are shared by the blocks of a cluster.
func.func @cluster(%x: tensor<5x20011xi32>, %w: tensor<20011xi32>) -> tensor<5x20011xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x20011xi32>) outs(%f : tensor<5xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %o : i32
    linalg.yield %0 : i32
  } -> tensor<5xi32>
  %v = tensor.empty() : tensor<5x20011xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %w : tensor<5x20011xi32>, tensor<5xi32>, tensor<20011xi32>) outs(%v : tensor<5x20011xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    %1 = arith.xori %0, %d : i32
    linalg.yield %1 : i32
  } -> tensor<5x20011xi32>
  return %y : tensor<5x20011xi32>
}

// Weights of 16 bits begin in the middle of words for every second row.
func.func @shifted(%x: tensor<34x20011xi16>, %w: tensor<20011xi16>) -> tensor<34x20011xi16> {
  %c0 = arith.constant 0 : i16
  %e = tensor.empty() : tensor<34xi16>
  %f = linalg.fill ins(%c0 : i16) outs(%e : tensor<34xi16>) -> tensor<34xi16>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<34x20011xi16>) outs(%f : tensor<34xi16>) {
  ^bb0(%a: i16, %o: i16):
    %0 = arith.addi %a, %o : i16
    linalg.yield %0 : i16
  } -> tensor<34xi16>
  %v = tensor.empty() : tensor<34x20011xi16>
  %y = linalg.generic {indexing_maps = [#id, #row, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %w : tensor<34x20011xi16>, tensor<34xi16>, tensor<20011xi16>) outs(%v : tensor<34x20011xi16>) {
  ^bb0(%a: i16, %b: i16, %d: i16, %o: i16):
    %0 = arith.subi %a, %b : i16
    %1 = arith.xori %0, %d : i16
    linalg.yield %1 : i16
  } -> tensor<34x20011xi16>
  return %y : tensor<34x20011xi16>
}
