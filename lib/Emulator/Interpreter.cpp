//===- Interpreter.cpp - Execution of the blocks of a launch --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Set-up of blocks, the order of warps, and control flow.
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

void Interpreter::fillSpecials(Warp &warp) {
  const LaunchConfig &config = launch.config;
  for (const SpecialRegister &special : kernel.specials) {
    uint32_t *values = lanes<uint32_t>(warp, special.offset);
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      uint32_t thread = warp.index * warpSize + lane, bit = 1u << lane;
      uint32_t value = 0;
      switch (special.special) {
      case Special::TidX:
        value = thread % config.block[0];
        break;
      case Special::TidY:
        value = thread / config.block[0] % config.block[1];
        break;
      case Special::TidZ:
        value = thread / config.block[0] / config.block[1];
        break;
      case Special::LaneId:
        value = lane;
        break;
      case Special::WarpId:
        value = warp.index;
        break;
      case Special::LaneMaskEq:
        value = bit;
        break;
      case Special::LaneMaskLe:
        value = bit | (bit - 1);
        break;
      case Special::LaneMaskLt:
        value = bit - 1;
        break;
      case Special::LaneMaskGe:
        value = ~(bit - 1);
        break;
      case Special::LaneMaskGt:
        value = ~(bit | (bit - 1));
        break;
      case Special::NtidX:
        value = config.block[0];
        break;
      case Special::NtidY:
        value = config.block[1];
        break;
      case Special::NtidZ:
        value = config.block[2];
        break;
      case Special::NctaidX:
        value = uint32_t(config.grid[0]);
        break;
      case Special::NctaidY:
        value = uint32_t(config.grid[1]);
        break;
      case Special::NctaidZ:
        value = uint32_t(config.grid[2]);
        break;
      case Special::NWarpId:
        value = launch.warps;
        break;
      case Special::DynamicSharedSize:
        value = config.dynamicSharedBytes;
        break;
      case Special::TotalSharedSize:
        value = launch.sharedBytes;
        break;
      case Special::CtaidX:
        value = uint32_t(blockIndex[0]);
        break;
      case Special::CtaidY:
        value = uint32_t(blockIndex[1]);
        break;
      case Special::CtaidZ:
        value = uint32_t(blockIndex[2]);
        break;
      case Special::NSmId:
      case Special::One:
        value = 1;
        break;
      case Special::SmId:
      case Special::Zero:
        break;
      }
      values[lane] = value;
    }
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
  if (checksShared)
    detector.reset(sharedLimit, launch.warps, checks(CheckRaces),
                   checks(CheckUninitialized));
  for (Warp &warp : warps) {
    warp.exited = 0;
    warp.state = State::Ready;
    warp.stack.clear();
    warp.stack.push_back({0, noTarget, warp.threads});
    warp.copies.clear();
    std::fill(std::begin(warp.committed), std::end(warp.committed), 0);
    fillSpecials(warp);
  }
}

uint64_t Interpreter::random() {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return randomState;
}

// A ready warp is chosen at random and runs for a random while, so that warps
// overtake each other by anything between a few instructions and a whole phase.
bool Interpreter::runBlock(uint64_t block) {
  startBlock(block);
  uint32_t ready[32];
  for (;;) {
    uint32_t count = 0;
    for (const Warp &warp : warps)
      if (warp.state == State::Ready)
        ready[count++] = warp.index;
    if (count == 0) {
      if (allStopped())
        return true;
      if (!reportDeadlock())
        return false;
      continue;
    }
    uint64_t choice = random();
    Warp &warp = warps[ready[(choice >> 32) % count]];
    if (!runWarp(warp, 32ull << (choice & 7)))
      return false;
  }
}

bool Interpreter::allStopped() {
  return std::all_of(warps.begin(), warps.end(), [](const Warp &warp) {
    return warp.state == State::Done;
  });
}

