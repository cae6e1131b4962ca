// RUN: nm-opt %s --nm-map-loops-to-gpu --split-input-file --verify-diagnostics
// RUN: not nm-opt %s --nm-map-loops-to-gpu=block-size=2000 2>&1 | FileCheck %s --check-prefix=BLOCK

// BLOCK: expected a block size of 32 to 1024 threads, got 2000

func.func @reduces(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{unsupported: parallel loop with a reduction; expected loops without results, got 1 results}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// -----

func.func @too_many(%m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -9223372036854775808 : index
  %n = arith.constant 4294967296 : index
  // expected-error @+1 {{unsupported: 2^63 iterations or more}}
  scf.parallel (%i) = (%least) to (%c1) step (%c1) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----

func.func @too_many_together(%m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4294967296 : index
  // expected-error @+1 {{unsupported: 2^63 iterations or more}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
