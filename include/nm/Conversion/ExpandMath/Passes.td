//===- Passes.td - Math ops to arith -----------------------*- tablegen -*-===//
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

#ifndef NM_CONVERSION_EXPANDMATH_PASSES_TD
#define NM_CONVERSION_EXPANDMATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMExpandMathPass : Pass<"nm-expand-math"> {
  let summary = "compute math ops without a library";
  let description = [{
    Replaces float ops of the math dialect by arith ops and calls of LLVM
    intrinsics for which both NVPTX and CPUs have instructions (`llvm.fma`,
    `llvm.sqrt`, `llvm.fabs`, `llvm.floor` ...). exp, exp2, expm1, log, log2,
    log10, log1p, erf, tanh and powf are within 4 ulp of the true value over
    their whole range, with infinities, NaN, signed zeros and subnormal numbers
    as IEEE 754 has them, in f32 and in f64; sin and cos have an absolute error
    below 2e-7 (1e-15 in f64) up to |x| = 1e5 and lose accuracy beyond; asin,
    acos, atan and atan2 are within 4 ulp. `arith.remf` becomes a loop that gives
    C's fmod exactly. f16 and bf16 are computed in f32. tan, the hyperbolic
    functions but tanh and their inverses become these by upstream's patterns;
    cbrt and erfc are upstream's approximations, in f32 only. Another op is an
    error.

    Expects: scalars or vectors of rank 1; for remainders, scalars. Leaves: no
    float op of the math dialect and no `arith.remf` below the op it runs on.

    ```mlir
    %y = math.rsqrt %x : f32
    // becomes
    %one = arith.constant 1.000000e+00 : f32
    %root = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
    %y = arith.divf %one, %root : f32
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::scf::SCFDialect"
  ];
}

#endif // NM_CONVERSION_EXPANDMATH_PASSES_TD
