//===- MmaGemvWarpMap.h - Which sums a lane has -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution of a block's tile and of a slice over its threads for kind
// mma_gemv.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_MMAGEMVWARPMAP_H
#define NM_LIB_DIALECT_NM_MAP_MMAGEMVWARPMAP_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// A warp has all rows of C of the tile, in `groups` of eight, and `strips` of
/// 16 columns, and of the condensed rows of a slice 16. Of these, a lane loads
/// the four rows of A for row lane / 4 of a group, and of a strip the columns
/// lane / 4 and eight further on. Of the sums of a strip and group, it has
/// these columns in rows 2 (lane % 4) and the next.
struct MmaGemvWarpMap {
  MmaGemvWarpMap(mlir::ImplicitLocOpBuilder &b, MmaGemvAttr kind,
                 PatternAttr pattern, mlir::Value thread);

  MmaGemvAttr kind;
  PatternAttr pattern;
  int64_t rows; // of C
  int64_t groups, strips;
  mlir::Value thread, lane, laneColumn, laneRow; // lane / 4, lane % 4
  mlir::Value warpN, warpK;
  mlir::Value n0;         // first column of the warp
  mlir::Value k0;         // first condensed row of the lane in a slice
  mlir::Value unitColumn; // of the block
};

/// Adds what the warps of `blocks` blocks, a cluster, have of `acc`, and stores
/// the sums after the epilogue: each block as many.
void lowerMmaGemvStore(TileStoreOp op, mlir::gpu::LaunchOp launch,
                       const MmaGemvWarpMap &map, mlir::ValueRange acc,
                       int64_t blocks);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_MMAGEMVWARPMAP_H
