//===- Passes.td - Tensors before bufferization ------------*- tablegen -*-===//
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

#ifndef NM_TRANSFORMS_TENSORS_PASSES_TD
#define NM_TRANSFORMS_TENSORS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMFoldConstantOpsPass : Pass<"nm-fold-constant-ops", "mlir::ModuleOp"> {
  let summary = "compute what depends on constants only";
  let description = [{
    Evaluates linalg ops and running totals of constants, through the reshapes and
    slices between them: transposed weights, masks, position tables. Floats are
    computed in f64 and rounded to their type at each op. A `linalg.fill` alone
    stays, as an initial value is cheaper to write than to upload. What would
    fail at run time (an index out of bounds, a failed assertion) or is larger
    than `max-elements` is left alone (a constant that is only transposed is moved
    byte by byte, whatever its size), and so is what would make the program
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
    of LayerNorm). What only counts or repeats its operand (an iota, a broadcast) is
    merged into all of its users then, also through a reshape. Contractions are left
    alone: an erf pulled into a product would be computed once for each column.

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
           "also into reductions, into two users and, of iotas and broadcasts, all">
  ];
  let dependentDialects = [
    "mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect"
  ];
}

def NMPrepareTensorsPass : Pass<"nm-prepare-tensors", "mlir::ModuleOp"> {
  let summary = "rewrite tensor ops whose bufferization is unusable on a device";
  let description = [{
    `tensor.concat` of up to 32 pieces becomes insertions of slices, or, of up to
    eight slices of one element (a stack), a `linalg.generic`, and `tensor.reshape` a collapse
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

def NMSinkReshapesPass : Pass<"nm-sink-reshapes"> {
  let summary = "move expansions of products behind the ops that follow";
  let description = [{
    A `linalg.generic` that reads the `tensor.expand_shape` of a product, or of
    what generics made of one, is computed in the product's shape, and its result
    expanded; other operands are collapsed. Dimensions of 1 of what follows a
    product of one row are dropped. A generic to which the expanded dimensions
    matter apart is left alone. A transposition that only moves dimensions of 1 is
    a reshape.

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
    to one says nothing about them. Ops in the branches of one `scf.if` share one
    before it, so that what the branches yield is the same buffer; and so do an op
    that fills a slice and the insertion of its result there, which is no copy then.

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

#endif // NM_TRANSFORMS_TENSORS_PASSES_TD
