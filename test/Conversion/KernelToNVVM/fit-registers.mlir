// RUN: nm-opt --nm-fit-registers %s | FileCheck %s
// RUN: nm-opt --nm-fit-registers --remarks-filter=nm-fit-registers --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {gpu.container_module, nm.target = #nm.target<"sm_90">} {
  gpu.module @kernels {
    // A loop carries 64 sums and a counter.
// REMARK: remark: [Passed] fitted | Category:nm-fit-registers | Function=many | threads=192
    // CHECK: llvm.func @many({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 192, 1, 1>}
    llvm.func @many(%sums: vector<64xf32>, %i: i32, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.br ^loop(%sums, %i : vector<64xf32>, i32)
    ^loop(%x: vector<64xf32>, %j: i32):
      llvm.cond_br %more, ^loop(%x, %j : vector<64xf32>, i32), ^end
    ^end:
      llvm.return
    }
    // Tensor cores: no bank of registers is in question.
    // CHECK: llvm.func @tensors({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 3 : i32
    llvm.func @tensors(%sums: vector<64xf32>, %a: i32, %c: f32, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.br ^loop(%sums : vector<64xf32>)
    ^loop(%x: vector<64xf32>):
      %d = nvvm.mma.sync A[%a, %a, %a, %a] B[%a, %a] C[%c, %c, %c, %c]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.cond_br %more, ^loop(%x : vector<64xf32>), ^end
    ^end:
      llvm.return
    }
    // Whole warps.
    // CHECK: llvm.func @warps({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 160, 1, 1>}
    llvm.func @warps(%sums: vector<64xf32>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 96, 1, 1>} {
      llvm.br ^loop(%sums : vector<64xf32>)
    ^loop(%x: vector<64xf32>):
      llvm.cond_br %more, ^loop(%x : vector<64xf32>), ^end
    ^end:
      llvm.return
    }
    // Half of the words; 400 blocks are four for some SMs.
    // CHECK: llvm.func @few({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 3 : i32
    llvm.func @few(%sums: vector<64xf16>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.br ^loop(%sums : vector<64xf16>)
    ^loop(%x: vector<64xf16>):
      llvm.cond_br %more, ^loop(%x : vector<64xf16>), ^end
    ^end:
      llvm.return
    }
    // 128 sums and operands want more than the 170 registers that 384 threads have.
    // Nor do two blocks have them.
    // CHECK: llvm.func @more({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32
    llvm.func @more(%sums: vector<128xf32>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
      llvm.br ^loop(%sums : vector<128xf32>)
    ^loop(%x: vector<128xf32>):
      llvm.cond_br %more, ^loop(%x : vector<128xf32>), ^end
    ^end:
      llvm.return
    }
    // Arguments of a kernel are not in registers.
    // One block is launched.
    // CHECK: llvm.func @arguments({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 1 : i32
    llvm.func @arguments(%sums: vector<128xf32>) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    // Two blocks an SM have room, and nobody knows how many are launched.
    // CHECK: llvm.func @two({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 2 : i32
    llvm.func @two(%sums: vector<64xf32>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.br ^loop(%sums : vector<64xf32>)
    ^loop(%x: vector<64xf32>):
      llvm.cond_br %more, ^loop(%x : vector<64xf32>), ^end
    ^end:
      llvm.return
    }
    // Warps that give registers to others give of those that a launch has, which ptxas has
    // to know.
    // CHECK: llvm.func @roles({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32
    llvm.func @roles(%computes: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 384, 1, 1>} {
      llvm.cond_br %computes, ^more, ^fewer
    ^more:
      nvvm.setmaxregister increase 232
      llvm.return
    ^fewer:
      nvvm.setmaxregister decrease 40
      llvm.return
    }
    // Two of one launch, and 133 blocks of 132 SMs are two of one.
    // CHECK: llvm.func @mixed({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 2 : i32
    llvm.func @mixed(%sums: vector<64xf32>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
      llvm.br ^loop(%sums : vector<64xf32>)
    ^loop(%x: vector<64xf32>):
      llvm.cond_br %more, ^loop(%x : vector<64xf32>), ^end
    ^end:
      llvm.return
    }
    // The grid has three extents, 2 x 3 x 40. Blocks of two extents keep theirs.
    // CHECK: llvm.func @plane({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 64, 2, 1>, nvvm.minctasm = 2 : i32
    llvm.func @plane(%sums: vector<64xf32>, %more: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 64, 2, 1>} {
      llvm.br ^loop(%sums : vector<64xf32>)
    ^loop(%x: vector<64xf32>):
      llvm.cond_br %more, ^loop(%x : vector<64xf32>), ^end
    ^end:
      llvm.return
    }
    // A kernel that says so is resident four times, and twice where shared memory holds two.
    // CHECK: llvm.func @says({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 4 : i32
    llvm.func @says(%i: i32) attributes {gpu.kernel, nm.resident = 4 : i64, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
      llvm.return
    }
    // CHECK: llvm.func @shares({{.*}}) attributes {{.*}}nvvm.maxntid = array<i32: 256, 1, 1>, nvvm.minctasm = 2 : i32
    llvm.func @shares(%i: i32) attributes {gpu.kernel, nm.resident = 4 : i64, nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {
      llvm.return
    }
  }
  func.func @launches(%sums: vector<64xf32>, %halves: vector<64xf16>, %many: vector<128xf32>, %i: i32, %f: f32, %more: i1, %unknown: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c40 = arith.constant 40 : index
    %c133 = arith.constant 133 : index
    %c400 = arith.constant 400 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    // An SM has 233472 bytes, of which a block takes 1024 more than it claims.
    %third = arith.constant 76800 : i32
    %half = arith.constant 76801 : i32
    gpu.launch_func @kernels::@many blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %third args(%sums : vector<64xf32>, %i : i32, %more : i1)
    gpu.launch_func @kernels::@tensors blocks in (%c400, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %third args(%sums : vector<64xf32>, %i : i32, %f : f32, %more : i1)
    gpu.launch_func @kernels::@says blocks in (%unknown, %c1, %c1) threads in (%c256, %c1, %c1) args(%i : i32)
    gpu.launch_func @kernels::@shares blocks in (%unknown, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %half args(%i : i32)
    // At least so many bytes, more by the grid of the call: still three.
    %atLeast = arith.maxsi %i, %third : i32
    gpu.launch_func @kernels::@tensors blocks in (%unknown, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %atLeast args(%sums : vector<64xf32>, %i : i32, %f : f32, %more : i1)
    gpu.launch_func @kernels::@warps blocks in (%c1, %c1, %c1) threads in (%c96, %c1, %c1) dynamic_shared_memory_size %third args(%sums : vector<64xf32>, %more : i1)
    gpu.launch_func @kernels::@few blocks in (%c400, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %third args(%halves : vector<64xf16>, %more : i1)
    gpu.launch_func @kernels::@more blocks in (%c400, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %third args(%many : vector<128xf32>, %more : i1)
    gpu.launch_func @kernels::@arguments blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %third args(%many : vector<128xf32>)
    gpu.launch_func @kernels::@two blocks in (%unknown, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %half args(%sums : vector<64xf32>, %more : i1)
    gpu.launch_func @kernels::@roles blocks in (%c400, %c1, %c1) threads in (%c128, %c1, %c1) args(%more : i1)
    gpu.launch_func @kernels::@mixed blocks in (%c133, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %half args(%sums : vector<64xf32>, %more : i1)
    gpu.launch_func @kernels::@mixed blocks in (%c133, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %third args(%sums : vector<64xf32>, %more : i1)
    gpu.launch_func @kernels::@plane blocks in (%c2, %c3, %c40) threads in (%c64, %c2, %c1) dynamic_shared_memory_size %third args(%sums : vector<64xf32>, %more : i1)
    return
  }
}
