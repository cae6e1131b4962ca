//===- RowSpan.h - Vectors that end in the next row -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWSPAN_H
#define NM_LIB_DIALECT_NM_ROWS_ROWSPAN_H

#include "RowDigits.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// Whether rows of an innermost dimension are at least as long as a vector of
/// `vector` elements, which ends in the next row at the latest then.
mlir::Value createAreSpans(mlir::ImplicitLocOpBuilder &b, RowsOp op,
                           int64_t vector);

/// `count` elements that follow each other in an iteration space that has no
/// rows of its own, and lie in one row of its innermost dimension, or in two.
/// All of them exist, and createAreSpans holds where they are several. The
/// places of the row are computed once, and those of an element need a
/// selection between two.
class RowSpan {
public:
  /// Elements from number `first` on, whose indices along each dimension are
  /// `indices`.
  RowSpan(mlir::ImplicitLocOpBuilder &b, RowsOp op, mlir::Value first,
          llvm::ArrayRef<mlir::Value> indices, int64_t count, Numbers numbers);

  /// The index along dimension `dim` of the element that is `offset` behind the
  /// first one.
  mlir::Value getIndex(int64_t dim, int64_t offset);

  llvm::SmallVector<mlir::Value> load(int64_t number);
  void store(int64_t number, llvm::ArrayRef<mlir::Value> values);

private:
  llvm::SmallVector<mlir::Value> loadEach(int64_t number);
  llvm::SmallVector<mlir::Value> getPlace(int64_t number, int64_t offset);
  mlir::Value linearize(int64_t number, llvm::ArrayRef<mlir::Value> of);
  mlir::Value getStep(int64_t number);
  mlir::Value isBefore(int64_t offset);
  bool isInOrder(int64_t number);
  int64_t getWidth(int64_t number);

  mlir::ImplicitLocOpBuilder &b;
  RowsOp op;
  mlir::Value first;
  int64_t count;
  Numbers numbers; // of the elements of the space, and so of an operand
  /// Of the first element, and of the first one of the next row: the row's own,
  /// where it has all elements.
  llvm::SmallVector<mlir::Value> indices, next;
  mlir::Value left; // elements of the row from the first one on
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWSPAN_H
