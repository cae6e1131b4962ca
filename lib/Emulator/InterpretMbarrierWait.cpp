//===- InterpretMbarrierWait.cpp - Execution of waits for mbarriers -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies arrive when a wait needs them for its phase, and not before. A warp's
// first wait for such a phase fails all the same, as it may on a GPU: a kernel
// that does not look at the result is found.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>

using namespace nm::emulator;

bool Interpreter::waitFor(Warp &warp, const MbarrierInfo &info,
                          Mbarrier &barrier, uint32_t address, uint32_t lanes) {
  uint32_t waiting = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t phase;
    if (info.byParity) {
      uint32_t parity = this->lanes<uint32_t>(warp, info.state)[lane];
      if (parity > 1)
        return fail(warp, lane, 0,
                    "expected the parity 0 or 1 of a phase, got " +
                        std::to_string(parity));
      phase = (barrier.phase & 1) == parity ? barrier.phase : barrier.phase - 1;
    } else {
      uint64_t state = this->lanes<uint64_t>(warp, info.state)[lane];
      phase = static_cast<uint32_t>(state >> 32);
      if (phase != barrier.phase && phase + 1 != barrier.phase)
        return fail(warp, lane, CheckBarriers,
                    "expected a state of phase " +
                        std::to_string(barrier.phase) + " of the " +
                        describeMbarrier(address) +
                        " or the one before it, got one of phase " +
                        std::to_string(phase));
    }
    if (phase == barrier.phase)
      waiting |= 1u << lane;
  }
  bool isComplete =
      waiting && warp.failedPc == pc && completeByCopies(barrier, address);
  uint32_t done = isComplete ? lanes : lanes & ~waiting;
  setPredicate(warp, info.result, fullWarp, done);
  if (done && info.isOrdered && checksShared)
    detector.acquire(warp.index, wholeWarp(warp, done), barrier.completed);
  if (done != lanes) {
    warp.waitMask = waiting;
    warp.polledMbarrier = address;
  }
  return true;
}

Interpreter::Step Interpreter::finishWait(Warp &warp, bool hasFailed) {
  warp.failedPc = hasFailed ? pc : noTarget;
  if (!hasFailed) {
    warp.polls = 0;
    return Step::Next;
  }
  warp.waitPc = pc;
  if (warp.pollsFrom != changes) {
    warp.pollsFrom = changes;
    warp.polls = 0;
  }
  ++warp.polls;
  return Step::Yield;
}

/// Whether the phase is complete once the copies that it waits for are here;
/// then they are. An arrival that it does not expect is of the next phase.
bool Interpreter::completeByCopies(Mbarrier &barrier, uint32_t address) {
  uint32_t pending = barrier.pending;
  std::vector<AsyncArrival *> due;
  for (AsyncArrival &arrival : asyncArrivals) {
    auto count = static_cast<uint32_t>(__builtin_popcount(arrival.lanes));
    if (arrival.mbarrier != address || count > pending)
      continue;
    pending -= count;
    due.push_back(&arrival);
  }
  int64_t tx = barrier.tx;
  std::vector<BulkCopy *> dueBytes;
  for (BulkCopy &copy : bulkCopies) {
    if (copy.mbarrier != address || tx == 0)
      continue;
    tx -= copy.bytes;
    dueBytes.push_back(&copy);
  }
  if (pending != 0 || tx != 0)
    return false;
  for (BulkCopy *copy : dueBytes)
    deliverBulk(*copy, barrier);
  dropDoneBulk();
  for (AsyncArrival *arrival : due)
    arriveAfterCopies(barrier, *arrival);
  asyncArrivals.erase(
      std::remove_if(asyncArrivals.begin(), asyncArrivals.end(),
                     [](const AsyncArrival &each) { return each.lanes == 0; }),
      asyncArrivals.end());
  ++changes;
  return barrier.complete();
}

void Interpreter::beginAsyncArrival(Warp &warp, const MbarrierInfo &info,
                                    Mbarrier &barrier, uint32_t address,
                                    uint32_t lanes) {
  if (!info.noIncrement)
    barrier.pending += static_cast<uint32_t>(__builtin_popcount(lanes));
  asyncArrivals.push_back({address, warp.index, lanes, warp.copiesBegun});
}

// What the copies write is then in order before what follows a wait for this
// phase, and in no order with all else: not even with what the thread that
// began them does next.
void Interpreter::arriveAfterCopies(Mbarrier &barrier, AsyncArrival &arrival) {
  Warp &warp = warps[arrival.warp];
  for (PendingCopy &copy : warp.copies) {
    uint32_t arriving = copy.mask & arrival.lanes;
    if (copy.number < arrival.copies && arriving)
      deliver(copy, arriving,
              Stamp(barrier.period, barrier.agent, Stamp::severalLanes, copy.pc,
                    false));
  }
  dropDelivered(warp);
  barrier.pending -= static_cast<uint32_t>(__builtin_popcount(arrival.lanes));
  arrival.lanes = 0;
}

/// All warps poll in vain: names what one of them waits for.
bool Interpreter::reportPolling() {
  uint32_t polling = 0, waiting = 0;
  Warp *first = nullptr;
  for (Warp &warp : warps) {
    waiting += warp.state == State::Waiting;
    if (warp.state != State::Ready)
      continue;
    ++polling;
    first = first ? first : &warp;
  }
  const Mbarrier &barrier = mbarriers[first->polledMbarrier];
  uint64_t bytes = 0;
  for (const BulkCopy &copy : bulkCopies)
    bytes += copy.mbarrier == first->polledMbarrier ? copy.bytes : 0;
  pc = first->waitPc;
  return fail(
      *first, __builtin_ctz(first->waitMask), CheckBarriers,
      "deadlock: phase " + std::to_string(barrier.phase) + " of the " +
          describeMbarrier(first->polledMbarrier) +
          " cannot complete: expected " + std::to_string(barrier.pending) +
          " more of its " + std::to_string(barrier.expected) +
          " arrivals and " + std::to_string(barrier.tx) + " more bytes, with " +
          std::to_string(bytes) + " on their way; " + std::to_string(polling) +
          " warps wait for mbarriers and " + std::to_string(waiting) +
          " at barriers, and all others have exited");
}
