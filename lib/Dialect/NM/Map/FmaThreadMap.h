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
struct FmaThreadMap {
  FmaThreadMap(mlir::ImplicitLocOpBuilder &b, FmaAttr kind, int64_t unitN,
               mlir::Value thread);

  mlir::Value m0, n0;       // first row and column of this thread
  mlir::Value warpN0;       // first column of this warp
  int64_t tm, tn;           // elements
  int64_t vecM, vecN;       // elements of a group
  int64_t groupsM, groupsN; // groups
  int64_t strideM, strideN; // from a group to the next
  int64_t warpTileN;        // columns of a warp

  /// Row of the thread's `i`-th element along m, column of its `g`-th group.
  mlir::Value row(mlir::ImplicitLocOpBuilder &b, int64_t i) const;
  mlir::Value column(mlir::ImplicitLocOpBuilder &b, int64_t g) const;
};

/// Adds one step's product to `acc`: tm * groupsN vectors of vecN elements,
/// that of row i and group g at i * groupsN + g. `stepK`: rows of k a step, 0
/// for all.
void lowerFmaProduct(TileMmaOp op, const FmaThreadMap &map, int64_t stepK,
                     FragmentValues &acc);

/// Stores `acc` after the epilogue.
void lowerFmaStore(TileStoreOp op, const FmaThreadMap &map,
                   mlir::ValueRange acc);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_FMATHREADMAP_H
