//===- Passes.td - Kernels to NVVM -------------------------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_KERNELTONVVM_PASSES_TD
#define NM_CONVERSION_KERNELTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nm/Support/Options.td"

def NMApproximateMathPass : Pass<"nm-approximate-math"> {
  let summary = "what may be approximate by instructions that are";
  let description = [{
    Where `fastmath<afn>` (or `fast`) allows it, an exp or exp2 of an f32 becomes
    `ex2.approx.ftz`, and a division of f32 a product with `rcp.approx.ftz`: one
    instruction each for some thirty. exp2 and reciprocals have an error of 2 ulp
    and 1 ulp; that of exp grows with |x| to 1e-5. Results below 2^-126 are 0. Where
    the numerator is not 1, both operands are scaled by a power of two if the
    divisor, or its inverse, is below 2^-126.

    Leaves other ops, those on vectors, and those without the flag, which
    `nm-expand-math` computes to some ulp.

    ```mlir
    %y = math.exp2 %x fastmath<afn> : f32
    %z = arith.divf %w, %y fastmath<afn> : f32
    // becomes
    %y = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%x) : (f32) -> f32
    %t = arith.mulf %y, %scale : f32
    %r = nvvm.rcp.approx.ftz.f %t : f32
    %s = arith.mulf %w, %scale : f32
    %z = arith.mulf %s, %r : f32
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::math::MathDialect", "mlir::NVVM::NVVMDialect"
  ];
}

def NMAttachTargetPass : Pass<"nm-attach-target", "mlir::ModuleOp"> {
  let summary = "say of the kernels for which chip they are compiled";
  let description = [{
    Attaches the `#nvvm.target` of the module's chip (`nm.target`), with the PTX
    version of the target table, to every gpu.module: LLVM ends the process when
    the PTX version does not fit.

    Expects any module.

    ```mlir
    gpu.module @nm_kernels { ... }
    // becomes, in a module with nm.target = #nm.target<"sm_90">
    gpu.module @nm_kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] { ... }
    ```
  }];
  let options = OptionsOf<"nm-attach-target">.rows;
  let dependentDialects = ["mlir::NVVM::NVVMDialect", "nm::NMDialect"];
}

def NMBypassL1Pass : Pass<"nm-bypass-l1", "mlir::gpu::GPUModuleOp"> {
  let summary = "loads that are nontemporal leave no line in L1";
  let description = [{
    A nontemporal load of 4, 8 or 16 bytes from an argument of a kernel becomes
    `ld.global.L1::no_allocate`, for which LLVM has neither op nor flag: inline
    assembly. Its lines are the first to leave L2, too, so that a weight that comes from
    DRAM comes faster (docs/performance.md, Converted models), and one that takes most of
    L2 is not kept for the next call. `nm-map-to-threads` says which loads are
    nontemporal.

    Expects kernels in the LLVM dialect, and comes behind `nm-mark-invariant-loads`, as
    a load that is invariant is `ld.global.nc`. Leaves other loads alone, and kernels
    without the pass are as right.

    ```mlir
    %x = llvm.load %w invariant nontemporal {alignment = 8 : i64} : !llvm.ptr -> vector<4xbf16>
    // becomes
    %p = llvm.addrspacecast %w : !llvm.ptr to !llvm.ptr<1>
    %s = llvm.inline_asm has_side_effects
        "ld.global.nc.L1::no_allocate.v2.b32 {$0, $1}, [$2];", "=r,=r,l" %p
        : (!llvm.ptr<1>) -> !llvm.struct<(i32, i32)>
    ...
    %x = llvm.bitcast %v : vector<2xi32> to vector<4xbf16>
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def NMFitRegistersPass : Pass<"nm-fit-registers", "mlir::ModuleOp"> {
  let summary = "lets ptxas give a thread the registers that it wants";
  let description = [{
    ptxas gives a thread fewer registers where another block then fits an SM, even
    where shared memory has no room for it or the launch has no such block. Then
    loads wait nearer to their use: kernels of f16, of few rows and of uniform weights
    took up to twice as long for it (docs/performance.md).

    So a kernel is said to be resident (`minctasm`) as often as an SM gets blocks of
    the launch, shared memory holds them and each thread has the registers of what a
    loop carries and 80 more, up to three times, and at least once. ptxas leaves
    registers for so many blocks and not for more. Kernels of which warps give
    registers to others are resident once: ptxas must know how many there are.

    A kernel that says how often it should be resident (`nm.resident`) is that often, as
    far as blocks arrive and shared memory holds them.

    With 8x8 sums a thread, which want 140 to 155 registers, that is not enough:
    ptxas gave some kernels 128, too few to keep the operands of FMAs in different
    banks of registers, so that these took 10 % longer. Such a kernel of T threads,
    of which an SM's shared memory holds three blocks or more, is said to have up to
    3 T / 2 threads (`maxntid`) instead: for such blocks no number of registers a
    little lower pays. Not where that leaves a thread less than it wants, nor where
    tensor cores multiply.

    Expects kernels in the LLVM dialect and their launches; changes `maxntid`, which
    is a bound, and `minctasm`: blocks are launched as before.

    Remarks: `fitted`.

    ```mlir
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>}
    gpu.launch_func @kernels::@k ... dynamic_shared_memory_size %c60000_i32
    // becomes
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 192, 1, 1>}
    // or, with few sums and at least 265 blocks for 132 SMs,
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>, nvvm.minctasm = 3 : i32}
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect"];
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

