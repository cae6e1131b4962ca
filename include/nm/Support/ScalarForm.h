//===- ScalarForm.h - A scalar computation in normal form -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same activation is written in many orders: x * 0.5 * (1 + t), with the
// half on either factor, a division for a product with the inverse, x^3 as two
// products or as a power. All are one polynomial, so polynomials are compared.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_SCALARFORM_H
#define NM_SUPPORT_SCALARFORM_H

#include "mlir/IR/Value.h"
#include <array>
#include <optional>

namespace nm {

/// Coefficients of 1, x, x^2 and x^3.
using Polynomial = std::array<double, 4>;

/// A value as `free(x) + factor(x) * atom`. The atom is a call of erf, tanh or
/// exp, or for an arith.divf the inverse of its divisor; null when `factor` is
/// zero.
struct ScalarForm {
  Polynomial free = {};
  Polynomial factor = {};
  mlir::Operation *atom = nullptr;
};

/// The value of a float constant, also behind casts.
std::optional<double> getConstantFloat(mlir::Value value);

/// The form of `value` in terms of `x`; nothing when it has none. Casts between
/// floats are looked through.
std::optional<ScalarForm> getScalarForm(mlir::Value value, mlir::Value x);

} // namespace nm

#endif // NM_SUPPORT_SCALARFORM_H
