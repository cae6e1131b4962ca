//===- TilePart.h - What a thread has of a tile -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_TILEPART_H
#define NM_LIB_CONVERSION_LINALGTOGPU_TILEPART_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// What a thread has of a side: rows of a tile from one on, and of each the
/// elements from a column on. Places are computed apart from where they are
/// used, so that conditions hold no more than an access.
class TilePart {
public:
  /// Where a part begins: in which matrix, null where there is one; with which
  /// row and column of its tile, and the tile with which of the matrix.
  struct Start {
    mlir::Value matrix, row, column, firstRow, firstColumn;
  };
  /// Rows, or columns: of a matrix, and of a tile.
  struct Extent {
    mlir::OpFoldResult ofMatrix;
    int64_t ofTile;
  };
  TilePart(mlir::ImplicitLocOpBuilder &b, mlir::Value side, const Start &start,
           Extent rows, Extent columns);

  mlir::Value memref; // of one dimension

  /// The place of column `column` of the row that is `row` behind the first
  /// one, both behind the part's own.
  mlir::Value getPlace(mlir::ImplicitLocOpBuilder &b, int64_t row,
                       int64_t column) const;

  /// Whether that place exists; null where all do. The elements of a vector do
  /// or do not, or there is room for them.
  mlir::Value isInside(mlir::ImplicitLocOpBuilder &b, int64_t row,
                       int64_t column) const;

private:
  mlir::Value first, stride; // of its elements, and between its rows
  // From its own on; null where tiles are whole.
  mlir::Value rowsLeft, columnsLeft;
};

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_TILEPART_H
