//===- BlockSetup.cpp - State of a block at its start ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers and constants are laid out once a launch; what differs between
// blocks is filled in for each.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

/// Bytes that nobody has written yet: a NaN of every floating-point type.
static constexpr uint8_t poison = 0xff;

static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

Interpreter::Interpreter(const LaunchContext &launch)
    : launch(launch), kernel(launch.kernel) {
  counts.resize(kernel.code.size());
  if (launch.count)
    accessCounts.resize(kernel.code.size());
  lastAllocation.resize(kernel.code.size(), nullptr);
  checksShared = checks(CheckRaces) || checks(CheckUninitialized);
  sharedLimit = reservedSharedBytes + launch.sharedBytes;
  if (!checks(CheckBounds))
    sharedLimit = (sharedLimit + 255) & ~255u;
  sharedStride = (sharedLimit + 1023) & ~1023u;
  blocks.resize(launch.clusterBlocks);
  sharedStorage.resize(size_t(sharedStride) * blocks.size());

  // Registers of all warps in one piece, each warp's at a cache line.
  size_t stride = (size_t(kernel.registerBytes) + 63) & ~size_t(63);
  uint32_t count = launch.warps * launch.clusterBlocks;
  registerStorage.reset(new uint8_t[stride * count + 64]);
  auto address = reinterpret_cast<uintptr_t>(registerStorage.get());
  uint8_t *registers = registerStorage.get() + (-address & 63);
  std::memset(registers, poison, stride * count);
  size_t localStride = size_t(kernel.localBytes) * warpSize;
  localStorage.resize(localStride * count);

  warps.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    Warp &warp = warps[i];
    warp.index = i;
    warp.block = i / launch.warps;
    warp.number = i % launch.warps;
    warp.registers = registers + i * stride;
    warp.local = localStorage.data() + i * localStride;
    uint32_t threads = launch.threads - warp.number * warpSize;
    warp.threads = threads >= warpSize ? fullWarp : (1u << threads) - 1;
    fillConstants(warp);
  }
}

void Interpreter::fillConstants(Warp &warp) {
  for (const Constant &constant : kernel.constants) {
    uint64_t value = constant.value +
                     (constant.isGlobalAddress ? launch.globalVariables : 0);
    if (constant.bytes == 0)
      *lanes<uint32_t>(warp, constant.offset) = static_cast<uint32_t>(value);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(warp.registers + constant.offset + lane * constant.bytes,
                  &value, constant.bytes);
  }
}

/// The value of a special register of thread `thread` of the block.
static uint32_t specialValue(Special special, const LaunchContext &launch,
                             const Block &block, uint32_t thread) {
  const LaunchConfig &config = launch.config;
  const uint32_t *cluster = launch.cluster;
  uint32_t lane = thread % warpSize, bit = 1u << lane;
  switch (special) {
  case Special::TidX:
    return thread % config.block[0];
  case Special::TidY:
    return thread / config.block[0] % config.block[1];
  case Special::TidZ:
    return thread / config.block[0] / config.block[1];
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return thread / warpSize;
  case Special::LaneMaskEq:
    return bit;
  case Special::LaneMaskLe:
    return bit | (bit - 1);
  case Special::LaneMaskLt:
    return bit - 1;
  case Special::LaneMaskGe:
    return ~(bit - 1);
  case Special::LaneMaskGt:
    return ~(bit | (bit - 1));
  case Special::NtidX:
    return config.block[0];
  case Special::NtidY:
    return config.block[1];
  case Special::NtidZ:
    return config.block[2];
  case Special::NctaidX:
    return uint32_t(config.grid[0]);
  case Special::NctaidY:
    return uint32_t(config.grid[1]);
  case Special::NctaidZ:
    return uint32_t(config.grid[2]);
  case Special::NWarpId:
    return launch.warps;
  case Special::DynamicSharedSize:
    return config.dynamicSharedBytes;
  case Special::TotalSharedSize:
    return launch.sharedBytes;
  case Special::CtaidX:
    return uint32_t(block.index[0]);
  case Special::CtaidY:
    return uint32_t(block.index[1]);
  case Special::CtaidZ:
    return uint32_t(block.index[2]);
  case Special::ClusterNctaidX:
    return cluster[0];
  case Special::ClusterNctaidY:
    return cluster[1];
  case Special::ClusterNctaidZ:
    return cluster[2];
  case Special::ClusterNctaRank:
    return launch.clusterBlocks;
  case Special::NClusterIdX:
    return uint32_t(config.grid[0] / cluster[0]);
  case Special::NClusterIdY:
    return uint32_t(config.grid[1] / cluster[1]);
  case Special::NClusterIdZ:
    return uint32_t(config.grid[2] / cluster[2]);
  case Special::IsExplicitCluster:
    return launch.isExplicitCluster;
  case Special::ClusterCtaidX:
    return block.rank[0];
  case Special::ClusterCtaidY:
    return block.rank[1];
  case Special::ClusterCtaidZ:
    return block.rank[2];
  case Special::ClusterCtaRank:
    return block.rank[0] +
           cluster[0] * (block.rank[1] + cluster[1] * block.rank[2]);
  case Special::ClusterIdX:
    return uint32_t(block.index[0] / cluster[0]);
  case Special::ClusterIdY:
    return uint32_t(block.index[1] / cluster[1]);
  case Special::ClusterIdZ:
    return uint32_t(block.index[2] / cluster[2]);
  case Special::NSmId:
    return 1;
  case Special::SmId:
    return 0;
  }
  return 0;
}

