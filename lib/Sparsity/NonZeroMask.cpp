//===- NonZeroMask.cpp - Which elements of a weight are not zero ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Sparsity/NonZeroMask.h"

using namespace nm::sparsity;

int64_t NonZeroMask::count(int64_t col, int64_t begin, int64_t count) const {
  const uint64_t *bits = column(col);
  int64_t end = std::min(begin + count, rowCount);
  int64_t total = 0;
  while (begin < end) {
    int64_t offset = begin % 64;
    int64_t length = std::min<int64_t>(64 - offset, end - begin);
    uint64_t word = bits[begin / 64] >> offset;
    if (length < 64)
      word &= (uint64_t(1) << length) - 1;
    total += __builtin_popcountll(word);
    begin += length;
  }
  return total;
}

NonZeroMask NonZeroMask::units(int64_t unitK, int64_t unitN) const {
  int64_t unitColumns = (columnCount + unitN - 1) / unitN;
  NonZeroMask wide(rowCount, unitColumns);
  for (int64_t col = 0; col < columnCount; ++col) {
    const uint64_t *source = column(col);
    uint64_t *target = wide.column(col / unitN);
    for (int64_t word = 0; word < wordCount; ++word)
      target[word] |= source[word];
  }
  if (unitK == 1)
    return wide;

  NonZeroMask result((rowCount + unitK - 1) / unitK, unitColumns);
  for (int64_t col = 0; col < unitColumns; ++col)
    for (int64_t row = 0; row < result.rowCount; ++row)
      if (wide.count(col, row * unitK, unitK) != 0)
        result.column(col)[row / 64] |= uint64_t(1) << (row % 64);
  return result;
}
