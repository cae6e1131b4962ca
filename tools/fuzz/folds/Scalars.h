//===- Scalars.h - What ops on numbers compute ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of arith and index, written from their documentation and without the
// functions that their folders use.
//
//===----------------------------------------------------------------------===//

#ifndef NM_FUZZ_FOLDS_SCALARS_H
#define NM_FUZZ_FOLDS_SCALARS_H

#include "Datum.h"

#include "mlir/IR/Operation.h"

namespace nm {
namespace folds {

enum class Status {
  Defined,
  /// The program has no meaning: division by zero, access out of bounds, ...
  Undefined,
  /// The interpreter does not know the op.
  Unknown,
  /// More ops were executed than allowed.
  TooLong,
};

using Scalars = llvm::SmallVector<Scalar, 2>;

/// Whether `op` computes each element of its results from the same element of
/// its operands.
bool isScalarOp(mlir::Operation *op);

/// Computes one element of the results of such an op.
Status evaluateScalarOp(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                        Scalars &results);

/// The parts of it. They return false of an op that is not theirs. Operands are
/// no poison, but for those of `select`.
bool evaluateIntegerOp(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                       Scalars &results, Status &status);
bool evaluateFloatOp(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                     Scalars &results);
bool evaluateCast(mlir::Operation *op, const Scalar &operand, Scalar &result);

} // namespace folds
} // namespace nm

#endif // NM_FUZZ_FOLDS_SCALARS_H
