//===- EpilogueMath.h - Activations as arith and math ops -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One definition of each epilogue for all lowerings of products.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_EPILOGUEMATH_H
#define NM_DIALECT_NM_UTILS_EPILOGUEMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMDialect.h"

namespace nm {

/// How closely an activation is computed.
enum class EpilogueMath {
  Exact,      // by arithmetic, in the same bits on every device
  Approximate // of f32, within 2^-14 of it, by ops marked fastmath<afn>
};

/// Approximate where the kernel of `schedule` rounds the activation to the 16
/// bits of `result`, and has sums whose bits are not the same on every device.
EpilogueMath chooseEpilogueMath(ScheduleAttr schedule, mlir::Type result);

/// The activation `epilogue` of the f32 or f64 `x`, or, for none and relu, of
/// the integer `x`:
///   relu       max(x, 0), NaN stays NaN
///   gelu_erf   x / 2 (1 + erf(x / sqrt 2))
///   gelu_tanh  x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
///   silu       x / (1 + exp(-x))
mlir::Value createEpilogue(mlir::ImplicitLocOpBuilder &b, Epilogue epilogue,
                           mlir::Value x,
                           EpilogueMath math = EpilogueMath::Exact);

/// `x` with `residual`, both f32, f64 or i32 or vectors of one.
mlir::Value createCombine(mlir::ImplicitLocOpBuilder &b, Combine combine,
                          mlir::Value x, mlir::Value residual);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_EPILOGUEMATH_H
