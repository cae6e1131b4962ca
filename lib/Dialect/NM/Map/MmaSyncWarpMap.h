//===- MmaSyncWarpMap.h - Which matrices a warp owns ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution of a block's tile over warps and lanes for kind mma_sync.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_MMASYNCWARPMAP_H
#define NM_LIB_DIALECT_NM_MAP_MMASYNCWARPMAP_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// A warp owns tm x tn elements of the block's tile, as mma.sync.m16n8k16 has
/// them: strips of 16 columns, that are its M, by groups of 8 rows, its N. Lane
/// 4 g + t has, of a strip and a group, the sums of columns g and g + 8 in rows
/// 2 t and 2 t + 1.
struct MmaSyncWarpMap {
  MmaSyncWarpMap(mlir::ImplicitLocOpBuilder &b, MmaSyncAttr kind,
                 PatternAttr pattern, mlir::Value thread);

  PatternAttr pattern;
  int64_t strips, groups; // tn / 16, tm / 8
  mlir::Value m0, n0;     // first row and column of the warp
  mlir::Value lane;
  /// The unit column of each strip, by number: strips of one number share the
  /// rows of A. Numbers count from 0 in the order of the strips.
  llvm::SmallVector<int64_t> unitColumnOf;
  /// The unit column of the block that each number stands for.
  llvm::SmallVector<mlir::Value> unitColumns;

  /// Into how many parts (see `SumPart`), at most `most`, the sums can be cut.
  int64_t countParts(int64_t most) const;
  /// The map of the sums of `part`, as far as a store asks for it: some strips,
  /// or some groups of one.
  MmaSyncWarpMap getPart(mlir::ImplicitLocOpBuilder &b, SumPart part) const;
};

/// The row of A of each lane: that of row lane % 16 of a slice, for each slice
/// of the op and in it for each unit column.
FragmentValues loadMmaSyncPositions(LoadPositionsOp op,
                                    const MmaSyncWarpMap &map);
/// B operands: for each unit column and 16 rows of m a vector<4x2xT>, whose
/// halves are those of two groups.
FragmentValues loadMmaSyncRows(LoadRowsOp op, const MmaSyncWarpMap &map,
                               mlir::ValueRange positions);
/// A operands: a vector<4x2xT> for each strip.
FragmentValues loadMmaSyncValues(LoadValuesOp op, const MmaSyncWarpMap &map);

/// Stores `acc`, four sums for each strip and in it for each group, after the
/// epilogue.
void lowerMmaSyncStore(TileStoreOp op, const MmaSyncWarpMap &map,
                       mlir::ValueRange acc);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_MMASYNCWARPMAP_H
