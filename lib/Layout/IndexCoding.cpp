//===- IndexCoding.cpp - How a packed weight writes its indices -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Layout/IndexCoding.h"

#include <algorithm>
#include <cstring>

using namespace nm;
using namespace nm::layout;

/// A word of `bytes` bytes, little-endian.
static uint64_t readWord(const char *data, int64_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, data, bytes);
  return word;
}

/// The bit of unit `unit` of a mask: the first one is the highest.
static uint64_t getBit(const Geometry &g, int64_t unit) {
  return uint64_t(1) << (g.getIndexBytes() * 8 - 1 - unit);
}

int64_t layout::getRunPlace(const Geometry &g, int64_t run, int64_t step,
                            int64_t unitRow) {
  int64_t tile = run / g.unitColumns * g.steps + step;
  return (tile * g.unitColumns + run % g.unitColumns) * g.unitRows + unitRow;
}

/// The masks of one run: words of whole windows.
static void encodeMasks(const Geometry &g, int64_t run, int64_t step,
                        const int32_t *rows, char *out) {
  int64_t ofWord = g.getWordWindows() * g.keep, bytes = g.getIndexBytes();
  for (int64_t word = 0; word * ofWord < g.unitRows; ++word) {
    int64_t first = word * g.getWordWindows() * g.windowUnits;
    uint64_t mask = 0;
    for (int64_t r = word * ofWord; r < (word + 1) * ofWord; ++r)
      mask |= getBit(g, rows[r] / g.unitK - first);
    std::memcpy(out + g.getWordPlace(run, step, word) * bytes, &mask, bytes);
  }
}

/// The positions of one run, as bits of words.
static void encodeBits(const Geometry &g, int64_t run, int64_t step,
                       const int32_t *rows, char *out) {
  int64_t bits = g.getPositionBits();
  uint64_t filled = 0; // bits that wait for their word to be full, from 0 on
  int64_t count = 0, word = 0;
  for (int64_t r = 0; r < g.unitRows; ++r) {
    auto position = uint64_t(rows[r] - g.getTileRow(r, 0)) / g.unitK;
    filled |= position << count;
    count += bits;
    if (count < 32)
      continue;
    auto full = uint32_t(filled);
    std::memcpy(out + g.getWordPlace(run, step, word++) * 4, &full, 4);
    filled >>= 32;
    count -= 32;
  }
}

void layout::encodeTile(const Geometry &g, int64_t tile, const int32_t *rows,
                        char *out) {
  int64_t step = tile % g.steps, bytes = g.getIndexBytes();
  for (int64_t u = 0; u < g.unitColumns; ++u, rows += g.unitRows) {
    int64_t run = tile / g.steps * g.unitColumns + u;
    if (g.coding == IndexCoding::Mask) {
      encodeMasks(g, run, step, rows, out);
      continue;
    }
    if (g.coding == IndexCoding::Bits) {
      encodeBits(g, run, step, rows, out);
      continue;
    }
    for (int64_t r = 0; r < g.unitRows; ++r) {
      int64_t index = rows[r];
      if (g.coding == IndexCoding::Positions)
        index = (index - g.getPositionBase(r)) / g.unitK;
      std::memcpy(out + g.getIndexPlace(run, step, r) * bytes, &index, bytes);
    }
  }
}

/// The unit of the `count`-th highest bit of `mask`, or -1.
static int64_t findUnit(const Geometry &g, uint64_t mask, int64_t count) {
  int64_t units = g.getWordWindows() * g.windowUnits;
  for (int64_t unit = 0; unit < units; ++unit)
    if ((mask & getBit(g, unit)) != 0 && count-- == 0)
      return unit;
  return -1;
}

/// The position of unit row `unitRow`, which may begin in one word and end in
/// the next.
static int64_t decodeBits(const Geometry &g, const char *indices, int64_t run,
                          int64_t step, int64_t unitRow) {
  int64_t bits = g.getPositionBits(), first = unitRow * bits, word = first / 32;
  uint64_t words = 0;
  for (int64_t w = 0; w < 2 && word + w < g.getStepWords(); ++w)
    words |= readWord(indices + g.getWordPlace(run, step, word + w) * 4, 4)
             << 32 * w;
  return int64_t(words >> first % 32 & ((uint64_t(1) << bits) - 1));
}

int64_t layout::decodeRow(const Geometry &g, const char *indices, int64_t run,
                          int64_t step, int64_t unitRow) {
  int64_t bytes = g.getIndexBytes();
  if (g.coding == IndexCoding::Mask) {
    int64_t ofWord = g.getWordWindows() * g.keep, word = unitRow / ofWord;
    uint64_t mask =
        readWord(indices + g.getWordPlace(run, step, word) * bytes, bytes);
    int64_t unit = findUnit(g, mask, unitRow % ofWord);
    int64_t first = word * g.getWordWindows() * g.windowUnits;
    return unit < 0 ? -1 : (first + unit) * g.unitK;
  }
  if (g.coding == IndexCoding::Bits)
    return g.getTileRow(unitRow, decodeBits(g, indices, run, step, unitRow));
  uint64_t index =
      readWord(indices + g.getIndexPlace(run, step, unitRow) * bytes, bytes);
  if (g.coding == IndexCoding::Positions)
    return g.getPositionBase(unitRow) + int64_t(index) * g.unitK;
  return static_cast<int32_t>(index);
}
