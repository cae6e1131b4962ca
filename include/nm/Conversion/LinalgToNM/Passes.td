//===- Passes.td - Linalg with sparse constants to nm ------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_LINALGTONM_PASSES_TD
#define NM_CONVERSION_LINALGTONM_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nm/Support/Options.td"

def NMImportLinalgPass : Pass<"nm-import-linalg", "mlir::ModuleOp"> {
  let summary = "raise products with N:M-sparse constants to nm.spmm and nm.spmv";
  let description = [{
    A linalg op that sums products (`linalg.matmul`, `batch_matmul`, `matvec`,
    `vecmat`, `contract`, convolutions with a window of 1x1, `generic`, also a
    reduction of an element-wise product, ...) is a candidate when one factor
    comes from constants, looked through transposes, broadcasts, reshapes, slices
    and casts. Element-wise ops on several constants (the scales and zero points
    of int8 weights, masks) are evaluated, before the op or in its body;
    concatenations of constants are put together, or a slice taken of the one it
    lies in. Which dimensions of the weight are k and n follows from the op's
    indexing maps. Its data is searched for its tightest N:M pattern along k, or checked against the
    pattern given by `keep`, `window`, `unit-k` and `unit-n`; a candidate that
    conforms becomes one `nm.spmm` with all other dimensions collapsed into m, or
    `nm.spmv` when m is 1, and its weight an `nm.constant`. Tied weights share
    one. A weight that is broadcast over a batch is not copied; where it varies
    along the batch (the experts of a mixture) there is a product for each, on
    slices. What the result is added to is added behind the product. The sums are
    accumulated in f32, those of f64 in f64 and those of i8 in i32: wider integers are made of them where
    k is too short for a difference, and a constant zero point of the activation,
    or 128 for one that is unsigned, becomes a bias.

    A pattern is raised when it keeps few enough units of a window: what counts
    is N / M, also where k cuts the last window short and more than N / M of the
    rows are kept. But the condensed form must have fewer rows than the weight.

    A weight that is one of several constants, chosen at run time (experts that
    are gathered by an index), is examined and reported, with a warning if all of
    them are sparse: the product stays as it is.

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

    Remarks: `claim-dropped`, `not-raised`, `raised`. One of the last two for each
    candidate.
    Weights whose data was elided, or that violate the given pattern, also get a
    warning.
  }];
  let options = OptionsOf<"nm-import-linalg">.rows;
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

    Remarks: `claimed`, `encoding-dropped`. The first for each product.
  }];
  let dependentDialects = ["mlir::tensor::TensorDialect", "nm::NMDialect"];
}

#endif // NM_CONVERSION_LINALGTONM_PASSES_TD
