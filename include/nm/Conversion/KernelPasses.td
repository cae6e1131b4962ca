//===- KernelPasses.td - Passes on loops, kernels and host code *- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_KERNELPASSES_TD
#define NM_CONVERSION_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def NMAssertDivisorsPass : Pass<"nm-assert-divisors", "mlir::ModuleOp"> {
  let summary = "check at run time what the host divides by";
  let description = [{
    A CPU ends the process that divides an integer by zero, or the least number by
    -1. Before each division on the host whose divisor is not a constant the pass
    puts a `cf.assert`, which becomes an error of the call. A quotient that is
    only chosen by `arith.select` is checked where it is chosen: torch-mlir
    divides by sizes, which may be 0, to infer another that nobody may have asked
    for. Divisions in kernels are left alone: a GPU gives some number.

    Expects: host code with structured control flow, after everything that makes
    divisions. Leaves: no division that can end the process.

    ```mlir
    %q = arith.divui %a, %b : i64
    // becomes
    %ok = arith.cmpi ne, %b, %c0 : i64
    cf.assert %ok, "arith.divui: division by zero, or of the least number by -1"
    %d = arith.select %ok, %b, %c1 : i64
    %q = arith.divui %a, %d : i64
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect"
  ];
}

def NMExpandMathPass : Pass<"nm-expand-math"> {
  let summary = "compute math ops without a library";
  let description = [{
    Replaces float ops of the math dialect by arith ops and calls of LLVM
    intrinsics for which both NVPTX and CPUs have instructions (`llvm.fma`,
    `llvm.sqrt`, `llvm.fabs`, `llvm.floor` ...). exp, exp2, expm1, log, log2,
    log10, log1p, erf, tanh and powf are within 4 ulp of the true value over
    their whole range, with infinities, NaN, signed zeros and subnormal numbers
    as IEEE 754 has them, in f32 and in f64; sin and cos have an absolute error
    below 2e-7 (1e-15 in f64) up to |x| = 1e5 and lose accuracy beyond; asin,
    acos, atan and atan2 are within 4 ulp. `arith.remf` becomes a loop that gives
    C's fmod exactly. f16 and bf16 are computed in f32. tan, the hyperbolic
    functions but tanh and their inverses become these by upstream's patterns;
    cbrt and erfc are upstream's approximations, in f32 only. Another op is an
    error.

    Expects: scalars or vectors of rank 1; for remainders, scalars. Leaves: no
    float op of the math dialect and no `arith.remf` below the op it runs on.

    ```mlir
    %y = math.rsqrt %x : f32
    // becomes
    %one = arith.constant 1.000000e+00 : f32
    %root = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
    %y = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::scf::SCFDialect"
  ];
}

def NMExportSharedMemoryPass
    : Pass<"nm-export-shared-memory", "mlir::gpu::GPUModuleOp"> {
  let summary = "Makes a kernel's dynamic shared memory the one the launch sizes";
  let description = [{
    Upstream lowers `gpu.dynamic_shared_memory` to an internal array of no
    elements, which the PTX assembler may place over other shared memory. With
    external linkage it is PTX's `.extern .shared` array, whose size the launch
    gives.

    Expects gpu modules in the LLVM dialect; changes nothing else.

    ```mlir
    llvm.mlir.global internal @__dynamic_shmem__0() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    // becomes
    llvm.mlir.global external @__dynamic_shmem__0() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

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
    marked `llvm.noalias`. Both together let reads take the read-only cache.

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

def NMHostToRuntimePass : Pass<"nm-host-to-runtime", "mlir::ModuleOp"> {
  let summary = "lower what host code does with the device to runtime calls";
  let description = [{
    Every function `f` becomes

        i32 f(context, pointer to each result..., arguments...)

    with a C interface `_mlir_ciface_f` if it is public. In it, launches, row-major
    allocations, deallocations, contiguous copies, constants and failed
    assertions become calls of include/nm-c/Runtime.h, and a `memref.load` a copy
    to the host, which waits for the device. The status of each call is
    checked at once; an error frees what is allocated and returns the status. A
    size that does not fit 64 bits becomes the largest, which no allocation
    satisfies.

    With `host`, buffers are memory of this process and only the signature, calls,
    allocations (nmrtHostAlloc, freed by free), copies (memcpy) and assertions
    change.

    Expects: host functions of cf, func, arith and memref ops; kernels with flat
    arguments in a gpu.binary. Leaves: no gpu op.

    ```mlir
    func.func @f(%n: index) -> memref<?xf32> {
      %m = memref.alloc(%n) : memref<?xf32>
      return %m : memref<?xf32>
    }
    // becomes, in outline
    func.func @f(%context: !llvm.ptr, %result: !llvm.ptr, %n: index) -> i32 {
      %bytes = ... : i64
      %status = llvm.call @nmrtAlloc(%context, %bytes, %slot)
      cf.cond_br %ok, ^rest, ^error(%status : i32)
    ^rest:
      llvm.store %descriptor, %result
      return %c0_i32 : i32
    ^error(%s: i32):
      return %s : i32
    }
    ```
  }];
  let options = [
    Option<"host", "host", "bool", /*default=*/"false",
           "buffers are memory of this process, there is no device">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect",
    "mlir::memref::MemRefDialect"
  ];
}

def NMLinalgToParallelLoopsPass
    : Pass<"nm-linalg-to-parallel-loops"> {
  let summary = "bring linalg ops on buffers into parallel loops";
  let description = [{
    Every linalg op on buffers becomes one `scf.parallel` over all its parallel
    dimensions, with its reductions as sequential loops inside. Dimensions are
    reordered where a reduction comes first; an op without parallel dimensions
    becomes a loop of one iteration. A loop that is called parallel, but does not
    choose an element of every output, counts as a reduction: all its iterations
    write the same element, in the order of the loop. A `memref.copy` that is not one contiguous
    range on both sides becomes such a loop too; the others are left for the
    runtime. The attribute `nm.kernel_name` says what the loop computes. A `linalg.fill` of
    a buffer that the next op accumulates into becomes the first store of that
    op's loop, if that stores to every element of the buffer.

    Expects: linalg ops on buffers only. Leaves: none of them outside of
    `gpu.launch` and `gpu.module`.

    ```mlir
    linalg.fill ins(%c : f32) outs(%m : memref<4x?xf32>)
    // becomes
    scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %d1) step (%c1, %c1) {
      memref.store %c, %m[%i, %j] : memref<4x?xf32>
    } {nm.kernel_name = "fill"}
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect"
  ];
}

