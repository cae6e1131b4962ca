// RUN: nm-opt %s --pass-pipeline="builtin.module(gpu.module(nm-lower-kernel-asserts))" --verify-diagnostics

gpu.module @kernels {
  gpu.func @kernel(%a: i1, %b: i1) kernel {
    scf.if %a {
      // expected-error @+1 {{expected a body of branches; run convert-scf-to-cf first}}
      cf.assert %b, "too small"
    }
    gpu.return
  }
}
