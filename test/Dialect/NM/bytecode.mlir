// RUN: nm-opt --emit-bytecode %s -o %t.bc
// RUN: nm-opt %t.bc | FileCheck %s
// RUN: env LC_ALL=C sed -E 's/0[.][0-9]+[.][0-9]+/9.9.9/' %t.bc > %t.other.bc
// RUN: not cmp %t.bc %t.other.bc
// RUN: not nm-opt %t.other.bc 2>&1 | FileCheck %s --check-prefix=OTHER

// Bytecode is read by the nm that wrote it, and by no other.
// CHECK: nm.values %{{.*}} : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<32x128xf32>
// OTHER: error: expected bytecode of nm 0.{{[0-9.]+}}, got that of nm 9.9.9; let that version print it as text
func.func @f(%w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>) {
  %v = nm.values %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<32x128xf32>
  return
}
