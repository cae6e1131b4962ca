//===- TransposeBlocks.h - Blocks that threads transpose --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of A that lies token-major is turned into rows of k block by block: a
// thread reads a block as chunks of 16 bytes along k, one for each of its rows
// of m, and stores it as rows of k (nm.tile_fetch, nm.tile_transpose).
//
// Before, the tile is staged in shared memory as it is, in another order of its
// rows: first those that are the first of their blocks, then the second ones,
// and so on. Threads that take blocks next to each other along m so read rows
// next to each other.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_TRANSPOSEBLOCKS_H
#define NM_DIALECT_NM_IR_TRANSPOSEBLOCKS_H

#include "mlir/IR/Types.h"
#include <array>
#include <optional>

namespace nm {

/// How a tile is cut into blocks that the threads take in turn.
struct TransposeBlocks {
  int64_t extent;  // of a block along k, in elements: a chunk
  int64_t height;  // of a block along m: as many, or half where threads would
                   // have none
  int64_t rows;    // of blocks, along k
  int64_t columns; // of blocks, along m
  int64_t threads;

  /// Elements of a chunk; nothing for those of a byte: sixteen chunks of
  /// sixteen would take a hundred instructions to turn.
  static std::optional<int64_t> getExtent(mlir::Type element);

  /// Those of a tile of `tileRows` rows of k by `tileColumns` of m; nothing
  /// where it is not cut into whole blocks.
  static std::optional<TransposeBlocks> get(mlir::Type element,
                                            int64_t tileRows,
                                            int64_t tileColumns,
                                            int64_t threads);

  int64_t getNumBlocks() const { return rows * columns; }
  /// Blocks of a thread, of those that have the most.
  int64_t getTurns() const;
  /// Rows of m by rows of k.
  std::array<int64_t, 2> getStagingShape() const {
    return {columns * height, rows * extent};
  }
  /// Chunks of a thread, of those that have the most.
  int64_t getChunks() const { return getTurns() * height; }
};

} // namespace nm

#endif // NM_DIALECT_NM_IR_TRANSPOSEBLOCKS_H
