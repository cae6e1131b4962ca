//===- EarlierGrids.cpp - Launches that may still run ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlierGrids.h"

#include <algorithm>

using namespace nm::emulator;

EarlierGrids &EarlierGrids::of(Memory &memory) {
  if (!memory.earlierGrids)
    memory.earlierGrids = std::make_unique<EarlierGrids>();
  return *memory.earlierGrids;
}

// Who knows of the end of a grid that waited knows of the end of the one
// before it, too.
void EarlierGrids::begin(bool isDependent) {
  if (!isDependent)
    records.clear();
  if (records.empty())
    return;
  size_t last = records.size() - 1;
  bool isKnown = records[last].grid->holdsBack;
  for (size_t i = last; isKnown && i-- > 0; isKnown = records[i].grid->waits)
    records[i].hasEnded = true;
  auto runs = [](const Record &record) { return !record.hasEnded; };
  records.erase(records.begin(),
                std::find_if(records.begin(), records.end(), runs));
  isKnown = true;
  for (size_t i = records.size(); i-- > 0;) {
    records[i].outlivesWait = !isKnown && !records[i].hasEnded;
    isKnown = isKnown && records[i].grid->waits;
  }
}

void EarlierGrids::end(std::unique_ptr<Grid> grid) {
  records.emplace_back();
  records.back().grid = std::move(grid);
}

const Grid *EarlierGrids::find(bool hasWaited, const Allocation &allocation,
                               uint64_t address, uint32_t bytes, bool isWrite,
                               bool isAtomic,
                               GlobalRaces::Conflict &conflict) const {
  auto isIn = [&](const GlobalRaces &races) {
    return races.find(allocation, address, bytes, isWrite, conflict);
  };
  auto conflicts = [&](const Record &record) {
    bool mayRun = hasWaited ? record.outlivesWait : !record.hasEnded;
    return mayRun && (isIn(record.grid->races) ||
                      (!isAtomic && isIn(record.grid->atomics)));
  };
  auto found = std::find_if(records.rbegin(), records.rend(), conflicts);
  return found == records.rend() ? nullptr : found->grid.get();
}