def NMLowerKernelAssertsPass
    : Pass<"nm-lower-kernel-asserts", "mlir::gpu::GPUModuleOp"> {
  let summary = "failed assertions of kernels give the runtime their message";
  let description = [{
    A thread whose `cf.assert` fails stores the address of the message in the
    variable `nm_failed_assertion` of the module and ends; the other threads go
    on. The runtime reads the variable when it waits for the device, and the call
    fails with the message. (A trap would make the CUDA context useless.)

    Expects kernels of branches, as `convert-scf-to-cf` leaves them. Leaves no
    `cf.assert` in the module. A message of 256 bytes or more is cut.

    ```mlir
    cf.assert %ok, "index out of range"
    // becomes
    cf.cond_br %ok, ^bb1, ^bb2
    ^bb2:
      %text = llvm.mlir.addressof @nm_assertion_0 : !llvm.ptr<1>
      %address = llvm.ptrtoint %text : !llvm.ptr<1> to i64
      %place = llvm.mlir.addressof @nm_failed_assertion : !llvm.ptr<1>
      llvm.store %address, %place : i64, !llvm.ptr<1>
      gpu.return
    ```
  }];
  let dependentDialects = [
    "mlir::cf::ControlFlowDialect", "mlir::gpu::GPUDialect",
    "mlir::LLVM::LLVMDialect"
  ];
}