void Interpreter::fillSpecials(Warp &warp) {
  const Block &block = blockOf(warp);
  for (const SpecialRegister &special : kernel.specials) {
    uint32_t *values = lanes<uint32_t>(warp, special.offset);
    if (special.special == Special::IsExplicitCluster) {
      *values = specialValue(special.special, launch, block, 0) ? fullWarp : 0;
      continue;
    }
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      values[lane] = specialValue(special.special, launch, block,
                                  warp.number * warpSize + lane);
  }
}

void Interpreter::startBlock(Block &block) {
  std::fill(std::begin(block.barriers), std::end(block.barriers),
            BarrierState());
  block.freeRegisters = 0;
  block.running = launch.warps;
  block.visitors.assign(blocks.size() > 1 ? warps.size() : 0, Stamp());
}

/// Splits `number` into three, the first fastest.
static void split(uint64_t number, uint64_t x, uint64_t y, uint64_t *result) {
  result[0] = number % x;
  result[1] = number / x % y;
  result[2] = number / x / y;
}

void Interpreter::startCluster(uint64_t cluster) {
  const uint64_t *grid = launch.config.grid;
  const uint32_t *shape = launch.cluster;
  uint64_t first[3], rank[3];
  split(cluster, grid[0] / shape[0], grid[1] / shape[1], first);
  for (size_t i = 0; i < blocks.size(); ++i) {
    split(i, shape[0], shape[1], rank);
    for (unsigned axis = 0; axis < 3; ++axis) {
      blocks[i].rank[axis] = static_cast<uint32_t>(rank[axis]);
      blocks[i].index[axis] = first[axis] * shape[axis] + rank[axis];
    }
    startBlock(blocks[i]);
  }
  randomState =
      mix(launch.options.seed + 0x9e3779b97f4a7c15u * (cluster + 1)) | 1;
  executed = 0;
  std::fill(sharedStorage.begin(), sharedStorage.end(), poison);
  std::fill(localStorage.begin(), localStorage.end(), poison);
  mbarriers.clear();
  asyncArrivals.clear();
  bulkCopies.clear();
  clusterBarrier = ClusterBarrier();
  globalAgent = GlobalRaces::Agent(cluster);
  gridWaits.clear();
  changes = 0;
  if (checksShared)
    detector.reset(static_cast<uint32_t>(sharedStorage.size()),
                   static_cast<uint32_t>(warps.size()), checks(CheckRaces),
                   checks(CheckUninitialized));
  for (Warp &warp : warps) {
    warp.exited = 0;
    warp.state = State::Ready;
    warp.stack.clear();
    warp.stack.push_back({0, noTarget, warp.threads});
    warp.copies.clear();
    warp.polls = warp.pollsFrom = 0;
    warp.failedPc = noTarget;
    warp.clusterArrived = warp.clusterPassed = 0;
    warp.waitsForCluster = false;
    warp.maxRegisters = kernel.entryRegisters;
    warp.wantedRegisters = 0;
    warp.registerChanges.clear();
    warp.knowsGridWait = 0;
    std::fill(std::begin(warp.committed), std::end(warp.committed), 0);
    std::fill(std::begin(warp.bulkCommitted), std::end(warp.bulkCommitted), 0);
    fillSpecials(warp);
  }
}
