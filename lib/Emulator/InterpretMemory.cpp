//===- InterpretMemory.cpp - Execution of loads and stores ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is resolved to one host pointer a lane, with all checks done,
// before anything is read or written.
//
//===----------------------------------------------------------------------===//

#include "AccessPatterns.h"
#include "Interpreter.h"

#include <algorithm>
#include <cstring>

using namespace nm::emulator;

void Interpreter::readAddresses(const Warp &warp, const Address &address,
                                uint64_t *addresses) const {
  uint64_t offset = static_cast<uint64_t>(address.offset);
  if (address.is64) {
    const uint64_t *base = lanes<uint64_t>(warp, address.base);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = base[lane] + offset;
  } else {
    const uint32_t *base = lanes<uint32_t>(warp, address.base);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = static_cast<uint32_t>(base[lane] + offset);
  }
}

static Space spaceOf(uint64_t address) {
  switch (address / windowBytes) {
  case sharedWindow / windowBytes:
    return Space::Shared;
  case localWindow / windowBytes:
    return Space::Local;
  case paramWindow / windowBytes:
    return Space::Param;
  }
  return Space::Global;
}

bool Interpreter::resolve(Warp &warp, Space space, const uint64_t *addresses,
                          uint32_t mask, uint32_t bytes, bool isWrite,
                          Target &target) {
  target.mask = mask;
  target.space = space;
  std::memcpy(target.addresses, addresses, sizeof(target.addresses));
  if (space == Space::Generic) {
    target.space = spaceOf(addresses[__builtin_ctz(mask)]);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      if (spaceOf(addresses[lane]) != target.space)
        target.mask &= ~(1u << lane);
      else if (target.space != Space::Global)
        target.addresses[lane] &= windowBytes - 1;
    }
  }
  if (checks(CheckAlignment) && !checkAlignment(warp, bytes, isWrite, target))
    return false;
  switch (target.space) {
  case Space::Shared:
    return resolveShared(warp, bytes, isWrite, target);
  case Space::Local:
    return resolveLocal(warp, bytes, isWrite, target);
  case Space::Param:
    return resolveParam(warp, bytes, isWrite, target);
  default:
    return resolveGlobal(warp, bytes, isWrite, target);
  }
}

bool Interpreter::checkAlignment(Warp &warp, uint32_t bytes, bool isWrite,
                                 const Target &target) {
  uint64_t wrong = bytes - 1;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (target.addresses[lane] & wrong)
      return fail(warp, lane, CheckAlignment,
                  "misaligned " + describeAccess(target, lane, bytes, isWrite) +
                      ": expected a multiple of " + std::to_string(bytes));
  }
  return true;
}

/// Smallest and largest address of the lanes of a mask.
static void addressRange(const uint64_t *addresses, uint32_t mask,
                         uint64_t &least, uint64_t &most) {
  least = ~0ull;
  most = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    least = std::min(least, addresses[lane]);
    most = std::max(most, addresses[lane]);
  }
}

bool Interpreter::resolveGlobal(Warp &warp, uint32_t bytes, bool isWrite,
                                Target &target) {
  uint64_t least, most;
  addressRange(target.addresses, target.mask, least, most);
  bool exact = checks(CheckBounds);
  auto holds = [&](const Allocation *allocation, uint64_t first,
                   uint64_t last) {
    uint64_t size =
        exact ? allocation->size : (allocation->size + 255) & ~255ull;
    return first >= allocation->address && last - allocation->address < size &&
           size - (last - allocation->address) >= bytes;
  };
  const Allocation *&last = lastAllocation[pc];
  if (!last || !holds(last, least, most)) {
    const Allocation *found = launch.memory.find(least);
    if (found)
      last = found;
  }
  if (last && holds(last, least, most)) {
    // As integers: the addresses of inactive lanes may be anything.
    uintptr_t shift = reinterpret_cast<uintptr_t>(last->host) - last->address;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      target.pointers[lane] =
          reinterpret_cast<uint8_t *>(shift + target.addresses[lane]);
    return true;
  }
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = target.addresses[lane];
    const Allocation *own = launch.memory.find(address);
    if (own && holds(own, address, address)) {
      target.pointers[lane] = own->host + (address - own->address);
      continue;
    }
    std::string expected = "an address within an allocation";
    if (const Allocation *below = launch.memory.findBelow(address))
      expected += "; the nearest one below has " + std::to_string(below->size) +
                  " bytes, and the access begins at its byte " +
                  std::to_string(address - below->address);
    return fail(warp, lane, CheckBounds,
                "out-of-bounds " +
                    describeAccess(target, lane, bytes, isWrite) +
                    ": expected " + expected);
  }
  return true;
}

