//===- CostModel.cpp - How long a kernel will take ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Planner/CostModel.h"
#include "nm/Target/Occupancy.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace nm;

// Of the hardware, where the target table has no column for it: a warp issues
// to one of four schedulers, an SM gets 40 bytes a clock from L2 (seen where
// nothing else bounds) and serves one wavefront of shared memory a clock.
static constexpr int64_t kSchedulers = 4;
static constexpr double kL2Bytes = 40;
/// The same by tensor maps (4096^3 of f16, 4:32, L = 64: 66 us).
static constexpr double kEngineBytes = 47;
static constexpr int64_t kMaxBlocksPerSM = 32;

// Fitted to 400 kernels of 100 shapes on an H200, which take what is predicted
// within 5 % (docs/results/2026-11-23-h200-llama100.jsonl; planner_choices.py).
static constexpr double kClock = 1.98e9;
static constexpr double kLatency = 140 / kClock; // of a step, with nobody else
static constexpr double kCopyLatency = 550 / kClock; // until the first byte
// The same of what no other block has read, from DRAM.
static constexpr double kMemoryLatency = 1300 / kClock;
static constexpr double kPerBlock = 6100 / kClock; // prologue and epilogue
// The same of a tile whose first copies came while the one before was stored:
// a part of it (H200, f16 and bf16 at 4096^3: a tile less by .6 to 3.6 us).
static constexpr double kOverlapped = 0.6;
static constexpr double kPerLaunch = 2.6e-6;
// Seconds that a kernel which only moves data takes beside moving them, its
// launch included, which overlaps with the kernel before: 1.1 to 1.6 us of
// transpositions of 64 and 128 rows in a graph (H200, bf16, a throw-away
// profile).
static constexpr double kPerTransfer = 1.4e-6;
static constexpr double kPerCluster = 1.5e-6; // its launch and barriers
// The same of a wave of blocks that have no steps to overlap it with.
static constexpr double kPerEarlyCluster = 0.65e-6;
// Blocks that share all steps are at different places of k, so that they find
// less of what others read in L2 (H200, 50 and 62.5 %: 2 % beyond predictions).
static constexpr double kStreamed = 1.03;
// The kernel that zeroes arrivals, before one whose blocks share all steps.
static constexpr double kPerBegin = 1.5e-6;
// Bytes of other blocks' shared memory that an SM reads a clock: not seen in
// the times of small tiles, so a guess.
static constexpr double kClusterBytes = 64;
// Schedulers idle between instructions of few warps: w of them keep one busy
// w / (w + this) of the time.
static constexpr double kIdleWarps = 0.17;
// A cluster of more than two blocks waits until places of one group are free
// together, one of more than four for long: its waves take so much longer. So
// do those of two whose blocks take little time, behind the first wave.
static constexpr double kClusters = 1.04, kLargeClusters = 1.2;

llvm::StringRef nm::getName(Bound bound) {
  switch (bound) {
  case Bound::Issue:
    return "issue";
  case Bound::Latency:
    return "latency";
  case Bound::SharedMemory:
    return "shared memory";
  case Bound::L2:
    return "L2";
  case Bound::DRAM:
    return "DRAM";
  }
  llvm_unreachable("a bound of the list");
}

int64_t nm::getBlocksPerSM(const KernelWork &work, const TargetInfo &target) {
  int64_t registers =
      llvm::alignTo(std::min<int64_t>(work.registers, 255), 8) * work.threads;
  int64_t blocks = std::min(
      {target.sharedMemoryPerSM / (work.sharedBytes + kReservedSharedBytes),
       target.registersPerSM / registers, target.maxThreadsPerSM / work.threads,
       kMaxBlocksPerSM});
  return std::max<int64_t>(blocks, 1);
}

namespace {
struct Time {
  double seconds;
  Bound bound;
};
} // namespace

