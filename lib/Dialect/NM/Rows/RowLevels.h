//===- RowLevels.h - What follows what in nm.rows ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the body is a row's, if it is computed of reductions and of inputs
// without a dimension of the elements, or an element's. It has a level: how
// many reductions follow each other before it.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWLEVELS_H
#define NM_LIB_DIALECT_NM_ROWS_ROWLEVELS_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

class RowLevels {
public:
  explicit RowLevels(RowsOp op);

  int64_t get(mlir::Value value) const { return levels.lookup(value); }
  /// The highest level.
  int64_t getLast() const { return last; }
  bool isOfElements(mlir::Value value) const {
    return ofElements.contains(value);
  }

  /// The reductions of elements of `level`: their results are of the next one.
  llvm::SmallVector<ReduceOp> getReductions(int64_t level) const;
  /// Whether elements that are stored have this level.
  bool hasStores(int64_t level) const;
  /// The inputs of each row's own elements that the first level reads and a
  /// later one reads again, by their number: what is worth to be kept.
  llvm::SmallVector<int64_t> collectReadAgain() const;

private:
  llvm::DenseSet<mlir::Value> collectUsed(int64_t level) const;

  mutable RowsOp op;
  int64_t last = 0;
  llvm::DenseSet<mlir::Value> ofElements;
  llvm::DenseMap<mlir::Value, int64_t> levels;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWLEVELS_H
