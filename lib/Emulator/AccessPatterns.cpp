//===- AccessPatterns.cpp - Bank conflicts and sectors of one warp access -===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distinct words and sectors are counted by sorting: 32 lanes give at most a
// few hundred of them.
//
//===----------------------------------------------------------------------===//

#include "AccessPatterns.h"

#include <algorithm>

using namespace nm::emulator;

namespace {

constexpr unsigned lanes = 32;
constexpr unsigned banks = 32;

/// The most words that fall into one bank, and the number of words, for the
/// lanes of `mask`.
struct Words {
  uint32_t worstBank = 0, count = 0;
};

/// For accesses that are multiples of their size, 4, 8 or 16 bytes.
Words countAligned(const uint64_t *addresses, uint32_t mask, uint32_t bytes) {
  UniqueAddresses unique(addresses, mask);
  uint32_t wordsEach = bytes / 4, groups = banks / wordsEach;
  uint8_t perGroup[banks] = {};
  Words result;
  result.count = unique.count * wordsEach;
  for (unsigned i = 0; i < unique.count; ++i)
    result.worstBank = std::max<uint32_t>(
        result.worstBank, ++perGroup[unique.addresses[i] / bytes % groups]);
  return result;
}

Words countAny(const uint64_t *addresses, uint32_t mask, uint32_t bytes) {
  uint32_t words[lanes * 9];
  unsigned size = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t address = addresses[__builtin_ctz(rest)];
    uint32_t first = uint32_t(address / 4);
    uint32_t last = uint32_t((address + bytes - 1) / 4);
    for (uint32_t word = first; word <= last && size < lanes * 9; ++word)
      words[size++] = word;
  }
  std::sort(words, words + size);
  size = unsigned(std::unique(words, words + size) - words);
  uint8_t perBank[banks] = {};
  Words result;
  result.count = size;
  for (unsigned i = 0; i < size; ++i)
    result.worstBank =
        std::max<uint32_t>(result.worstBank, ++perBank[words[i] % banks]);
  return result;
}

Words countWords(const uint64_t *addresses, uint32_t mask, uint32_t bytes) {
  bool isAligned = bytes == 4 || bytes == 8 || bytes == 16;
  for (uint32_t rest = mask; rest && isAligned; rest &= rest - 1)
    isAligned = addresses[__builtin_ctz(rest)] % bytes == 0;
  return isAligned ? countAligned(addresses, mask, bytes)
                   : countAny(addresses, mask, bytes);
}

/// Whether each lane of `mask` has the address of its neighbour, where that one
/// is in `mask` too.
bool agree(const uint64_t *addresses, uint32_t mask, unsigned distance) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctz(rest)), other = lane ^ distance;
    if ((mask >> other & 1) && addresses[lane] != addresses[other])
      return false;
  }
  return true;
}

} // namespace

UniqueAddresses::UniqueAddresses(const uint64_t *all, uint32_t mask) {
  uint64_t most = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctz(rest)), i = count;
    // Lanes mostly come in rising order, or repeat the one before.
    if (count && all[lane] <= most) {
      i = count - 1;
      if (addresses[i] != all[lane])
        for (i = 0; i < count && addresses[i] != all[lane]; ++i)
          ;
    }
    most = std::max(most, all[lane]);
    if (i == count) {
      addresses[count] = all[lane];
      lanes[count++] = 0;
    }
    lanes[i] |= 1u << lane;
  }
}

SharedCost nm::emulator::sharedCost(const uint64_t *addresses, uint32_t mask,
                                    uint32_t bytes) {
  unsigned parts = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
  if (parts > 1 && (agree(addresses, mask, 1) || agree(addresses, mask, 2)))
    parts /= 2;
  unsigned width = lanes / parts;
  uint32_t partMask = width == lanes ? ~0u : (1u << width) - 1;
  SharedCost cost = {0, 0};
  uint32_t activeParts = 0;
  for (unsigned part = 0; part < parts; ++part) {
    uint32_t active = mask & partMask << (part * width);
    if (!active)
      continue;
    ++activeParts;
    cost.wavefronts += countWords(addresses, active, bytes).worstBank;
  }
  uint32_t count = countWords(addresses, mask, bytes).count;
  cost.ideal = std::max((count + banks - 1) / banks, activeParts);
  return cost;
}

uint32_t nm::emulator::globalSectors(const uint64_t *addresses, uint32_t mask,
                                     uint32_t bytes) {
  uint64_t sectors[lanes * 3];
  unsigned size = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t address = addresses[__builtin_ctz(rest)];
    for (uint64_t sector = address / 32;
         sector <= (address + bytes - 1) / 32 && size < lanes * 3; ++sector)
      if (!size || sectors[size - 1] != sector)
        sectors[size++] = sector;
  }
  if (!std::is_sorted(sectors, sectors + size))
    std::sort(sectors, sectors + size);
  return uint32_t(std::unique(sectors, sectors + size) - sectors);
}

uint32_t nm::emulator::copiedSectors(const uint64_t *from, const uint64_t *to,
                                     uint32_t mask) {
  std::pair<uint64_t, uint64_t> sectors[lanes];
  auto *end = sectors;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    *end++ = {from[lane] / 32, to[lane] / 32};
  }
  std::sort(sectors, end);
  return uint32_t(std::unique(sectors, end) - sectors);
}