/// The time of one step of `resident` blocks on an SM.
static Time predictStep(const KernelWork &work, const TargetInfo &target,
                        int64_t resident) {
  // An FMA is 64 FLOP of a warp: the rate of the table says how many an SM
  // issues.
  double slot = 64.0 * double(target.numSMs) / target.fp32Rate;
  // Of one scheduler, which issues a fourth of that. The one that has the most
  // warps counts.
  double perWarp = work.instructions * slot * kSchedulers;
  auto countWarps = [&](int64_t blocks) {
    int64_t warps = llvm::divideCeil(blocks * work.threads, 32 * kSchedulers);
    return std::max(work.leastWarps, double(warps));
  };
  double issue = (countWarps(resident) + kIdleWarps) * perWarp;
  double alone = countWarps(1) * perWarp;
  // A block's copies are under way for as many steps as it has buffers ahead.
  double rate = work.byEngine ? kEngineBytes : kL2Bytes;
  double ofCopies = work.bytes / (rate * kClock);
  double latency = work.isFirst ? kMemoryLatency : kCopyLatency;
  double ahead = std::max<double>(1, double(work.stages) - 1);
  Time times[] = {{issue, Bound::Issue},
                  {alone + kLatency, Bound::Latency},
                  {double(resident) * work.wavefronts / kClock +
                       (resident == 1 ? kLatency : 0),
                   Bound::SharedMemory},
                  {double(resident) * ofCopies, Bound::L2},
                  {(latency + ofCopies) / ahead, Bound::L2}};
  return *std::max_element(
      std::begin(times), std::end(times),
      [](const Time &x, const Time &y) { return x.seconds < y.seconds; });
}

/// The time of a second kernel that adds the sums of the first, which wrote
/// them to global memory, and of the traffic of both. Not measured: no kernel
/// takes less than a launch and what a block does beside its steps.
static double predictWorkspace(const KernelWork &work,
                               const TargetInfo &target) {
  if (work.workspaceBytes == 0)
    return 0;
  bool isInL2 = work.workspaceBytes / 2 <= double(target.l2Bytes);
  double ofL2 = kL2Bytes * kClock * double(target.numSMs);
  return kPerLaunch + kPerBlock +
         work.workspaceBytes / (isInL2 ? ofL2 : target.memoryBandwidth);
}

Cost nm::predictCost(const KernelWork &work, const TargetInfo &target) {
  int64_t perSM = getBlocksPerSM(work, target);
  double ofFirst = work.firstBytes / (kL2Bytes * kClock);
  auto predictWave = [&](int64_t resident) {
    double further = (work.segments - 1) * (work.overlaps ? kOverlapped : 1);
    return (1 + further) * work.besides * kPerBlock +
           double(work.steps) * predictStep(work, target, resident).seconds +
           double(resident) *
               (ofFirst + work.clusterBytes / (kClusterBytes * kClock) +
                work.streamBytes / (kL2Bytes * kClock));
  };
  // Full waves, and a last one of fewer blocks an SM.
  int64_t resident = getResidentBlocks(target, work.cluster, perSM);
  int64_t full = work.blocks / resident;
  int64_t left = work.blocks - full * resident;
  int64_t rest =
      left == 0 ? 0 : getLeastBlocksPerSM(target, left, work.cluster, perSM);
  double ofFull = full == 0 ? 0 : 1 + double(full - 1) * work.laterWaves;
  double seconds = ofFull * predictWave(perSM);
  if (rest != 0)
    seconds += predictWave(rest) * (full == 0 ? 1 : work.laterWaves);
  bool waits = work.cluster > 1 && work.readsOnce && full + (rest != 0) > 1;
  if (work.cluster > 2 || waits)
    seconds *= work.cluster > 4 ? kLargeClusters : kClusters;
  if (work.streamBytes != 0)
    seconds *= kStreamed;
  Bound bound = predictStep(work, target, full != 0 ? perSM : rest).bound;
  int64_t waves = full + (rest != 0 ? 1 : 0);
  // What does not stay in L2 is read again for each wave.
  double passes = work.uniqueBytes > double(target.l2Bytes) && !work.readsOnce
                      ? double(waves) * work.segments
                      : 1;
  double perCluster =
      work.readsOnce ? double(waves) * kPerEarlyCluster : kPerCluster;
  double perLaunch = kPerLaunch + (work.cluster > 1 ? perCluster : 0) +
                     (work.streamBytes != 0 ? kPerBegin : 0) +
                     predictWorkspace(work, target);
  // Memory waits for what blocks need first, until others are at their steps.
  double dram =
      std::min(passes * work.uniqueBytes,
               std::max(work.weightBytes, work.bytes * double(work.blocks) *
                                              double(work.steps))) /
          target.memoryBandwidth +
      std::min<double>(2, std::ceil(double(work.blocks) / target.numSMs)) *
          ofFirst;
  if (dram > seconds)
    return {dram + perLaunch, Bound::DRAM, perSM};
  return {seconds + perLaunch, bound, perSM};
}

double nm::predictTransfer(double bytes, const TargetInfo &target) {
  return kPerTransfer + bytes / target.memoryBandwidth;
}
