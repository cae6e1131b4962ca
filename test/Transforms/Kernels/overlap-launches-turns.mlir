// RUN: nm-opt %s --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --nm-overlap-launches --remarks-filter=nm-overlap-launches --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Missed] waits-first | Category:nm-overlap-launches | Function=turns | Reason="more blocks than SMs, which hold one each"
// REMARK: waits-first{{.*}}Function=either
// REMARK: waits-first{{.*}}Function=shared
// REMARK-NOT: waits-first

// More blocks of 1024 threads than there are SMs, which hold one each: most begin long after the
// kernel before has ended, and it waits at once. As many as SMs load a constant before.
// CHECK-LABEL: gpu.func @turns
// CHECK-SAME: (%arg0: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @at_once
// CHECK-SAME: attributes {nm.constant_args = array<i32: 0>}
// CHECK: memref.load %arg0
// CHECK-NEXT: nvvm.griddepcontrol wait
// Of which one launch has too many blocks, and one of which they are not known.
// CHECK-LABEL: gpu.func @either
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @unknown
// CHECK: memref.load %arg0
// CHECK-NEXT: nvvm.griddepcontrol wait
// By shared memory an SM holds one of these.
// CHECK-LABEL: gpu.func @shared
// CHECK-NEXT: nvvm.griddepcontrol wait
// Two of these.
// CHECK-LABEL: gpu.func @beside
// CHECK: memref.load %arg0
// CHECK-NEXT: nvvm.griddepcontrol wait
module attributes {gpu.container_module} {
  memref.global "private" constant @weight : memref<8xf32> = dense<1.0>
  gpu.module @kernels {
    gpu.func @turns(%w: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @at_once(%w: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @either(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @unknown(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @shared(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @beside(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
  }
  func.func @main(%n: index) {
    %one = arith.constant 1 : index
    %sms = arith.constant 132 : index
    %more = arith.constant 133 : index
    %threads = arith.constant 1024 : index
    %few = arith.constant 512 : index
    %bytes = arith.constant 120000 : i32
    %w = memref.get_global @weight : memref<8xf32>
    gpu.launch_func @kernels::@turns blocks in (%more, %one, %one) threads in (%threads, %one, %one) args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@at_once blocks in (%sms, %one, %one) threads in (%threads, %one, %one) args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@either blocks in (%sms, %one, %one) threads in (%threads, %one, %one) args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@either blocks in (%more, %one, %one) threads in (%threads, %one, %one) args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@unknown blocks in (%n, %one, %one) threads in (%threads, %one, %one) args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@shared blocks in (%more, %one, %one) threads in (%few, %one, %one) dynamic_shared_memory_size %bytes args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@beside blocks in (%more, %one, %one) threads in (%few, %one, %one) args(%w : memref<8xf32>)
    return
  }
}
