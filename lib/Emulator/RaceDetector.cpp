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

bool RaceDetector::isOrderedByLane(Stamp earlier, Stamp me) const {
  return (earlier.agent() == me.agent() && earlier.lane() == me.lane()) ||
         order.knowsInPart(me.agent(), me.lane(), earlier);
}

bool RaceDetector::readRecord(Record &record, Stamp me, const uint32_t *row,
                              Conflict &conflict) const {
  if (!isOrdered(record.writer, me, row)) {
    conflict.kind =
        Conflict::afterWriter(record.writer, Conflict::ReadAfterWrite);
    conflict.other = record.writer;
    return false;
  }
  Stamp &last = record.readers[0];
  if (last && last.agent() != me.agent()) {
    record.readers[1] = last;
  } else if (last && last.lane() != me.lane() && !isOrdered(last, me, row)) {
    last = me.byLane(Stamp::severalLanes);
    return true;
  }
  last = me;
  return true;
}

bool RaceDetector::writeRecord(Record &record, Stamp me, const uint32_t *row,
                               Conflict &conflict) const {
  bool bothAtomic =
      record.writer.isAtomic() && me.isAtomic() && !record.writer.isClosed();
  if (!bothAtomic && !isOrdered(record.writer, me, row)) {
    conflict.kind =
        Conflict::afterWriter(record.writer, Conflict::WriteAfterWrite);
    conflict.other = record.writer;
    return false;
  }
  for (Stamp reader : record.readers)
    if (!isOrdered(reader, me, row)) {
      conflict.kind = Conflict::WriteAfterRead;
      conflict.other = reader;
      return false;
    }
  record.writer = me;
  record.readers[0] = record.readers[1] = Stamp();
  return true;
}

/// Calls `visit` for the records of a read, but for those of words that no
/// instruction uses: LLVM merges loads into wider ones.
template <typename Visit>
bool RaceDetector::forEachUsedWord(uint32_t address, uint32_t count,
                                   uint64_t used, Visit visit) {
  constexpr uint32_t word = 4, most = 64;
  uint64_t all = count < most ? (uint64_t(1) << count) - 1 : ~uint64_t(0);
  if (count <= word || count > most || address % word != 0 ||
      (used & all) == all)
    return forEachRecord(address, count, visit);
  for (uint32_t i = 0; i < count; i += word)
    if ((used >> i & 0xf) && !forEachRecord(address + i, word, visit))
      return false;
  return true;
}

bool RaceDetector::read(Stamp me, uint32_t address, uint32_t count,
                        uint64_t used, Conflict &conflict) {
  const uint32_t *row = order.row(me.agent());
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    return readRecord(record, me, row, conflict);
  };
  if (races && !forEachUsedWord(address, count, used, visit))
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
  const uint32_t *row = order.row(me.agent());
  auto visit = [&](Record &record, uint32_t at) {
    conflict.address = at;
    return writeRecord(record, me, row, conflict);
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
