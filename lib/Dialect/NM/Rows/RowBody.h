//===- RowBody.h - The body of nm.rows for a thread -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the body is a row's, if it is computed of reductions and of inputs
// without a dimension of the elements, or an element's. It has a level: how
// many reductions follow each other before it. A thread computes level by
// level: the elements that the reductions of a level combine, in a loop where a
// row has more than it keeps, then what is of the row.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWBODY_H
#define NM_LIB_DIALECT_NM_ROWS_ROWBODY_H

#include "RowAccess.h"
#include "RowSum.h"
#include "RowTile.h"

namespace nm {

class RowBody {
public:
  /// What a thread computes.
  struct Work {
    mlir::Value row;
    mlir::Value first;  // element of the row's part; null for the row's first
    mlir::Value thread; // its number among the threads of the row
    mlir::Value isRow;  // whether it stores anything; null where all do
    RowTile::Place inBlock;
  };

  RowBody(mlir::ImplicitLocOpBuilder &b, RowsOp op, const Work &work);

  void build();

private:
  /// Elements at a place of the loop, and where they begin. `inside` says
  /// whether a chunk is of the row; null where all are.
  struct Chunk {
    mlir::Value first, inside;
  };

  void classify();
  void computeRowValues(int64_t level);
  void computeOfRow(mlir::Operation &inner);
  /// Computes what `level` has of elements: its reductions, and what is stored.
  void computeElements(int64_t level);
  bool hasStores(int64_t level);
  void computeInLoop(int64_t level);
  void computeRest(int64_t level, mlir::Value base,
                   llvm::MutableArrayRef<mlir::Value> sums);
  void computeEdges(int64_t level, llvm::MutableArrayRef<mlir::Value> sums);
  void computeTurn(int64_t level, mlir::Value base, bool isWhole,
                   llvm::MutableArrayRef<mlir::Value> sums);
  void computeTurn(int64_t level, llvm::ArrayRef<Chunk> those,
                   llvm::MutableArrayRef<mlir::Value> sums);
  llvm::SmallVector<Chunk> createChunks(mlir::Value base, bool isWhole);
  void finishReductions(int64_t level, mlir::ValueRange sums);
  void storeElements(int64_t level);
  void storeTransposed();
  void storeRowValues();
  /// Whether operand number `operand` is stored by way of shared memory.
  bool isTransposed(int64_t operand) const {
    return llvm::is_contained(transposed, operand);
  }

  llvm::ArrayRef<mlir::Value> getElements(mlir::Value value);
  llvm::SmallVector<mlir::Value> computeElementsOf(mlir::Value value);
  llvm::SmallVector<mlir::Value> computeIndices(int64_t dim);
  bool readsRun(mlir::memref::LoadOp load);
  llvm::SmallVector<mlir::Value> loadRuns(mlir::memref::LoadOp load);
  mlir::Value combineElements(ReduceOp op);

  llvm::SmallVector<ReduceOp> getReductions(int64_t level);
  /// Elements that the threads of a row have in a turn.
  int64_t countAtOnce() const {
    return schedule.getThreads() * schedule.getVector() * schedule.getChunks();
  }
  bool isOfElements(mlir::Value value) const {
    return ofElements.contains(value);
  }
  int64_t getLevel(mlir::Value value) const { return levels.lookup(value); }

  mlir::ImplicitLocOpBuilder &b;
  RowsOp op;
  Work work;
  RowScheduleAttr schedule;
  RowAccess access;
  RowThreads threads;
  int64_t last = 0;     // level
  mlir::Value elements; // of a row
  /// Elements before the first whole vector, where rows begin anywhere; null
  /// where they begin with one.
  mlir::Value head;
  mlir::Value begin, end; // of whole vectors in the row
  int64_t width = 1;      // elements of a chunk
  llvm::DenseSet<mlir::Value> ofElements;
  llvm::DenseMap<mlir::Value, int64_t> levels;
  /// What is computed of the row, and of the elements at the place of the loop.
  llvm::DenseMap<mlir::Value, mlir::Value> rowValues;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> elementValues;
  llvm::SmallVector<Chunk> chunks;
  llvm::SmallVector<int64_t> transposed; // operands
  /// What is asserted when all is stored: lanes that left before would be
  /// missing where lanes exchange sums.
  llvm::SmallVector<mlir::Operation *> asserts;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWBODY_H
