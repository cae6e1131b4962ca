//===- UnitTiles.cpp - Blocks of columns for a unit -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitTiles.h"
#include <algorithm>

using namespace nm;

bool nm::fitsUnit(int64_t blockN, int64_t unitN) {
  return blockN % unitN == 0 || unitN % blockN == 0;
}

int64_t nm::fitCount(int64_t wanted, int64_t most, int64_t columns,
                     int64_t unitN) {
  auto getRatio = [&](int64_t count) {
    return double(std::max(count, wanted)) / double(std::min(count, wanted));
  };
  int64_t best = 0;
  for (int64_t count = 1; count <= most; ++count)
    if (fitsUnit(count * columns, unitN) &&
        (best == 0 || getRatio(count) < getRatio(best)))
      best = count;
  return best;
}
