//===- MemberOps.h - What ops of a kernel read and combine ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linalg.generic may be a member of a kernel of rows, and what of each
// array it reads and writes. What one reduces is in Combiners.h.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_MEMBEROPS_H
#define NM_LIB_DIALECT_NM_ROWS_MEMBEROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace nm {

/// The place of a dimension that has one element.
constexpr int64_t kUnit = -1;

/// A value, and for each of its dimensions the one of an iteration space that
/// reads or writes it, or kUnit.
struct Access {
  mlir::Value value;
  llvm::SmallVector<int64_t> dims;
};

/// The array that `value` is a part, another shape or a transposition of.
mlir::Value getWholeArray(mlir::Value value);

/// The element that all of a constant are; null if there is none.
mlir::TypedAttr getSplat(mlir::Value value);

/// Whether `op` may be a part of a kernel of rows, but for its combiners.
bool isRowOp(mlir::linalg::GenericOp op);

/// Whether `op` computes of elements that its inputs have for each point, and
/// of nothing else: neither of places nor of an array that is read at computed
/// ones.
bool isPointwise(mlir::linalg::GenericOp op);

/// The values of the body of `op` that differ along dimensions for which
/// `isElement` holds. A value differs if an operand of its op does.
llvm::DenseSet<mlir::Value>
collectVarying(mlir::linalg::GenericOp op,
               llvm::function_ref<bool(int64_t)> isElement);

/// Whether a reshape only adds or drops dimensions of one element.
bool movesUnitsAlone(mlir::tensor::ExpandShapeOp op);
bool movesUnitsAlone(mlir::tensor::CollapseShapeOp op);

/// Whether `op` only moves elements, so that others follow each other: a
/// transposition that does not leave the last dimension where it is.
bool isTransposition(mlir::linalg::GenericOp op);

/// Whether `op` transposes units that are too short to be pieces of rows, of a
/// whole array (getTransposedUnits).
bool isUnitTransposition(mlir::linalg::GenericOp op);

/// What `op` reads as input number `input`, or writes as result number
/// `result`, in its own dimensions. An input is followed to before reshapes
/// that only add or drop dimensions of one element.
Access getRead(mlir::linalg::GenericOp op, int64_t input);
Access getWritten(mlir::linalg::GenericOp op, int64_t result);

/// The dimension of the last one of an array that has several elements; kUnit
/// if none has.
int64_t getLastDim(const Access &access);

/// The dimensions of a transposition, in the order in which its input has them.
llvm::SmallVector<int64_t> getInputOrder(mlir::linalg::GenericOp op);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_MEMBEROPS_H
