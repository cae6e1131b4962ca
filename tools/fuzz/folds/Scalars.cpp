//===- Scalars.cpp - Dispatches ops on numbers ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"

using namespace mlir;
using namespace nm::folds;

bool nm::folds::isScalarOp(Operation *op) {
  Dialect *dialect = op->getDialect();
  return isa_and_nonnull<arith::ArithDialect, index::IndexDialect>(dialect) &&
         op->getNumOperands() != 0;
}

static void setAllPoison(Operation *op, Scalars &results) {
  results.clear();
  for (Type type : op->getResultTypes())
    results.push_back(Scalar::poison(getWidth(type)));
}

/// Whether the op divides, and may do so by zero or overflow, whatever number
/// is taken for poison.
static bool mayDivideByZero(Operation *op, llvm::ArrayRef<Scalar> operands) {
  llvm::StringRef name = op->getName().stripDialect();
  if ((!name.contains("div") && !name.starts_with("rem")) ||
      name.ends_with("f"))
    return false;
  const Scalar &divisor = operands[1];
  return divisor.isPoison || divisor.bits.isZero() || divisor.bits.isAllOnes();
}

static Status evaluateSelect(llvm::ArrayRef<Scalar> operands,
                             Scalars &results) {
  results.push_back(operands[operands[0].bits.isZero() ? 2 : 1]);
  if (operands[0].isPoison)
    results.back().isPoison = true;
  return Status::Defined;
}

Status nm::folds::evaluateScalarOp(Operation *op,
                                   llvm::ArrayRef<Scalar> operands,
                                   Scalars &results) {
  results.clear();
  if (isa<arith::SelectOp>(op))
    return evaluateSelect(operands, results);
  if (llvm::any_of(operands, [](const Scalar &s) { return s.isPoison; })) {
    setAllPoison(op, results);
    return mayDivideByZero(op, operands) ? Status::Undefined : Status::Defined;
  }
  Status status = Status::Defined;
  if (evaluateIntegerOp(op, operands, results, status))
    return status;
  if (evaluateFloatOp(op, operands, results))
    return status;
  if (operands.size() != 1 || op->getNumResults() != 1)
    return Status::Unknown;
  results.push_back(Scalar::poison(getWidth(op->getResult(0).getType())));
  return evaluateCast(op, operands[0], results[0]) ? status : Status::Unknown;
}
