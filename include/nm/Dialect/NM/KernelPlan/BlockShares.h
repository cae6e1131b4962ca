//===- BlockShares.h - What blocks have of shared tiles ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_KERNELPLAN_BLOCKSHARES_H
#define NM_DIALECT_NM_KERNELPLAN_BLOCKSHARES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace nm {

/// How stream_k deals out tiles. At least half as many tiles as there are
/// blocks are shared, if any are and there are so many: then no tile is shared
/// by more than three or four blocks.
struct StreamShares {
  int64_t rounds; // of whole tiles, one a block
  int64_t shared; // tiles that blocks share

  static StreamShares get(int64_t tiles, int64_t blocks);
};

/// Into how many parts `blocks` blocks of a cluster cut the sums that they
/// share: of the powers of two that `countParts` can do, the least with which
/// the largest share is small. `countParts` takes a power of two and gives the
/// largest one up to it into which the sums can be cut. Six blocks take 16
/// parts, three each at most, where of four two blocks would get none.
int64_t chooseSumParts(int64_t blocks,
                       llvm::function_ref<int64_t(int64_t)> countParts);

/// The part of a tile's sums that one of `blocks` blocks adds at most, where
/// they can be cut into any power of two of parts.
double getLargestSumShare(int64_t blocks);

} // namespace nm

#endif // NM_DIALECT_NM_KERNELPLAN_BLOCKSHARES_H
