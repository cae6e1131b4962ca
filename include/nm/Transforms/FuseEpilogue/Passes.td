//===- Passes.td - What follows a product into it ----------*- tablegen -*-===//
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

#ifndef NM_TRANSFORMS_FUSEEPILOGUE_PASSES_TD
#define NM_TRANSFORMS_FUSEEPILOGUE_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // NM_TRANSFORMS_FUSEEPILOGUE_PASSES_TD
