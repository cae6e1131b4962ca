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
  clock.assign(warps, 1);
  seen.assign(size_t(warps) * warps, 0);
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

bool RaceDetector::readRecord(Record &record, Stamp me,
                              Conflict &conflict) const {
  if (!isOrdered(record.writer, me)) {
    conflict.kind = record.writer.isPending() ? Conflict::PendingCopy
                                              : Conflict::ReadAfterWrite;
    conflict.other = record.writer;
    return false;
  }
  Stamp &last = record.readers[0];
  if (last && last.warp() != me.warp()) {
    record.readers[1] = last;
  } else if (last && last.period() == me.period() && last.lane() != me.lane()) {
    last = me.byLane(Stamp::severalLanes);
    return true;
  }
  last = me;
  return true;
}

bool RaceDetector::writeRecord(Record &record, Stamp me,
                               Conflict &conflict) const {
  bool bothAtomic = record.writer.isAtomic() && me.isAtomic();
  if (!bothAtomic && !isOrdered(record.writer, me)) {
    conflict.kind = record.writer.isPending() ? Conflict::PendingCopy
                                              : Conflict::WriteAfterWrite;
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
  if (!uninitialized)
    return true;
  const uint8_t *first = written.data() + address;
  if (!std::memchr(first, 0, count))
    return true;
  for (uint32_t i = 0; i < count; ++i)
    if (!first[i] && used >> i & 1) {
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
  if (races && !forEachRecord(address, count, visit))
    return false;
  if (uninitialized && !me.isPending())
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

bool RaceDetector::barrier(uint32_t waiting, uint32_t arrived) {
  std::vector<uint32_t> joined(warpCount, 0);
  for (uint32_t warp = 0; warp < warpCount; ++warp) {
    if (!(arrived >> warp & 1))
      continue;
    for (uint32_t other = 0; other < warpCount; ++other)
      joined[other] = std::max(joined[other], seen[warp * warpCount + other]);
    joined[warp] = std::max(joined[warp], clock[warp]);
  }
  for (uint32_t warp = 0; warp < warpCount; ++warp) {
    if (waiting >> warp & 1)
      std::copy(joined.begin(), joined.end(),
                seen.begin() + std::ptrdiff_t(warp) * warpCount);
    if ((arrived >> warp & 1) && ++clock[warp] == Stamp::maxPeriod)
      return false;
  }
  return true;
}

bool RaceDetector::warpBarrier(uint32_t warp) {
  return ++clock[warp] != Stamp::maxPeriod;
}
