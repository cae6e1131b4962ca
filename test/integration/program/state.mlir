// State begins with what the module says, or with what is given; names are shown.
//
// RUN: nm-compile %s --emit=program -o %t.nm
// RUN: nm-run %t.nm --show | FileCheck %s --check-prefix=SHOW
// SHOW:      function count
// SHOW-NEXT:   takes  total: 2xf32
// SHOW-NEXT:   takes  x: 2xf32
// SHOW-NEXT:   gives  total: 2xf32
// SHOW-NEXT:   gives  #1: 2xf32
// SHOW:      constants: 1, 8 bytes
// SHOW-NEXT:   8  2xf32 initial  total
//
// RUN: %python -c "import numpy as n; n.save(r'%t.x.npy', n.array([1, 3], 'f4')); n.save(r'%t.s1.npy', n.array([2, 5], 'f4')); n.save(r'%t.s2.npy', n.array([3, 8], 'f4')); n.save(r'%t.y1.npy', n.array([2, 15], 'f4')); n.save(r'%t.y2.npy', n.array([3, 24], 'f4'))"
// RUN: nm-run %t.nm --device=emulator --input=%t.x.npy --expect=%t.s1.npy --expect=%t.y1.npy
// RUN: nm-run %t.nm --device=emulator --input=%t.s1.npy --input=%t.x.npy --expect=%t.s2.npy --expect=%t.y2.npy
// RUN: nm-run %s --device=cpu --input=%t.x.npy --expect=%t.s1.npy --expect=%t.y1.npy 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: warning
// RUN: nm-run %s --device=emulator --input=%t.x.npy --expect=%t.s1.npy --expect=%t.y1.npy
// RUN: not nm-run %t.nm --device=emulator --input=%t.x.npy --input=%t.x.npy --input=%t.x.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: expected none or 1 --input, got 3

func.func @count(
    %t: tensor<2xf32> {nm.name = "total", nm.state = dense<[1.0, 2.0]> : tensor<2xf32>},
    %x: tensor<2xf32> {nm.name = "x"})
    -> (tensor<2xf32> {nm.name = "total"}, tensor<2xf32>) {
  %s = linalg.add ins(%t, %x : tensor<2xf32>, tensor<2xf32>)
                  outs(%t : tensor<2xf32>) -> tensor<2xf32>
  %y = linalg.mul ins(%s, %x : tensor<2xf32>, tensor<2xf32>)
                  outs(%x : tensor<2xf32>) -> tensor<2xf32>
  return %s, %y : tensor<2xf32>, tensor<2xf32>
}
