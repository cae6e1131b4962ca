// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-lower-tensor-maps))' -split-input-file -verify-diagnostics

gpu.module @kernels {
  gpu.func @branches(%map: !nm.tensor_map) kernel {
    // expected-error @below {{expected uses of a tensor map to be builtin.unrealized_conversion_cast to '!llvm.ptr', got this one}}
    cf.br ^bb1(%map : !nm.tensor_map)
  ^bb1(%other: !nm.tensor_map):
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @another_space(%map: !nm.tensor_map) kernel {
    // expected-error @below {{expected uses of a tensor map to be builtin.unrealized_conversion_cast to '!llvm.ptr', got this one}}
    %0 = builtin.unrealized_conversion_cast %map : !nm.tensor_map to !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected a kernel to take tensor maps, got a function that kernels call}}
  gpu.func @called(%map: !nm.tensor_map) {
    gpu.return
  }
}
