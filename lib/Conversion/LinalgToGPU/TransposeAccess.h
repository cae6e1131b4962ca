//===- TransposeAccess.h - What threads move of transpositions --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEACCESS_H
#define NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEACCESS_H

#include "TransposeMatrices.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Loads `width` elements of `memref`, which has one dimension, from `place`
/// on: zeros where `inside`, if it is set, does not hold.
llvm::SmallVector<mlir::Value> loadWord(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value memref, mlir::Value place,
                                        int64_t width, mlir::Value inside = {});

/// Stores `elements` to `memref`, which has one dimension, from `place` on:
/// where `inside` holds, if it is set.
void storeWord(mlir::ImplicitLocOpBuilder &b,
               llvm::ArrayRef<mlir::Value> elements, mlir::Value memref,
               mlir::Value place, mlir::Value inside = {});

/// Builds what moves the words of a side, of `inWord` elements, by accesses of
/// so many elements: of all of a word, of one, or either where the call says.
void forWidth(mlir::ImplicitLocOpBuilder &b, const Side &side, int64_t inWord,
              llvm::function_ref<void(int64_t)> build);

/// Rows, or columns, that a tile of `extent` has from its row `inTile` on, if
/// it begins with row `first` of `size`: a number of 32 bits, which may be
/// negative. Null where tiles are whole.
mlir::Value countLeft(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult size,
                      mlir::Value first, mlir::Value inTile, int64_t extent);

/// Whether there is one more than `index` left; null where nothing is null.
mlir::Value isLeft(mlir::ImplicitLocOpBuilder &b, mlir::Value left,
                   int64_t index);

/// A launch of `blocks` blocks of `threads` threads for a transposition of
/// words of `inWord` elements. What is created next is in it.
mlir::gpu::LaunchOp createTransposeLaunch(mlir::ImplicitLocOpBuilder &b,
                                          mlir::Value blocks, int64_t threads,
                                          int64_t inWord);

/// Blocks, where each of `blocks` is as many as there are tiles.
mlir::Value countBlocks(mlir::ImplicitLocOpBuilder &b, mlir::Value blocks,
                        mlir::OpFoldResult tiles);

/// The remainder and the quotient of the number of a block, or of one of a part
/// of blocks, and a number of tiles, of which there are no more than blocks.
std::pair<mlir::Value, mlir::Value> splitTiles(mlir::ImplicitLocOpBuilder &b,
                                               mlir::Value block,
                                               mlir::OpFoldResult tiles);

/// Where a square tile begins, and in which matrix: null where there is one.
struct TilePlace {
  mlir::Value matrix, firstRow, firstColumn;
};

/// The place of the tile of block number `block`, of tiles of `extent` either
/// way: tiles of a row of tiles follow each other, and rows of a matrix.
/// `hasSeveral` says whether there are several matrices.
TilePlace locateTile(mlir::ImplicitLocOpBuilder &b, mlir::Value block,
                     mlir::OpFoldResult rows, mlir::OpFoldResult columns,
                     int64_t extent, bool hasSeveral);

/// The tiles that locateTile finds, of `matrices` matrices.
mlir::Value countSquareTiles(mlir::ImplicitLocOpBuilder &b,
                             mlir::OpFoldResult matrices,
                             mlir::OpFoldResult rows,
                             mlir::OpFoldResult columns, int64_t extent);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_TRANSPOSEACCESS_H
