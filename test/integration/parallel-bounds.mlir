// Parallel loops that start above 0 and step by more than 1, with bounds that are
// known and that are not: the same elements on every device. One whose upper bound
// is below the lower one has no iteration.
//
// REQUIRES: numpy
// RUN: %python -c "import numpy as np; y = np.zeros((7, 9), np.float32); y[2:7:2, 3:9:4] = 1; np.save('%t.y.npy', y); [np.save('%t.%%d.npy' %% i, np.int64(i)) for i in (-1, 0, 2, 3, 4, 7, 9, 100)]"
// DEFINE: %{device} =
// DEFINE: %{run} = nm-run %s --device=%{device} --tolerance=0
// DEFINE: %{bounds} = --input=%t.2.npy --input=%t.3.npy --input=%t.7.npy --input=%t.9.npy --input=%t.2.npy --input=%t.4.npy
// DEFINE: %{zeros} = --expect=%t.z.npy
// RUN: %python -c "import numpy as np; np.save('%t.z.npy', np.zeros((7, 9), np.float32))"

// REDEFINE: %{device} = cpu
// RUN: %{run} --entry=known --expect=%t.y.npy
// RUN: %{run} --entry=unknown %{bounds} --expect=%t.y.npy
// RUN: %{run} --entry=unknown --input=%t.9.npy --input=%t.3.npy --input=%t.7.npy --input=%t.9.npy --input=%t.2.npy --input=%t.4.npy %{zeros}
// RUN: %{run} --entry=unknown --input=%t.2.npy --input=%t.100.npy --input=%t.7.npy --input=%t.-1.npy --input=%t.2.npy --input=%t.4.npy %{zeros}
// REDEFINE: %{device} = emulator
// RUN: %{run} --entry=known --expect=%t.y.npy
// RUN: %{run} --entry=unknown %{bounds} --expect=%t.y.npy
// RUN: %{run} --entry=unknown --input=%t.9.npy --input=%t.3.npy --input=%t.7.npy --input=%t.9.npy --input=%t.2.npy --input=%t.4.npy %{zeros}
// RUN: %{run} --entry=unknown --input=%t.2.npy --input=%t.100.npy --input=%t.7.npy --input=%t.-1.npy --input=%t.2.npy --input=%t.4.npy %{zeros}
// RUN: not nm-run %s --device=emulator --entry=unknown --input=%t.2.npy --input=%t.3.npy --input=%t.7.npy --input=%t.9.npy --input=%t.2.npy --input=%t.0.npy 2>&1 | FileCheck %s
// CHECK: nm-run: `unknown` failed with status 7: scf.parallel: the step is not positive

func.func @known() -> memref<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %m = memref.alloc() : memref<7x9xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<7x9xf32>)
  scf.parallel (%i, %j) = (%c2, %c3) to (%c7, %c9) step (%c2, %c4) {
    memref.store %one, %m[%i, %j] : memref<7x9xf32>
  }
  return %m : memref<7x9xf32>
}

func.func @unknown(%l0: index, %l1: index, %u0: index, %u1: index, %s0: index, %s1: index) -> memref<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<7x9xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<7x9xf32>)
  scf.parallel (%i, %j) = (%l0, %l1) to (%u0, %u1) step (%s0, %s1) {
    memref.store %one, %m[%i, %j] : memref<7x9xf32>
  }
  return %m : memref<7x9xf32>
}