def NMMapLoopsToGPUPass : Pass<"nm-map-loops-to-gpu", "mlir::ModuleOp"> {
  let summary = "make a GPU launch of each outermost parallel loop";
  let description = [{
    The dimensions of an `scf.parallel` are collapsed into one linear index, the
    last dimension fastest, and spread over blocks of 128 or 256 threads along
    grid x. Threads beyond the end do nothing; where the number of iterations is
    unknown or needs more than `max-blocks` blocks, each thread loops over the
    rest with a stride of the whole grid. Parallel loops inside become
    sequential. A `memref.store` outside of any loop becomes a launch of one
    thread. A `cf.assert` stays where it is. A loop whose upper bound is below the
    lower one launches nothing; a step that is not known is checked at run time to
    be positive.

    Every launch gets the attributes `module(@nm_kernels)` and
    `function(@<function>_<number>_<what>)`, which outlining honours.

    Expects: parallel loops without results. Leaves: no `scf.parallel`.

    ```mlir
    scf.parallel (%i) = (%c0) to (%c1000) step (%c1) { ... }
    // becomes
    gpu.launch blocks(%bx, ...) in (%gx = %c8, ...)
               threads(%tx, ...) in (%sx = %c128, ...)
               module(@nm_kernels) function(@main_0_loop) {
      %b = arith.muli %bx, %c128 : index
      %i = arith.addi %b, %tx : index
      %inside = arith.cmpi ult, %i, %c1000 : index
      scf.if %inside { ... }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"blockSize", "block-size", "int64_t", /*default=*/"0",
           "threads a block, 32 to 1024 (0: 128 for few iterations, else 256)">,
    Option<"maxBlocks", "max-blocks", "int64_t", /*default=*/"2147483647",
           "most blocks a launch has; more iterations are looped over">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::gpu::GPUDialect", "mlir::LLVM::LLVMDialect", "mlir::scf::SCFDialect"
  ];
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

def NMOutlineLoopsPass : Pass<"nm-outline-loops", "mlir::ModuleOp"> {
  let summary = "make a function of each loop nest of host code";
  let description = [{
    Moves every outermost `scf.parallel` to a private function that LLVM may not
    inline, and calls it. LLVM's passes over loops take a time that grows with the
    square of the size of a function, and a model is thousands of loops. Of loops
    that are equal in all but locations and arguments one function is made.

    Expects host functions with structured loops. Leaves: no `scf.parallel`
    without results beside another op. Constants that a loop uses are made anew in
    its function; all else that it uses is an argument.

    ```mlir
    func.func @f(%m: memref<4xf32>) {
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        memref.store %x, %m[%i] : memref<4xf32>
      } {nm.kernel_name = "fill"}
      return
    }
    // becomes
    func.func @f(%m: memref<4xf32>) {
      call @f_fill(%x, %m) : (f32, memref<4xf32>) -> ()
      return
    }
    func.func private @f_fill(%x: f32, %m: memref<4xf32>)
        attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]} {
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        memref.store %x, %m[%i] : memref<4xf32>
      } {nm.kernel_name = "fill"}
      return
    }
    ```
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect"];
}

def NMSetTargetPass : Pass<"nm-set-target", "mlir::ModuleOp"> {
  let summary = "Says for which chip the kernels are compiled";
  let description = [{
    Attaches the `#nvvm.target` of `chip`, with the PTX version of the target
    table, to every gpu.module. Fails for a chip that the table lacks: LLVM ends
    the process when the PTX version does not fit.

    Expects any module; changes nothing else.

    ```mlir
    gpu.module @nm_kernels { ... }
    // becomes
    gpu.module @nm_kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] { ... }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"::nm::kDefaultChip",
           "Chip, a row of the target table">,
    Option<"optLevel", "opt-level", "int64_t", /*default=*/"3",
           "LLVM's optimization level, 1 to 3">
  ];
  let dependentDialects = ["mlir::NVVM::NVVMDialect"];
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

def NMTMTensorToLoopsPass : Pass<"nm-tm-tensor-to-loops"> {
  let summary = "lower tm_tensor on buffers to parallel loops";
  let description = [{
    Each op becomes `scf.parallel` loops, which become kernels:

    - scan: parallel over the rows, in order along the dimension;
    - scatter that replaces what was there: parallel over all updates, of which
      the last one for an element writes it, whether the op calls its indices
      unique or not (a kernel finds the number of that update first, unless there
      is only one);
    - other scatters: parallel over all updates if the indices are unique, else
      over what no index moves, the rest in order; indices are checked by
      `cf.assert`;
    - sort: runs of 32 elements by insertion, then merges of neighbouring runs,
      in a host loop whose kernels handle all merges of one length; a NaN is
      larger than everything if the region only compares floats;
    - topk: parallel over the rows, by insertion.

    What has nothing to be parallel over becomes a loop of one iteration.

    Expects: memrefs, no `tm_tensor.attention`. Leaves: no op of tm_tensor.

    ```mlir
    tm_tensor.scan dimension(1) inclusive(true) ins(%x : memref<2x16xi64>)
        outs(%y, %a : memref<2x16xi64>, memref<2xi64>) { ... arith.addi ... }
    // becomes
    scf.parallel (%r) = (%c0) to (%c2) step (%c1) {
      %first = memref.load %x[%r, %c0] : memref<2x16xi64>
      memref.store %first, %y[%r, %c0] : memref<2x16xi64>
      %last = scf.for %i = %c1 to %c16 step %c1 iter_args(%total = %first) -> (i64) {
        ... arith.addi ...
      }
      memref.store %last, %a[%r] : memref<2xi64>
    } {nm.kernel_name = "scan"}
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"
  ];
}

def NMVerifyHostPass : Pass<"nm-verify-host", "mlir::ModuleOp"> {
  let summary = "refuse host code that touches device memory";
  let description = [{
    Buffers of host functions lie on the device. An op outside of a launch that
    reads or writes one is an error that names it, unless the runtime does its
    work: allocations, deallocations, copies of contiguous buffers, launches, and
    reads of single elements. A read makes the host wait for the device, and each
    is reported.

    Remarks: `host-read`.
  }];
}

def NMWidenBFloat16Pass : Pass<"nm-widen-bf16"> {
  let summary = "bf16 to f32 by shifts and masks";
  let description = [{
    Replaces `arith.extf` of bf16 numbers and vectors by integer ops: a bf16 is
    the upper half of an f32, so that a word of two becomes two f32 by one shift
    and one mask. Every bf16, NaN and subnormal numbers included, becomes the
    f32 of the same value.

    Leaves no `arith.extf` of bf16 below the op it runs on; to f64 it goes
    through f32.

    ```mlir
    %y = arith.extf %x : vector<2xbf16> to vector<2xf32>
    // becomes
    %words = vector.bitcast %x : vector<2xbf16> to vector<1xi32>
    %low = arith.shli %words, %c16 : vector<1xi32>
    %high = arith.andi %words, %mask : vector<1xi32>
    %even = arith.bitcast %low : vector<1xi32> to vector<1xf32>
    %odd = arith.bitcast %high : vector<1xi32> to vector<1xf32>
    %y = vector.shuffle %even, %odd [0, 1] : vector<1xf32>, vector<1xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::vector::VectorDialect"
  ];
}

#endif // NM_CONVERSION_KERNELPASSES_TD
