// RUN: nm-opt %s --split-input-file --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --split-input-file --nm-set-target=chip=sm_80 --nm-overlap-launches | FileCheck %s --check-prefix=OLD
// RUN: nm-opt %s --split-input-file --nm-set-target=chip=sm_120 --nm-overlap-launches | FileCheck %s

// A kernel waits before it does anything; what is called in it does not.
// CHECK-LABEL: gpu.func @kernel
// CHECK-NOT: nm.constant_args
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

// -----

// What nothing writes may be read before: a constant at both launches. The argument that is a
// constant at one of them only comes behind the wait, and so does all that follows it. What is
// only read may have aliases: loads of what has none would pass the wait. LLVM takes the wait for
// an op that has to do with no memory, so a fence keeps loads on their sides.
// CHECK-LABEL: gpu.func @weights
// CHECK-SAME: (%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<8xf32> {llvm.noalias})
// CHECK-SAME: attributes {nm.constant_args = array<i32: 1>}
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %arg1
// CHECK-NEXT: memref.load %[[VIEW]]
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.load %arg0
// CHECK-NEXT: memref.load %arg1
// CHECK-LABEL: gpu.func @waits
// CHECK-NEXT: arith.constant
// CHECK-NEXT: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load %arg0
module attributes {gpu.container_module} {
  memref.global "private" constant @weight : memref<8xf32> = dense<1.0>
  memref.global "private" @state : memref<4xf32> = dense<1.0>
  gpu.module @kernels {
    gpu.func @weights(%a: memref<4xf32> {llvm.noalias, llvm.readonly}, %w: memref<8xf32> {llvm.noalias, llvm.readonly}, %c: memref<8xf32> {llvm.noalias}) kernel {
      %zero = arith.constant 0 : index
      %view = memref.reinterpret_cast %w to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
      %x = memref.load %view[%zero] : memref<4xf32, strided<[1], offset: 4>>
      %y = memref.load %a[%zero] : memref<4xf32>
      %z = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @waits(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.barrier
      %y = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
  }
  func.func @main(%c: memref<8xf32>) {
    %one = arith.constant 1 : index
    %w = memref.get_global @weight : memref<8xf32>
    %s = memref.get_global @state : memref<4xf32>
    %view = memref.subview %w[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %cast = memref.cast %view : memref<4xf32, strided<[1]>> to memref<4xf32>
    gpu.launch_func @kernels::@weights blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%cast : memref<4xf32>, %w : memref<8xf32>, %c : memref<8xf32>)
    gpu.launch_func @kernels::@weights blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%s : memref<4xf32>, %w : memref<8xf32>, %c : memref<8xf32>)
    gpu.launch_func @kernels::@waits blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%w : memref<8xf32>)
    return
  }
}

// -----

// A kernel that is lowered already gets no wait, so that its launch is not dependent.
// CHECK-LABEL: llvm.func @lowered
// CHECK-NOT: griddepcontrol
// CHECK-LABEL: func.func @main
// CHECK-NOT: nm.dependent
// CHECK: gpu.launch_func @kernels::@lowered
// CHECK-NOT: nm.dependent
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @lowered() attributes {gpu.kernel} {
      llvm.return
    }
  }
  func.func @main() {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@lowered blocks in (%one, %one, %one) threads in (%one, %one, %one)
    return
  }
}