bool Interpreter::resolveShared(Warp &warp, uint32_t bytes, bool isWrite,
                                Target &target) {
  uint64_t least, most;
  addressRange(target.addresses, target.mask, least, most);
  if (least < reservedSharedBytes || most >= sharedLimit ||
      sharedLimit - most < bytes) {
    for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      uint64_t address = target.addresses[lane];
      if (address < reservedSharedBytes || address >= sharedLimit ||
          sharedLimit - address < bytes)
        return fail(warp, lane, CheckBounds,
                    "out-of-bounds " +
                        describeAccess(target, lane, bytes, isWrite) +
                        ": expected it to lie within the block's " +
                        std::to_string(launch.sharedBytes) + " bytes");
    }
  }
  auto base = reinterpret_cast<uintptr_t>(sharedStorage.data());
  for (unsigned lane = 0; lane < warpSize; ++lane)
    target.pointers[lane] =
        reinterpret_cast<uint8_t *>(base + target.addresses[lane]);
  return true;
}

bool Interpreter::resolveLocal(Warp &warp, uint32_t bytes, bool isWrite,
                               Target &target) {
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = target.addresses[lane];
    if (address >= kernel.localBytes || kernel.localBytes - address < bytes)
      return fail(warp, lane, CheckBounds,
                  "out-of-bounds " +
                      describeAccess(target, lane, bytes, isWrite) +
                      ": expected it to lie within the thread's " +
                      std::to_string(kernel.localBytes) + " bytes");
    target.pointers[lane] = warp.local + lane * kernel.localBytes + address;
  }
  return true;
}

bool Interpreter::resolveParam(Warp &warp, uint32_t bytes, bool isWrite,
                               Target &target) {
  uint64_t size = launch.parameters.size();
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = target.addresses[lane];
    if (isWrite || address >= size || size - address < bytes)
      return fail(warp, lane, CheckBounds,
                  "out-of-bounds " +
                      describeAccess(target, lane, bytes, isWrite) +
                      ": expected a read within the " + std::to_string(size) +
                      " bytes of parameters");
    target.pointers[lane] =
        const_cast<uint8_t *>(launch.parameters.data()) + address;
  }
  return true;
}

void Interpreter::countAccess(const Target &target, uint32_t bytes) {
  AccessCount &count = accessCounts[pc];
  if (target.space == Space::Shared) {
    SharedCost cost = sharedCost(target.addresses, target.mask, bytes);
    ++count.sharedRequests;
    count.wavefronts += cost.wavefronts;
    count.idealWavefronts += cost.ideal;
  } else if (target.space == Space::Global) {
    ++count.globalRequests;
    count.sectors += globalSectors(target.addresses, target.mask, bytes);
  }
}

//===----------------------------------------------------------------------===//
// Races and uninitialised reads
//===----------------------------------------------------------------------===//

// Lanes that read one place are recorded together. Only when that fails they
// are looked at one by one, for the message.
bool Interpreter::checkSharedRead(Warp &warp, const Target &target,
                                  uint32_t bytes) {
  Stamp stamp = detector.stamp(warp.index, pc, false);
  Conflict conflict;
  UniqueAddresses unique(target.addresses, target.mask);
  bool isClean = true;
  for (unsigned i = 0; i < unique.count && isClean; ++i) {
    uint32_t who = unique.lanes[i];
    uint32_t lane = who & (who - 1) ? Stamp::severalLanes
                                    : static_cast<uint32_t>(__builtin_ctz(who));
    isClean = detector.read(stamp.byLane(lane), uint32_t(unique.addresses[i]),
                            bytes, conflict);
  }
  for (uint32_t rest = isClean ? 0 : target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (!detector.read(stamp.byLane(lane), uint32_t(target.addresses[lane]),
                       bytes, conflict))
      return reportConflict(warp, lane, bytes, false, conflict);
  }
  return true;
}

// Two lanes of one instruction may write the same value to the same place.
bool Interpreter::checkSharedWrite(Warp &warp, const Target &target,
                                   uint32_t bytes, bool isAtomic,
                                   const uint8_t *values,
                                   uint32_t valueStride) {
  Stamp stamp = detector.stamp(warp.index, pc, isAtomic);
  Conflict conflict;
  for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    Stamp me = stamp.byLane(lane);
    uint32_t address = static_cast<uint32_t>(target.addresses[lane]);
    if (detector.write(me, address, bytes, conflict))
      continue;
    uint32_t other = conflict.other.lane();
    if (values && other < warpSize && conflict.other == stamp.byLane(other) &&
        target.addresses[other] == address &&
        std::memcmp(values + lane * valueStride, values + other * valueStride,
                    bytes) == 0)
      continue;
    return reportConflict(warp, lane, bytes, true, conflict);
  }
  return true;
}

