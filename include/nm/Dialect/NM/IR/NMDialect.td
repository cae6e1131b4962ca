//===- NMDialect.td - The nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMDIALECT_TD
#define NM_DIALECT_NM_IR_NMDIALECT_TD

include "mlir/IR/DialectBase.td"

def NM_Dialect : Dialect {
  let name = "nm";
  let cppNamespace = "::nm";
  let summary = "N:M-sparse matrix products, from tensors to tiles";
  let description = [{
    A product `C[m,n] = A[m,k] x B[k,n]` whose weight `B` is N:M-sparse: `k` is
    cut into windows of M units, a unit is a block of `Bk x Bn` elements, and in
    each window N units are **kept**. The weight is stored *condensed*: the kept
    values, `[w, n]` with `w = ceil(k / (M Bk)) N Bk`, and for each kept unit its
    position in the window, `[w / Bk, ceil(n / Bn)]`.

    The dialect has two levels. The *tensor level* (`nm.spmm`, `nm.spmv` and the
    ops that make and take apart a condensed weight) says what is computed. The
    *tile level* (`nm.tile_mma`, `nm.tile_copy`, ...) lives inside `gpu.launch`
    and says how a block of threads computes one tile of `C`; passes transform
    it step by step until `nm-map-to-threads` gives each thread its part.

    `docs/Spec.md` states the rules that the verifiers check, by label.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // NM_DIALECT_NM_IR_NMDIALECT_TD
