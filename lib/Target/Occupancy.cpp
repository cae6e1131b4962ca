//===- Occupancy.cpp - How many blocks a chip holds -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Target/Occupancy.h"
#include <algorithm>

using namespace nm;

// A cluster lies within one of the groups of SMs (GPCs) that the chip has, of
// which some have fewer SMs than others: an H200 with 132 SMs holds 66 clusters
// of two blocks that are alone on their SMs, 30 of four, 15 of eight and seven
// of sixteen (cuOccupancyMaxActiveClusters), so those of 120 SMs.
static constexpr double kClusteredSMs = 120.0 / 132;

int64_t nm::getResidentBlocks(const TargetInfo &target, int64_t cluster,
                              int64_t perSM) {
  // The two SMs of a pair are in the same group.
  if (cluster <= 2)
    return target.numSMs * perSM;
  auto places = int64_t(kClusteredSMs * double(target.numSMs)) * perSM;
  return std::max<int64_t>(1, places / cluster) * cluster;
}

int64_t nm::getLeastBlocksPerSM(const TargetInfo &target, int64_t blocks,
                                int64_t cluster, int64_t most) {
  for (int64_t perSM = 1; perSM <= most; ++perSM)
    if (blocks <= getResidentBlocks(target, cluster, perSM))
      return perSM;
  return 0;
}
