//===- Memory.cpp - Global memory of the emulated device ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each memory has a part of the address space to itself, so that an address of
// one is none of another. Within it addresses only grow: it is large enough
// that none is ever used twice.
//
//===----------------------------------------------------------------------===//

#include "nm/Emulator/Memory.h"

#include "EarlierGrids.h"
#include "Program.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>

using namespace nm::emulator;

/// Distance between allocations, beyond the size of each.
static constexpr uint64_t gap = 16ull << 20;
/// More than any GPU has.
static constexpr uint64_t maxAllocation = 1ull << 38;
/// Addresses of one memory, and how many memories there may be at a time: all
/// addresses are positive as signed numbers.
static constexpr uint64_t regionBytes = 1ull << 47;
static constexpr uint64_t maxRegions = 1ull << 16;

namespace {
/// Hands out parts of the address space. One that was given back comes last, so
/// that an address that outlived its memory is unlikely to be one again.
class Regions {
public:
  /// The number of a free part; `maxRegions` when there is none.
  uint64_t take() {
    std::lock_guard<std::mutex> lock(mutex);
    if (next < maxRegions)
      return next++;
    if (free.empty())
      return maxRegions;
    uint64_t region = free.front();
    free.pop_front();
    return region;
  }

  void giveBack(uint64_t region) {
    std::lock_guard<std::mutex> lock(mutex);
    if (region < maxRegions)
      free.push_back(region);
  }

private:
  std::mutex mutex;
  std::deque<uint64_t> free;
  uint64_t next = 0;
};
} // namespace

/// Never destroyed: a memory may outlive what main leaves behind.
static Regions &regions() {
  static Regions &instance = *new Regions;
  return instance;
}

Memory::Memory()
    : region(regions().take()),
      nextAddress(region * regionBytes + firstGlobalAddress) {}

Memory::~Memory() { regions().giveBack(region); }

uint64_t Memory::allocate(uint64_t bytes) {
  uint64_t end = (region + 1) * regionBytes;
  if (region == maxRegions || bytes > maxAllocation ||
      bytes > end - nextAddress - 2 * gap)
    return 0;
  uint64_t padded = (bytes + 255) & ~255ull;
  Record record;
  // 15 more for the alignment that vector accesses of the host like.
  record.storage.reset(new (std::nothrow) uint8_t[padded + 15]);
  if (!record.storage)
    return 0;
  std::memset(record.storage.get(), 0xff, padded + 15);
  auto misalignment = reinterpret_cast<uintptr_t>(record.storage.get()) & 15;
  record.allocation = {nextAddress, bytes,
                       record.storage.get() +
                           (misalignment ? 16 - misalignment : 0)};
  uint64_t address = nextAddress;
  nextAddress = (nextAddress + padded + 2 * gap - 1) & ~(gap - 1);
  allocations.emplace(address, std::move(record));
  inUse += bytes;
  peak = std::max(peak, inUse);
  return address;
}

bool Memory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  inUse -= found->second.allocation.size;
  allocations.erase(found);
  return true;
}

const Allocation *Memory::findBelow(uint64_t address) const {
  auto next = allocations.upper_bound(address);
  return next == allocations.begin() ? nullptr
                                     : &std::prev(next)->second.allocation;
}

const Allocation *Memory::find(uint64_t address) const {
  const Allocation *allocation = findBelow(address);
  if (!allocation)
    return nullptr;
  uint64_t padded = (allocation->size + 255) & ~255ull;
  return address - allocation->address < padded ? allocation : nullptr;
}

uint8_t *Memory::hostPointer(uint64_t address, uint64_t bytes) const {
  const Allocation *allocation = findBelow(address);
  if (!allocation)
    return nullptr;
  uint64_t offset = address - allocation->address;
  if (offset > allocation->size || allocation->size - offset < bytes)
    return nullptr;
  return allocation->host + offset;
}

bool Memory::upload(uint64_t address, const void *host, uint64_t bytes) {
  uint8_t *destination = hostPointer(address, bytes);
  if (!destination)
    return false;
  if (bytes)
    std::memcpy(destination, host, bytes);
  return true;
}

bool Memory::download(void *host, uint64_t address, uint64_t bytes) const {
  const uint8_t *source = hostPointer(address, bytes);
  if (!source)
    return false;
  if (bytes)
    std::memcpy(host, source, bytes);
  return true;
}
