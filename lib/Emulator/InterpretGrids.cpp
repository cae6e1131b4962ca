//===- InterpretGrids.cpp - Order of launches in global memory ------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that executed griddepcontrol.wait comes after what the grid before
// had done, and so do those that a barrier orders behind that thread. Until
// then its accesses are looked for among those of the grids that may still run.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

void Interpreter::waitForGrids(Warp &warp, uint32_t mask) {
  blockOf(warp).waitsForGrids = waitsForGrids = true;
  if (!launch.earlierGrids || !(mask & ~warp.knowsGridWait))
    return;
  warp.knowsGridWait |= mask;
  gridWaits.push_back({detector.stamp(warp.index, pc, false), mask});
}

void Interpreter::startNextGrid(Warp &warp, uint32_t mask) {
  for (uint32_t rest = launch.earlierGrids ? mask : 0; rest; rest &= rest - 1)
    if (!hasWaitedForGrids(warp, static_cast<unsigned>(__builtin_ctz(rest))))
      blockOf(warp).startsNextEarly = true;
}

/// One block is enough: the next grid starts when all blocks let it.
void Interpreter::noteGridOrder() {
  for (Block &block : blocks) {
    holdsBackGrids |= block.waitsForGrids && !block.startsNextEarly;
    block.waitsForGrids = block.startsNextEarly = false;
  }
}

bool Interpreter::hasWaitedForGrids(Warp &warp, unsigned lane) {
  if (warp.knowsGridWait >> lane & 1)
    return true;
  Stamp me = detector.stamp(warp.index, pc, false).byLane(lane);
  auto comesFirst = [&](const GridWait &wait) {
    for (uint32_t rest = wait.lanes; rest; rest &= rest - 1) {
      auto waited = static_cast<uint32_t>(__builtin_ctz(rest));
      if (detector.isOrdered(wait.stamp.byLane(waited), me))
        return true;
    }
    return false;
  };
  if (!std::any_of(gridWaits.begin(), gridWaits.end(), comesFirst))
    return false;
  warp.knowsGridWait |= 1u << lane;
  return true;
}

bool Interpreter::checkGrids(Warp &warp, const Target &target, uint32_t bytes,
                             bool isWrite, bool isAtomic, const uint8_t *values,
                             uint32_t valueStride) {
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const uint8_t *value = values ? values + lane * valueStride : nullptr;
    if (!checkGridsOfLane(warp, lane, target.addresses[lane], bytes, isWrite,
                          isAtomic, value))
      return false;
  }
  return true;
}

/// `value` is what is to be written, if that is known: who writes what is there
/// already does no harm.
bool Interpreter::checkGridsOfLane(Warp &warp, unsigned lane, uint64_t address,
                                   uint32_t bytes, bool isWrite, bool isAtomic,
                                   const uint8_t *value) {
  const Allocation *in = allocationOf(address);
  // Without the check of bounds, the padding may be touched.
  if (!in || address + bytes - in->address > in->size)
    return true;
  GlobalRaces::Conflict conflict;
  const Grid *grid =
      launch.earlierGrids->find(hasWaitedForGrids(warp, lane), *in, address,
                                bytes, isWrite, isAtomic, conflict);
  if (!grid || (value && std::memcmp(in->host + (address - in->address), value,
                                     bytes) == 0))
    return true;
  return reportGrid(warp, lane, *in, bytes, isWrite, *grid, conflict);
}

bool Interpreter::reportGrid(Warp &warp, unsigned lane, const Allocation &in,
                             uint32_t bytes, bool isWrite, const Grid &grid,
                             const GlobalRaces::Conflict &conflict) {
  const char *expected =
      hasWaitedForGrids(warp, lane)
          ? "a later launch, for which this one waits, did not wait for that "
            "one: expected griddepcontrol.wait in every kernel in between"
          : "this launch may run beside that one: expected griddepcontrol.wait "
            "before the access";
  return fail(warp, lane, CheckRaces,
              std::string("race: ") + (isWrite ? "write" : "read") + " of " +
                  std::to_string(bytes) + " bytes of global memory at " +
                  describeGlobal(conflict.address) + " (byte " +
                  std::to_string(conflict.address - in.address) +
                  " of its allocation), which kernel '" + grid.kernel->name +
                  (conflict.otherWrote ? "' wrote" : "' read") +
                  " in an earlier launch in " +
                  describeInstruction(*grid.kernel, conflict.pc) + "; " +
                  expected);
}
