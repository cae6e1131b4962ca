//===- RowTile.h - Results stored transposed --------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the rows of an output, and not the elements of a row, follow each other
// in memory, a block puts what it has of its rows into a tile in shared memory,
// row by row, and stores the tile column by column. A tile has as many chunks
// of the rows as there is room for, one after another.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWTILE_H
#define NM_LIB_DIALECT_NM_ROWS_ROWTILE_H

#include "RowAccess.h"

namespace nm {

/// The outputs, by their number among operands, along whose last dimension rows
/// lie and not elements; none where an extent is not known.
llvm::SmallVector<int64_t> collectTransposed(RowsOp op);

/// What a block has of one such output.
class RowTile {
public:
  /// Where a block and a thread of it are.
  struct Place {
    mlir::Value firstRow, firstElement; // of the block
    mlir::Value row;                    // of the thread, in the block
    mlir::Value thread;                 // in the block
  };

  RowTile(mlir::ImplicitLocOpBuilder &b, RowsOp op, int64_t output,
          const Place &place);

  /// A vector of the thread's row that begins at element `first`; of the row if
  /// `inside`, where that is set.
  struct Vector {
    mlir::Value first, inside;
    llvm::ArrayRef<mlir::Value> values;
  };

  /// Stores what the block has, of which the thread has `vectors`, one of each
  /// chunk.
  void store(llvm::ArrayRef<Vector> vectors);

private:
  /// The rows that follow each other in memory: those of the last `dims`
  /// dimensions of rows, of `count` points. One dimension that is not the last
  /// one has no dimension here.
  struct Run {
    int64_t dims, count;
  };

  Run findRun();
  void chooseWidth();
  void put(const Vector &vector);
  void storeTile();
  int64_t countOfPart();
  void storeRows(mlir::Value row, mlir::Value element);
  llvm::SmallVector<mlir::Value> getPlace(mlir::Value row, mlir::Value element);

  mlir::ImplicitLocOpBuilder &b;
  RowsOp op;
  int64_t output;
  Place place;
  RowAccess access;
  int64_t rows, chunks, elements; // of the tile
  int64_t base = 0; // element of the block that the tile begins at
  Run run;
  mlir::Value target; // the output, with the dimensions of the run as one
  int64_t width = 1;  // rows that a thread stores at once
  mlir::Value tile;
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWTILE_H
