gpu.module @kernels {
  // expected-error @below {{expected only ops of the llvm and nvvm dialects in a gpu.module}}
  // expected-note @below {{convert-gpu-to-nvvm probably missed it}}
  gpu.func @k() kernel {
    gpu.return
  }
}
