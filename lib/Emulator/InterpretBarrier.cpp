//===- InterpretBarrier.cpp - Execution of barriers -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers count warps: a warp that reaches one arrives with all its threads.
// Whether all of them really are there is what the barrier check is for.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <cstdio>

using namespace nm::emulator;

static std::string laneList(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08x", mask);
  return text;
}

bool Interpreter::checkWholeWarp(Warp &warp, uint32_t mask) {
  if (mask == warp.threads)
    return true;
  uint32_t absent = warp.threads & ~mask;
  unsigned first = static_cast<unsigned>(__builtin_ctz(absent));
  bool hasExited = warp.exited >> first & 1;
  return fail(warp, __builtin_ctz(mask), CheckBarriers,
              "divergence: expected all threads of warp " +
                  std::to_string(warp.number) + " (lanes " +
                  laneList(warp.threads) +
                  ") to execute this together, got lanes " + laneList(mask) +
                  "; " + describeThread(warp.index, first) +
                  (hasExited ? " has exited" : " is on another path"));
}

Interpreter::Step Interpreter::barrier(Warp &warp,
                                       const Instruction &instruction,
                                       uint32_t mask) {
  const BarrierInfo &info = kernel.barriers[instruction.detail];
  unsigned lane = static_cast<unsigned>(__builtin_ctz(mask));
  uint32_t number = lanes<uint32_t>(warp, info.barrier)[lane];
  if (number >= 16) {
    fail(warp, lane, 0,
         "expected a barrier number below 16, got " + std::to_string(number));
    return Step::Fault;
  }
  if (checks(CheckBarriers) && !checkWholeWarp(warp, mask))
    return Step::Fault;
  uint32_t expected = launch.warps;
  bool isWholeBlock = info.threads == noRegister;
  if (!isWholeBlock) {
    uint32_t threads = lanes<uint32_t>(warp, info.threads)[lane];
    expected = threads / warpSize;
    if (threads % warpSize || threads == 0 || expected > launch.warps) {
      fail(warp, lane, 0,
           "expected a barrier of a multiple of 32 threads, at most those of "
           "the block, got " +
               std::to_string(threads));
      return Step::Fault;
    }
  }
  Block &block = blockOf(warp);
  BarrierState &state = block.barriers[number];
  if (state.arrivals && state.expected != expected) {
    fail(warp, lane, CheckBarriers,
         "expected barrier " + std::to_string(number) + " with " +
             std::to_string(state.expected * warpSize) +
             " threads, as other warps wait for, got " +
             std::to_string(expected * warpSize));
    return Step::Fault;
  }
  state.expected = expected;
  state.isWholeBlock = isWholeBlock;
  state.arrived |= 1u << warp.number;
  ++state.arrivals;
  ++changes;
  if (checksShared && !detector.release(warp.index, fullWarp, state.released)) {
    tooManyPeriods(warp, mask);
    return Step::Fault;
  }
  if (info.reduction != BarrierInfo::None) {
    uint32_t votes = predicate(warp, info.predicate);
    votes = (info.predicateNegated ? ~votes : votes) & mask;
    state.predicates += static_cast<uint32_t>(__builtin_popcount(votes));
    state.voters += static_cast<uint32_t>(__builtin_popcount(mask));
  }
  if (!info.arriveOnly) {
    state.waiting |= 1u << warp.number;
    warp.state = State::Waiting;
    warp.waitPc = pc;
    warp.waitMask = mask;
  }
  if (state.arrivals >= state.expected)
    release(block, number);
  return warp.state == State::Waiting ? Step::Blocked : Step::Next;
}

bool Interpreter::tooManyPeriods(Warp &warp, uint32_t mask) {
  return fail(warp, __builtin_ctz(mask), CheckRaces,
              "expected fewer than " + std::to_string(Stamp::maxPeriod) +
                  " barriers in a block that is checked for races");
}

void Interpreter::release(Block &block, uint32_t number) {
  BarrierState state = std::move(block.barriers[number]);
  block.barriers[number] = BarrierState();
  for (uint32_t rest = state.waiting; rest; rest &= rest - 1) {
    Warp &warp = warpOf(block, __builtin_ctz(rest));
    warp.state = State::Ready;
    if (checksShared)
      detector.acquire(warp.index, fullWarp, state.released);
    const BarrierInfo &info = kernel.barriers[kernel.code[warp.waitPc].detail];
    if (info.reduction == BarrierInfo::Popc) {
      uint32_t values[warpSize];
      for (uint32_t &value : values)
        value = state.predicates;
      setLanes(warp, info.destination, values, warp.waitMask);
    } else if (info.reduction != BarrierInfo::None) {
      bool holds = info.reduction == BarrierInfo::And
                       ? state.predicates == state.voters
                       : state.predicates != 0;
      setPredicate(warp, info.destination, holds ? fullWarp : 0, warp.waitMask);
    }
  }
}

Interpreter::Step Interpreter::warpBarrier(Warp &warp,
                                           const Instruction &instruction,
                                           uint32_t mask) {
  if (!checkMembers(warp, kernel.warpOps[instruction.detail], mask))
    return Step::Fault;
  if (checksShared &&
      !detector.warpBarrier(warp.index, wholeWarp(warp, mask))) {
    tooManyPeriods(warp, mask);
    return Step::Fault;
  }
  return Step::Next;
}
