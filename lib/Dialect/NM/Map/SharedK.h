//===- SharedK.h - What kinds whose threads share k have --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kinds for few rows of C (gemv, mma_gemv): each thread has condensed rows of
// its own of a slice, and reads the weight from global memory.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_SHAREDK_H
#define NM_LIB_DIALECT_NM_MAP_SHAREDK_H

#include "nm/Dialect/NM/Map/KindLowering.h"

namespace nm {

/// Units of a slice of `sliceRows` condensed rows, one where it is a part of
/// one.
int64_t getSliceUnits(int64_t sliceRows, PatternAttr pattern);

/// What a slice is to one thread of a block.
struct ThreadSlice {
  int64_t rows;     ///< condensed rows of the slice, those of other threads too
  int64_t weights;  ///< elements of the weight that the thread reads
  int64_t elements; ///< elements of A that it reads
  int64_t sums;     ///< registers of its sums
  int64_t threads;  ///< of the block
};

/// The plan for such slices: as many are written out as let enough of the
/// weight be under way, and leave registers for the next as many.
SlicePlan planSharedSlices(TileMmaOp op, const ThreadSlice &slice);

/// For each slice of the op the rows of A of the thread's `rows` condensed
/// rows, which are those from row `k0` of the slice on.
FragmentValues loadThreadPositions(LoadPositionsOp op, mlir::Value k0,
                                   int64_t rows, int64_t sliceRows,
                                   mlir::Value unitColumn);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_SHAREDK_H
