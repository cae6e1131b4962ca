// What MLIR's own canonicalizer computes wrongly, or does not survive
// (docs/KnownLimits.md), on the host and in kernels of every device.
//
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; a = np.array; \
// RUN:   np.save('%t.x.npy', a([300, -2**63, 2], np.int64)); \
// RUN:   np.save('%t.n.npy', a([-1, 0, 1, 4], np.int32)); \
// RUN:   np.save('%t.s.npy', np.arange(6, dtype=np.float32).reshape(1, 2, 3)); \
// RUN:   d = np.full((1, 4, 1, 5), -1, np.float32); np.save('%t.d.npy', d); \
// RUN:   d[0, :2, 0, :3] = np.arange(6).reshape(2, 3); np.save('%t.0.npy', d); \
// RUN:   np.save('%t.1.npy', a([44, 44, 0, 1], np.int64)); \
// RUN:   np.save('%t.2.npy', a([0, 0, 2, 4], np.int32)); \
// RUN:   np.save('%t.3.npy', a([1073741819] * 4, np.int32)); \
// RUN:   np.save('%t.4.npy', a([True] * 4)); \
// RUN:   np.save('%t.5.npy', a([0] * 4, np.int32))"
// RUN: nm-run %s --device=cpu --input=%t.x.npy --input=%t.n.npy --input=%t.s.npy --input=%t.d.npy --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy --expect=%t.5.npy
// RUN: nm-run %s --device=emulator --input=%t.x.npy --input=%t.n.npy --input=%t.s.npy --input=%t.d.npy --expect=%t.0.npy --expect=%t.1.npy --expect=%t.2.npy --expect=%t.3.npy --expect=%t.4.npy --expect=%t.5.npy

#id = affine_map<(i) -> (i)>

// Sizes of a slice that become constants.
func.func private @slice(%s: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.insert_slice %s into %d[0, 0, 0, 0] [1, %c2, 1, %c3] [1, 1, 1, 1]
      : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}

// Numbers of the host: 300 through 8 bits, in both dialects; x - y < 0 where
// x - y wraps, and the same of y - x.
func.func private @indices(%x: tensor<3xi64>) -> tensor<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %x[%c0] : tensor<3xi64>
  %b = tensor.extract %x[%c1] : tensor<3xi64>
  %c = tensor.extract %x[%c2] : tensor<3xi64>
  %i = arith.index_cast %a : i64 to index
  %i8 = arith.index_cast %i : index to i8
  %i0 = arith.index_cast %i8 : i8 to index
  %i1 = arith.index_cast %i0 : index to i64
  %j = index.casts %a : i64 to index
  %j8 = index.castu %j : index to i8
  %j0 = index.castu %j8 : i8 to index
  %j1 = index.casts %j0 : index to i64
  %k = index.casts %b : i64 to index
  %l = index.casts %c : i64 to index
  %zero = index.constant 0
  %m = index.sub %k, %l
  %m1 = index.cmp slt(%m, %zero)
  %m2 = arith.extui %m1 : i1 to i64
  %n = index.sub %l, %k
  %n1 = index.cmp slt(%n, %zero)
  %n2 = arith.extui %n1 : i1 to i64
  %0 = tensor.from_elements %i1, %j1, %m2, %n2 : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// The result of an scf.if that is passed on twice.
func.func private @while(%x: tensor<?xi32>, %e: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %other = arith.constant 20 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%limit: i32, %o: i32):
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
    linalg.yield %w#2 : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// A loop of four turns, whose bounds are 2^31 + 4 apart.
func.func private @for(%x: tensor<?xi32>, %e: tensor<?xi32>) -> tensor<?xi32> {
  %min = arith.constant -2147483648 : i32
  %c4 = arith.constant 4 : i32
  %step = arith.constant 536870913 : i32
  %one = arith.constant 1 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %o: i32):
    %r = scf.for %i = %min to %c4 step %step iter_args(%p = %one) -> i32 : i32 {
      %q = arith.subi %p, %i : i32
      scf.yield %q : i32
    }
    linalg.yield %r : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// A comparison that is true whatever it compares.
func.func private @true(%x: tensor<?xi32>, %e: tensor<?xi1>) -> tensor<?xi1> {
  %c = arith.constant -100.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi1>) {
  ^bb0(%a: i32, %o: i1):
    %f = arith.uitofp %a : i32 to f32
    %r = arith.cmpf true, %f, %c : f32
    linalg.yield %r : i1
  } -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @main(%x: tensor<3xi64>, %n: tensor<?xi32>, %s: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>)
    -> (tensor<1x?x1x?xf32>, tensor<4xi64>, tensor<?xi32>, tensor<?xi32>, tensor<?xi1>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %n, %c0 : tensor<?xi32>
  %e = tensor.empty(%size) : tensor<?xi32>
  %b = tensor.empty(%size) : tensor<?xi1>
  %0 = call @slice(%s, %d) : (tensor<1x?x?xf32>, tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32>
  %1 = call @indices(%x) : (tensor<3xi64>) -> tensor<4xi64>
  %2 = call @while(%n, %e) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %3 = call @for(%n, %e) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %4 = call @true(%n, %b) : (tensor<?xi32>, tensor<?xi1>) -> tensor<?xi1>
  // Zero, of an extent that is not known.
  %5 = arith.xori %n, %n : tensor<?xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x?x1x?xf32>, tensor<4xi64>, tensor<?xi32>, tensor<?xi32>, tensor<?xi1>, tensor<?xi32>
}
