//===- InterpretShared.cpp - Races and uninitialised reads ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the race detector is told of shared memory, and what it answers.
//
//===----------------------------------------------------------------------===//

#include "AccessPatterns.h"
#include "Interpreter.h"

#include <cstring>

using namespace nm::emulator;

// Lanes that read one place are recorded together. Only when that fails they
// are looked at one by one, for the message.
bool Interpreter::checkSharedRead(Warp &warp, const Target &target,
                                  uint32_t bytes, uint64_t usedBytes) {
  Stamp stamp = detector.stamp(warp.index, pc, false);
  Conflict conflict;
  UniqueAddresses unique(target.addresses, target.mask);
  bool isClean = true;
  for (unsigned i = 0; i < unique.count && isClean; ++i) {
    uint32_t who = unique.lanes[i];
    uint32_t lane = who & (who - 1) ? Stamp::severalLanes
                                    : static_cast<uint32_t>(__builtin_ctz(who));
    isClean = detector.read(stamp.byLane(lane), uint32_t(unique.addresses[i]),
                            bytes, usedBytes, conflict);
  }
  for (uint32_t rest = isClean ? 0 : target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (!detector.read(stamp.byLane(lane), uint32_t(target.addresses[lane]),
                       bytes, usedBytes, conflict))
      return reportConflict(warp, lane, bytes, false, conflict);
  }
  return true;
}

// Two lanes of one instruction may write the same value to the same place.
bool Interpreter::checkSharedWrite(Warp &warp, const Target &target,
                                   uint32_t bytes, bool isAtomic,
                                   const uint8_t *values,
                                   uint32_t valueStride) {
  Stamp stamp = detector.stamp(warp.index, pc, isAtomic);
  Conflict conflict;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    Stamp me = stamp.byLane(lane);
    uint32_t address = static_cast<uint32_t>(target.addresses[lane]);
    if (detector.write(me, address, bytes, conflict))
      continue;
    uint32_t other = conflict.other.lane();
    if (values && other < warpSize && conflict.other == stamp.byLane(other) &&
        target.addresses[other] == address &&
        std::memcmp(values + lane * valueStride, values + other * valueStride,
                    bytes) == 0)
      continue;
    return reportConflict(warp, lane, bytes, true, conflict);
  }
  return true;
}

bool Interpreter::reportConflict(Warp &warp, unsigned lane, uint32_t bytes,
                                 bool isWrite, const Conflict &conflict) {
  std::string access = std::string(isWrite ? "write of " : "read of ") +
                       std::to_string(bytes) + " bytes of shared memory";
  std::string byte = describeShared(conflict.address);
  if (conflict.kind == Conflict::Uninitialized)
    return fail(warp, lane, CheckUninitialized,
                "uninitialised " + access + " at " + byte +
                    ": expected a write of it earlier in the block");
  const Stamp &other = conflict.other;
  std::string who = describeStamp(other);
  std::string where = describeInstruction(other.pc());
  auto race = [&](const std::string &what) {
    return fail(warp, lane, CheckRaces,
                "race: " + access + " at " + byte + what);
  };
  switch (conflict.kind) {
  case Conflict::PendingCopy:
    return race(", where the copy that " + who + " began in " + where +
                " has not arrived: expected a wait for it (cp.async.wait_group "
                "and, in other threads, a barrier; or a wait for its mbarrier) "
                "between them");
  case Conflict::PendingRead:
    return race(", which the copy that " + who + " began in " + where +
                " has not read: expected cp.async.bulk.wait_group.read and, in "
                "other threads, a barrier between them");
  case Conflict::MissingFence:
    return race(", which " + who + " wrote in " + where +
                ": expected fence.proxy.async between them");
  case Conflict::MissingFenceOfRead:
    return race(
        ", which " + who + " read in " + where +
        ": expected fence.proxy.async between them, for the copy engine "
        "may write before the read is done");
  case Conflict::Mbarrier:
    return race(", which is an mbarrier that " + who + " made in " + where +
                ": expected mbarrier instructions only, or mbarrier.inval and "
                "a barrier between them");
  default:
    break;
  }
  bool otherWrote = conflict.kind != Conflict::WriteAfterRead;
  return race(", which " + who + (otherWrote ? " wrote in " : " read in ") +
              where + ": expected a barrier between them");
}
