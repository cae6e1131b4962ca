//===- InterpretAsync.cpp - Execution of asynchronous copies --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cp.async only notes what it is to copy. The bytes are read and written when
// a wait of the thread that began the copy demands it, the latest moment that
// PTX allows; without a wait they never arrive.
//
//===----------------------------------------------------------------------===//

#include "AccessPatterns.h"
#include "Interpreter.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

/// Copies in flight per warp: far more than programs use, and a bound on what a
/// loop without waits may pile up.
static constexpr size_t maxPending = 1u << 16;

/// Reads how many bytes each lane copies; false after a fault.
bool Interpreter::readCopySizes(Warp &warp, const AsyncCopy &info,
                                PendingCopy &copy) {
  uint32_t ignored =
      info.ignoreSource == noRegister ? 0 : predicate(warp, info.ignoreSource);
  for (uint32_t rest = copy.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t bytes = info.bytes;
    if (info.sourceBytes != noRegister)
      bytes = lanes<uint32_t>(warp, info.sourceBytes)[lane];
    if (bytes > info.bytes)
      return fail(warp, lane, 0,
                  "expected a source size of at most " +
                      std::to_string(info.bytes) + " bytes, got " +
                      std::to_string(bytes));
    copy.sourceBytes[lane] =
        static_cast<uint8_t>(ignored >> lane & 1 ? 0 : bytes);
    copy.group[lane] = warp.committed[lane];
  }
  return true;
}

// Lanes that read nothing may point anywhere. The others mostly read all; those
// of different sizes are checked one after the other.
bool Interpreter::resolveCopySources(Warp &warp, const AsyncCopy &info,
                                     PendingCopy &copy) {
  Target target;
  target.space = Space::Global;
  readAddresses(warp, info.source, target.addresses);
  uint64_t to[warpSize];
  readAddresses(warp, info.destination, to);
  for (uint32_t rest = copy.mask; rest;) {
    uint32_t bytes = copy.sourceBytes[__builtin_ctz(rest)], same = 0;
    for (uint32_t other = rest; other; other &= other - 1)
      if (copy.sourceBytes[__builtin_ctz(other)] == bytes)
        same |= other & -other;
    rest &= ~same;
    if (bytes == 0)
      continue;
    target.mask = same;
    if (checks(CheckAlignment) &&
        !checkAlignment(warp, info.bytes, false, target))
      return false;
    if (!resolveGlobal(warp, bytes, false, target))
      return false;
    if (launch.globalRaces &&
        !checkGlobal(warp, target, bytes, false, nullptr, 0))
      return false;
    if (launch.count) {
      ++accessCounts[pc].globalRequests;
      accessCounts[pc].sectors += copiedSectors(target.addresses, to, same);
    }
    for (uint32_t other = same; other; other &= other - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(other));
      copy.source[lane] = target.pointers[lane];
    }
  }
  return true;
}

Interpreter::Step Interpreter::asyncCopy(Warp &warp,
                                         const Instruction &instruction,
                                         uint32_t mask) {
  const AsyncCopy &info = kernel.asyncCopies[instruction.detail];
  PendingCopy copy;
  copy.mask = mask;
  copy.pc = pc;
  copy.number = warp.copiesBegun++;
  copy.bytes = info.bytes;
  uint64_t to[warpSize];
  readAddresses(warp, info.destination, to);
  Target target;
  if (!readCopySizes(warp, info, copy) ||
      !resolveCopySources(warp, info, copy) ||
      !resolve(warp, Space::Shared, to, mask, info.bytes, true, target))
    return Step::Fault;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    copy.destination[lane] = static_cast<uint32_t>(target.addresses[lane]);
  if (launch.count)
    countAccess(target, info.bytes);
  if (checksShared)
    copy.stamp = detector.stamp(warp.index, pc, false).pending();
  Conflict conflict;
  for (uint32_t rest = checksShared ? mask : 0; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (!detector.write(copy.stamp.byLane(lane), copy.destination[lane],
                        info.bytes, conflict)) {
      reportConflict(warp, lane, info.bytes, true, conflict);
      return Step::Fault;
    }
  }
  if (warp.copies.size() == maxPending) {
    fail(warp, __builtin_ctz(mask), 0,
         "expected at most " + std::to_string(maxPending) +
             " copies in flight a warp");
    return Step::Fault;
  }
  warp.copies.push_back(copy);
  return Step::Next;
}

Interpreter::Step Interpreter::asyncCommit(Warp &warp, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    ++warp.committed[__builtin_ctz(rest)];
  return Step::Next;
}

// All but the last `allowed` groups of each lane arrive; with noTarget
// (wait_all), also what is in no group yet.
Interpreter::Step Interpreter::asyncWait(Warp &warp, uint32_t allowed,
                                         uint32_t mask) {
  for (PendingCopy &copy : warp.copies) {
    uint32_t arriving = 0;
    for (uint32_t rest = copy.mask & mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      bool isDue = allowed == noTarget ||
                   uint64_t(copy.group[lane]) + allowed < warp.committed[lane];
      arriving |= isDue ? 1u << lane : 0;
    }
    if (arriving)
      deliver(copy, arriving,
              checksShared ? detector.stamp(warp.index, copy.pc, false)
                           : Stamp());
  }
  dropDelivered(warp);
  return Step::Next;
}

void Interpreter::dropDelivered(Warp &warp) {
  warp.copies.erase(
      std::remove_if(warp.copies.begin(), warp.copies.end(),
                     [](const PendingCopy &copy) { return copy.mask == 0; }),
      warp.copies.end());
}

/// The bytes of `mask` arrive, as accesses of `arrived` or, if that is by
/// one thread, by each lane.
void Interpreter::deliver(PendingCopy &copy, uint32_t mask, Stamp arrived) {
  copy.mask &= ~mask;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint8_t *destination = sharedStorage.data() + copy.destination[lane];
    uint32_t read = copy.sourceBytes[lane];
    if (read)
      std::memcpy(destination, copy.source[lane], read);
    std::memset(destination + read, 0, copy.bytes - read);
    if (checksShared)
      detector.deliver(copy.stamp.byLane(lane),
                       arrived.lane() == Stamp::severalLanes
                           ? arrived
                           : arrived.byLane(lane),
                       copy.destination[lane], copy.bytes);
  }
}
