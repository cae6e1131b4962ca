//===- BlockShares.cpp - What blocks have of shared tiles -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/KernelPlan/BlockShares.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace nm;

/// Parts of a block at most, as each is stored by itself. The number is a
/// guess.
static constexpr int64_t kMostPartsOfBlock = 4;

StreamShares StreamShares::get(int64_t tiles, int64_t blocks) {
  int64_t rounds = tiles / blocks, left = tiles % blocks;
  // Few tiles that do not divide would be shared by many: they are together
  // with those of a whole round.
  if (left != 0 && left < blocks / 2)
    rounds = std::max<int64_t>(rounds, 1) - 1;
  return {rounds, tiles - rounds * blocks};
}

int64_t nm::chooseSumParts(int64_t blocks,
                           llvm::function_ref<int64_t(int64_t)> countParts) {
  int64_t parts = countParts(int64_t(llvm::bit_floor(uint64_t(blocks))));
  for (int64_t more = 2 * parts;
       more <= kMostPartsOfBlock * blocks && countParts(more) == more;
       more *= 2)
    if (llvm::divideCeil(more, blocks) * parts <
        llvm::divideCeil(parts, blocks) * more)
      parts = more;
  return parts;
}

double nm::getLargestSumShare(int64_t blocks) {
  int64_t parts = chooseSumParts(blocks, [](int64_t most) { return most; });
  return double(llvm::divideCeil(parts, blocks)) / double(parts);
}
