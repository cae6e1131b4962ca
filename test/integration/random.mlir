// State of a module (torch's random seed is such a one) lives on the device, and
// gives the same numbers on every device: it is read, advanced, read again. A
// second call goes on from where the first has ended.

// RUN: %python %S/Inputs/check_module.py %s cpu --inputs="[np.ones(3)]" --expect="[np.arange(3) * 15.0 + 31, np.array(31)]"
// RUN: %python %S/Inputs/check_module.py %s emulator --inputs="[np.ones(3)]" --expect="[np.arange(3) * 15.0 + 31, np.array(31)]"
// RUN: nm-run %s --device=emulator --repeat=2 --output=%t.x.npy --output=%t.npy
// RUN: %python -c "import numpy as np; print(np.load('%t.npy'))" | FileCheck %s
// CHECK: 127
// REQUIRES: numpy

// Of a function that is called, the code is its caller's: no call allocates.
// RUN: nm-compile %s --emit=program -o %t.nm
// RUN: nm-run %t.nm --show-code | FileCheck %s --check-prefix=CODE
// CODE:     main:
// CODE-NOT: {{Allocate|Call}}

ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>

func.func private @advance() -> i64 {
  %one = arith.constant 1 : i64
  %state = ml_program.global_load @seed : tensor<i64>
  %old = tensor.extract %state[] : tensor<i64>
  %twice = arith.addi %old, %old : i64
  %new = arith.addi %twice, %one : i64
  %next = tensor.insert %new into %state[] : tensor<i64>
  ml_program.global_store @seed = %next : tensor<i64>
  return %new : i64
}

func.func @main(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<i64>) {
  %first = call @advance() : () -> i64
  %second = call @advance() : () -> i64
  %empty = tensor.empty() : tensor<3xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf64>) outs(%empty : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %a = arith.muli %n, %first : i64
    %b = arith.addi %a, %second : i64
    %f = arith.sitofp %b : i64 to f64
    %g = arith.mulf %f, %in : f64
    linalg.yield %g : f64
  } -> tensor<3xf64>
  %state = ml_program.global_load @seed : tensor<i64>
  return %y, %state : tensor<3xf64>, tensor<i64>
}
