//===- StreamK.h - Steps of all tiles, dealt out to blocks ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where tiles are no multiple of the blocks that a chip holds, the last of them
// leave SMs idle. Here every block gets as many steps of k: first whole tiles,
// as many as each block can have, then a range of the steps of those that are
// left (Osama et al., Stream-K, PPoPP 2023). StreamShares says how many are
// left. Blocks that share a tile are at different places of k, so that they
// find less in L2 of what other blocks read: fewer shared tiles are better.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TILE_STREAMK_H
#define NM_LIB_DIALECT_NM_TILE_STREAMK_H

#include "MatrixProduct.h"

namespace nm {

/// Steps of one tile that a block computes without a break.
struct Segment {
  mlir::Value tile, firstStep, numSteps;
  mlir::Value isWhole; // whether the tile is not shared
  mlir::Value shared;  // else: the tile among the shared ones
};

/// The row of the workspace that a block has for its part of a tile, and those
/// of the first and the last block that share it.
struct SegmentRows {
  mlir::Value row, first, last;
};

/// Deals `steps` steps of each of `tiles` tiles to `blocks` blocks.
class StreamK {
public:
  StreamK(mlir::ImplicitLocOpBuilder &b, mlir::Value tiles, int64_t steps,
          int64_t blocks);

  /// Tiles that blocks may share.
  mlir::Value getSharedTiles() const { return shared; }
  /// Rows of the workspace, a constant: what blocks have of shared tiles.
  int64_t countSlots() const;

  /// The segments of `block`.
  mlir::Value countSegments(mlir::Value block);
  /// Segment `number` of `block`.
  Segment getSegment(mlir::Value block, mlir::Value number);
  /// The rows of those that have parts of the tile of `segment`, which is one
  /// of `block`. To be asked behind the steps, in whose loop it would take
  /// registers.
  SegmentRows getRows(mlir::Value block, const Segment &segment);

private:
  mlir::Value createConstant(int64_t value);
  /// Sets `rounds` and `shared`.
  void share(mlir::Value tiles);
  /// The first of the shared tiles' steps that `block` has.
  mlir::Value getFirst(mlir::Value block);
  /// The block that has step `step` of the shared tiles.
  mlir::Value getBlock(mlir::Value step);
  /// `x` / `y`, numbers of shared tiles' steps.
  mlir::Value divideSteps(mlir::Value x, mlir::Value y);
  /// Tiles that are shared at most, whatever their number.
  int64_t getMostShared() const { return blocks + blocks / 2; }

  mlir::ImplicitLocOpBuilder &b;
  int64_t steps, blocks;
  mlir::Value rounds; // of whole tiles, one a block
  mlir::Value shared;
  mlir::Value least, more; // shared steps a block; blocks that have one more
};

/// Allocates the workspace and the arrivals of `streamK`, and makes a kernel
/// called `name` that zeroes these. The sums are of `type`, `elements` a tile.
struct StreamBuffers {
  mlir::Value workspace, arrivals;
};
StreamBuffers createStreamBuffers(mlir::ImplicitLocOpBuilder &b,
                                  const StreamK &streamK, mlir::Type type,
                                  int64_t elements, llvm::StringRef name);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TILE_STREAMK_H