bool Interpreter::reportConflict(Warp &warp, unsigned lane, uint32_t bytes,
                                 bool isWrite, const Conflict &conflict) {
  std::string access = std::string(isWrite ? "write of " : "read of ") +
                       std::to_string(bytes) + " bytes of shared memory";
  std::string byte =
      "byte " + std::to_string(conflict.address - reservedSharedBytes);
  if (conflict.kind == Conflict::Uninitialized)
    return fail(warp, lane, CheckUninitialized,
                "uninitialised " + access + " at " + byte +
                    ": expected a write of it earlier in the block");
  const Stamp &other = conflict.other;
  std::string who =
      other.lane() < warpSize
          ? describeThread(other.warp(), other.lane())
          : "several threads from " + describeThread(other.warp(), 0) + " on";
  std::string where = describeInstruction(other.pc());
  if (conflict.kind == Conflict::PendingCopy)
    return fail(warp, lane, CheckRaces,
                "race: " + access + " at " + byte + ", where the copy that " +
                    who + " began in " + where +
                    " has not arrived: expected cp.async.wait_group and, in "
                    "other threads, a barrier between them");
  bool otherWrote = conflict.kind != Conflict::WriteAfterRead;
  return fail(warp, lane, CheckRaces,
              "race: " + access + " at " + byte + ", which " + who +
                  (otherWrote ? " wrote in " : " read in ") + where +
                  ": expected a barrier between them");
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {

template <class T>
void loadElement(T *destination, uint8_t *const *pointers, uint32_t offset,
                 uint32_t mask) {
  if (mask == fullWarp) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(&destination[lane], pointers[lane] + offset, sizeof(T));
    return;
  }
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(&destination[lane], pointers[lane] + offset, sizeof(T));
  }
}

/// Into a register wider than the element.
void loadExtended(uint8_t *destination, unsigned registerBytes,
                  uint8_t *const *pointers, uint32_t offset,
                  unsigned elementBytes, bool signExtend, uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t value = 0;
    std::memcpy(&value, pointers[lane] + offset, elementBytes);
    unsigned unused = 64 - 8 * elementBytes;
    if (signExtend)
      value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >>
                                    unused);
    std::memcpy(destination + lane * registerBytes, &value, registerBytes);
  }
}

template <class T>
void storeElement(const T *source, uint8_t *const *pointers, uint32_t offset,
                  uint32_t mask) {
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(pointers[lane] + offset, &source[lane], sizeof(T));
  }
}

} // namespace

Interpreter::Step Interpreter::load(Warp &warp, const Instruction &instruction,
                                    uint32_t mask) {
  const MemoryAccess &access = kernel.accesses[instruction.detail];
  uint32_t bytes = access.bytes();
  uint64_t addresses[warpSize];
  readAddresses(warp, access.address, addresses);
  Target target;
  while (mask) {
    if (!resolve(warp, access.space, addresses, mask, bytes, false, target))
      return Step::Fault;
    mask &= ~target.mask;
    if (launch.count)
      countAccess(target, bytes);
    if (checksShared && target.space == Space::Shared &&
        !checkSharedRead(warp, target, bytes))
      return Step::Fault;
    for (unsigned i = 0; i < access.count; ++i) {
      if (access.registers[i] == noRegister)
        continue;
      uint8_t *destination = warp.registers + access.registers[i];
      uint32_t offset = i * access.elementBytes;
      if (access.registerBytes[i] != access.elementBytes)
        loadExtended(destination, access.registerBytes[i], target.pointers,
                     offset, access.elementBytes, access.signExtend,
                     target.mask);
      else if (access.elementBytes == 4)
        loadElement(reinterpret_cast<uint32_t *>(destination), target.pointers,
                    offset, target.mask);
      else if (access.elementBytes == 8)
        loadElement(reinterpret_cast<uint64_t *>(destination), target.pointers,
                    offset, target.mask);
      else
        loadElement(reinterpret_cast<uint16_t *>(destination), target.pointers,
                    offset, target.mask);
    }
  }
  return Step::Next;
}

Interpreter::Step Interpreter::store(Warp &warp, const Instruction &instruction,
                                     uint32_t mask) {
  const MemoryAccess &access = kernel.accesses[instruction.detail];
  uint32_t bytes = access.bytes();
  uint64_t addresses[warpSize];
  readAddresses(warp, access.address, addresses);
  // The values lane by lane, as they will lie in memory.
  constexpr uint32_t stride = 64;
  uint8_t values[warpSize * stride];
  uint8_t *places[warpSize];
  for (unsigned lane = 0; lane < warpSize; ++lane)
    places[lane] = values + lane * stride;
  for (unsigned i = 0; i < access.count; ++i) {
    const uint8_t *source = warp.registers + access.registers[i];
    uint32_t offset = i * access.elementBytes;
    if (access.registerBytes[i] == 4 && access.elementBytes == 4)
      storeElement(reinterpret_cast<const uint32_t *>(source), places, offset,
                   mask);
    else
      for (unsigned lane = 0; lane < warpSize; ++lane)
        std::memcpy(places[lane] + offset,
                    source + lane * access.registerBytes[i],
                    access.elementBytes);
  }
  Target target;
  while (mask) {
    if (!resolve(warp, access.space, addresses, mask, bytes, true, target))
      return Step::Fault;
    mask &= ~target.mask;
    if (launch.count)
      countAccess(target, bytes);
    if (checksShared && target.space == Space::Shared &&
        !checkSharedWrite(warp, target, bytes, false, values, stride))
      return Step::Fault;
    for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      std::memcpy(target.pointers[lane], places[lane], bytes);
    }
  }
  return Step::Next;
}
