// RUN: nm-opt %s --nm-locate-asserts | FileCheck %s

// CHECK-LABEL: @all
// CHECK: cf.assert %{{.*}}, "in `embed`: out of range (model.py:12)"
// CHECK: cf.assert %{{.*}}, "out of range (model.py:13)"
// CHECK: cf.assert %{{.*}}, "in `head`: out of range"
// CHECK: cf.assert %{{.*}}, "out of range"
// A call site is the callee's.
// CHECK: cf.assert %{{.*}}, "in `inner`: out of range (layer.py:3)"
func.func @all(%ok: i1) {
  cf.assert %ok, "out of range" loc("embed"("model.py":12:0))
  cf.assert %ok, "out of range" loc("/src/net/model.py":13:7)
  cf.assert %ok, "out of range" loc("head")
  cf.assert %ok, "out of range" loc(unknown)
  cf.assert %ok, "out of range" loc(callsite("inner"("layer.py":3:1) at "outer"("model.py":9:1)))
  return
}

// CHECK-LABEL: gpu.func @kernel
// CHECK: cf.assert %{{.*}}, "in `layers.0`: out of range"
gpu.module @kernels {
  gpu.func @kernel(%ok: i1) kernel {
    cf.assert %ok, "out of range" loc("layers.0")
    gpu.return
  }
}
