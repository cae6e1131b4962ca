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

/// A warp owns tm x tn elements of the block's tile: strips of 16 columns by
/// groups of 8 rows, four sums a lane for each strip and group.
///
/// As mma.sync.m16n8k16 has them, a strip is its M and a group its N: lane 4 g
/// + t has the sums of columns g and g + 8 in rows 2 t and 2 t + 1. Where a
/// unit may end in the middle of a strip, whose halves then need other rows of
/// A, two groups are its M and half a strip its N: the lane has those of
/// columns 2 t, 2 t + 1, 2 t + 8 and 2 t + 9 in row g. The fragments are the
/// same registers.
struct MmaSyncWarpMap {
  MmaSyncWarpMap(mlir::ImplicitLocOpBuilder &b, MmaSyncAttr kind,
                 PatternAttr pattern, mlir::Value thread);

  PatternAttr pattern;
  bool isWeightFirst;     // whether strips are the M of an instruction
  int64_t mmaN;           // columns of C of an instruction
  int64_t strips, groups; // tn / 16, tm / 8
  mlir::Value m0, n0;     // first row and column of the warp
  mlir::Value lane;
  /// The unit column of each mmaN columns, by number: those of one number share
  /// the rows of A. Numbers count from 0 in the order of the columns.
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
/// For each unit column and 16 rows of m a vector<4x2xT>, whose halves are
/// those of two groups, and in each the first and last 8 of k.
FragmentValues loadMmaSyncRows(LoadRowsOp op, const MmaSyncWarpMap &map,
                               mlir::ValueRange positions);
/// A vector<4x2xT> for each strip, whose halves are the first and last 8 of k,
/// and in each the columns g and g + 8; of bytes a vector<8xi8>, in that order.
FragmentValues loadMmaSyncValues(LoadValuesOp op, const MmaSyncWarpMap &map);

/// What `loadMmaSyncValues` gives of a strip as an operand of `element`.
mlir::Value toMmaSyncOperand(mlir::ImplicitLocOpBuilder &b, mlir::Value values,
                             mlir::Type element);

/// Stores `acc`, four sums for each strip and in it for each group, after the
/// epilogue.
void lowerMmaSyncStore(TileStoreOp op, const MmaSyncWarpMap &map,
                       mlir::ValueRange acc);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_MMASYNCWARPMAP_H
