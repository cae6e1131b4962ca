//===- InterpretBulk.cpp - Execution of bulk copies -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread of the instruction begins a copy of its own. Both sides are
// checked then; the bytes move as late as PTX allows: into shared memory when a
// wait needs them for the phase of their mbarrier, out of it when the thread
// waits for its group, and into global memory at the latest when the block
// ends.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

/// Copies in flight of a block: a bound on what a loop without waits piles up.
static constexpr size_t maxBulkCopies = 1u << 16;

//===----------------------------------------------------------------------===//
// Begin
//===----------------------------------------------------------------------===//

bool Interpreter::checkBulkAlignment(Warp &warp, unsigned lane,
                                     uint64_t address, uint32_t alignment,
                                     const char *what) {
  if (!checks(CheckAlignment) || address % alignment == 0)
    return true;
  return fail(warp, lane, CheckAlignment,
              "misaligned bulk copy: expected a multiple of " +
                  std::to_string(alignment) + " as the address of its " + what +
                  ", got one that is " + std::to_string(address % alignment) +
                  " bytes past");
}

/// The address, within shared memory, of one lane's operand; false after a
/// fault.
bool Interpreter::resolveBulkShared(Warp &warp, unsigned lane,
                                    const Address &operand, Space space,
                                    uint32_t bytes, bool isWrite,
                                    uint32_t &address) {
  Target target;
  target.space = space;
  target.mask = 1u << lane;
  readAddresses(warp, operand, target.addresses);
  if (!resolveShared(warp, bytes, isWrite, target))
    return false;
  address = static_cast<uint32_t>(target.addresses[lane]);
  return true;
}

Interpreter::Step Interpreter::bulkCopy(Warp &warp,
                                        const Instruction &instruction,
                                        uint32_t mask) {
  const BulkInfo &info = kernel.bulkCopies[instruction.detail];
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    BulkCopy copy;
    copy.toGlobal = info.toGlobal;
    if (info.rank) {
      if (!locateTensor(warp, lane, info, copy) ||
          !beginCopies(warp, lane, info, copy))
        return Step::Fault;
      continue;
    }
    copy.bytes = lanes<uint32_t>(warp, info.bytes)[lane];
    if (copy.bytes % 16 != 0) {
      fail(warp, lane, 0,
           "expected a bulk copy of a multiple of 16 bytes, got " +
               std::to_string(copy.bytes));
      return Step::Fault;
    }
    if (copy.bytes == 0)
      continue;
    if (!locateBulk(warp, lane, info, copy) ||
        !beginCopies(warp, lane, info, copy))
      return Step::Fault;
  }
  return Step::Next;
}

bool Interpreter::beginCopies(Warp &warp, unsigned lane, const BulkInfo &info,
                              BulkCopy &copy) {
  if (info.blocks == noRegister)
    return beginBulk(warp, lane, copy);
  return beginMulticast(warp, lane, copy,
                        lanes<uint16_t>(warp, info.blocks)[lane]);
}

/// To the same place in each block of the cluster whose bit is set in `ranks`.
bool Interpreter::beginMulticast(Warp &warp, unsigned lane,
                                 const BulkCopy &copy, uint32_t ranks) {
  if (ranks == 0 || ranks >> blocks.size())
    return fail(warp, lane, 0,
                "expected a mask of some of the " +
                    std::to_string(blocks.size()) +
                    " blocks of the cluster, got " + std::to_string(ranks));
  for (uint32_t rest = ranks; rest; rest &= rest - 1) {
    uint32_t base = static_cast<uint32_t>(__builtin_ctz(rest)) * sharedStride;
    BulkCopy one = copy;
    one.shared = base + copy.shared % sharedStride;
    one.mbarrier = base + copy.mbarrier % sharedStride;
    if (!beginBulk(warp, lane, one))
      return false;
  }
  return true;
}

/// Finds and checks both sides and the mbarrier.
bool Interpreter::locateBulk(Warp &warp, unsigned lane, const BulkInfo &info,
                             BulkCopy &copy) {
  if (!resolveBulkShared(warp, lane, info.shared, info.sharedSpace, copy.bytes,
                         !info.toGlobal, copy.shared) ||
      !checkBulkAlignment(warp, lane, copy.shared, 16, "shared side"))
    return false;
  if (!info.toGlobal &&
      !resolveBulkShared(warp, lane, info.mbarrier, info.sharedSpace, 8, true,
                         copy.mbarrier))
    return false;
  if (info.fromShared) {
    if (!resolveBulkShared(warp, lane, info.other, Space::Shared, copy.bytes,
                           false, copy.sharedSource) ||
        !checkBulkAlignment(warp, lane, copy.sharedSource, 16, "source"))
      return false;
    copy.pieces.push_back(
        {0, copy.bytes, sharedStorage.data() + copy.sharedSource});
    return true;
  }
  Target target;
  target.space = Space::Global;
  target.mask = 1u << lane;
  readAddresses(warp, info.other, target.addresses);
  if (!checkBulkAlignment(warp, lane, target.addresses[lane], 16,
                          "global side") ||
      !resolveGlobal(warp, copy.bytes, info.toGlobal, target) ||
      !checkGlobalAccess(warp, lane, target.addresses[lane], copy.bytes,
                         info.toGlobal, nullptr))
    return false;
  copy.pieces.push_back({0, copy.bytes, target.pointers[lane]});
  return true;
}

