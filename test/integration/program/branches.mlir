// A function with branches, and one that calls it.

// RUN: %python -c "import numpy as np; np.save('%t.x.npy', np.arange(4, dtype=np.float32)); np.save('%t.yes.npy', np.bool_(True)); np.save('%t.no.npy', np.bool_(False)); np.save('%t.double.npy', 2 * np.arange(4, dtype=np.float32))"
// RUN: nm-run %s --entry=f --device=emulator --input=%t.yes.npy --input=%t.x.npy --expect=%t.double.npy
// RUN: nm-run %s --entry=f --device=emulator --input=%t.no.npy --input=%t.x.npy --expect=%t.x.npy
// RUN: nm-run %s --entry=g --device=emulator --input=%t.yes.npy --input=%t.x.npy --expect=%t.double.npy
// RUN: nm-compile %s --emit=program -o %t.nm
// RUN: nm-run %t.nm --entry=g --device=emulator --input=%t.no.npy --input=%t.x.npy --expect=%t.x.npy
// REQUIRES: numpy

func.func @f(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^yes, ^no
^yes:
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
^no:
  return %x : tensor<4xf32>
}

func.func @g(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @f(%c, %x) : (i1, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
