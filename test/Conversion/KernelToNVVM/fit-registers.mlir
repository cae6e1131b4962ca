// RUN: nm-opt --nm-fit-registers %s | FileCheck %s
// RUN: nm-opt --nm-fit-registers --remarks-filter=nm-fit-registers --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// An SM has 233472 bytes, of which a block takes 1024 more than it claims.
module attributes {gpu.container_module, nm.target = #nm.target<"sm_90">} {
  gpu.module @kernels {
    // Three blocks of 128 threads: two of 192.
// REMARK: remark: [Passed] fitted | Category:nm-fit-registers | Function=three | threads=192
    // CHECK: llvm.func @three() attributes {{.*}}nvvm.maxntid = array<i32: 192, 1, 1>
    llvm.func @three() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // Two blocks, whose number ptxas takes for granted.
    // CHECK: llvm.func @two() attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>
    llvm.func @two() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // Half the threads of ten blocks leave fewer than 255 registers.
    // CHECK: llvm.func @ten() attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>
    llvm.func @ten() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // Whole warps: three blocks of 96 threads are two of 160.
    // CHECK: llvm.func @warps() attributes {{.*}}nvvm.maxntid = array<i32: 160, 1, 1>
    llvm.func @warps() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 96, 1, 1>} {
      llvm.return
    }
    // Launched with less memory, too: the least counts, of which four fit.
    // CHECK: llvm.func @both() attributes {{.*}}nvvm.maxntid = array<i32: 256, 1, 1>
    llvm.func @both() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // No launch says how much it takes.
    // CHECK: llvm.func @unknown() attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>
    llvm.func @unknown() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // CHECK: llvm.func @plane() attributes {{.*}}nvvm.maxntid = array<i32: 64, 2, 1>
    llvm.func @plane() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 2, 1>} {
      llvm.return
    }
  }
  func.func @launches(%bytes: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %four = arith.constant 50000 : i32
    %three = arith.constant 70000 : i32
    %two = arith.constant 100000 : i32
    %ten = arith.constant 20000 : i32
    gpu.launch_func @kernels::@three blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %three
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %two
    gpu.launch_func @kernels::@ten blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %ten
    gpu.launch_func @kernels::@warps blocks in (%c1, %c1, %c1) threads in (%c96, %c1, %c1) dynamic_shared_memory_size %three
    gpu.launch_func @kernels::@both blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %three
    gpu.launch_func @kernels::@both blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %four
    gpu.launch_func @kernels::@unknown blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    gpu.launch_func @kernels::@plane blocks in (%c1, %c1, %c1) threads in (%c64, %c2, %c1) dynamic_shared_memory_size %three
    return
  }
}
