//===- BlockBuilder.h - What one block of a product does --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_BLOCKBUILDER_H
#define NM_LIB_DIALECT_NM_TILE_BLOCKBUILDER_H

#include "MatrixProduct.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/KernelPlan/BlockExtents.h"

namespace nm {

/// The steps of a tile that a block computes; null: all, from the first on.
struct StepRange {
  mlir::Value first, count;
};

/// Rows of tiles of C.
mlir::Value createBlocksM(mlir::ImplicitLocOpBuilder &b,
                          const MatrixProduct &product);

/// Builds the body of the kernel of one product.
class BlockBuilder {
public:
  /// For `steps` of tile `tileId` of C.
  BlockBuilder(mlir::ImplicitLocOpBuilder &b, const MatrixProduct &product,
               mlir::Value tileId, StepRange steps);

  /// The sum of the products of the steps.
  mlir::Value buildSum();

  /// Lets the block store `fragment`.
  void buildStore(mlir::Value fragment);

private:
  /// The row and the column of tile `tileId` among the tiles of C: down the
  /// rows of a group, then along n, and so on for the next group.
  std::pair<mlir::Value, mlir::Value> placeTile(mlir::Value tileId);

  /// Rows of tiles of a group. Tiles that begin last should be the short ones:
  /// of three rows, the last not full, two thirds of 132 SMs else get no other
  /// tiles than full ones. So such a row is a group of its own.
  int64_t chooseRowsOfGroup();

  /// Whether a tile of few rows takes less time: where loads of A take most of
  /// it. All tiles have the same FMAs and copies of the weight.
  bool hasShortTiles() const;

  /// Whether L2 holds the values of the weight.
  bool isWeightInL2();

  /// The extent from `start` on, at most `most` and at most what is left of
  /// `total` (static or the extent `dim` of `memref`).
  mlir::OpFoldResult clamp(mlir::Value start, int64_t most, mlir::Value memref,
                           int64_t dim);

  /// The part of `memref` at `offsets`.
  mlir::Value subview(mlir::Value memref,
                      llvm::ArrayRef<mlir::OpFoldResult> offsets,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The tile of A, C or the residual at (row, other), transposed or not.
  mlir::Value tileOf(mlir::Value memref, bool featureMajor, mlir::Value other,
                     int64_t most);

  /// Step `ownStep` of the block's own.
  mlir::Value buildStep(mlir::Value ownStep, mlir::Value acc);

  /// The values [ws, bn] of a step as they are stored unpacked.
  mlir::Value valuesOf(mlir::Value step);

  /// The values of a packed weight for the tile.
  mlir::Value packedValues();

  /// The values of a step of the tile, in its panels; a matrix where it is one.
  mlir::Value slabOf(mlir::Value step);

  /// The part of a packed weight of static `shape` at `offsets`, without its
  /// first dimension where `dropsFirst`.
  mlir::Value part(mlir::Value memref,
                   llvm::ArrayRef<mlir::OpFoldResult> offsets,
                   llvm::ArrayRef<int64_t> shape, bool dropsFirst);

  /// The indices [ws / Bk, U] of a step as they are stored unpacked.
  mlir::Value windowIndices(mlir::Value step);

  /// The indices of a step of a packed weight, and its columns.
  mlir::Value packedIndices(mlir::Value step, mlir::Value &columns);

  /// The block's part of a vector with an element a column, or null.
  mlir::Value columnsOf(mlir::Value vector);

  mlir::ImplicitLocOpBuilder &b;
  const MatrixProduct &product;
  BlockExtents extents;
  AssembleOp weight;
  StepRange steps;
  mlir::Value blockColumn, firstRow, firstColumn;
  mlir::Value slabs; // the tile's values of a packed weight
};

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_BLOCKBUILDER_H
