// RUN: nm-opt %s --nm-host-to-runtime | FileCheck %s --implicit-check-not=gpu.binary
// RUN: not nm-opt %s --nm-host-to-runtime=host 2>&1 | FileCheck %s --check-prefix=HOST

// HOST: 'gpu.launch_func' op unsupported: launch without a device

// The size of the image does not count the final 0.
// CHECK-DAG: llvm.mlir.global internal constant @nm_kernels_image("PTX\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("kernel\00")

module attributes {gpu.container_module} {
gpu.binary @nm_kernels [#gpu.object<#nvvm.target, "PTX">]

// CHECK-LABEL: func.func private @launches
func.func private @launches(%m: memref<f32>, %n: index, %flag: i1) {
  %c1 = arith.constant 1 : index
  // CHECK: llvm.zext %{{.*}} : i1 to i8
  // CHECK: llvm.mlir.constant(3 : i64)
  // CHECK: llvm.call @nmrtLaunchImage
  gpu.launch_func @nm_kernels::@kernel blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%m : memref<f32>, %n : index, %flag : i1)
  return
}
}
