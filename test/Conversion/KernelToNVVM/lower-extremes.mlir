// RUN: nm-opt %s --nm-lower-extremes | FileCheck %s

// CHECK-LABEL: gpu.func @k
// CHECK: llvm.intr.maximum(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: llvm.intr.minimum(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK: arith.maximumf %{{.*}} : f64
// CHECK: arith.maxnumf %{{.*}} : f32
gpu.module @kernels {
  gpu.func @k(%a: f32, %b: f32, %c: f64, %p: memref<3xf32>, %q: memref<f64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = arith.maximumf %a, %b : f32
    %n = arith.minimumf %m, %b : f32
    %d = arith.maximumf %c, %c : f64
    %e = arith.maxnumf %a, %b : f32
    memref.store %n, %p[%c0] : memref<3xf32>
    memref.store %e, %p[%c1] : memref<3xf32>
    memref.store %d, %q[] : memref<f64>
    gpu.return
  }
}
