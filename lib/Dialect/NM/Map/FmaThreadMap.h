//===- FmaThreadMap.h - Which elements a thread owns ------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution of a block's tile over its threads for instruction kind fma.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_FMATHREADMAP_H
#define NM_LIB_DIALECT_NM_MAP_FMATHREADMAP_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// A thread owns tm x tn elements of the block's tile, as groups of `vecM` rows
/// `strideM` apart and of `vecN` columns `strideN` apart. With 8 x 4 lanes and
/// 8 x 8 elements, lane (i, j) of a warp's 64 x 32 tile owns rows 4i..4i+3 and
/// 32+4i..32+4i+3 and columns 4j..4j+3 and 16+4j..16+4j+3: neighbouring lanes
/// read neighbouring vectors.
struct FmaGeometry {
  FmaGeometry(FmaAttr kind, PatternAttr pattern);

  FmaAttr kind;
  PatternAttr pattern;
  int64_t tm, tn;           // elements
  int64_t vecM, vecN;       // elements of a group
  int64_t groupsM, groupsN; // groups
  int64_t strideM, strideN; // from a group to the next
  int64_t warpTileN;        // columns of a warp
  /// The unit column of each group of columns, by number: groups of one number
  /// share the rows of A. Numbers count from 0 in the order of the groups.
  llvm::SmallVector<int64_t> unitColumnOf;
  int64_t numUnitColumns;

  /// Into how many parts (see `SumPart`), at most `most`, the elements can be
  /// cut.
  int64_t countParts(int64_t most) const;
};

/// The geometry for one thread.
struct FmaThreadMap : FmaGeometry {
  FmaThreadMap(mlir::ImplicitLocOpBuilder &b, const FmaGeometry &geometry,
               mlir::Value thread);

  mlir::Value lane;   // of the warp
  mlir::Value m0, n0; // first row and column of this thread
  /// The unit column of the block that each number of `unitColumnOf` stands
  /// for.
  llvm::SmallVector<mlir::Value> unitColumns;

  /// Row of the thread's `i`-th element along m, column of its `g`-th group.
  mlir::Value row(mlir::ImplicitLocOpBuilder &b, int64_t i) const;
  mlir::Value column(mlir::ImplicitLocOpBuilder &b, int64_t g) const;

  /// The map of the elements of `part`, as far as a store asks for it: some
  /// rows of the thread, or some groups of columns of a row.
  FmaThreadMap getPart(mlir::ImplicitLocOpBuilder &b, SumPart part) const;

private:
  /// The unit column of the `g`-th group.
  mlir::Value createUnitColumn(mlir::ImplicitLocOpBuilder &b,
                               mlir::Value warpN0, int64_t g) const;
};

/// The first rows of A of the op's units: that of unit u in unit column c at
/// c * units + u.
FragmentValues loadFmaPositions(LoadPositionsOp op, const FmaThreadMap &map);
/// The thread's elements of one row of k: groupsM vectors for each unit column.
FragmentValues loadFmaRows(LoadRowsOp op, const FmaThreadMap &map,
                           mlir::ValueRange positions);
/// One condensed row of the thread's columns: a vector a group.
FragmentValues loadFmaValues(LoadValuesOp op, const FmaThreadMap &map);

/// Stores `acc` after the epilogue.
void lowerFmaStore(TileStoreOp op, const FmaThreadMap &map,
                   mlir::ValueRange acc);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_FMATHREADMAP_H
