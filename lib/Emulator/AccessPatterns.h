//===- AccessPatterns.h - Bank conflicts and sectors of one warp access *- C++
//-*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of an access as the hardware counts it. Shared memory has 32 banks
// of 4 bytes, and one wavefront reads or writes one word of each bank; lanes
// with the same word share it. 64-bit accesses go by half warps and 128-bit
// accesses by quarter warps of 8 lanes, but two neighbouring parts are served
// together when all lanes agree with their neighbour at distance 1, or all with
// the one at distance 2. Global memory moves sectors of 32 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_ACCESSPATTERNS_H
#define NM_LIB_EMULATOR_ACCESSPATTERNS_H

#include <cstdint>

namespace nm {
namespace emulator {

/// The distinct addresses of the lanes of a mask, and which lanes have each.
struct UniqueAddresses {
  UniqueAddresses(const uint64_t *all, uint32_t mask);

  unsigned count = 0;
  uint64_t addresses[32];
  uint32_t lanes[32];
};

struct SharedCost {
  uint32_t wavefronts, ideal;
};

/// Cost of reading or writing `bytes` bytes at each lane's address. At least
/// one lane must be in `mask`.
SharedCost sharedCost(const uint64_t *addresses, uint32_t mask, uint32_t bytes);

/// Number of distinct sectors that `bytes` bytes at each lane's address touch.
uint32_t globalSectors(const uint64_t *addresses, uint32_t mask,
                       uint32_t bytes);

/// Number of sectors that asynchronous copies of each lane's `from` in global
/// memory to its `to` in shared memory bring, aligned and of at most 16 bytes:
/// a sector is brought once for each 32 bytes of shared memory that parts of it
/// come to.
uint32_t copiedSectors(const uint64_t *from, const uint64_t *to, uint32_t mask);

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_ACCESSPATTERNS_H
