//===- ThreadMap.h - Which elements of a tile a thread owns -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distribution of a block's tile over its threads for instruction kind fma,
// and the accesses of one thread that the lowerings of copies, products and
// stores share.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_TRANSFORMS_THREADMAP_H
#define NM_LIB_DIALECT_NM_TRANSFORMS_THREADMAP_H

#include "TileUtils.h"

namespace nm {

/// A thread owns tm x tn elements of the block's tile, as groups of `vecM` rows
/// `strideM` apart and of `vecN` columns `strideN` apart. With 8 x 4 lanes and
/// 8 x 8 elements, lane (i, j) of a warp's 64 x 32 tile owns rows 4i..4i+3 and
/// 32+4i..32+4i+3 and columns 4j..4j+3 and 16+4j..16+4j+3: neighbouring lanes
/// read neighbouring vectors.
struct ThreadMap {
  ThreadMap(mlir::ImplicitLocOpBuilder &b, ScheduleAttr schedule, int64_t unitN,
            mlir::Value thread);

  ScheduleAttr schedule;
  mlir::Value thread;       // linear index in the block
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

/// The accumulators of a thread: tm * groupsN vectors of vecN elements, the
/// vector of row i and group g at i * groupsN + g.
using Accumulators = llvm::SmallVector<mlir::Value>;

/// How an access may leave its memref: per dimension, whether the index has to
/// be checked against the extent.
struct Guard {
  bool dim0 = false, dim1 = false;
};

/// Loads `width` elements of `memref` from (i, j) on along `dim`. Guarded
/// elements outside read as zero.
mlir::Value loadVector(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                       mlir::Value i, mlir::Value j, int dim, int64_t width,
                       Guard guard);

/// Stores the elements of `vector` to `memref` from (i, j) on along its last
/// dimension. Guarded elements outside are dropped.
void storeVector(mlir::ImplicitLocOpBuilder &b, mlir::Value vector,
                 mlir::Value memref, mlir::Value i, mlir::Value j, Guard guard);

/// The condition that the guarded indices lie within `memref`; null when
/// nothing is guarded. Indices are compared as unsigned, so -1 is outside.
mlir::Value isInside(mlir::ImplicitLocOpBuilder &b, mlir::Value memref,
                     mlir::Value i, mlir::Value j, Guard guard);

/// Whether an index of `dim` up to `bound` has to be checked.
bool needsGuard(mlir::Value memref, int64_t dim, int64_t bound);

/// A zero of `type`, a number or a vector of numbers.
mlir::Value createZero(mlir::ImplicitLocOpBuilder &b, mlir::Type type);

/// Adds one step's product to `acc`.
void lowerTileMma(TileMmaOp op, const ThreadMap &map, Accumulators &acc);

/// Stores `acc` after the epilogue.
void lowerTileStore(TileStoreOp op, const ThreadMap &map,
                    const Accumulators &acc);

/// Replaces every tile_copy, tile_gather, commit and wait of `launch`.
void lowerCopies(mlir::gpu::LaunchOp launch, mlir::Value thread,
                 int64_t numThreads);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_TRANSFORMS_THREADMAP_H