/// Whether the mbarrier may count the bytes of a copy by this thread.
bool Interpreter::checkBulkMbarrier(Warp &warp, unsigned lane,
                                    const BulkCopy &copy) {
  Mbarrier *barrier = findMbarrier(warp, copy.mbarrier, 1u << lane);
  if (!barrier)
    return false;
  if (!detector.checksRaces() || barrier->isInitFenced)
    return true;
  Stamp me = detector.stamp(warp.index, pc, false).byLane(lane);
  if (detector.isFenced(barrier->initialised, me))
    return true;
  return fail(warp, lane, CheckRaces,
              "race: bulk copy to the " + describeMbarrier(copy.mbarrier) +
                  ", which " + describeStamp(barrier->initialised) +
                  " initialised in " +
                  describeInstruction(barrier->initialised.pc()) +
                  ": expected fence.mbarrier_init or fence.proxy.async after "
                  "that");
}

bool Interpreter::beginBulk(Warp &warp, unsigned lane, BulkCopy &copy) {
  copy.pc = pc;
  copy.warp = warp.index;
  copy.lane = lane;
  copy.group = warp.bulkCommitted[lane];
  if (bulkCopies.size() == maxBulkCopies)
    return fail(warp, lane, 0,
                "expected at most " + std::to_string(maxBulkCopies) +
                    " bulk copies in flight");
  uint32_t rank = copy.shared / sharedStride;
  if (blocks[rank].running == 0)
    return failEnded(warp, lane, rank);
  if (!copy.toGlobal && copy.mbarrier / sharedStride != rank)
    return fail(warp, lane, 0,
                "expected an mbarrier in the block that the copy goes to, got "
                "the " +
                    describeMbarrier(copy.mbarrier));
  if (!copy.toGlobal && !checkBulkMbarrier(warp, lane, copy))
    return false;
  ++changes;
  if (checksShared) {
    copy.begun = detector.stamp(warp.index, pc, false).byLane(lane);
    uint32_t source = copy.toGlobal ? copy.shared : copy.sharedSource;
    Conflict conflict;
    if (source &&
        !detector.beginBulkRead(copy.begun, source, copy.bytes, conflict))
      return reportConflict(warp, lane, copy.bytes, false, conflict);
    if (!copy.toGlobal &&
        !detector.beginBulkWrite(copy.begun, copy.shared, copy.bytes, conflict))
      return reportConflict(warp, lane, copy.bytes, true, conflict);
  }
  bulkCopies.push_back(std::move(copy));
  return true;
}

//===----------------------------------------------------------------------===//
// End
//===----------------------------------------------------------------------===//

/// The bytes are in shared memory, and the mbarrier counts them.
void Interpreter::deliverBulk(BulkCopy &copy, Mbarrier &barrier) {
  for (const BulkCopy::Piece &piece : copy.pieces) {
    uint8_t *to = sharedStorage.data() + copy.shared + piece.offset;
    if (piece.other)
      std::memmove(to, piece.other, piece.bytes);
    else
      std::memset(to, 0, piece.bytes);
  }
  barrier.tx -= static_cast<int32_t>(copy.bytes);
  copy.isDone = true;
  if (!checksShared)
    return;
  Stamp arrived(barrier.period, barrier.agent, Stamp::severalLanes, copy.pc,
                false);
  detector.deliver(copy.begun.pending(), arrived, copy.shared, copy.bytes);
  if (copy.sharedSource)
    detector.endBulkRead(copy.begun, arrived, copy.sharedSource, copy.bytes);
}

void Interpreter::readBulk(BulkCopy &copy) {
  if (!copy.read.empty())
    return;
  const uint8_t *from = sharedStorage.data() + copy.shared;
  copy.read.assign(from, from + copy.bytes);
  if (checksShared)
    detector.endBulkRead(
        copy.begun, detector.stamp(copy.warp, copy.pc, false).byLane(copy.lane),
        copy.shared, copy.bytes);
}

void Interpreter::writeBulk(BulkCopy &copy) {
  for (const BulkCopy::Piece &piece : copy.pieces)
    if (piece.other)
      std::memcpy(piece.other, copy.read.data() + piece.offset, piece.bytes);
  copy.isDone = true;
}

void Interpreter::dropDoneBulk() {
  bulkCopies.erase(
      std::remove_if(bulkCopies.begin(), bulkCopies.end(),
                     [](const BulkCopy &copy) { return copy.isDone; }),
      bulkCopies.end());
}

/// All but the last `allowed` groups of each lane of `mask` are read and, but
/// for a wait with .read, written.
void Interpreter::bulkWait(Warp &warp, uint32_t allowed, bool onlyRead,
                           uint32_t mask) {
  for (BulkCopy &copy : bulkCopies) {
    if (!copy.toGlobal || copy.warp != warp.index || !(mask >> copy.lane & 1) ||
        uint64_t(copy.group) + allowed >= warp.bulkCommitted[copy.lane])
      continue;
    readBulk(copy);
    if (!onlyRead)
      writeBulk(copy);
  }
  dropDoneBulk();
}

// The block's shared memory ends with it: no copy may need it any more.
bool Interpreter::finishBulk() {
  for (BulkCopy &copy : bulkCopies) {
    if (!copy.read.empty()) {
      writeBulk(copy);
    } else if (checks(CheckRaces)) {
      pc = copy.pc;
      return fail(warps[copy.warp], copy.lane, CheckRaces,
                  std::string("the block ended before this bulk copy: "
                              "expected ") +
                      (copy.toGlobal ? "cp.async.bulk.commit_group and a wait "
                                       "for the group"
                                     : "a wait for its mbarrier"));
    }
  }
  return true;
}
