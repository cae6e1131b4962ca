//===- Passes.td - Tm_tensor to linalg and loops -----------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_TMTENSORTOLOOPS_PASSES_TD
#define NM_CONVERSION_TMTENSORTOLOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // NM_CONVERSION_TMTENSORTOLOOPS_PASSES_TD
