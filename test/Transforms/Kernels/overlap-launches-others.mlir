// RUN: nm-opt %s --nm-overlap-launches | FileCheck %s
// RUN: nm-opt %s --nm-overlap-launches --remarks-filter=nm-overlap-launches --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Behind kernels of others, the first launch of each branch is not dependent, and what follows is. A
// loop's body may follow itself, and what stands behind a branch follows that.
// CHECK-LABEL: func.func @branches
// CHECK: scf.if
// CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8xf32>){{$}}
// CHECK: gpu.launch_func {{.*}} {nm.dependent}
// CHECK: else
// CHECK: gpu.launch_func {{.*}} args(%{{.*}} : memref<8xf32>){{$}}
// CHECK: gpu.launch_func {{.*}} {nm.dependent}
// CHECK-LABEL: func.func @loop
// CHECK: gpu.launch_func {{.*}} {nm.dependent}
// CHECK-LABEL: func.func @ours
// CHECK: gpu.launch_func {{.*}} {nm.dependent}

// REMARK-COUNT-2: remark: [Missed] not-overlapped | Category:nm-overlap-launches | Function=branches | Reason="the kernels before are none of nm's"
// REMARK-NOT: not-overlapped
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<8xf32>
      memref.store %v, %x[%c0] : memref<8xf32>
      gpu.return
    }
  }
  func.func @branches(%c: i1, %x: memref<8xf32>) attributes {nm.behind_others} {
    %c1 = arith.constant 1 : index
    scf.if %c {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    } else {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    }
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    return
  }
  func.func @loop(%n: index, %x: memref<8xf32>) attributes {nm.behind_others} {
    %c1 = arith.constant 1 : index
    scf.for %i = %c1 to %n step %c1 {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    }
    return
  }
  func.func @ours(%x: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    return
  }
}
