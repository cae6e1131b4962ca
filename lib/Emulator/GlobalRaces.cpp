//===- GlobalRaces.cpp - Races between blocks in global memory ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks are one word each: the cluster above, its fences in the lowest byte.
// With more clusters or fences than fit, races may be missed.
//
//===----------------------------------------------------------------------===//

#include "GlobalRaces.h"

#include <algorithm>

using namespace nm::emulator;

GlobalRaces::Page &GlobalRaces::page(const Allocation &allocation,
                                     uint64_t offset) {
  if (!last || lastAddress != allocation.address) {
    last = &shadows[allocation.address];
    lastAddress = allocation.address;
    if (last->empty())
      last->resize(allocation.size / pageBytes + 1);
  }
  Page &result = (*last)[offset / pageBytes];
  if (result.entries.empty())
    result.entries.resize(pageBytes / result.unit);
  return result;
}

void GlobalRaces::splitPage(Page &page, uint32_t unit) {
  std::vector<Entry> smaller(pageBytes / unit);
  for (uint32_t i = 0; i < smaller.size(); ++i)
    smaller[i] = page.entries[i * unit / page.unit];
  page.entries = std::move(smaller);
  page.unit = unit;
}

bool GlobalRaces::isOrdered(Mark earlier, const Agent &me) const {
  if (earlier == 0 || earlier >> 8 == me.mark >> 8)
    return true;
  if (!me.hasAcquired)
    return false;
  auto found = fencesOf.find(earlier >> 8);
  return earlier >> 8 == several || (earlier & 255) == 255 ||
         (found != fencesOf.end() && found->second > (earlier & 255));
}

bool GlobalRaces::visit(Entry &entry, const Agent &me, bool isWrite,
                        Conflict &conflict) {
  // Mostly nobody else has written, or touched what is to be written.
  bool isOwn = (entry.writer == 0 || entry.writer == me.mark) &&
               (!isWrite || entry.reader == 0 || entry.reader == me.mark);
  Mark against = isOwn || isOrdered(entry.writer, me) ? 0 : entry.writer;
  conflict.otherWrote = against != 0;
  if (!isOwn && !against && isWrite && !isOrdered(entry.reader, me))
    against = entry.reader;
  if (against) {
    conflict.isSeveral = against >> 8 == several;
    conflict.cluster = (against >> 8) - 1;
    conflict.pc = conflict.otherWrote ? entry.writerPc : entry.readerPc;
    return false;
  }
  bool isFirst = entry.reader == 0 || entry.reader >> 8 == me.mark >> 8;
  if (isWrite) {
    entry = {me.mark, 0, me.pc, 0};
    return true;
  }
  entry.reader = isFirst ? me.mark : several << 8;
  entry.readerPc = me.pc;
  return true;
}

bool GlobalRaces::visitRange(const Agent &me, const Allocation &allocation,
                             uint64_t offset, uint64_t end, bool isWrite,
                             Conflict &conflict) {
  while (offset < end) {
    Page &in = page(allocation, offset);
    uint64_t base = offset & ~uint64_t(pageBytes - 1);
    uint64_t stop = std::min(end, base + pageBytes);
    if ((offset | stop) & (in.unit - 1))
      splitPage(in, (offset | stop) & 3 ? 1 : 4);
    for (; offset < stop; offset += in.unit)
      if (!visit(in.entries[(offset - base) / in.unit], me, isWrite,
                 conflict)) {
        conflict.address = allocation.address + offset;
        return false;
      }
  }
  return true;
}

bool GlobalRaces::access(const Agent &me, const Allocation &allocation,
                         uint64_t address, uint32_t bytes, bool isWrite,
                         Conflict &conflict) {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  if (isParallel)
    lock.lock();
  uint64_t offset = address - allocation.address;
  return visitRange(me, allocation, offset, offset + bytes, isWrite, conflict);
}

bool GlobalRaces::accessLanes(const Agent &me, const Allocation &allocation,
                              const uint64_t *addresses, uint32_t mask,
                              uint32_t bytes, bool isWrite) {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  if (isParallel)
    lock.lock();
  Conflict ignored;
  uint64_t begin = 0, end = 0;
  auto visitLanes = [&] {
    return end <= allocation.size &&
           visitRange(me, allocation, begin, end, isWrite, ignored);
  };
  // Lanes mostly touch the same bytes or those that follow.
  for (; mask; mask &= mask - 1) {
    uint64_t offset = addresses[__builtin_ctz(mask)] - allocation.address;
    if (offset > allocation.size)
      return false;
    if (offset == end) {
      end += bytes;
      continue;
    }
    if (offset == begin && end - begin == bytes)
      continue;
    if (!visitLanes())
      return false;
    begin = offset;
    end = offset + bytes;
  }
  return visitLanes();
}

bool GlobalRaces::find(const Allocation &allocation, uint64_t address,
                       uint32_t bytes, bool isWrite, Conflict &conflict) const {
  auto pages = shadows.find(allocation.address);
  if (pages == shadows.end())
    return false;
  uint64_t offset = address - allocation.address, end = offset + bytes;
  while (offset < end) {
    const Page &in = pages->second[offset / pageBytes];
    uint64_t base = offset & ~uint64_t(pageBytes - 1);
    uint64_t stop = std::min(end, base + pageBytes);
    for (; offset < stop && !in.entries.empty();
         offset = (offset | (in.unit - 1)) + 1) {
      const Entry &entry = in.entries[(offset - base) / in.unit];
      conflict.otherWrote = entry.writer != 0;
      if (!conflict.otherWrote && !(isWrite && entry.reader))
        continue;
      conflict.address = allocation.address + offset;
      conflict.pc = conflict.otherWrote ? entry.writerPc : entry.readerPc;
      return true;
    }
    offset = stop;
  }
  return false;
}

void GlobalRaces::fence(Agent &agent) {
  std::lock_guard<std::mutex> lock(mutex);
  if ((agent.mark & 255) < 255)
    ++agent.mark;
  fencesOf[agent.mark >> 8] = agent.mark & 255;
}
