//===- Passes.td - Nm to linalg, the reference path --------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_NMTOLINALG_PASSES_TD
#define NM_CONVERSION_NMTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // NM_CONVERSION_NMTOLINALG_PASSES_TD
