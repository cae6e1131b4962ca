//===- InterpretAccess.cpp - Where an access points to --------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is resolved to one host pointer a lane, with bounds and alignment
// checked, before anything is read or written.
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
    return Space::SharedCluster;
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
  case Space::SharedCluster:
    return resolveShared(warp, bytes, isWrite, target) &&
           (blocks.size() == 1 || noteVisits(warp, target));
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

// The addresses become those in the shared memory of all blocks of the cluster.
bool Interpreter::resolveShared(Warp &warp, uint32_t bytes, bool isWrite,
                                Target &target) {
  uint64_t least, most;
  addressRange(target.addresses, target.mask, least, most);
  if (least < reservedSharedBytes || most >= sharedLimit ||
      sharedLimit - most < bytes) {
    if (target.space == Space::SharedCluster)
      return resolveCluster(warp, bytes, isWrite, target);
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
  target.space = Space::Shared;
  if (uint32_t base = sharedBase(warp))
    for (uint64_t &address : target.addresses)
      address += base;
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
