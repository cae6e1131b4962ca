// RUN: not nm-compile %s --chip=sm_12 -o %t 2>&1 | FileCheck %s
// RUN: nm-compile %s --chip=sm_90 -o - | FileCheck %s --check-prefix=SM90
// RUN: nm-compile %s --chip=sm_90a -o - | FileCheck %s --check-prefix=SM90A
// RUN: nm-compile %s --chip=sm_100 -o - | FileCheck %s --check-prefix=SM100
// RUN: nm-compile %s --chip=sm_120 -o - | FileCheck %s --check-prefix=SM120

// All rows of the target table; ptxas.mlir has a RUN line for each.
// CHECK: nm-compile: expected one of the known chips (sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, sm_120), got `sm_12`

// The least PTX version that LLVM takes for the chip.
// SM90: .version 8.0
// SM90: .target sm_90
// SM90A: .version 8.0
// SM90A: .target sm_90a
// SM100: .version 8.6
// SM100: .target sm_100
// SM120: .version 8.7
// SM120: .target sm_120
func.func @f(%a: memref<4xf32>) {
  %c = arith.constant 0.0 : f32
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  return
}
