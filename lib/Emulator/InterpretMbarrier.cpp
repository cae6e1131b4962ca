//===- InterpretMbarrier.cpp - Execution of mbarrier instructions ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything but waiting. Threads of one instruction arrive one after the
// other, from the first lane to the last.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cstdlib>

using namespace nm::emulator;

Interpreter::Step Interpreter::mbarrier(Warp &warp,
                                        const Instruction &instruction,
                                        uint32_t mask) {
  const MbarrierInfo &info = kernel.mbarriers[instruction.detail];
  uint64_t addresses[warpSize];
  readAddresses(warp, info.address, addresses);
  Target target;
  if (!resolve(warp, info.space, addresses, mask, 8, true, target))
    return Step::Fault;
  if (target.space != Space::Shared || target.mask != mask) {
    uint32_t wrong = target.space == Space::Shared ? mask & ~target.mask : mask;
    fail(warp, __builtin_ctz(wrong), CheckBounds,
         "expected the address of an mbarrier in shared memory");
    return Step::Fault;
  }
  if (info.op == MbarrierInfo::Wait)
    setPredicate(warp, info.result, 0, mask);
  for (uint32_t rest = mask; rest;) {
    auto address = target.addresses[__builtin_ctz(rest)];
    uint32_t same = 0;
    for (uint32_t other = rest; other; other &= other - 1)
      if (target.addresses[__builtin_ctz(other)] == address)
        same |= other & -other;
    rest &= ~same;
    if (!mbarrierOp(warp, info, static_cast<uint32_t>(address), same))
      return Step::Fault;
  }
  return info.op == MbarrierInfo::Wait
             ? finishWait(warp, (mask & ~predicate(warp, info.result)) != 0)
             : Step::Next;
}

bool Interpreter::mbarrierOp(Warp &warp, const MbarrierInfo &info,
                             uint32_t address, uint32_t lanes) {
  unsigned first = static_cast<unsigned>(__builtin_ctz(lanes));
  bool mayBeRemote =
      info.op == MbarrierInfo::ExpectTx ||
      info.op == MbarrierInfo::CompleteTx ||
      (info.op <= MbarrierInfo::ArriveDrop && info.op >= MbarrierInfo::Arrive &&
       info.state == noRegister);
  if (!mayBeRemote && address / sharedStride != warp.block)
    return fail(warp, first, 0,
                "expected an mbarrier in the block's own shared memory, got "
                "the " +
                    describeMbarrier(address));
  if (info.op == MbarrierInfo::Init) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (!initMbarrier(warp, info, address, __builtin_ctz(rest)))
        return false;
    return true;
  }
  Mbarrier *barrier = findMbarrier(warp, address, lanes);
  if (!barrier)
    return false;
  if (info.op == MbarrierInfo::Wait)
    return waitFor(warp, info, *barrier, address, lanes);
  ++changes;
  if (info.op == MbarrierInfo::Inval)
    return invalMbarrier(warp, *barrier, address, first);
  if (info.op == MbarrierInfo::AsyncArrive) {
    beginAsyncArrival(warp, info, *barrier, address, lanes);
    return true;
  }
  bool isArrival =
      info.op == MbarrierInfo::Arrive || info.op == MbarrierInfo::ArriveDrop;
  if (isArrival && info.isOrdered && checksShared &&
      !detector.release(warp.index, wholeWarp(warp, lanes), barrier->arriving))
    return tooManyPeriods(warp, lanes);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (isArrival) {
      if (!arriveAt(warp, info, *barrier, address, lane))
        return false;
      continue;
    }
    int64_t bytes = this->lanes<uint32_t>(warp, info.count)[lane];
    if (!addTx(warp, *barrier, address, lane,
               info.op == MbarrierInfo::ExpectTx ? bytes : -bytes))
      return false;
    barrier->complete();
  }
  return true;
}

bool Interpreter::initMbarrier(Warp &warp, const MbarrierInfo &info,
                               uint32_t address, unsigned lane) {
  uint32_t count = lanes<uint32_t>(warp, info.count)[lane];
  if (count == 0 || count > Mbarrier::maxCount)
    return fail(warp, lane, 0,
                "expected a count of 1 to " +
                    std::to_string(Mbarrier::maxCount) + " arrivals, got " +
                    std::to_string(count));
  Mbarrier &barrier = mbarriers[address];
  if (barrier.isValid)
    return fail(warp, lane, CheckBarriers,
                "expected mbarrier.inval before another mbarrier.init of the " +
                    describeMbarrier(address));
  if (detector.checksRaces() && barrier.agent == 0) {
    barrier.users.resize(warps.size());
    barrier.agent = detector.addAgent();
    if (barrier.agent == Stamp::maxAgents)
      return fail(warp, lane, 0, "expected fewer mbarriers in a block");
  }
  barrier.isValid = true;
  barrier.isInitFenced = false;
  barrier.expected = barrier.pending = count;
  barrier.tx = 0;
  barrier.phase = 0;
  barrier.arriving.clear();
  barrier.completed.clear();
  ++changes;
  if (!checksShared)
    return true;
  barrier.initialised = detector.stamp(warp.index, pc, false).byLane(lane);
  Conflict conflict;
  return detector.makeMbarrier(barrier.initialised, address, conflict) ||
         reportConflict(warp, lane, 8, true, conflict);
}

