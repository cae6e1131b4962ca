//===- BlockExtents.h - What a block computes and reads ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_BLOCKEXTENTS_H
#define NM_DIALECT_NM_KERNELPLAN_BLOCKEXTENTS_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

/// How many rows and columns a block computes, and a step of it reads.
struct BlockExtents {
  int64_t blockM, blockN, stepK; // rows of C, columns of C, rows of k
  int64_t steps, rows;           // steps of a tile, condensed rows a step
  int64_t unitColumns;           // unit columns a block

  /// The extents of kernels of `schedule` for `weight`, packed or not.
  static BlockExtents get(ScheduleAttr schedule, CondensedType weight);

  /// Steps of a block that has the most of them, where `splitK` blocks share a
  /// tile.
  int64_t getMostSteps(int64_t splitK) const;
};

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_BLOCKEXTENTS_H
