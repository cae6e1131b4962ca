//===- RowBody.h - The body of nm.rows for a thread -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread computes level by level (RowLevels.h): the elements that the
// reductions of a level combine, in a loop where a row has more than it has
// registers for, then what is of the row.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWBODY_H
#define NM_LIB_DIALECT_NM_ROWS_ROWBODY_H

#include "RowAccess.h"
#include "RowLevels.h"
#include "RowSum.h"
#include "RowTile.h"
#include "llvm/ADT/MapVector.h"

namespace nm {

class RowBody {
public:
  /// What a thread computes.
  struct Work {
    mlir::Value row;
    mlir::Value part;   // of the row; null where it has one
    mlir::Value thread; // its number among the threads of the row
    mlir::Value isRow;  // whether it stores anything; null where all do
    RowTile::Place inBlock;
    llvm::SmallVector<mlir::Value> reciprocals; // of RowDigits.h
  };

  /// How accesses of several elements are known to be whole: by operands'
  /// types, because the call says so (createAreWhole), or not at all.
  enum class Vectors { OfTypes, Whole, Singles };

  RowBody(mlir::ImplicitLocOpBuilder &b, RowsOp op, const Work &work,
          Vectors vectors = Vectors::OfTypes);

  void build();

private:
  /// Elements of a turn that a thread computes one by one: so many reads are
  /// under way. The number divides elements of a part, as powers of two do.
  static constexpr int64_t kSinglesAtOnce = 8;

  /// `width` elements that follow each other from `first` on. `inside` says
  /// whether they are of the row; null where all are.
  struct Chunk {
    mlir::Value first, inside;
    int64_t width;
  };

  void computeRowValues(int64_t level);
  void computeOfRow(mlir::Operation &inner);
  /// Computes what `level` has of elements: its reductions, and what is stored.
  void computeElements(int64_t level);
  void computeInLoop(int64_t level);
  void computePart();
  void computePart(mlir::Value first, bool maySpan);
  void computeSingles(mlir::Value first);
  void computeTurns(int64_t level, mlir::Value from, mlir::Value to,
                    llvm::MutableArrayRef<mlir::Value> sums);
  mlir::Value computeKept(int64_t level, mlir::Value whole,
                          llvm::MutableArrayRef<mlir::Value> sums);
  void copyKept(mlir::Value to);
  void computeRest(int64_t level, mlir::Value base,
                   llvm::MutableArrayRef<mlir::Value> sums);
  void computeTurn(int64_t level, mlir::Value base, bool isWhole,
                   llvm::MutableArrayRef<mlir::Value> sums);
  void computeTurn(int64_t level, llvm::ArrayRef<Chunk> those,
                   llvm::MutableArrayRef<mlir::Value> sums);
  llvm::SmallVector<Chunk> createChunks(mlir::Value base, bool isWhole);
  llvm::SmallVector<Chunk> createSingles(mlir::Value base);
  Chunk createEdge();
  /// What the thread has of `values`, those of all chunks, in one chunk after
  /// another.
  template <typename Visit>
  void forEachChunk(llvm::ArrayRef<mlir::Value> values, Visit visit) const {
    for (const Chunk &chunk : chunks) {
      visit(chunk, values.take_front(chunk.width));
      values = values.drop_front(chunk.width);
    }
  }
  void finishReductions(int64_t level, mlir::ValueRange sums);
  void storeElements(int64_t level);
  void storeTransposed();
  mlir::Value createIsFirst();
  void storeRowValues();
  /// Whether operand number `operand` is stored by way of shared memory.
  bool isTransposed(int64_t operand) const {
    return llvm::is_contained(transposed, operand);
  }

  llvm::ArrayRef<mlir::Value> getElements(mlir::Value value);
  llvm::SmallVector<mlir::Value> computeElementsOf(mlir::Value value);
  llvm::SmallVector<mlir::Value> readElements(int64_t input);
  void readWeights();
  llvm::SmallVector<mlir::Value> computeIndices(int64_t dim);
  bool sharesDivisor(mlir::arith::DivFOp divide) const;
  bool readsRun(mlir::memref::LoadOp load);
  llvm::SmallVector<mlir::Value> loadRuns(mlir::memref::LoadOp load);
  mlir::Value combineElements(ReduceOp op);

  /// Elements that the thread has in all chunks.
  int64_t countElements() const;
  /// Elements that the threads of a row, or of a part of one, have in a turn.
  int64_t countAtOnce() const {
    return schedule.getThreads() * schedule.getVector() * schedule.getChunks();
  }
  mlir::ImplicitLocOpBuilder &b;
  RowsOp op;
  Work work;
  RowScheduleAttr schedule;
  RowAccess access;
  RowThreads threads;
  RowLevels levels;
  mlir::Value elements; // of a row
  /// Elements before the first whole vector, where rows begin anywhere; null
  /// where they begin with one.
  mlir::Value head;
  mlir::Value begin, end; // of whole vectors in the row
  /// What the first turns have of inputs, in shared memory, by the input: from
  /// element `begin` on.
  llvm::MapVector<int64_t, mlir::Value> kept;
  bool readsKept = false; // whether elements of now are there
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
