//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_PASSES_TD
#define NM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMAssertShapesPass : Pass<"nm-assert-shapes"> {
  let summary = "check at run time what types claim of dynamic sizes";
  let description = [{
    A `tensor.cast` may say that a dynamic size is a certain number, and a
    `tensor.reshape` that its operand has as many elements as the result; the
    first loop behind one that is wrong would leave its buffers. (torch-mlir
    writes such casts: a product of an activation with two dynamic sizes is cast
    to `?x1xK`.) The pass puts a `cf.assert` before each, so that a run with
    other sizes ends with a message.

    Expects and leaves: tensors. Sizes of results are then expressed by those of
    operands.

    ```mlir
    %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
    // becomes
    %size = tensor.dim %x, %c1 : tensor<?x?xf32>
    %ok = arith.cmpi eq, %size, %c1 : index
    cf.assert %ok, "tensor.cast of tensor<?x?xf32>: dimension 1 is not 1, as the module says it is"
    %y = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::cf::ControlFlowDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMCorrectGeluPass : Pass<"nm-correct-gelu"> {
  let summary = "the right constant in torch-mlir's gelu";
  let description = [{
    torch-mlir writes the factor sqrt(2/pi) = 0.797885 of gelu's tanh form as
    0.797724, so that outputs differ from PyTorch's by up to 1e-4. The pass
    recognises `tanh(0.797724 (x + 0.044715 x^3))` and writes PyTorch's constant,
    with a remark `corrected`. Nothing else changes.

    ```mlir
    %3 = arith.mulf %2, %cst : f32  // 0.797724
    %4 = math.tanh %3 : f32
    // becomes
    %right = arith.constant 0.797884583 : f32
    %3 = arith.mulf %2, %right : f32
    %4 = math.tanh %3 : f32
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
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
    below 2e-7 (1e-15 in f64) up to |x| = 1e5 and lose accuracy beyond. f16 and
    bf16 are computed in f32. tan, the hyperbolic functions but tanh and their
    inverses become these by upstream's patterns; asin, acos, atan, atan2, cbrt
    and erfc are upstream's approximations, in f32 only. Another op is an error.

    Expects: scalars or vectors of rank 1. Leaves: no float op of the math
    dialect below the op it runs on.

    ```mlir
    %y = math.rsqrt %x : f32
    // becomes
    %one = arith.constant 1.000000e+00 : f32
    %root = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
    %y = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect"
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

def NMDecomposeAttentionPass : Pass<"nm-decompose-attention"> {
  let summary = "tm_tensor.attention as linalg ops";
  let description = [{
    An attention becomes a product, scale and mask, a softmax and a product, in
    f32 (f64 for f64), rounded at the end. The division by the sums of the
    softmax follows the second product. A row that the mask hides altogether
    gives zeros.

    Expects: tensors. Leaves: no `tm_tensor.attention`.

    ```mlir
    %y = tm_tensor.attention ins(%q, %k, %v : ...) outs(%o : tensor<8x16x32xf32>)
        -> tensor<8x16x32xf32>
    // becomes, in outline
    %products = linalg.generic ... ins(%q, %k) // [batch, m, s], over d
    %logits = linalg.generic ... ins(%products) { mulf }
    %largest = linalg.generic ... ins(%logits) { maximumf }
    %weights = linalg.generic ... ins(%logits, %largest) { subf, exp }
    %sums = linalg.generic ... ins(%weights) { addf }
    %mixed = linalg.generic ... ins(%weights, %v) // [batch, m, n], over s
    %y = linalg.generic ... ins(%mixed, %sums) outs(%o) { divf }
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMFoldConstantOpsPass : Pass<"nm-fold-constant-ops", "mlir::ModuleOp"> {
  let summary = "compute what depends on constants only";
  let description = [{
    Evaluates linalg ops whose operands are constants, through the reshapes and
    slices between them: transposed weights, masks, position tables. Floats are
    computed in f64 and rounded to their type at each op. A `linalg.fill` alone
    stays, as an initial value is cheaper to write than to upload. What would
    fail at run time (an index out of bounds, a failed assertion) or is larger
    than `max-elements` is left alone.

    Expects: tensors; leaves: arith.constant in place of the results.

    ```mlir
    %w = arith.constant dense<[[1, 2]]> : tensor<1x2xi32>
    %t = linalg.transpose ins(%w : tensor<1x2xi32>) outs(%e : tensor<2x1xi32>) permutation = [1, 0]
    // becomes
    %t = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>
    ```
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"1 << 24",
           "largest tensor that is evaluated">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NMFuseElementwisePass : Pass<"nm-fuse-elementwise"> {
  let summary = "merge chains of element-wise ops";
  let description = [{
    An element-wise `linalg.generic` with one user is merged into it if that is
    element-wise as well. With `recompute` it is also merged into reductions that
    read each of its elements once, and a small one into both of its two users: an
    exp is cheaper than a tensor that is written and read (softmax, the variance
    of LayerNorm). Contractions are left alone: an erf pulled into a product would
    be computed once for each column.

    Expects: tensors. The numbers do not change.

    ```mlir
    %a = linalg.generic ... ins(%x) { addf }
    %b = linalg.generic ... ins(%a) { math.erf }
    // becomes
    %b = linalg.generic ... ins(%x) { addf, math.erf }
    ```
  }];
  let options = [
    Option<"recompute", "recompute", "bool", /*default=*/"true",
           "also into reductions and into two users">
  ];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect"
  ];
}

def NMFuseEpiloguePass : Pass<"nm-fuse-epilogue"> {
  let summary = "let products do the element-wise ops that follow them";
  let description = [{
    The body of the one `linalg.generic` that reads a product is followed from
    its beginning, and what `nm.spmm` and `nm.spmv` can do themselves moves into
    the op, in this order:

    - a scale, `x * s` or `x / c`, of a constant or one number a column; it may
      also follow the bias, which is then scaled too. Sums of integers that become
      f32 need one next: it is what makes an epilogue of floats;
    - a bias, in either operand order;
    - an activation: relu (maximumf, or cmpf and select where a NaN stays), gelu
      with erf or tanh, silu. They are recognised by their polynomial, so that
      orders of operands, divisions for products and powers for repeated products
      make no difference; constants may be a few roundings off;
    - a residual that is added or multiplied (the gate of a gated layer), of the
      product's shape and type;
    - casts, which give C another element type.

    A product with another user stays as it is, as does one that is read more
    than once an element. What cannot be fused stays behind in the generic. The
    result is computed in f32 and rounded once.

    Expects: products on tensors; reshapes behind the element-wise ops
    (`nm-sink-reshapes`) and chains of them merged (`nm-fuse-elementwise`).

    ```mlir
    %p = nm.spmm %x, %w outs(%c : tensor<4x8xf32>) : ...
    %y = linalg.generic ... ins(%p, %b) {
      %s = arith.addf %in, %in_0 : f32
      %m = arith.maximumf %s, %zero : f32
      linalg.yield %m : f32
    }
    // becomes
    %y = nm.spmm %x, %w bias(%b : tensor<8xf32>) outs(%c : tensor<4x8xf32>)
        {epilogue = #nm.epilogue<relu>} : ...
    ```

    Remarks, category `nm-fuse-epilogue`: `fused` (`Steps`, and why the rest
    stayed), `not-fused` (`Reason`).
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::tensor::TensorDialect", "nm::NMDialect"
  ];
}

def NMHostToRuntimePass : Pass<"nm-host-to-runtime", "mlir::ModuleOp"> {
  let summary = "lower what host code does with the device to runtime calls";
  let description = [{
    Every function `f` becomes

        i32 f(context, pointer to each result..., arguments...)

    with a C interface `_mlir_ciface_f` if it is public. In it, launches, row-major
    allocations, deallocations, contiguous copies, constants and failed
    assertions become calls of include/nm-c/Runtime.h. The status of each call is
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

def NMImportLinalgPass : Pass<"nm-import-linalg", "mlir::ModuleOp"> {
  let summary = "raise products with N:M-sparse constants to nm.spmm and nm.spmv";
  let description = [{
    A linalg op that sums products (`linalg.matmul`, `batch_matmul`, `matvec`,
    `vecmat`, `contract`, convolutions with a window of 1x1, `generic`, also a
    reduction of an element-wise product, ...) is a candidate when one factor
    comes from constants, looked through transposes, broadcasts, reshapes, slices
    and casts. Element-wise ops on several constants (the scales and zero points
    of int8 weights, masks) are evaluated, before the op or in its body. Which
    dimensions of the weight are k and n follows from the op's indexing maps. Its
    data is searched for its tightest N:M pattern along k, or checked against the
    pattern given by `keep`, `window`, `unit-k` and `unit-n`; a candidate that
    conforms becomes one `nm.spmm` with all other dimensions collapsed into m, or
    `nm.spmv` when m is 1, and its weight an `nm.constant`. Tied weights share
    one. A weight that is broadcast over a batch is not copied; where it varies
    along the batch (the experts of a mixture) there is a product for each, on
    slices. What the result is added to is added behind the product. The sums are
    accumulated in f32, those of i8 in i32: wider integers are made of them where
    k is too short for a difference, and a constant zero point of the activation,
    or 128 for one that is unsigned, becomes a bias.

    A claim of nm-import-sparse-encodings stands in place of the search: the
    weight has that pattern, or the module is wrong.

    Expects: linalg on tensors; operands of the types of `nm.spmm`. Leaves
    everything else as it is.

    ```mlir
    %wt = linalg.transpose ins(%cst : tensor<128x64xf32>)
        outs(%e : tensor<64x128xf32>) permutation = [1, 0]
    %y = linalg.matmul ins(%x, %wt : tensor<?x64xf32>, tensor<64x128xf32>)
        outs(%zeros : tensor<?x128xf32>) -> tensor<?x128xf32>
    // becomes
    %w = nm.constant {values = ..., indices = ...}
        : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    %y = nm.spmm %x, %w outs(%init : tensor<?x128xf32>)
        : tensor<?x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<?x128xf32>
    ```

    Remarks, category `nm-import-linalg`, one a candidate: `raised` (`Op`,
    `Weight`, `Rows` of the condensed form, `Products` of a batch, `Folded`: the
    ops that were evaluated), `not-raised` (`Reason`, `Op`).
    Weights whose data was elided, or that violate the given pattern, also get a
    warning.
  }];
  let options = [
    Option<"keep", "keep", "int64_t", /*default=*/"0",
           "units kept of each window, N; 0: search the tightest pattern">,
    Option<"window", "window", "int64_t", /*default=*/"0",
           "units of a window, M, with keep; 0: all of k">,
    Option<"unitK", "unit-k", "int64_t", /*default=*/"1",
           "rows (along k) of a unit, with keep">,
    Option<"unitN", "unit-n", "int64_t", /*default=*/"1",
           "columns (along n) of a unit, with keep">,
    Option<"maxRatio", "max-ratio", "double", /*default=*/"0.5",
           "largest share of the k rows that the condensed form may have">,
    Option<"maxRatioWide", "max-ratio-wide", "double", /*default=*/"0.75",
           "the same when units are at least 8 columns wide">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::tensor::TensorDialect", "nm::NMDialect"
  ];
}

def NMImportSparseEncodingsPass
    : Pass<"nm-import-sparse-encodings", "mlir::ModuleOp"> {
  let summary = "sparse_tensor encodings as claims about products";
  let description = [{
    A `structured[n, m]` level of a `sparse_tensor` encoding says of a constant
    what `#nm.pattern<n:m>` says: of m numbers in a row along one dimension, n may
    be other than zero. Where all other levels are dense, and a product sums over
    that dimension, the attributes `nm.claimed_pattern` and `nm.claimed_loop` of
    the product hand that to nm-import-linalg, which takes the pattern as given
    and makes data that break it an error. The tensor may be an `arith.constant`
    of an encoded type or go through `sparse_tensor.convert`, transposes, copies
    and widening casts on its way.

    All encodings are dropped, of whatever kind: what they ask for is storage for
    upstream's sparsifier. The numbers are the same. Constants that are written
    as coordinates and values (`sparse<...>`) become dense ones.

    Expects: no encoding on arguments and results of functions, no op of
    sparse_tensor but `convert`; both are errors. Leaves: nothing of sparse_tensor.

    ```mlir
    #kn = #sparse_tensor.encoding<{ map = (k, n) ->
        (n : dense, k floordiv 4 : dense, k mod 4 : structured[2, 4]) }>
    %s = sparse_tensor.convert %cst : tensor<64x128xf32> to tensor<64x128xf32, #kn>
    %y = linalg.matmul ins(%x, %s : tensor<8x64xf32>, tensor<64x128xf32, #kn>) ...
    // becomes
    %y = linalg.matmul {nm.claimed_loop = 2 : i64, nm.claimed_pattern = #nm.pattern<2:4>}
        ins(%x, %cst : tensor<8x64xf32>, tensor<64x128xf32>) ...
    ```

    Remarks, category `nm-import-sparse-encodings`: `claimed` (`Op`, `Pattern`),
    one a product; `encoding-dropped` (`Reason`) where an encoding says something
    else, or nothing that a product could use.
  }];
  let dependentDialects = ["mlir::tensor::TensorDialect", "nm::NMDialect"];
}

def NMLinalgToParallelLoopsPass
    : Pass<"nm-linalg-to-parallel-loops"> {
  let summary = "bring linalg ops on buffers into parallel loops";
  let description = [{
    Every linalg op on buffers becomes one `scf.parallel` over all its parallel
    dimensions, with its reductions as sequential loops inside. Dimensions are
    reordered where a reduction comes first; an op without parallel dimensions
    becomes a loop of one iteration. A `memref.copy` that is not one contiguous
    range on both sides becomes such a loop too; the others are left for the
    runtime. The attribute `nm.kernel_name` says what the loop computes. A `linalg.fill` of
    a buffer that the next op accumulates into becomes the first store of that
    op's loop.

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
    thread. A `cf.assert` stays where it is.

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
    "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
    "mlir::LLVM::LLVMDialect", "mlir::scf::SCFDialect"
  ];
}

def NMOwnResultsPass : Pass<"nm-own-results", "mlir::ModuleOp"> {
  let summary = "return every buffer as an allocation of its own";
  let description = [{
    Callers free each result. One that is an argument, a constant, part of
    another result or of unknown origin is therefore copied first.

    Expects: functions on buffers.

    ```mlir
    return %arg0 : memref<4xf32>
    // becomes
    %copy = memref.alloc() : memref<4xf32>
    memref.copy %arg0, %copy : memref<4xf32> to memref<4xf32>
    return %copy : memref<4xf32>
    ```
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def NMPlaceDeallocsPass : Pass<"nm-place-deallocs", "mlir::ModuleOp"> {
  let summary = "free each buffer after its last use";
  let description = [{
    An allocation and a buffer that a call returns is freed right after the last
    op that uses it or a view of it, so that the next allocation can have its
    memory. Buffers that are returned are left alone. Allocations move right before
    the first op that uses them.

    Expects: functions on buffers with structured control flow, without
    deallocations. A buffer that leaves its block through control flow is not
    freed, with a remark.

    Remarks (category `nm-place-deallocs`): `not-freed`.

    ```mlir
    %a = memref.alloc() : memref<4xf32>
    gpu.launch ... { ... %a ... }
    gpu.launch ... { ... }
    // becomes
    %a = memref.alloc() : memref<4xf32>
    gpu.launch ... { ... %a ... }
    memref.dealloc %a : memref<4xf32>
    gpu.launch ... { ... }
    ```
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
}

def NMPrepareTensorsPass : Pass<"nm-prepare-tensors", "mlir::ModuleOp"> {
  let summary = "rewrite tensor ops whose bufferization is unusable on a device";
  let description = [{
    `tensor.concat` becomes insertions of slices and `tensor.reshape` a collapse
    and an expansion, as its shape operand would otherwise become a buffer that
    the host writes and reads. Arguments of public functions are marked so that
    bufferization never writes into the caller's memory.

    ```mlir
    %s = tensor.from_elements %n, %c4 : tensor<2xindex>
    %r = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    // becomes
    %r = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
    "mlir::tensor::TensorDialect"
  ];
}

def NMResolveExpandShapesPass : Pass<"nm-resolve-expand-shapes"> {
  let summary = "expanded views of dynamic sizes by their strides";
  let description = [{
    Writes each `memref.expand_shape` with a dynamic size as what it is: the same
    memory with other sizes and strides. LLVM 22's `expand-strided-metadata`
    crashes on a group with two dynamic sizes, so this pass comes before it.

    Expects: memrefs with strided layouts. Leaves: no `memref.expand_shape` with
    a dynamic size.

    ```mlir
    %1 = memref.expand_shape %0 [[0, 1], [2]] output_shape [%a, %b, 4]
        : memref<?x4xf32> into memref<?x?x4xf32>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %0
        : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
    %step = arith.muli %b, %c4 : index
    %1 = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b, 4],
        strides: [%step, 4, 1] : memref<f32> to memref<?x?x4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::memref::MemRefDialect"];
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
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "Chip, a row of the target table">,
    Option<"optLevel", "opt-level", "int64_t", /*default=*/"3",
           "LLVM's optimization level, 1 to 3">
  ];
  let dependentDialects = ["mlir::NVVM::NVVMDialect"];
}

def NMSplitFillsPass : Pass<"nm-split-fills"> {
  let summary = "give every op that accumulates a fill of its own";
  let description = [{
    A `linalg.fill` that several ops accumulate into is repeated for each, which
    costs nothing once the fill is a part of the loop (see
    `nm-linalg-to-parallel-loops`), while a shared one is a kernel and a copy for
    each user.

    Expects and leaves: tensors. To be run last before bufferization, as CSE
    undoes it.

    ```mlir
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>)
    %a = linalg.reduce ... outs(%z : tensor<4xf32>)
    %b = linalg.reduce ... outs(%z : tensor<4xf32>)
    // becomes
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>)
    %a = linalg.reduce ... outs(%z : tensor<4xf32>)
    %e2 = tensor.empty() : tensor<4xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4xf32>)
    %b = linalg.reduce ... outs(%z2 : tensor<4xf32>)
    ```
  }];
  let dependentDialects = [
    "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMToLinalgPass : Pass<"nm-to-linalg", "mlir::ModuleOp"> {
  let summary = "lower nm on tensors to linalg, the reference path";
  let description = [{
    Every product becomes a `linalg.generic` that gathers the kept rows of A by
    the indices of the weight and sums in f32, and, when there is anything to do
    after the sum, a second one for bias, activation, residual and rounding. The
    module then runs through upstream's bufferization and LLVM on the CPU.
    Weights may be packed. `nm.condense` of what is no constant becomes loops.

    Expects: nm ops on tensors, weights made by `nm.constant`, `nm.assemble` or
    `nm.condense`. Leaves: no nm op.

    ```mlir
    %y = nm.spmm %x, %w outs(%init : tensor<4x8xf32>)
        : tensor<4x16xf32>, !nm.condensed<16x8xf32, #nm.pattern<2:4>>
        -> tensor<4x8xf32>
    // becomes
    %zeros = linalg.fill ins(%c0 : f32) outs(%init : tensor<4x8xf32>)
    %y = linalg.generic {iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%values : tensor<8x8xf32>) outs(%zeros : tensor<4x8xf32>) {
      ... tensor.extract %indices[...], tensor.extract %x[...]
    }
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
    "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMTMTensorToLoopsPass : Pass<"nm-tm-tensor-to-loops"> {
  let summary = "lower tm_tensor on buffers to parallel loops";
  let description = [{
    Each op becomes `scf.parallel` loops, which become kernels:

    - scan: parallel over the rows, in order along the dimension;
    - scatter: parallel over all updates if the indices are unique, else over
      what no index moves, the rest in order; indices are checked by `cf.assert`;
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
    work: allocations, deallocations, copies of contiguous buffers, launches.
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

def NMSinkReshapesPass : Pass<"nm-sink-reshapes"> {
  let summary = "move expansions of products behind the ops that follow";
  let description = [{
    A `linalg.generic` that reads the `tensor.expand_shape` of a product, or of
    what generics made of one, is computed in the product's shape, and its result
    expanded; other operands are collapsed. Dimensions of 1 of what follows a
    product of one row are dropped. A generic to which the expanded dimensions
    matter apart is left alone.

    Expects and leaves: tensors.

    ```mlir
    %e = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 16, 8]
        : tensor<32x8xf32> into tensor<2x16x8xf32>
    %y = linalg.generic ... ins(%e : tensor<2x16x8xf32>) ...
    // becomes
    %y = linalg.generic ... ins(%p : tensor<32x8xf32>) ...
    %e = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 16, 8]
        : tensor<32x8xf32> into tensor<2x16x8xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect",
    "mlir::tensor::TensorDialect"
  ];
}

#endif // NM_CONVERSION_PASSES_TD
