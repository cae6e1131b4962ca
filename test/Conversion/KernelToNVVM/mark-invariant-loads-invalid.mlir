// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-mark-invariant-loads))' -verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{expected `nm.constant_args` to be an array of i32, got 1}}
  llvm.func @no_array(%w: !llvm.ptr) attributes {nm.constant_args = 1 : i64, nvvm.kernel} {
    nvvm.griddepcontrol wait
    llvm.return
  }
}
