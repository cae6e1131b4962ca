//===- TensorPasses.td - Passes on tensors, up to buffers --*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_CONVERSION_TENSORPASSES_TD
#define NM_CONVERSION_TENSORPASSES_TD

include "mlir/Pass/PassBase.td"

def NMAssertAccessesPass : Pass<"nm-assert-accesses"> {
  let summary = "check at run time indices that are data";
  let description = [{
    An index of a `tensor.extract` or `tensor.insert` that is not a constant may be
    anything. On a device a wrong one is an error of the device, or gives some
    number; on the CPU it would end the process. The pass, which is for the CPU
    only, puts a `cf.assert` before each.

    Expects and leaves: tensors.

    ```mlir
    %y = tensor.extract %x[%i] : tensor<8xf32>
    // becomes
    %ok = arith.cmpi ult, %i, %c8 : index
    cf.assert %ok, "tensor.extract: the index leaves dimension 0 of tensor<8xf32>"
    %y = tensor.extract %x[%i] : tensor<8xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
    "mlir::tensor::TensorDialect"
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
    than `max-elements` is left alone, and so is what would make the program
    larger: a result with `max-growth` bytes more than the constants that it is
    computed from, such as a broadcast of a table, is computed when it is used.

    Remarks: `not-folded`.

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
           "largest tensor that is evaluated">,
    Option<"maxGrowth", "max-growth", "int64_t", /*default=*/"1 << 16",
           "bytes that a result may have more than what it is computed from">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NMFuseBroadcastsPass : Pass<"nm-fuse-broadcasts"> {
  let summary = "let ops read what a broadcast copies";
  let description = [{
    A linalg op that reads the result of a broadcast reads the operand of the
    broadcast instead, by an indexing map that says which element; a named op
    becomes a `linalg.generic` for it. A weight that torch-mlir repeats for each
    matrix of a batch is read in its one place then. Convolutions are left alone,
    and so is an op of which no other operand has the extents of the broadcast.

    Expects: tensors. The numbers do not change. A broadcast that nothing reads
    any more goes away.

    Remarks: `fused`.

    ```mlir
    %b = linalg.broadcast ins(%w : tensor<4x4xf32>) outs(%e : tensor<2x4x4xf32>) dimensions = [0]
    %c = linalg.batch_matmul ins(%a, %b : tensor<2x8x4xf32>, tensor<2x4x4xf32>) outs(%i : tensor<2x8x4xf32>)
    // becomes
    %c = linalg.generic {indexing_maps = [
        affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>,
        affine_map<(b, m, n, k) -> (b, m, n)>], ...}
        ins(%a, %w : tensor<2x8x4xf32>, tensor<4x4xf32>) outs(%i : tensor<2x8x4xf32>) { ... }
    ```
  }];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect"
  ];
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

    Remarks: `fused`, `not-fused`.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::tensor::TensorDialect", "nm::NMDialect"
  ];
}

def NMOwnResultsPass : Pass<"nm-own-results", "mlir::ModuleOp"> {
  let summary = "pass on every buffer as an allocation of its own";
  let description = [{
    Callers free each result. One that is an argument, a constant, part of
    another result or of unknown origin is therefore copied first.

    The same holds for an `scf.for`, `scf.if` or `scf.while` whose region makes a
    buffer that it passes on: every buffer that enters or leaves its regions is an
    allocation of its own then, an argument that is not passed on is freed at the
    end of its block, and `nm.owns_results` says so of the op. Loops that update
    buffers in place stay as they are.

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
    An allocation, and a buffer that a call or an op with `nm.owns_results`
    returns, is freed right after the last op that uses it or a view of it, so
    that the next allocation can have its memory. Buffers that are returned,
    handed over to such an op, or freed already, are left alone. Allocations move
    right before the first op that uses them.

    Expects: functions on buffers with structured control flow, after
    `nm-own-results`. A buffer that leaves its block through other control flow is
    not freed, with a remark.

    Remarks: `not-freed`.

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
    the host writes and reads. `tensor.gather` becomes reads of single elements in
    a `linalg.generic`, `linalg.softmax` the ops that it is made of. What an
    `scf.for`, or an `scf.while` whose condition passes its arguments on, yields
    is copied into the buffer of its argument, unless it was made there. Arguments
    of public functions are marked so that bufferization never writes into the
    caller's memory.

    ```mlir
    %s = tensor.from_elements %n, %c4 : tensor<2xindex>
    %r = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    // becomes
    %r = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
    "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
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

def NMSplitEmptiesPass : Pass<"nm-split-empties"> {
  let summary = "give every user an empty tensor of its own";
  let description = [{
    A `tensor.empty` that several ops use is repeated before each. Bufferization
    compares all users of a tensor with each other, and after CSE the layers of a
    network share the few empty tensors that there are shapes; that two ops write
    to one says nothing about them.

    Expects and leaves: tensors. To be run last before bufferization, as CSE
    undoes it.

    ```mlir
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ... outs(%e : tensor<4xf32>)
    %b = linalg.exp ... outs(%e : tensor<4xf32>)
    // becomes
    %e1 = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ... outs(%e1 : tensor<4xf32>)
    %e2 = tensor.empty() : tensor<4xf32>
    %b = linalg.exp ... outs(%e2 : tensor<4xf32>)
    ```
  }];
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

#endif // NM_CONVERSION_TENSORPASSES_TD
