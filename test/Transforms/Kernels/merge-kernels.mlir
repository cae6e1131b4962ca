// RUN: nm-opt %s --nm-merge-kernels --split-input-file | FileCheck %s
// RUN: nm-opt %s --nm-merge-kernels --split-input-file --remarks-filter='nm-.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Three layers, of which two differ only in the name of their kernel; the third
// has another constant. Launches keep the name of the kernel that they had.

// REMARK: remark: [Passed] merged | Category:nm-merge-kernels | Function=first | kernels=2
// REMARK-NOT: merged

// CHECK: gpu.module @nm_kernels
// CHECK-NOT: gpu.func @second
module attributes {gpu.container_module} {
gpu.module @nm_kernels {
  // CHECK: gpu.func @first
  gpu.func @first(%x: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 1.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %v, %c : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  gpu.func @second(%x: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 1.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %v, %c : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // CHECK: gpu.func @other_constant
  gpu.func @other_constant(%x: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 2.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %v, %c : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // CHECK: gpu.func @other_operands
  gpu.func @other_operands(%x: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 1.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %c, %v : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // What the launches promise of an argument is a part of the kernel.
  // CHECK: gpu.func @other_promise
  gpu.func @other_promise(%x: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 1.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %v, %c : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // CHECK: gpu.func @other_block
  gpu.func @other_block(%x: memref<f32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c = arith.constant 1.0 : f32
    %v = memref.load %x[] : memref<f32>
    %y = arith.subf %v, %c : f32
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // CHECK: gpu.func @other_type
  gpu.func @other_type(%x: memref<f64> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c = arith.constant 1.0 : f64
    %v = memref.load %x[] : memref<f64>
    %y = arith.subf %v, %c : f64
    memref.store %y, %x[] : memref<f64>
    gpu.return
  }
}

// CHECK-LABEL: func.func @main
func.func @main(%x: memref<f32>, %y: memref<f64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  // CHECK: gpu.launch_func @nm_kernels::@first
  // CHECK-NOT: nm.launch_name
  // CHECK: gpu.launch_func @nm_kernels::@first
  // CHECK-SAME: {nm.launch_name = "second"}
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@first
  // CHECK-SAME: {nm.launch_name = "again"}
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@other_constant
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@other_operands
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@other_promise
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@other_block
  // CHECK-NEXT: gpu.launch_func @nm_kernels::@other_type
  gpu.launch_func @nm_kernels::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@second blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@second blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>) {nm.launch_name = "again"}
  gpu.launch_func @nm_kernels::@other_constant blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@other_operands blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@other_promise blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@other_block blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<f32>)
  gpu.launch_func @nm_kernels::@other_type blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%y : memref<f64>)
  return
}
}

// -----

// Kernels that are no duplicates of a kernel beside them: in another module of
// kernels, named by something else than a launch, not a kernel, with another
// message of an assertion, or with the same ops in another order.

module attributes {gpu.container_module} {
// CHECK: gpu.module @nm_kernels
gpu.module @nm_kernels {
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%flag: i1) kernel {
    cf.assert %flag, "here"
    gpu.barrier
    gpu.return
  }
  // CHECK: gpu.func @named
  gpu.func @named(%flag: i1) kernel {
    cf.assert %flag, "here"
    gpu.barrier
    gpu.return
  }
  // CHECK: gpu.func @function
  gpu.func @function(%flag: i1) {
    cf.assert %flag, "here"
    gpu.barrier
    gpu.return
  }
  // CHECK: gpu.func @other_message
  gpu.func @other_message(%flag: i1) kernel {
    cf.assert %flag, "there"
    gpu.barrier
    gpu.return
  }
  // CHECK: gpu.func @other_order
  gpu.func @other_order(%flag: i1) kernel {
    gpu.barrier
    cf.assert %flag, "here"
    gpu.return
  }
}
// CHECK: gpu.module @others
gpu.module @others {
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%flag: i1) kernel {
    cf.assert %flag, "here"
    gpu.barrier
    gpu.return
  }
}
// CHECK-NOT: nm.launch_name
func.func @main(%flag: i1) attributes {nm.used = @nm_kernels::@named} {
  %c1 = arith.constant 1 : index
  gpu.launch_func @nm_kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%flag : i1)
  gpu.launch_func @nm_kernels::@named blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%flag : i1)
  gpu.launch_func @nm_kernels::@other_message blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%flag : i1)
  gpu.launch_func @nm_kernels::@other_order blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%flag : i1)
  gpu.launch_func @others::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%flag : i1)
  return
}
}
