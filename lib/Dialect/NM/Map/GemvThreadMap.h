//===- GemvThreadMap.h - Which products a thread adds -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution of a block's tile and of a slice over its threads for kind
// gemv.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_GEMVTHREADMAP_H
#define NM_LIB_DIALECT_NM_MAP_GEMVTHREADMAP_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// A thread has `tm` rows of C, all of the tile's, in `tn` columns, and of the
/// products of a slice those of `tk` neighbouring condensed rows. Lanes and
/// warps that have the same columns share the rows of a slice: warps first,
/// then lanes, so that those of a warp are neighbours in memory.
struct GemvThreadMap {
  GemvThreadMap(mlir::ImplicitLocOpBuilder &b, GemvAttr kind,
                PatternAttr pattern, mlir::Value thread);

  GemvAttr kind;
  PatternAttr pattern;
  int64_t tm, tn, tk;
  mlir::Value laneN, laneK; // of the warp
  mlir::Value warpN, warpK; // of the block
  mlir::Value n0;           // first column of the thread
  mlir::Value k0;           // its first row of a slice
  mlir::Value unitColumn;   // of the block

  int64_t getWarpsN() const { return kind.getWarps()[0]; }
  int64_t getWarpsK() const { return kind.getWarps()[1]; }
  int64_t getLanesN() const { return kind.getLanes()[0]; }
};

/// For each slice of the op the rows of A of the thread's tk condensed rows.
FragmentValues loadGemvPositions(LoadPositionsOp op, const GemvThreadMap &map);
/// For each of tk rows the tm elements of A, in vectors of up to four.
FragmentValues loadGemvRows(LoadRowsOp op, const GemvThreadMap &map,
                            mlir::ValueRange positions);
/// For each of tk rows a vector of tn values.
FragmentValues loadGemvValues(LoadValuesOp op, const GemvThreadMap &map);

/// Adds what threads have of `acc`, a vector of tn columns for each row of
/// `part`, and stores the sum after the epilogue.
void lowerGemvStore(TileStoreOp op, mlir::gpu::LaunchOp launch,
                    const GemvThreadMap &map, mlir::ValueRange acc,
                    SumPart part);
/// The same in two steps: the sum, which all threads have then, and the store
/// of a part of it.
FragmentValues sumGemvBlock(TileStoreOp op, mlir::gpu::LaunchOp launch,
                            const GemvThreadMap &map, mlir::ValueRange acc);
void storeGemvSums(TileStoreOp op, const GemvThreadMap &map,
                   mlir::ValueRange sums, SumPart part);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_GEMVTHREADMAP_H
