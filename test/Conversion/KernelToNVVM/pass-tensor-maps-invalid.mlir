// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-pass-tensor-maps))' -split-input-file -verify-diagnostics

gpu.module @kernels {
  // expected-error @below {{expected `nm.tensor_maps` to name arguments of type '!llvm.ptr', got number 0}}
  llvm.func @number(%n: i64) attributes {nm.tensor_maps = array<i32: 0>, nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected `nm.tensor_maps` to name arguments of type '!llvm.ptr', got number -1}}
  llvm.func @none(%map: !llvm.ptr) attributes {nm.tensor_maps = array<i32: -1>, nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected `nm.tensor_maps` to name arguments of type '!llvm.ptr', got number 1}}
  llvm.func @beyond(%map: !llvm.ptr) attributes {nm.tensor_maps = array<i32: 1>, nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected `nm.tensor_maps` to be an array of i32 of a kernel, got 1}}
  llvm.func @no_array(%map: !llvm.ptr) attributes {nm.tensor_maps = 1 : i64, nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected `nm.tensor_maps` to be an array of i32 of a kernel}}
  llvm.func @no_kernel(%map: !llvm.ptr) attributes {nm.tensor_maps = array<i32: 0>} {
    llvm.return
  }
}
