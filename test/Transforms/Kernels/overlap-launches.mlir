// RUN: nm-opt %s --split-input-file --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --split-input-file --nm-set-target=chip=sm_80 --nm-overlap-launches | FileCheck %s --check-prefix=OLD
// RUN: nm-opt %s --split-input-file --nm-set-target=chip=sm_120 --nm-overlap-launches | FileCheck %s

// A kernel waits before it does anything; what is called in it does not.
// CHECK-LABEL: gpu.func @kernel
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant
// CHECK-NOT: griddepcontrol
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: gpu.launch_func {{.*}} {nm.dependent}

// Chips before sm_90 have no such launches.
// OLD-NOT: griddepcontrol
// OLD-NOT: nm.dependent
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<4xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %m[%zero] : memref<4xf32>
      gpu.return
    }
    gpu.func @helper(%x: f32) {
      gpu.return
    }
  }
  func.func @main(%m: memref<4xf32>) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%m : memref<4xf32>)
    gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%m : memref<4xf32>)
    return
  }
}
