//===- Interpreter.cpp - Execution of the blocks of a launch --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of warps and the dispatch of instructions.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "nm/Base/Assert.h"

#include <algorithm>

using namespace nm::emulator;

/// Failed waits of each warp for mbarriers, without any change, after which
/// there will be none: more than loops that give up at some time need.
static constexpr uint64_t fruitlessPolls = 1024;

uint64_t Interpreter::random() {
  randomState ^= randomState << 13;
  randomState ^= randomState >> 7;
  randomState ^= randomState << 17;
  return randomState;
}

// A ready warp is chosen at random and runs for a random while, so that warps
// overtake each other by anything between a few instructions and a whole phase.
bool Interpreter::runCluster(uint64_t cluster) {
  startCluster(cluster);
  uint32_t ready[32 * maxClusterBlocks];
  for (;;) {
    uint32_t count = 0;
    for (const Warp &warp : warps)
      if (warp.state == State::Ready)
        ready[count++] = warp.index;
    if (count == 0) {
      if (allStopped()) {
        noteGridOrder();
        return finishBulk() && finishRegisters();
      }
      if (!reportDeadlock())
        return false;
      continue;
    }
    uint64_t choice = random();
    Warp &warp = warps[ready[(choice >> 32) % count]];
    if (!runWarp(warp, 32ull << (choice & 7)))
      return false;
    if (warp.polls >= fruitlessPolls && allPoll(warp))
      return reportPolling();
  }
}

/// Whether every warp that could run has polled mbarriers in vain as often as
/// `last`, since anything happened that could change what it finds.
bool Interpreter::allPoll(const Warp &last) {
  return last.state == State::Ready &&
         std::all_of(warps.begin(), warps.end(), [&](const Warp &warp) {
           return warp.state != State::Ready ||
                  (warp.pollsFrom == changes && warp.polls >= fruitlessPolls);
         });
}

bool Interpreter::allStopped() {
  return std::all_of(warps.begin(), warps.end(), [](const Warp &warp) {
    return warp.state == State::Done;
  });
}

// Every warp waits or has ended. Without the check, exited threads count as
// arrived, as they do on a GPU. Returns false when nothing can go on.
bool Interpreter::reportDeadlock() {
  bool isReleased = false;
  for (Block &block : blocks)
    if (!reportDeadlock(block, isReleased))
      return false;
  if (isReleased)
    return true;
  for (Warp &warp : warps)
    if (warp.wantedRegisters)
      return reportRegisters(warp);
  return reportCluster();
}

bool Interpreter::reportDeadlock(Block &block, bool &isReleased) {
  for (uint32_t number = 0; number < 16; ++number) {
    BarrierState &state = block.barriers[number];
    if (!state.waiting)
      continue;
    uint32_t stopped = launch.warps - block.running;
    if (!checks(CheckBarriers) && state.isWholeBlock &&
        state.arrivals + stopped >= state.expected) {
      release(block, number);
      isReleased = true;
      return true;
    }
    Warp &warp = warpOf(block, __builtin_ctz(state.waiting));
    pc = warp.waitPc;
    return fail(warp, __builtin_ctz(warp.waitMask), CheckBarriers,
                "barrier " + std::to_string(number) + " is waited for by " +
                    std::to_string(__builtin_popcount(state.waiting)) +
                    " warps but cannot complete: expected arrivals of " +
                    std::to_string(state.expected) + " warps, got " +
                    std::to_string(state.arrivals) + "; " +
                    std::to_string(stopped) +
                    " warps have exited and all others wait");
  }
  return true;
}

bool Interpreter::runWarp(Warp &warp, uint64_t budget) {
  const Instruction *code = kernel.code.data();
  for (; budget; --budget) {
    Frame &top = warp.stack.back();
    pc = top.pc;
    NM_ASSERT(pc < kernel.code.size(), "paths end where the kernel exits");
    NM_ASSERT(top.mask, "a path without lanes is not run");
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
      return finishWarp(warp);
    }
    if (step >= Step::Blocked) {
      if (step == Step::Yield)
        letOtherPathRun(warp);
      return true;
    }
  }
  uint64_t limit = launch.options.maxInstructionsPerBlock;
  if (limit && executed > limit * blocks.size())
    return fail(warp, __builtin_ctz(warp.stack.back().mask), 0,
                "expected the block to end within " + std::to_string(limit) +
                    " instructions");
  return true;
}

// What a path waits for may be what another path of its warp is to do: those
// that go to the same meeting point take turns.
void Interpreter::letOtherPathRun(Warp &warp) {
  auto isOther = [&](const Frame &frame) {
    return frame.reconvergence != warp.stack.back().reconvergence;
  };
  auto last = std::find_if(warp.stack.rbegin(), warp.stack.rend(), isOther);
  std::rotate(last.base(), warp.stack.end() - 1, warp.stack.end());
}

Interpreter::Step Interpreter::execute(Warp &warp,
                                       const Instruction &instruction,
                                       uint32_t mask) {
  switch (instruction.kind) {
  case Kind::Lane:
  case Kind::Nop:
    return Step::Next;
  case Kind::Fence:
    if (launch.globalRaces)
      launch.globalRaces->fence(globalAgent);
    return Step::Next;
  case Kind::ProxyFence:
    return proxyFence(warp, mask) ? Step::Next : Step::Fault;
  case Kind::MbarrierInitFence:
    mbarrierInitFence(warp, mask);
    return Step::Next;
  case Kind::GridWait:
    waitForGrids(warp, mask);
    return Step::Next;
  case Kind::GridStart:
    startNextGrid(warp, mask);
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
  case Kind::BulkCopy:
    return bulkCopy(warp, instruction, mask);
  case Kind::BulkCommit:
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      ++warp.bulkCommitted[__builtin_ctz(rest)];
    return Step::Next;
  case Kind::BulkWait:
  case Kind::BulkWaitRead:
    bulkWait(warp, instruction.detail, instruction.kind == Kind::BulkWaitRead,
             mask);
    return Step::Next;
  case Kind::ClusterArrive:
    return clusterArrive(warp, instruction, mask);
  case Kind::ClusterWait:
    return clusterWait(warp, mask);
  case Kind::MapBlock:
    return mapBlock(warp, instruction, mask) ? Step::Next : Step::Fault;
  case Kind::BlockRank:
    return blockRank(warp, instruction, mask) ? Step::Next : Step::Fault;
  case Kind::SetMaxRegisters:
    return setMaxRegisters(warp, instruction, mask);
  case Kind::Mbarrier:
    return mbarrier(warp, instruction, mask);
  case Kind::PendingCount:
    pendingCount(warp, instruction, mask);
    return Step::Next;
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
