//===- Passes.td - Modules as frontends write them ---------*- tablegen -*-===//
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

#ifndef NM_TRANSFORMS_NORMALIZE_PASSES_TD
#define NM_TRANSFORMS_NORMALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMCanonicalizePass : Pass<"nm-canonicalize"> {
  let summary = "MLIR's canonicalizations, where they are right";
  let description = [{
    Does what `canonicalize` does with its defaults, except that some of MLIR
    22's patterns are not applied where they change what a program means, or end
    the process: docs/KnownLimits.md, "What MLIR gets wrong", has each with an
    example and upstream's number. `nm-fuzz-folds` finds such patterns. Nor are
    values merged that an `scf.for` carries twice where it carries more than 16,
    as that takes longer than all else of a compilation.

    Expects and leaves: any ops. `nm-index-to-arith` and
    `nm-dynamic-elementwise-to-linalg` take away ops whose folds, which no pass
    can leave out, are wrong.

    Remarks: none.

    ```mlir
    %0 = arith.index_cast %x : index to i8
    %1 = arith.index_cast %0 : i8 to index
    // stays; `canonicalize` makes it %x
    ```
  }];
}

def NMCorrectGeluPass : Pass<"nm-correct-gelu"> {
  let summary = "the right constant in torch-mlir's gelu";
  let description = [{
    torch-mlir writes the factor sqrt(2/pi) = 0.797885 of gelu's tanh form as
    0.797724, so that outputs differ from PyTorch's by up to 1e-4. The pass
    recognises `tanh(0.797724 (x + 0.044715 x^3))` and writes PyTorch's constant.
    Nothing else changes.

    Remarks: `corrected`.

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

def NMCorrectViewsPass : Pass<"nm-correct-views"> {
  let summary = "torch-mlir's views that merge several dynamic sizes";
  let description = [{
    torch-mlir reads `view(x, [b * s, k])` of `x : [b, s, k]`, which is what every
    linear layer on [batch, tokens, k] becomes, as if `s` were 1 when `b` and `s`
    are dynamic: a cast to `?x1xk`, which its canonicalizer merges into the ops
    before, and a collapse of dimensions 1 and 2. The pass takes the size as it
    is, through all ops up to the next that says its sizes itself, and merges
    dimensions 0 and 1, which is the same where `s` is 1 and what the view says
    where it is not.

    Remarks: `corrected`, `not-corrected`.

    A function is left as it is, with the second remark, where a size of
    1 may have been folded into something: an offset, a divisor of a mean. Then
    `nm-assert-shapes` ends a run with other sizes.

    Expects and leaves: linalg on tensors.

    ```mlir
    %1 = tensor.cast %x : tensor<?x?x8xf32> to tensor<?x1x8xf32>
    %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    // becomes
    %2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
    ```
  }];
  let dependentDialects = [
    "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMDynamicElementwiseToLinalgPass
    : Pass<"nm-dynamic-elementwise-to-linalg"> {
  let summary = "elementwise ops on tensors with dynamic extents as linalg.generic";
  let description = [{
    Folds of MLIR 22 make `arith.xori %x, %x`, and other ops whose result depends
    on no element, a constant of the type of the result, which is none where an
    extent is dynamic. The pass writes elementwise ops with such results as
    `linalg.generic`, whose body is on scalars. `convert-elementwise-to-linalg`
    does this for all shapes, but folds before it converts.

    Expects and leaves: any ops. Ops with static extents stay.

    Remarks: none.

    ```mlir
    %0 = arith.xori %x, %x : tensor<4x?xi32>
    // becomes
    %0 = linalg.generic {...} ins(%x, %x : ...) outs(%empty : tensor<4x?xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %1 = arith.xori %a, %b : i32
      linalg.yield %1 : i32
    } -> tensor<4x?xi32>
    ```
  }];
  let dependentDialects = [
    "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"
  ];
}

def NMFullRankSlicesPass : Pass<"nm-full-rank-slices"> {
  let summary = "slices that drop some of their unit dimensions as slices and reshapes";
  let description = [{
    A slice with several dimensions of extent 1 of which it drops some does not
    say which: MLIR takes the first that fit the types, anew whenever a size
    becomes a constant (#178118, #217361). The pass writes the slice with all its
    dimensions, and a reshape that drops those which are dropped now.

    Expects: slices as a module has them, before anything folds. Leaves: no
    `tensor.extract_slice` and `tensor.insert_slice` of this kind.

    Remarks: none.

    ```mlir
    %0 = tensor.extract_slice %x[0, %i, 2] [1, 1, 4] [1, 1, 1]
        : tensor<1x8x8xf32> to tensor<1x4xf32>
    // becomes
    %1 = tensor.extract_slice %x[0, %i, 2] [1, 1, 4] [1, 1, 1]
        : tensor<1x8x8xf32> to tensor<1x1x4xf32>
    %0 = tensor.collapse_shape %1 [[0, 1], [2]]
        : tensor<1x1x4xf32> into tensor<1x4xf32>
    ```
  }];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def NMIndexToArithPass : Pass<"nm-index-to-arith"> {
  let summary = "the index dialect's ops as arith's";
  let description = [{
    Every op of the index dialect becomes the op of arith that computes it: MLIR
    22's folds of index ops are wrong where a difference wraps (#216042) and for
    the smallest number (pull request #223127), and nothing behind knows a second
    set of ops for the same numbers. `index.sizeof` is 64.

    Expects: any ops. Leaves: no op of the index dialect.

    Remarks: none.

    ```mlir
    %0 = index.sub %x, %y
    %1 = index.cmp slt(%0, %zero)
    // becomes
    %0 = arith.subi %x, %y : index
    %1 = arith.cmpi slt, %0, %zero : index
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def NMInlineCallsPass : Pass<"nm-inline-calls", "mlir::ModuleOp"> {
  let summary = "put functions that are handed constants where they are called";
  let description = [{
    A constant that is handed to a function is a weight like others once it is
    seen where it is used. So a private function takes the place of a call, where

    * that is the only one in the module, or
    * a tensor that is computed from constants is handed over. The body is
      copied; the function goes with its last call.

    What is inlined may hold such a call in its turn. `no_inline`, of the function
    or the call, is respected. Copies have 65,536 ops at most, together.

    Expects and leaves: any functions. A function of several blocks stays, and
    one that calls itself.

    Remarks: `inlined`, `not-inlined`.

    ```mlir
    func.func private @linear(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> { ... }
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %w = arith.constant dense<...> : tensor<8x8xf32>
      %y = call @linear(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    // becomes @main with the ops of @linear
    ```
  }];
}

#endif // NM_TRANSFORMS_NORMALIZE_PASSES_TD