/// The mbarrier at `address`, which `lanes` know to be one; null after a fault.
Mbarrier *Interpreter::findMbarrier(Warp &warp, uint32_t address,
                                    uint32_t lanes) {
  unsigned first = static_cast<unsigned>(__builtin_ctz(lanes));
  auto found = mbarriers.find(address);
  if (found == mbarriers.end() || !found->second.isValid) {
    fail(warp, first, 0,
         "expected mbarrier.init of " + describeShared(address) +
             " of shared memory before this");
    return nullptr;
  }
  Mbarrier &barrier = found->second;
  if (!detector.checksRaces())
    return &barrier;
  Stamp now = detector.stamp(warp.index, pc, false);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    Stamp me = now.byLane(lane);
    if (!detector.isOrdered(barrier.initialised, me)) {
      fail(warp, lane, CheckRaces,
           "race: use of the " + describeMbarrier(address) + ", which " +
               describeStamp(barrier.initialised) + " initialised in " +
               describeInstruction(barrier.initialised.pc()) +
               ": expected a barrier between them");
      return nullptr;
    }
    Stamp &user = barrier.users[warp.index];
    user = user && !detector.isOrdered(user, me)
               ? me.byLane(Stamp::severalLanes)
               : me;
  }
  return &barrier;
}

bool Interpreter::invalMbarrier(Warp &warp, Mbarrier &barrier, uint32_t address,
                                unsigned lane) {
  auto isIts = [&](const auto &each) { return each.mbarrier == address; };
  if (std::any_of(asyncArrivals.begin(), asyncArrivals.end(), isIts) ||
      std::any_of(bulkCopies.begin(), bulkCopies.end(), isIts))
    return fail(warp, lane, CheckRaces,
                "expected all copies to have arrived at the " +
                    describeMbarrier(address) + " before mbarrier.inval");
  barrier.isValid = false;
  ++barrier.period;
  if (!detector.checksRaces())
    return true;
  Stamp me = detector.stamp(warp.index, pc, false).byLane(lane);
  for (Stamp user : barrier.users)
    if (!detector.isOrdered(user, me))
      return fail(warp, lane, CheckRaces,
                  "race: mbarrier.inval of the " + describeMbarrier(address) +
                      ", which " + describeStamp(user) + " used in " +
                      describeInstruction(user.pc()) +
                      ": expected a barrier between them");
  std::fill(barrier.users.begin(), barrier.users.end(), Stamp());
  detector.endMbarrier(me, address);
  return true;
}

bool Interpreter::arriveAt(Warp &warp, const MbarrierInfo &info,
                           Mbarrier &barrier, uint32_t address, unsigned lane) {
  uint32_t count = 1;
  if (info.count != noRegister) {
    uint32_t value = lanes<uint32_t>(warp, info.count)[lane];
    if (info.expectsTx) {
      if (!addTx(warp, barrier, address, lane, value))
        return false;
    } else {
      count = value;
    }
  }
  if (count == 0 || count > barrier.pending)
    return fail(warp, lane, CheckBarriers,
                "expected an arrival of 1 to " +
                    std::to_string(barrier.pending) + ", what phase " +
                    std::to_string(barrier.phase) + " of the " +
                    describeMbarrier(address) + " lacks of its " +
                    std::to_string(barrier.expected) + " arrivals, got " +
                    std::to_string(count));
  if (info.state != noRegister)
    lanes<uint64_t>(warp, info.state)[lane] = barrier.state();
  barrier.pending -= count;
  if (info.op == MbarrierInfo::ArriveDrop)
    barrier.expected -= count;
  if (barrier.complete() && info.noComplete)
    return fail(warp, lane, CheckBarriers,
                "expected an arrival with .noComplete not to complete a phase "
                "of the " +
                    describeMbarrier(address));
  return true;
}

/// Adds to the tx-count.
bool Interpreter::addTx(Warp &warp, Mbarrier &barrier, uint32_t address,
                        unsigned lane, int64_t bytes) {
  int64_t sum = barrier.tx + bytes;
  if (std::abs(bytes) > Mbarrier::maxCount ||
      std::abs(sum) > Mbarrier::maxCount)
    return fail(warp, lane, 0,
                "expected a tx-count of the " + describeMbarrier(address) +
                    " within " + std::to_string(Mbarrier::maxCount) + ", got " +
                    std::to_string(barrier.tx) + " and " +
                    std::to_string(bytes) + " more");
  barrier.tx = static_cast<int32_t>(sum);
  return true;
}

void Interpreter::pendingCount(Warp &warp, const Instruction &instruction,
                               uint32_t mask) {
  const uint64_t *states =
      lanes<uint64_t>(warp, instruction.operands.source[0]);
  uint32_t counts[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    counts[lane] = static_cast<uint32_t>(states[lane]);
  setLanes(warp, instruction.operands.destination, counts, mask);
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void Interpreter::mbarrierInitFence(Warp &warp, uint32_t mask) {
  for (auto &entry : mbarriers) {
    Mbarrier &barrier = entry.second;
    if (barrier.initialised.agent() == warp.index &&
        mask >> barrier.initialised.lane() & 1)
      barrier.isInitFenced = true;
  }
}

bool Interpreter::proxyFence(Warp &warp, uint32_t mask) {
  return !checksShared ||
         detector.proxyFence(warp.index, wholeWarp(warp, mask)) ||
         tooManyPeriods(warp, mask);
}
