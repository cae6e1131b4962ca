// RUN: nm-opt %s --nm-widen-kernel-args | FileCheck %s

// Integers of widths that PTX has no parameter of; all others stay.
module attributes {gpu.container_module} {
  gpu.module @nm_kernels {
    // CHECK: gpu.func @k(%[[A:.*]]: i8, %{{.*}}: i1, %[[B:.*]]: i64, %{{.*}}: i32, %{{.*}}: memref<f32>)
    // CHECK-DAG: %[[LOW:.*]] = arith.trunci %[[A]] : i8 to i7
    // CHECK-DAG: arith.trunci %[[B]] : i64 to i33
    // CHECK: arith.sitofp %[[LOW]] : i7 to f32
    gpu.func @k(%a: i7, %truth: i1, %b: i33, %c: i32, %out: memref<f32>) kernel {
      %x = arith.sitofp %a : i7 to f32
      %y = arith.sitofp %b : i33 to f32
      %z = arith.addf %x, %y : f32
      memref.store %z, %out[] : memref<f32>
      gpu.return
    }
  }
  // CHECK: func.func @main(%[[A:.*]]: i7, %[[TRUTH:.*]]: i1, %[[B:.*]]: i33, %[[C:.*]]: i32
  func.func @main(%a: i7, %truth: i1, %b: i33, %c: i32, %out: memref<f32>) {
    %c1 = arith.constant 1 : index
    // CHECK: %[[WIDE_A:.*]] = arith.extui %[[A]] : i7 to i8
    // CHECK: %[[WIDE_B:.*]] = arith.extui %[[B]] : i33 to i64
    // CHECK: args(%[[WIDE_A]] : i8, %[[TRUTH]] : i1, %[[WIDE_B]] : i64, %[[C]] : i32,
    gpu.launch_func @nm_kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : i7, %truth : i1, %b : i33, %c : i32, %out : memref<f32>)
    return
  }
}
