//===- RaceDetectorBulk.cpp - Races of bulk copies and mbarriers ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written is marked until it has arrived; what is read is kept in a
// list, as there are few bulk copies at a time.
//
//===----------------------------------------------------------------------===//

#include "RaceDetector.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

// A write by another bulk copy needs no fence: that it is known to be over is
// enough.
bool RaceDetector::needsFence(Stamp earlier, Stamp me) const {
  return earlier && !earlier.isClosed() && earlier.agent() < warpCount &&
         !isFenced(earlier, me);
}

bool RaceDetector::checkFence(const Record &record, Stamp me,
                              Conflict &conflict) const {
  if (!needsFence(record.writer, me))
    return true;
  conflict.kind = Conflict::MissingFence;
  conflict.other = record.writer;
  return false;
}

bool RaceDetector::checkFenceOfReaders(const Record &record, Stamp me,
                                       Conflict &conflict) const {
  for (Stamp reader : record.readers) {
    if (!needsFence(reader, me))
      continue;
    conflict.kind = Conflict::MissingFenceOfRead;
    conflict.other = reader;
    return false;
  }
  return true;
}

bool RaceDetector::checkBulkReads(uint32_t address, uint32_t count,
                                  Conflict &conflict) const {
  for (const BulkRead &read : bulkReads)
    if (address < read.address + read.count && read.address < address + count) {
      conflict.kind = Conflict::PendingRead;
      conflict.address = std::max(address, read.address);
      conflict.other = read.stamp;
      return false;
    }
  return true;
}

bool RaceDetector::beginBulkWrite(Stamp me, uint32_t address, uint32_t count,
                                  Conflict &conflict) {
  if (!races)
    return true;
  const uint32_t *row = order.row(me.agent());
  return checkBulkReads(address, count, conflict) &&
         forEachRecord(address, count, [&](Record &record, uint32_t at) {
           conflict.address = at;
           Record before = record;
           return writeRecord(record, me.pending(), row, conflict) &&
                  checkFence(before, me, conflict) &&
                  checkFenceOfReaders(before, me, conflict);
         });
}

bool RaceDetector::beginBulkRead(Stamp me, uint32_t address, uint32_t count,
                                 Conflict &conflict) {
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    if (isOrdered(record.writer, me))
      return checkFence(record, me, conflict);
    conflict.kind =
        Conflict::afterWriter(record.writer, Conflict::ReadAfterWrite);
    conflict.other = record.writer;
    return false;
  };
  if (races && !forEachRecord(address, count, visit))
    return false;
  if (races)
    bulkReads.push_back({me, address, count});
  return checkWritten(address, count, ~0ull, conflict);
}

void RaceDetector::endBulkRead(Stamp begun, Stamp me, uint32_t address,
                               uint32_t count) {
  auto isIt = [&](const BulkRead &read) {
    return read.stamp == begun && read.address == address &&
           read.count == count;
  };
  auto found = std::find_if(bulkReads.begin(), bulkReads.end(), isIt);
  if (found == bulkReads.end())
    return;
  bulkReads.erase(found);
  // It was checked when it began.
  forEachRecord(address, count, [&](Record &record, uint32_t) {
    Stamp &last = record.readers[0];
    if (last && last.agent() != me.agent())
      record.readers[1] = last;
    bool isOther =
        last && last.agent() == me.agent() && last.lane() != me.lane();
    last = isOther ? me.byLane(Stamp::severalLanes) : me;
    return true;
  });
}

bool RaceDetector::makeMbarrier(Stamp me, uint32_t address,
                                Conflict &conflict) {
  if (!write(me, address, 8, conflict))
    return false;
  if (races)
    forEachRecord(address, 8, [&](Record &record, uint32_t) {
      record.writer = me.mbarrier();
      return true;
    });
  return true;
}

// What the bytes hold afterwards is nobody's to read.
void RaceDetector::endMbarrier(Stamp me, uint32_t address) {
  if (races)
    forEachRecord(address, 8, [&](Record &record, uint32_t) {
      record.writer = me;
      return true;
    });
  if (uninitialized)
    std::memset(written.data() + address, 0, 8);
}
