//===- TransposeMatrices.h - What a transposition moves ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEMATRICES_H
#define NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEMATRICES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Threads of a warp, on every chip. A tile has so many words a row.
constexpr int64_t kTransposeLanes = 32;

/// Elements of `bytes` bytes that a word has, of which each thread of a warp
/// moves one at once: a line of memory together.
int64_t getElementsOfWord(int64_t bytes);

/// Whether `buffer` is in memory without gaps, its last dimension innermost.
bool isRowMajor(mlir::Value buffer);

/// The tiles of `extent` that cover `size`.
mlir::OpFoldResult countTiles(mlir::ImplicitLocOpBuilder &b,
                              mlir::OpFoldResult size, int64_t extent);

/// A matrix of each of which rows and columns change places, in memory.
struct Side {
  mlir::Value
      memref; // [matrices, rows, columns] of its own; one matrix is a matrix
  /// Whether rows consist of whole words: as far as is known now, or where
  /// `areWordsInCall` holds, if that is set.
  bool areWords;
  mlir::Value areWordsInCall;

  mlir::Type getElementType() const {
    return mlir::cast<mlir::MemRefType>(memref.getType()).getElementType();
  }
};

/// The side that `buffer`, which is row-major, is when each of three groups of
/// its dimensions is one: matrices, of which one has no dimension, and what are
/// rows and columns there. Dimensions of one element may be in no group. A word
/// has `inWord` elements.
Side getSide(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer,
             llvm::ArrayRef<llvm::SmallVector<int64_t>> groups, int64_t inWord);

/// The places of `dims` of the source in the target.
llvm::SmallVector<int64_t> toTarget(llvm::ArrayRef<int64_t> dims,
                                    llvm::ArrayRef<int64_t> permutation);

/// What is transposed, and how.
struct Matrices {
  Side source, target; // whose columns are the other's rows
  mlir::OpFoldResult matrices, rows, columns; // rows and columns of the source
  int64_t width;                              // elements of a word
  int64_t extent;                             // of a tile, either way

  Matrices(Side source, Side target, llvm::ArrayRef<mlir::OpFoldResult> sizes,
           int64_t width)
      : source(source), target(target), matrices(sizes[0]), rows(sizes[1]),
        columns(sizes[2]), width(width), extent(kTransposeLanes * width) {}

  bool hasSeveral() const {
    return mlir::cast<mlir::MemRefType>(source.memref.getType()).getRank() > 2;
  }
  /// The first element of row `row` of the tile.
  int64_t getRowOfTile(int64_t row) const {
    return (row * (kTransposeLanes + 1) + row / kTransposeLanes) * width;
  }
  int64_t countTileElements() const {
    return getRowOfTile(extent - 1) + extent;
  }
};

/// What `op` transposes, if tiles are of use to it and cover it: nothing is
/// created otherwise.
std::optional<Matrices> getMatrices(mlir::ImplicitLocOpBuilder &b,
                                    mlir::linalg::TransposeOp op);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEMATRICES_H
