//===- Passes.td - Launches and outlined kernels -----------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alphabetical. Every pass says what it expects and what it leaves, gives an
// example, and names its remarks.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TRANSFORMS_KERNELS_PASSES_TD
#define NM_TRANSFORMS_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMFlattenKernelArgsPass
    : Pass<"nm-flatten-kernel-args", "mlir::ModuleOp"> {
  let summary = "pass buffers to kernels as pointers and unknown extents";
  let description = [{
    Each memref argument of a kernel becomes a memref of rank 0, which is a bare
    pointer in the end, and one index for each dynamic offset, size and (where
    the layout is strided) stride. `memref.reinterpret_cast` rebuilds the memref
    inside.

    A pointer through which the kernel only reads is marked `llvm.readonly`; one
    whose memory no argument that is written shares, as the launches prove, is
    marked `llvm.noalias`. Both together let reads take the read-only cache. By a
    tensor map (`nm.tensor_map`), which stays as it is, a kernel may read and write.

    Expects: outlined kernels, memrefs with strided layouts. Leaves: kernels
    without memref arguments of rank above 0.

    ```mlir
    gpu.func @k(%m: memref<4x?xf32>) kernel
    // becomes
    gpu.func @k(%p: memref<f32> {llvm.readonly, llvm.noalias}, %d1: index) kernel {
      %m = memref.reinterpret_cast %p to offset: [0], sizes: [4, %d1],
          strides: [%d1, 1] : memref<f32> to memref<4x?xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect"
  ];
}

def NMWidenKernelArgsPass : Pass<"nm-widen-kernel-args", "mlir::ModuleOp"> {
  let summary = "pass integers to kernels in widths that PTX has";
  let description = [{
    An integer argument of a kernel whose width is not 1, 8, 16, 32 or 64 becomes
    the next wider one: launches extend it with zeros, the kernel takes its low
    bits. LLVM 22 would declare a parameter of a type that PTX does not have.

    Expects: outlined kernels, integers of at most 64 bits. Leaves: kernels whose
    parameters PTX can declare.

    ```mlir
    gpu.func @k(%n: i7) kernel
    // becomes
    gpu.func @k(%wide: i8) kernel {
      %n = arith.trunci %wide : i8 to i7
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NMMergeKernelsPass : Pass<"nm-merge-kernels", "mlir::ModuleOp"> {
  let summary = "make one kernel of those that are equal";
  let description = [{
    Kernels of one gpu.module that are equal in all but name and locations become
    the first of them, and all their launches launch it. The layers of a network
    launch equal kernels with other weights, so that a kernel is lowered and
    loaded once and not once a layer. A launch whose kernel went away keeps its
    name in `nm.launch_name`, by which the report and the runtime's records tell
    the layers.

    Kernels that differ in a type, a constant, an attribute (what is promised of
    an argument, say) or the message of an assertion stay two, as do kernels that
    something else than a launch names.

    Expects outlined kernels whose buffers are arguments. Run it after
    `nm-flatten-kernel-args`, which proves of each kernel which of its arguments
    do not alias, with all its launches in view, and proves less for a kernel that
    has more of them; and before canonicalization, so that equal kernels are
    cleaned up once. Kernels that only canonicalization makes equal stay two.

    Remarks: `merged`.

    ```mlir
    gpu.launch_func @nm_kernels::@f_0_exp ... args(%a : memref<f32>)
    gpu.launch_func @nm_kernels::@f_1_exp ... args(%b : memref<f32>)
    // becomes, where the kernels are equal
    gpu.launch_func @nm_kernels::@f_0_exp ... args(%a : memref<f32>)
    gpu.launch_func @nm_kernels::@f_0_exp ... args(%b : memref<f32>)
        {nm.launch_name = "f_1_exp"}
    ```
  }];
}

def NMLimitOccupancyPass : Pass<"nm-limit-occupancy", "mlir::ModuleOp"> {
  let summary = "let no SM hold more blocks of a kernel than its share";
  let description = [{
    Where all blocks of a kernel are resident at once, it takes as long as the SM
    that holds most of them. A chip that is empty gives each SM as many. But a
    kernel that is launched before the one before it has ended
    (`nm-overlap-launches`) is given places as they become free, so that some SMs
    get several blocks and others none: on an H200, 256 blocks of which an SM can
    hold three took 231 us, and 189 where it could hold two.

    So a launch whose blocks claim shared memory lets each of them claim more, as
    much as leaves no room for one block more than an SM's share, and so that all
    are resident still. Blocks of a cluster need places next to each other, which
    counts. Of a grid that is known only when it is launched, the host computes it:
    the larger of what blocks of so many rows claim, and of what they need. (128
    rows of 4096x4096 at 8:32, whose transposition has 128 blocks, took 10.6 us
    before, and take 9.1, of which a constant number of rows takes 8.8; H200.) Clusters of more than two
    blocks are left then.

    Does nothing for a chip without dependent launch (`hasDependentLaunch` of the
    target table).

    Expects: outlined kernels. Leaves: launches with as many blocks.
    Remarks: `limited`, `limited-by-call`.

    ```mlir
    // 256 blocks on 132 SMs, each of which could hold three.
    gpu.launch_func @kernels::@k blocks in (%c256, %c1, %c1)
        threads in (%c128, %c1, %c1) dynamic_shared_memory_size %c49152_i32
    // becomes
    gpu.launch_func @kernels::@k blocks in (%c256, %c1, %c1)
        threads in (%c128, %c1, %c1) dynamic_shared_memory_size %c76801_i32
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NMLocalBuffersPass : Pass<"nm-local-buffers"> {
  let summary = "memory that a kernel allocates is on the stack of its threads";
  let description = [{
    An op in the body of a `linalg.generic` may need a buffer of its own for each
    element. In a kernel `memref.alloc` would be a call of malloc, which a GPU does
    one thread after the other, and nothing would free it. The pass makes such a
    buffer an `memref.alloca` at the start of the kernel.

    Expects: launches. Leaves: no `memref.alloc` of the default memory space in
    one. An error: a size that is not known, or of more than 16 KiB.

    Remarks: none.

    ```mlir
    gpu.launch ... {
      scf.for ... {
        %m = memref.alloc() : memref<7xf32>
    // becomes
    gpu.launch ... {
      %m = memref.alloca() : memref<7xf32>
      scf.for ... {
    ```
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def NMOutlineKernelsPass : Pass<"nm-outline-kernels", "mlir::ModuleOp"> {
  let summary = "gpu-kernel-outlining that keeps what launches say of their kernels";
  let description = [{
    Outlines kernels as `gpu-kernel-outlining` does, and puts `nm.resident` of a launch that
    has a name on its kernel. `nm.bytes` stays with the launch; where it does not say these,
    they are those of all arrays that it uses, if types say them.

    Expects gpu.launch; leaves gpu.launch_func.

    ```mlir
    gpu.launch ... { ... } {function = @f_0_rows_exp, module = @nm_kernels, nm.resident = 8 : i64}
    // becomes
    gpu.launch_func @nm_kernels::@f_0_rows_exp ...
    gpu.func @f_0_rows_exp(...) kernel attributes {nm.resident = 8 : i64}
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::DLTIDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def NMOverlapLaunchesPass : Pass<"nm-overlap-launches", "mlir::ModuleOp"> {
  let summary = "let a kernel be launched before the one before it has ended";
  let description = [{
    Programmatic dependent launch: each kernel waits for those before it, and then
    lets the next one be launched, whose blocks take the places that become free
    and wait in turn. What a launch costs between two kernels is so spent while the
    first one runs. Before the wait, at the beginning of the kernel, stand only
    loads of constants, which nothing writes: of a product of few rows the first
    part of the weight (`nm-load-weights-ahead`). Nothing is said of what such a
    kernel only reads, so that its loads stay on their side of the wait, which LLVM
    takes for an op that has to do with no memory: a fence stands before it. And
    `nm.constant_args` lists its constants, whose loads may pass it
    (`nm-mark-invariant-loads`). Their launches get `nm.dependent`, by which a program
    tells the driver; launched otherwise, the kernels wait for nothing.

    Two things are decided of a kernel that loads constants first. It waits first
    of all where it has more blocks than there are SMs and a large tile of A (by
    the shared memory of a launch, 256 bytes a thread): most of its blocks begin
    when the kernel before has ended, and loads return in order, so that A, which
    is in L2, would come no sooner than the weight. And its launch is not
    dependent, and it waits first, where the block of the launch before takes so
    much shared memory that less than a quarter of an SM's unified cache is L1
    (`unifiedCachePerSM` of the target table), and its own leaves more: blocks
    that begin as others end run with the L1 that those have left, in which loads
    on their way have a place. Before a function's first launch comes its last,
    unless the function says that it runs behind kernels of others
    (`nm.behind_others`): that launch is not dependent.

    Does nothing for a chip without it (`hasDependentLaunch` of the target table).

    Expects: outlined kernels. Leaves: kernels that touch no memory but that of
    constants of the module before `griddepcontrol.wait`. Remarks:
    `not-overlapped`, `waits-first`.

    ```mlir
    gpu.func @k(%m: memref<4xf32>, %weight: memref<8xf32>) kernel
        attributes {nm.constant_args = array<i32: 1>} {
      %w = memref.load %weight[%i] : memref<8xf32>
      llvm.inline_asm has_side_effects "", "~{memory}"
      nvvm.griddepcontrol wait
      nvvm.griddepcontrol launch_dependents
      ...
    }
    gpu.launch_func @kernels::@k blocks in (...) threads in (...)
        args(%a : memref<4xf32>, %constant : memref<8xf32>) {nm.dependent}
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect",
                           "mlir::NVVM::NVVMDialect"];
}

def NMSinkConstantsPass : Pass<"nm-sink-constants"> {
  let summary = "give launches constants of their own";
  let description = [{
    Constants from around a `gpu.launch` that its body uses are made anew in it.
    Upstream's `gpu-launch-sink-index-computations` does so too, but looks at all
    uses of a constant for each launch: at thousands of them for thousands of
    launches.

    Expects any module. Leaves: no use of a constant from outside in a
    `gpu.launch`, except as its own operands.

    ```mlir
    %c1 = arith.constant 1 : index
    gpu.launch ... { memref.store %x, %m[%c1] : memref<4xf32> ... }
    // becomes
    %c1 = arith.constant 1 : index
    gpu.launch ... {
      %c1_0 = arith.constant 1 : index
      memref.store %x, %m[%c1_0] : memref<4xf32> ... }
    ```
  }];
}

#endif // NM_TRANSFORMS_KERNELS_PASSES_TD
