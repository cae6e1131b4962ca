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
// which some have fewer SMs than others. Of an H200 with 132 SMs, groups of 16
// of 120 of them hold as many clusters of four to 16 blocks as the driver says,
// or up to two fewer, and those of 124 the clusters of three
// (docs/results/2026-11-23-h200-resident_clusters.jsonl). One more would be
// worse: its blocks would be a wave of their own.
static constexpr int64_t kSMsPerGroup = 16;
static constexpr double kClusteredSMs = 120.0 / 132;
static constexpr double kSMsOfThrees = 124.0 / 132;

int64_t nm::getResidentBlocks(const TargetInfo &target, int64_t cluster,
                              int64_t perSM) {
  // The two SMs of a pair are in the same group.
  if (cluster <= 2)
    return target.numSMs * perSM;
  double share = cluster == 3 ? kSMsOfThrees : kClusteredSMs;
  auto places = int64_t(share * double(target.numSMs)) * perSM;
  int64_t ofGroup = kSMsPerGroup * perSM;
  int64_t clusters =
      places / ofGroup * (ofGroup / cluster) + places % ofGroup / cluster;
  return std::max<int64_t>(1, clusters) * cluster;
}

int64_t nm::getLeastBlocksPerSM(const TargetInfo &target, int64_t blocks,
                                int64_t cluster, int64_t most) {
  for (int64_t perSM = 1; perSM <= most; ++perSM)
    if (blocks <= getResidentBlocks(target, cluster, perSM))
      return perSM;
  return 0;
}
