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
  sharedStorage.resize(sharedLimit);

  // Registers of all warps in one piece, each warp's at a cache line.
  size_t stride = (size_t(kernel.registerBytes) + 63) & ~size_t(63);
  registerStorage.reset(new uint8_t[stride * launch.warps + 64]);
  auto address = reinterpret_cast<uintptr_t>(registerStorage.get());
  uint8_t *registers = registerStorage.get() + (-address & 63);
  std::memset(registers, poison, stride * launch.warps);
  size_t localStride = size_t(kernel.localBytes) * warpSize;
  localStorage.resize(localStride * launch.warps);

  warps.resize(launch.warps);
  for (uint32_t i = 0; i < launch.warps; ++i) {
    Warp &warp = warps[i];
    warp.index = i;
    warp.registers = registers + i * stride;
    warp.local = localStorage.data() + i * localStride;
    uint32_t threads = launch.threads - i * warpSize;
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
                             const uint64_t *block, uint32_t thread) {
  const LaunchConfig &config = launch.config;
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
    return uint32_t(block[0]);
  case Special::CtaidY:
    return uint32_t(block[1]);
  case Special::CtaidZ:
    return uint32_t(block[2]);
  case Special::NSmId:
  case Special::One:
    return 1;
  case Special::SmId:
  case Special::Zero:
    return 0;
  }
  return 0;
}

void Interpreter::fillSpecials(Warp &warp) {
  for (const SpecialRegister &special : kernel.specials) {
    uint32_t *values = lanes<uint32_t>(warp, special.offset);
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      values[lane] = specialValue(special.special, launch, blockIndex,
                                  warp.index * warpSize + lane);
  }
}

void Interpreter::startBlock(uint64_t block) {
  blockIndex[0] = block % launch.config.grid[0];
  blockIndex[1] = block / launch.config.grid[0] % launch.config.grid[1];
  blockIndex[2] = block / launch.config.grid[0] / launch.config.grid[1];
  randomState =
      mix(launch.options.seed + 0x9e3779b97f4a7c15u * (block + 1)) | 1;
  executed = 0;
  std::fill(sharedStorage.begin(), sharedStorage.end(), poison);
  std::fill(localStorage.begin(), localStorage.end(), poison);
  std::fill(std::begin(barriers), std::end(barriers), BarrierState());
  mbarriers.clear();
  asyncArrivals.clear();
  bulkCopies.clear();
  changes = 0;
  freeRegisters = 0;
  if (checksShared)
    detector.reset(sharedLimit, launch.warps, checks(CheckRaces),
                   checks(CheckUninitialized));
  for (Warp &warp : warps) {
    warp.exited = 0;
    warp.state = State::Ready;
    warp.stack.clear();
    warp.stack.push_back({0, noTarget, warp.threads});
    warp.copies.clear();
    warp.polls = warp.pollsFrom = 0;
    warp.failedPc = noTarget;
    warp.maxRegisters = kernel.entryRegisters;
    warp.wantedRegisters = 0;
    warp.registerChanges.clear();
    std::fill(std::begin(warp.committed), std::end(warp.committed), 0);
    std::fill(std::begin(warp.bulkCommitted), std::end(warp.bulkCommitted), 0);
    fillSpecials(warp);
  }
}
