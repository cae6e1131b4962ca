// RUN: nm-opt %s --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --nm-overlap-launches --remarks-filter=nm-overlap-launches --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// More blocks than there are SMs, with 256 bytes of shared memory a thread: the kernel waits before it
// loads a constant.
// CHECK-LABEL: gpu.func @later
// CHECK-SAME: (%arg0: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
// CHECK-NEXT: nvvm.griddepcontrol wait
// As many blocks as SMs, or less memory a thread: it loads the constant first.
// CHECK-LABEL: gpu.func @at_once
// CHECK-SAME: attributes {nm.constant_args = array<i32: 0>}
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @small
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// Of two launches one has too many blocks.
// CHECK-LABEL: gpu.func @either
// CHECK-NEXT: nvvm.griddepcontrol wait
// Nobody knows how many blocks, or threads, or there are none.
// CHECK-LABEL: gpu.func @blocks_unknown
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @threads_unknown
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @no_threads
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait

// REMARK: remark: [Missed] waits-first | Category:nm-overlap-launches | Function=main | Reason="more blocks than SMs, each of which has a large A"
// REMARK: [Missed] waits-first | Category:nm-overlap-launches | Function=main
// REMARK-NOT: waits-first
module attributes {gpu.container_module} {
  memref.global "private" constant @weight : memref<8xf32> = dense<1.0>
  gpu.module @kernels {
    gpu.func @later(%w: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @at_once(%w: memref<8xf32> {llvm.noalias, llvm.readonly}) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @small(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @either(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @blocks_unknown(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @threads_unknown(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @no_threads(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @main
  // CHECK-COUNT-8: gpu.launch_func {{.*}} {nm.dependent}
  func.func @main(%n: index) {
    %none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sms = arith.constant 132 : index
    %more = arith.constant 133 : index
    %threads = arith.constant 512 : index
    %large = arith.constant 131072 : i32
    %less = arith.constant 131071 : i32
    %w = memref.get_global @weight : memref<8xf32>
    gpu.launch_func @kernels::@later blocks in (%more, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@at_once blocks in (%sms, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@small blocks in (%more, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %less args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@either blocks in (%sms, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@either blocks in (%more, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@blocks_unknown blocks in (%n, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@threads_unknown blocks in (%more, %one, %one) threads in (%n, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@no_threads blocks in (%more, %one, %one) threads in (%none, %one, %one) dynamic_shared_memory_size %large args(%w : memref<8xf32>)
    return
  }
}
