//===- InterpretGlobal.cpp - Races between blocks in global memory --------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What GlobalRaces is told of loads, stores and copies. Atomics, and accesses
// that are volatile, relaxed, acquire or release, are not checked between the
// blocks of a launch: they are how these talk to each other.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <cstring>

using namespace nm::emulator;

// All lanes together. Only when that fails they are looked at one by one, for
// the message and for what they write.
bool Interpreter::checkGlobal(Warp &warp, const Target &target, uint32_t bytes,
                              bool isWrite, const uint8_t *values,
                              uint32_t valueStride) {
  if (isBesideGrids(warp, target.mask) &&
      !checkGrids(warp, target, bytes, isWrite, false, values, valueStride))
    return false;
  globalAgent.pc = pc;
  const Allocation *in =
      allocationOf(target.addresses[__builtin_ctz(target.mask)]);
  if (in && launch.globalRaces->accessLanes(globalAgent, *in, target.addresses,
                                            target.mask, bytes, isWrite))
    return true;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const uint8_t *value = values ? values + lane * valueStride : nullptr;
    if (!checkBlocks(warp, lane, target.addresses[lane], bytes, isWrite, value))
      return false;
  }
  return true;
}

/// Accesses that order the blocks of a launch, but not launches.
bool Interpreter::checkStrong(Warp &warp, const Target &target, uint32_t bytes,
                              bool isWrite) {
  if (isBesideGrids(warp, target.mask) &&
      !checkGrids(warp, target, bytes, isWrite, true, nullptr, 0))
    return false;
  // None of these conflicts with another: all are as if by one block.
  GlobalRaces::Agent anybody;
  anybody.pc = pc;
  GlobalRaces::Conflict none;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    uint64_t address = target.addresses[__builtin_ctz(rest)];
    const Allocation *in = allocationOf(address);
    if (in && address + bytes - in->address <= in->size)
      launch.globalAtomics->access(anybody, *in, address, bytes, isWrite, none);
  }
  return true;
}

const Allocation *Interpreter::allocationOf(uint64_t address) const {
  const Allocation *last = lastAllocation[pc];
  bool isIts =
      last && address >= last->address && address - last->address < last->size;
  return isIts ? last : launch.memory.find(address);
}

bool Interpreter::checkGlobalAccess(Warp &warp, unsigned lane, uint64_t address,
                                    uint32_t bytes, bool isWrite,
                                    const uint8_t *value) {
  if (!launch.globalRaces)
    return true;
  if (isBesideGrids(warp, 1u << lane) &&
      !checkGridsOfLane(warp, lane, address, bytes, isWrite, false, value))
    return false;
  globalAgent.pc = pc;
  return checkBlocks(warp, lane, address, bytes, isWrite, value);
}

/// `value` is what is to be written, if that is known: who writes what is there
/// already does no harm.
bool Interpreter::checkBlocks(Warp &warp, unsigned lane, uint64_t address,
                              uint32_t bytes, bool isWrite,
                              const uint8_t *value) {
  const Allocation *in = allocationOf(address);
  // Without the check of bounds, the padding may be touched.
  if (!in || address + bytes - in->address > in->size)
    return true;
  GlobalRaces::Conflict conflict;
  if (launch.globalRaces->access(globalAgent, *in, address, bytes, isWrite,
                                 conflict) ||
      (value &&
       std::memcmp(in->host + (address - in->address), value, bytes) == 0))
    return true;
  std::string who = conflict.isSeveral
                        ? "several blocks"
                        : (blocks.size() > 1 ? "cluster " : "block ") +
                              std::to_string(conflict.cluster) + " of the grid";
  return fail(warp, lane, CheckRaces,
              std::string("race: ") + (isWrite ? "write" : "read") + " of " +
                  std::to_string(bytes) + " bytes of global memory at " +
                  describeGlobal(conflict.address) + " (byte " +
                  std::to_string(conflict.address - in->address) +
                  " of its allocation), which " + who +
                  (conflict.otherWrote ? " wrote" : " read") +
                  " in this launch in " + describeInstruction(conflict.pc) +
                  ": expected atomics, or a fence and an atomic between them");
}
