// RUN: nm-opt %s --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --nm-overlap-launches --remarks-filter=nm-overlap-launches --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Of the 262144 bytes that shared memory and L1 have together, a block of 195584 and the 1024 of each
// block leave a quarter; one of more leaves too little for the loads of a kernel that has more itself.
// It is launched when the one before has ended, and waits first.
// CHECK-LABEL: gpu.func @behind_large
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @behind
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-LABEL: gpu.func @large
// CHECK: memref.load %arg0
// CHECK-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait

// REMARK: remark: [Missed] not-overlapped | Category:nm-overlap-launches | Function=known | Reason="the launch before leaves little of the L1 cache"
// REMARK: [Missed] not-overlapped | Category:nm-overlap-launches | Function=repeated
// REMARK-NOT: not-overlapped
module attributes {gpu.container_module} {
  memref.global "private" constant @weight : memref<8xf32> = dense<1.0>
  gpu.module @kernels {
    gpu.func @behind_large(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @behind(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @large(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      gpu.return
    }
    gpu.func @no_constant(%w: memref<8xf32>) kernel {
      %zero = arith.constant 0 : index
      %x = memref.load %w[%zero] : memref<8xf32>
      memref.store %x, %w[%zero] : memref<8xf32>
      gpu.return
    }
  }
  // CHECK-LABEL: func.func @known
  // CHECK: gpu.launch_func @kernels::@large{{.*}} {nm.dependent}
  // CHECK: gpu.launch_func @kernels::@behind_large
  // CHECK-NOT: nm.dependent
  // CHECK: gpu.launch_func @kernels::@behind blocks{{.*}} {nm.dependent}
  // Of more memory itself: there is no more of the cache to have.
  // CHECK: gpu.launch_func @kernels::@large{{.*}} {nm.dependent}
  // CHECK: gpu.launch_func @kernels::@large{{.*}} {nm.dependent}
  // Loads no constant first.
  // CHECK: gpu.launch_func @kernels::@no_constant{{.*}} {nm.dependent}
  func.func @known(%m: memref<8xf32>) {
    %one = arith.constant 1 : index
    %threads = arith.constant 512 : index
    %most = arith.constant 195584 : i32
    %more = arith.constant 195585 : i32
    %w = memref.get_global @weight : memref<8xf32>
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@behind_large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@behind blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@no_constant blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%m : memref<8xf32>)
    return
  }
  // Behind itself comes its last.
  // CHECK-LABEL: func.func @repeated
  // CHECK: gpu.launch_func @kernels::@behind_large
  // CHECK-NOT: nm.dependent
  // CHECK: gpu.launch_func @kernels::@large{{.*}} {nm.dependent}
  func.func @repeated() {
    %one = arith.constant 1 : index
    %threads = arith.constant 512 : index
    %most = arith.constant 195584 : i32
    %more = arith.constant 195585 : i32
    %w = memref.get_global @weight : memref<8xf32>
    gpu.launch_func @kernels::@behind_large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    return
  }
  // Whatever is before what control flow may skip is not known.
  // CHECK-LABEL: func.func @branches
  // CHECK-COUNT-4: gpu.launch_func{{.*}} {nm.dependent}
  func.func @branches(%c: i1) {
    %one = arith.constant 1 : index
    %threads = arith.constant 512 : index
    %most = arith.constant 195584 : i32
    %more = arith.constant 195585 : i32
    %w = memref.get_global @weight : memref<8xf32>
    scf.if %c {
      gpu.launch_func @kernels::@behind blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%w : memref<8xf32>)
      gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    }
    gpu.launch_func @kernels::@behind blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %most args(%w : memref<8xf32>)
    gpu.launch_func @kernels::@large blocks in (%one, %one, %one) threads in (%threads, %one, %one) dynamic_shared_memory_size %more args(%w : memref<8xf32>)
    return
  }
}
