// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-mark-invariant-loads))' -split-input-file -verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{expected `nm.constant_args` to be an array of i32 of a kernel that waits, got 1}}
  llvm.func @no_array(%w: !llvm.ptr) attributes {nm.constant_args = 1 : i64, nvvm.kernel} {
    nvvm.griddepcontrol wait
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected `nm.constant_args` to be an array of i32 of a kernel that waits, got array<i32: 0>}}
  llvm.func @no_wait(%w: !llvm.ptr) attributes {nm.constant_args = array<i32: 0>, nvvm.kernel} {
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{of a kernel that waits}}
  llvm.func @no_kernel(!llvm.ptr) attributes {nm.constant_args = array<i32: 0>}
}