// Every warp waits or has ended. Without the check, exited threads count as
// arrived, as they do on a GPU. Returns false when nothing can go on.
bool Interpreter::reportDeadlock() {
  for (uint32_t number = 0; number < 16; ++number) {
    BarrierState &state = barriers[number];
    if (!state.waiting)
      continue;
    uint32_t stopped = 0;
    for (const Warp &warp : warps)
      stopped += warp.state == State::Done;
    if (!checks(CheckBarriers) && state.isWholeBlock &&
        state.arrivals + stopped >= state.expected)
      return release(number);
    Warp &warp = warps[__builtin_ctz(state.waiting)];
    pc = warp.waitPc;
    fail(warp, __builtin_ctz(warp.waitMask), CheckBarriers,
         "barrier " + std::to_string(number) + " is waited for by " +
             std::to_string(__builtin_popcount(state.waiting)) +
             " warps but cannot complete: expected arrivals of " +
             std::to_string(state.expected) + " warps, got " +
             std::to_string(state.arrivals) + "; " + std::to_string(stopped) +
             " warps have exited and all others wait");
    return false;
  }
  return false;
}

bool Interpreter::runWarp(Warp &warp, uint64_t budget) {
  const Instruction *code = kernel.code.data();
  for (; budget; --budget) {
    Frame &top = warp.stack.back();
    pc = top.pc;
    const Instruction &instruction = code[pc];
    uint32_t mask = top.mask;
    if (instruction.guard != noRegister) {
      uint32_t guard = predicate(warp, instruction.guard);
      mask &= instruction.guardNegated ? ~guard : guard;
    }
    ++counts[pc].warps;
    counts[pc].lanes += mask == fullWarp ? warpSize : __builtin_popcount(mask);
    ++executed;
    Step step = Step::Next;
    if (instruction.kind == Kind::Lane)
      instruction.lane(warp.registers, instruction.operands, mask);
    else if (mask)
      step = execute(warp, instruction, mask);
    if (step == Step::Fault)
      return false;
    if (step != Step::Jumped)
      ++warp.stack.back().pc;
    while (!warp.stack.empty() &&
           warp.stack.back().pc == warp.stack.back().reconvergence)
      warp.stack.pop_back();
    if (warp.stack.empty()) {
      warp.state = State::Done;
      return true;
    }
    if (step == Step::Blocked)
      return true;
  }
  uint64_t limit = launch.options.maxInstructionsPerBlock;
  if (limit && executed > limit)
    return fail(warp, __builtin_ctz(warp.stack.back().mask), 0,
                "expected the block to end within " + std::to_string(limit) +
                    " instructions");
  return true;
}

