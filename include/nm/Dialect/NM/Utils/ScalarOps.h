//===- ScalarOps.h - One scalar operation at compile time -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_UTILS_SCALAROPS_H
#define NM_DIALECT_NM_UTILS_SCALAROPS_H

#include "nm/Dialect/NM/Utils/ConstantEvaluator.h"
#include <optional>

namespace nm {

/// Types whose values a Scalar holds: index, integers of up to 64 bits, and
/// the floats of NumericTypes.def.
bool isScalarType(mlir::Type type);

/// Rounds a real or wraps an integer to `type`.
Scalar fitTo(mlir::Type type, Scalar value);

/// The constant `attr`, a float or an integer.
Scalar fromAttribute(mlir::Attribute attr);
mlir::Attribute toAttribute(mlir::Type type, Scalar value);

/// Reads and writes an element in memory; integers of less than a byte take
/// one.
Scalar loadScalar(mlir::Type type, const char *data);
void storeScalar(mlir::Type type, Scalar value, char *data);

/// Whether evaluateOp knows `op`, an op with one result: a scalar, or a tensor
/// that it computes element by element.
bool isEvaluable(mlir::Operation *op);

/// The result of an arith or math op on `operands`; none where it is undefined
/// (division by zero, a float out of an integer's range).
std::optional<Scalar> evaluateOp(mlir::Operation *op,
                                 llvm::ArrayRef<Scalar> operands);

/// As above for many elements: `operands` has an array for each operand, as
/// long as `results`. False where an element is undefined.
bool evaluateOps(mlir::Operation *op, llvm::ArrayRef<const Scalar *> operands,
                 llvm::MutableArrayRef<Scalar> results);

} // namespace nm

#endif // NM_DIALECT_NM_UTILS_SCALAROPS_H
