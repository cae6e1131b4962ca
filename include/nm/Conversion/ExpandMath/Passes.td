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
    `llvm.sqrt`, `llvm.fabs`, `llvm.floor` ...). sin, cos and cbrt are within 2 ulp
    of the true value, erfc within 5, and all others within 4, over their whole
    range, with infinities, NaN, signed zeros and subnormal numbers as IEEE 754 has
    them, in f32 and in f64. sin, cos and tan reduce their argument in f64, up to
    2^30 by multiples of pi/2 (Cody and Waite 1980), beyond by as many bits of 2/pi
    as are needed (Payne and Hanek 1983), in a branch. `arith.remf` becomes a loop
    that gives C's fmod exactly. f16 and bf16 are computed in f32. Another op is an
    error.

    Expects: scalars or vectors of rank 1; for remainders, sin, cos and tan
    scalars. Leaves: no float op of the math dialect and no `arith.remf` below the
    op it runs on.

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

def NMExpandSmallFloatsPass : Pass<"nm-expand-small-floats"> {
  let summary = "compute floats of fewer than 16 bits in f32";
  let description = [{
    LLVM has no such floats, and only some GPUs have instructions for them.
    Arithmetic on them is done in f32, and the result of every op is rounded.
    `arith.extf` and `arith.truncf` become ops on the bits: every number,
    infinity and NaN becomes the same in the other type, and rounding is to
    nearest even, once, from f64 too. What exceeds the largest number becomes
    infinity or, in a type without one, NaN.

    Leaves no op of arith on numbers or vectors of such a float below the op it
    runs on, but constants, `arith.bitcast` and `arith.select`. An error: a type
    that has no sign or no NaN, or whose NaN is where others have negative zero
    (f8E4M3FNUZ); a rounding mode other than to nearest even.

    ```mlir
    %y = arith.extf %x : f8E4M3FN to f32
    // becomes
    %byte = arith.bitcast %x : f8E4M3FN to i8
    %code = arith.extui %byte : i8 to i32
    %magnitude = arith.andi %code, %c127 : i32
    %top = arith.andi %code, %c128 : i32
    %sign = arith.shli %top, %c24 : i32
    %bits = arith.shli %magnitude, %c20 : i32
    %tiny = arith.bitcast %bits : i32 to f32
    %scaled = arith.mulf %tiny, %two_to_120 : f32
    %number = arith.bitcast %scaled : f32 to i32
    %nan = arith.ori %bits, %infinity : i32
    %is_number = arith.cmpi ule, %magnitude, %c126 : i32
    %chosen = arith.select %is_number, %number, %nan : i32
    %signed = arith.ori %chosen, %sign : i32
    %y = arith.bitcast %signed : i32 to f32
    ```
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // NM_CONVERSION_EXPANDMATH_PASSES_TD