Interpreter::Step Interpreter::execute(Warp &warp,
                                       const Instruction &instruction,
                                       uint32_t mask) {
  switch (instruction.kind) {
  case Kind::Lane:
  case Kind::Nop:
    return Step::Next;
  case Kind::Branch:
    return branch(warp, instruction, mask);
  case Kind::BranchTable:
    return branchTable(warp, instruction, mask);
  case Kind::Exit:
    return exitLanes(warp, mask);
  case Kind::Trap:
    fail(warp, __builtin_ctz(mask), 0, "the kernel executed a trap");
    return Step::Fault;
  case Kind::Pack:
    pack(warp, instruction, mask);
    return Step::Next;
  case Kind::Unpack:
    unpack(warp, instruction, mask);
    return Step::Next;
  case Kind::Clock:
    clock(warp, instruction, mask);
    return Step::Next;
  case Kind::IsSpace:
    isSpace(warp, instruction, mask);
    return Step::Next;
  case Kind::Load:
    return load(warp, instruction, mask);
  case Kind::Store:
    return store(warp, instruction, mask);
  case Kind::Atomic:
    return atomic(warp, instruction, mask);
  case Kind::AsyncCopy:
    return asyncCopy(warp, instruction, mask);
  case Kind::AsyncCommit:
    return asyncCommit(warp, mask);
  case Kind::AsyncWait:
    return asyncWait(warp, instruction.detail, mask);
  case Kind::Barrier:
    return barrier(warp, instruction, mask);
  case Kind::WarpBarrier:
    return warpBarrier(warp, instruction, mask);
  case Kind::Shuffle:
    return shuffle(warp, instruction, mask);
  case Kind::Vote:
    return vote(warp, instruction, mask);
  case Kind::Match:
    return match(warp, instruction, mask);
  case Kind::Redux:
    return redux(warp, instruction, mask);
  case Kind::ActiveMask: {
    uint32_t values[warpSize];
    std::fill(std::begin(values), std::end(values), mask);
    setLanes(warp, instruction.operands.destination, values, mask);
    return Step::Next;
  }
  case Kind::Elect:
    return elect(warp, instruction, mask);
  case Kind::LoadMatrix:
    return loadMatrix(warp, instruction, mask);
  case Kind::StoreMatrix:
    return storeMatrix(warp, instruction, mask);
  case Kind::Mma:
    return mma(warp, instruction, mask);
  }
  return Step::Fault;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

// The top of the stack becomes the lanes that wait at the meeting point, and
// the two paths go above it. A path that begins at the meeting point waits
// already.
Interpreter::Step
Interpreter::branch(Warp &warp, const Instruction &instruction, uint32_t mask) {
  Frame &top = warp.stack.back();
  uint32_t others = top.mask & ~mask;
  if (!others) {
    top.pc = instruction.target;
    return Step::Jumped;
  }
  uint32_t meeting = instruction.reconvergence, next = top.pc + 1;
  if (instruction.target == next) {
    top.pc = next;
    return Step::Jumped;
  }
  if (meeting == top.reconvergence || meeting == noTarget) {
    meeting = top.reconvergence;
    warp.stack.pop_back();
  } else {
    top.pc = meeting;
  }
  if (next != meeting)
    warp.stack.push_back({next, meeting, others});
  if (instruction.target != meeting)
    warp.stack.push_back({instruction.target, meeting, mask});
  return Step::Jumped;
}

Interpreter::Step Interpreter::branchTable(Warp &warp,
                                           const Instruction &instruction,
                                           uint32_t mask) {
  const std::vector<uint32_t> &table = kernel.branchTables[instruction.detail];
  const uint32_t *index = lanes<uint32_t>(warp, instruction.operands.source[0]);
  Frame top = warp.stack.back();
  uint32_t meeting = instruction.reconvergence;
  if (meeting == top.reconvergence || meeting == noTarget) {
    meeting = top.reconvergence;
    warp.stack.pop_back();
  } else {
    warp.stack.back().pc = meeting;
  }
  if (uint32_t others = top.mask & ~mask)
    warp.stack.push_back({top.pc + 1, meeting, others});
  while (mask) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
    uint32_t chosen = index[lane], same = 0;
    if (chosen >= table.size()) {
      fail(warp, lane, 0,
           "expected a branch index below " + std::to_string(table.size()) +
               ", got " + std::to_string(chosen));
      return Step::Fault;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      if (index[__builtin_ctz(rest)] == chosen)
        same |= rest & -rest;
    if (table[chosen] != meeting)
      warp.stack.push_back({table[chosen], meeting, same});
    mask &= ~same;
  }
  return Step::Jumped;
}

Interpreter::Step Interpreter::exitLanes(Warp &warp, uint32_t mask) {
  warp.exited |= mask;
  bool topGoesOn = (warp.stack.back().mask & ~mask) != 0;
  for (Frame &frame : warp.stack)
    frame.mask &= ~mask;
  warp.stack.erase(
      std::remove_if(warp.stack.begin(), warp.stack.end(),
                     [](const Frame &frame) { return frame.mask == 0; }),
      warp.stack.end());
  return topGoesOn ? Step::Next : Step::Jumped;
}