def NMLowerExtremesPass : Pass<"nm-lower-extremes", "mlir::gpu::GPUModuleOp"> {
  let summary = "let PTX compute maxima and minima that keep NaN";
  let description = [{
    arith.maximumf and arith.minimumf of f32 become LLVM's, for which PTX has one
    instruction from sm_80 on; `arith-expand` would write a comparison with NaN, one of
    the numbers, and two selections for it. Of other types there are fewer instructions,
    or none, and these stay.

    Expects scalars of arith; leaves none of f32. `arith-expand` is right without it.

    ```mlir
    %m = arith.maximumf %x, %y : f32
    // becomes
    %m = llvm.intr.maximum(%x, %y) : (f32, f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NMLowerKernelAssertsPass
    : Pass<"nm-lower-kernel-asserts", "mlir::gpu::GPUModuleOp"> {
  let summary = "failed assertions of kernels give the runtime their message";
  let description = [{
    A thread whose `cf.assert` fails stores the address of the message in a slot
    and ends; the other threads go on. The variable `nm_failed_assertion` of the
    module holds the slot's address, which the runtime puts there when it loads
    the module. The slot is memory that the host reads without waiting or copying:
    the runtime does so after it waited for the device, and that call fails with
    the message. (A trap would make the CUDA context useless.)

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
      %slot = llvm.load %place : !llvm.ptr<1> -> i64
      %pointer = llvm.inttoptr %slot : i64 to !llvm.ptr<1>
      llvm.store volatile %address, %pointer : i64, !llvm.ptr<1>
      gpu.return
    ```
  }];
  let dependentDialects = [
    "mlir::cf::ControlFlowDialect", "mlir::gpu::GPUDialect",
    "mlir::LLVM::LLVMDialect"
  ];
}

def NMLowerTensorMapsPass
    : Pass<"nm-lower-tensor-maps", "mlir::gpu::GPUModuleOp"> {
  let summary = "tensor maps of kernels become pointers";
  let description = [{
    An argument of type `!nm.tensor_map` becomes the pointer that its casts are, and
    `nm.tensor_maps` of the kernel lists which arguments those are: `convert-gpu-to-nvvm`
    lowers them as pointers, and `nm-pass-tensor-maps` says afterwards that they are
    passed by value.

    Expects kernels in which tensor maps are arguments and are used by
    `builtin.unrealized_conversion_cast` to `!llvm.ptr` alone; leaves no
    `!nm.tensor_map` in the module. Launches go on to pass tensor maps: they fit again
    when their kernels are in the LLVM dialect, so the pass belongs into one nest with
    `convert-gpu-to-nvvm`.

    ```mlir
    gpu.func @k(%map: !nm.tensor_map) kernel {
      %0 = builtin.unrealized_conversion_cast %map : !nm.tensor_map to !llvm.ptr
      nvvm.cp.async.bulk.tensor.shared.cluster.global %dst, %0, %barrier, box[%i, %j] : !llvm.ptr<7>, !llvm.ptr
    // becomes
    gpu.func @k(%map: !llvm.ptr) kernel attributes {nm.tensor_maps = array<i32: 0>} {
      nvvm.cp.async.bulk.tensor.shared.cluster.global %dst, %map, %barrier, box[%i, %j] : !llvm.ptr<7>, !llvm.ptr
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def NMMarkInvariantLoadsPass
    : Pass<"nm-mark-invariant-loads", "mlir::gpu::GPUModuleOp"> {
  let summary = "let ptxas place loads of constants behind a kernel's wait";
  let description = [{
    A kernel that waits for others in its midst (`nm-overlap-launches`) loads from
    constants before: those loads have to stay there, so that nothing is said of its
    arguments that would let ptxas move them. But loads of constants behind the wait
    may be anywhere, and are marked `invariant`. Before the barrier of A's tile they
    are on their way while A is: a product of eight rows by 4096x22016 waits for
    memory once, and not twice.

    Expects kernels in the LLVM dialect, with arguments at the places that they had
    before `convert-gpu-to-nvvm` (as `nm-flatten-kernel-args` leaves arguments, each
    becomes one); leaves no `nm.constant_args`.

    ```mlir
    llvm.func @k(%w: !llvm.ptr) attributes {nm.constant_args = array<i32: 0>, nvvm.kernel} {
      %x = llvm.load %w : !llvm.ptr -> f32
      nvvm.griddepcontrol wait
      %y = llvm.load %w : !llvm.ptr -> f32
    // becomes
    llvm.func @k(%w: !llvm.ptr) attributes {nvvm.kernel} {
      %x = llvm.load %w : !llvm.ptr -> f32
      nvvm.griddepcontrol wait
      %y = llvm.load %w invariant : !llvm.ptr -> f32
    ```
  }];
}

def NMPassTensorMapsPass
    : Pass<"nm-pass-tensor-maps", "mlir::gpu::GPUModuleOp"> {
  let summary = "tensor maps are parameters of 128 bytes";
  let description = [{
    An argument that `nm.tensor_maps` of its kernel lists points to 128 bytes that are
    the parameter itself, which no thread writes to. So the copy engine reads the map
    from there, and no thread makes a copy of it.

    Expects kernels in the LLVM dialect, of which those arguments are pointers, at the
    places that they had before `convert-gpu-to-nvvm` (as `nm-flatten-kernel-args`
    leaves arguments, each becomes one); leaves no `nm.tensor_maps`.

    ```mlir
    llvm.func @k(%map: !llvm.ptr) attributes {nm.tensor_maps = array<i32: 0>, nvvm.kernel}
    // becomes
    llvm.func @k(%map: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>,
        nvvm.grid_constant}) attributes {nvvm.kernel}
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect"];
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

#endif // NM_CONVERSION_KERNELTONVVM_PASSES_TD
