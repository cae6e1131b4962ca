// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-pass-tensor-maps))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @copies
  // CHECK-SAME: (%{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{[^:]*}}: !llvm.ptr {llvm.noalias})
  // CHECK-SAME: attributes {gpu.kernel, nvvm.kernel}
  llvm.func @copies(%n: i64, %map: !llvm.ptr, %y: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nm.tensor_maps = array<i32: 1>, nvvm.kernel} {
    llvm.return
  }
}
