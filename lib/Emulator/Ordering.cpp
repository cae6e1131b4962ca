//===- Ordering.cpp - What threads know to be over ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts are few: the lanes that one instruction of a warp elects. They vanish
// when the whole warp knows as much.
//
//===----------------------------------------------------------------------===//

#include "Ordering.h"

#include <algorithm>
#include <cstddef>

using namespace nm::emulator;

static constexpr uint32_t allLanes = 0xffffffffu;

static bool covers(uint32_t lanes, uint32_t lane) {
  return lane < 32 ? (lanes >> lane & 1) != 0 : lanes == allLanes;
}

/// Whether all that `a` says follows from `b`.
static bool follows(const Known::Part &a, const Known::Part &b) {
  return a.agent == b.agent && a.period <= b.period &&
         (a.lanes & ~b.lanes) == 0;
}

//===----------------------------------------------------------------------===//
// Known
//===----------------------------------------------------------------------===//

void Known::clear() {
  periods.clear();
  parts.clear();
}

void Known::add(uint32_t agent, uint32_t lanes, uint32_t period) {
  if (lanes == allLanes) {
    if (periods.size() <= agent)
      periods.resize(agent + 1, 0);
    periods[agent] = std::max(periods[agent], period);
    return;
  }
  Part added = {agent, lanes, period};
  for (Part &part : parts) {
    if (follows(added, part))
      return;
    if (follows(part, added)) {
      part = added;
      return;
    }
  }
  parts.push_back(added);
}

void Known::add(const Known &other) {
  if (periods.size() < other.periods.size())
    periods.resize(other.periods.size(), 0);
  for (size_t agent = 0; agent < other.periods.size(); ++agent)
    periods[agent] = std::max(periods[agent], other.periods[agent]);
  for (const Part &part : other.parts)
    add(part.agent, part.lanes, part.period);
}

//===----------------------------------------------------------------------===//
// Ordering
//===----------------------------------------------------------------------===//

void Ordering::reset(uint32_t warps) {
  agents = stride = warps;
  known.assign(size_t(warps) * stride, 0);
  parts.assign(warps, {});
}

void Ordering::addAgent() {
  if (++agents <= stride)
    return;
  uint32_t wider = stride + std::max(stride, 16u);
  std::vector<uint32_t> moved(parts.size() * wider, 0);
  for (size_t warp = 0; warp < parts.size(); ++warp)
    std::copy_n(known.begin() + std::ptrdiff_t(warp * stride), stride,
                moved.begin() + std::ptrdiff_t(warp * wider));
  known = std::move(moved);
  stride = wider;
}

bool Ordering::knowsInPart(uint32_t warp, uint32_t lane, Stamp earlier) const {
  return std::any_of(parts[warp].begin(), parts[warp].end(),
                     [&](const Part &part) {
                       return part.of.agent == earlier.agent() &&
                              earlier.period() <= part.of.period &&
                              covers(part.readers, lane) &&
                              covers(part.of.lanes, earlier.lane());
                     });
}

void Ordering::give(uint32_t warp, uint32_t lanes, Known &to) const {
  if (to.periods.size() < agents)
    to.periods.resize(agents, 0);
  const uint32_t *own = known.data() + size_t(warp) * stride;
  for (uint32_t agent = 0; agent < agents; ++agent)
    to.periods[agent] = std::max(to.periods[agent], own[agent]);
  for (const Part &part : parts[warp])
    if (part.readers & lanes)
      to.add(part.of.agent, part.of.lanes, part.of.period);
}

void Ordering::learn(uint32_t warp, uint32_t readers, const Known::Part &of) {
  uint32_t &period = known[size_t(warp) * stride + of.agent];
  if (of.period <= period)
    return;
  if (readers == allLanes && of.lanes == allLanes) {
    period = of.period;
    return;
  }
  for (Part &part : parts[warp]) {
    if ((readers & ~part.readers) == 0 && follows(of, part.of))
      return;
    if ((part.readers & ~readers) == 0 && follows(part.of, of)) {
      part = {readers, of};
      return;
    }
  }
  parts[warp].push_back({readers, of});
}

void Ordering::take(uint32_t warp, uint32_t lanes, const Known &from) {
  for (uint32_t agent = 0; agent < from.periods.size(); ++agent)
    learn(warp, lanes, {agent, allLanes, from.periods[agent]});
  for (const Known::Part &part : from.parts)
    learn(warp, lanes, part);
  if (lanes != allLanes)
    return;
  const uint32_t *own = known.data() + size_t(warp) * stride;
  std::vector<Part> &mine = parts[warp];
  mine.erase(std::remove_if(mine.begin(), mine.end(),
                            [&](const Part &part) {
                              return part.of.period <= own[part.of.agent];
                            }),
             mine.end());
}

bool Ordering::takeOwn(uint32_t warp, uint32_t period) {
  if (!parts[warp].empty())
    return false;
  known[size_t(warp) * stride + warp] = period;
  return true;
}
