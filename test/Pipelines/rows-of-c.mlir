// RUN: nm-compile %s --chip=sm_90 -o - | FileCheck %s

// A tile has 8 rows and C has 2: of the 32 rows of values that a step keeps of a
// column, each is multiplied by two elements of A.
// CHECK-COUNT-64: fma.rn.f32
// CHECK-NOT: fma.rn.f32
func.func @main(%a: memref<2x1024xf32>, %v: memref<512x256xf32>, %d: memref<128x64xi8>, %c: memref<2x256xf32>) {
  %w = nm.assemble %v, %d : memref<512x256xf32>, memref<128x64xi8> -> !nm.condensed<1024x256xf32, #nm.pattern<2:4, unit = 4x4>>
  nm.spmm %a, %w outs(%c : memref<2x256xf32>) : memref<2x1024xf32>, !nm.condensed<1024x256xf32, #nm.pattern<2:4, unit = 4x4>>
  return
}
