//===- Occupancy.h - How many blocks a chip holds ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TARGET_OCCUPANCY_H
#define NM_TARGET_OCCUPANCY_H

#include "nm/Target/TargetInfo.h"

namespace nm {

/// Bytes of shared memory that an SM takes for a block beside its own.
inline constexpr int64_t kReservedSharedBytes = 1024;

/// Whether an SM of `target` holds no second block of `bytes` of shared memory.
inline bool isAloneByMemory(const TargetInfo &target, int64_t bytes) {
  return 2 * (bytes + kReservedSharedBytes) > target.sharedMemoryPerSM;
}

/// Whether a block of `bytes` of shared memory leaves less than a quarter of an
/// SM's unified cache to L1, in which loads on their way have a place.
inline bool leavesLittleL1(const TargetInfo &target, int64_t bytes) {
  return 4 * (bytes + kReservedSharedBytes) > 3 * target.unifiedCachePerSM;
}

/// Blocks in clusters of `cluster` (1: without) that `target` holds at once if
/// an SM holds `perSM`, at least one cluster.
int64_t getResidentBlocks(const TargetInfo &target, int64_t cluster,
                          int64_t perSM);

/// The least number of blocks that an SM must hold for all `blocks` to be
/// resident at once; 0 where it would be more than `most`.
int64_t getLeastBlocksPerSM(const TargetInfo &target, int64_t blocks,
                            int64_t cluster, int64_t most);

} // namespace nm

#endif // NM_TARGET_OCCUPANCY_H
