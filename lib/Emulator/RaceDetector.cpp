//===- RaceDetector.cpp - Who touched which byte of shared memory ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words are the unit as long as accesses cover them whole; a word is split into
// bytes, for good, when a smaller access comes.
//
//===----------------------------------------------------------------------===//

#include "RaceDetector.h"

#include "nm/Base/Assert.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

void RaceDetector::reset(uint32_t size, uint32_t warps, bool checkRaces,
                         bool checkUninitialized) {
  races = checkRaces;
  uninitialized = checkUninitialized;
  warpCount = warps;
  fences = false;
  agents = warps;
  clock.assign(warps, 1);
  order.reset(warps);
  bulkReads.clear();
  if (races) {
    words.assign((size + 3) / 4, Record());
    split.assign((size + 3) / 4, 0);
    bytes.assign(1, Record()); // Index 0 means "not split".
  }
  if (uninitialized)
    written.assign(size, 0);
}

template <class Visit>
bool RaceDetector::forEachRecord(uint32_t address, uint32_t count,
                                 Visit visit) {
  uint32_t end = address + count;
  NM_ASSERT((uint64_t(address) + count + 3) / 4 <= words.size(),
            "an access lies in shared memory, as was checked before");
  while (address < end) {
    uint32_t word = address / 4;
    bool isWhole = address % 4 == 0 && end - address >= 4;
    if (isWhole && !split[word]) {
      if (!visit(words[word], address))
        return false;
      address += 4;
      continue;
    }
    if (!split[word]) {
      split[word] = static_cast<uint32_t>(bytes.size());
      bytes.insert(bytes.end(), 4, words[word]);
    }
    if (!visit(bytes[split[word] + address % 4], address))
      return false;
    ++address;
  }
  return true;
}

/// Why an access does not come after the last write.
static Conflict::Kind writerConflict(Stamp writer, Conflict::Kind open) {
  if (!writer.isClosed())
    return open;
  return writer.isMbarrier() ? Conflict::Mbarrier : Conflict::PendingCopy;
}

bool RaceDetector::readRecord(Record &record, Stamp me,
                              Conflict &conflict) const {
  if (!isOrdered(record.writer, me)) {
    conflict.kind = writerConflict(record.writer, Conflict::ReadAfterWrite);
    conflict.other = record.writer;
    return false;
  }
  Stamp &last = record.readers[0];
  if (last && last.agent() != me.agent()) {
    record.readers[1] = last;
  } else if (last && last.lane() != me.lane() && !isOrdered(last, me)) {
    last = me.byLane(Stamp::severalLanes);
    return true;
  }
  last = me;
  return true;
}

bool RaceDetector::writeRecord(Record &record, Stamp me,
                               Conflict &conflict) const {
  bool bothAtomic =
      record.writer.isAtomic() && me.isAtomic() && !record.writer.isClosed();
  if (!bothAtomic && !isOrdered(record.writer, me)) {
    conflict.kind = writerConflict(record.writer, Conflict::WriteAfterWrite);
    conflict.other = record.writer;
    return false;
  }
  for (Stamp reader : record.readers)
    if (!isOrdered(reader, me)) {
      conflict.kind = Conflict::WriteAfterRead;
      conflict.other = reader;
      return false;
    }
  record.writer = me;
  record.readers[0] = record.readers[1] = Stamp();
  return true;
}

bool RaceDetector::read(Stamp me, uint32_t address, uint32_t count,
                        uint64_t used, Conflict &conflict) {
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    return readRecord(record, me, conflict);
  };
  if (races && !forEachRecord(address, count, visit))
    return false;
  return checkWritten(address, count, used, conflict);
}

bool RaceDetector::checkWritten(uint32_t address, uint32_t count, uint64_t used,
                                Conflict &conflict) const {
  if (!uninitialized)
    return true;
  const uint8_t *first = written.data() + address;
  if (!std::memchr(first, 0, count))
    return true;
  for (uint32_t i = 0; i < count; ++i)
    if (!first[i] && (i >= 64 || (used >> i & 1))) {
      conflict.kind = Conflict::Uninitialized;
      conflict.address = address + i;
      return false;
    }
  return true;
}

bool RaceDetector::write(Stamp me, uint32_t address, uint32_t count,
                         Conflict &conflict) {
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    return writeRecord(record, me, conflict);
  };
  if (races && (!checkBulkReads(address, count, conflict) ||
                !forEachRecord(address, count, visit)))
    return false;
  if (uninitialized && !me.isClosed())
    std::memset(written.data() + address, 1, count);
  return true;
}

void RaceDetector::deliver(Stamp begun, Stamp me, uint32_t address,
                           uint32_t count) {
  if (races)
    forEachRecord(address, count, [&](Record &record, uint32_t) {
      if (record.writer == begun)
        record.writer = me;
      return true;
    });
  if (uninitialized)
    std::memset(written.data() + address, 1, count);
}

//===----------------------------------------------------------------------===//
// Bulk copies and mbarriers
//===----------------------------------------------------------------------===//

// A write by another bulk copy needs no fence: that it is known to be over is
// enough.
bool RaceDetector::checkFence(const Record &record, Stamp me,
                              Conflict &conflict) const {
  if (!record.writer || record.writer.isClosed() ||
      record.writer.agent() >= warpCount || isFenced(record.writer, me))
    return true;
  conflict.kind = Conflict::MissingFence;
  conflict.other = record.writer;
  return false;
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
  return checkBulkReads(address, count, conflict) &&
         forEachRecord(address, count, [&](Record &record, uint32_t at) {
           conflict.address = at;
           Record before = record;
           return writeRecord(record, me.pending(), conflict) &&
                  checkFence(before, me, conflict);
         });
}

bool RaceDetector::beginBulkRead(Stamp me, uint32_t address, uint32_t count,
                                 Conflict &conflict) {
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    if (isOrdered(record.writer, me))
      return checkFence(record, me, conflict);
    conflict.kind = writerConflict(record.writer, Conflict::ReadAfterWrite);
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

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool RaceDetector::release(uint32_t warp, uint32_t lanes, Released &to) {
  if (!races)
    return true;
  order.give(warp, lanes, to.order);
  to.order.add(warp, lanes, clock[warp]);
  if (fences)
    fenced.give(warp, lanes, to.fenced);
  return ++clock[warp] < Stamp::maxPeriod;
}

void RaceDetector::acquire(uint32_t warp, uint32_t lanes,
                           const Released &from) {
  if (!races)
    return;
  order.take(warp, lanes, from.order);
  if (fences)
    fenced.take(warp, lanes, from.fenced);
}

bool RaceDetector::warpBarrier(uint32_t warp, uint32_t lanes) {
  if (!races)
    return true;
  bool isWhole = lanes == 0xffffffffu;
  if (isWhole && !fences && order.takeOwn(warp, clock[warp]))
    return ++clock[warp] < Stamp::maxPeriod;
  Released shared;
  bool fits = release(warp, lanes, shared);
  acquire(warp, lanes, shared);
  return fits;
}

bool RaceDetector::proxyFence(uint32_t warp, uint32_t lanes) {
  if (!races)
    return true;
  if (!fences) {
    fences = true;
    fenced.reset(warpCount);
    for (uint32_t agent = warpCount; agent < agents; ++agent)
      fenced.addAgent();
  }
  Released before;
  bool fits = release(warp, lanes, before);
  fenced.take(warp, lanes, before.order);
  return fits;
}

uint32_t RaceDetector::addAgent() {
  if (agents == Stamp::maxAgents)
    return agents;
  order.addAgent();
  if (fences)
    fenced.addAgent();
  return agents++;
}
