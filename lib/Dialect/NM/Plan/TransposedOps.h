//===- TransposedOps.h - Ops that give their results transposed -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_PLAN_TRANSPOSEDOPS_H
#define NM_LIB_DIALECT_NM_PLAN_TRANSPOSEDOPS_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace nm {

/// An order of dimensions, as linalg.transpose has it: dimension i of what is
/// transposed is dimension permutation[i] of what was there.
using Permutation = llvm::SmallVector<int64_t>;

/// Whether `value` is a tensor of a static shape, without an encoding, which
/// may be about the order of its dimensions.
bool canTranspose(mlir::Value value);

/// The type of a transposed `type`.
mlir::RankedTensorType getTransposedType(mlir::RankedTensorType type,
                                         llvm::ArrayRef<int64_t> permutation);

/// An operand that an op reads transposed.
struct TransposedOperand {
  mlir::OpOperand *operand;
  Permutation permutation;
};

/// What `op` has to read transposed to give its one result transposed, without
/// more work than before: a product stores C in its other layout, loops of an
/// element-wise op change places, and so do groups of a reshape. Nothing for
/// other ops, for shapes that are not static, and for a product whose schedule
/// was written by hand.
std::optional<llvm::SmallVector<TransposedOperand>>
getTransposedOperands(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

/// The transposed result of `op`, for which getTransposedOperands gives as many
/// operands as there are `transposed`. A product is changed where it stands and
/// its result has the new type; for other ops there is another before `op`.
mlir::Value createTransposed(mlir::RewriterBase &rewriter, mlir::Operation *op,
                             llvm::ArrayRef<int64_t> permutation,
                             mlir::ValueRange transposed);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_PLAN_TRANSPOSEDOPS_H
