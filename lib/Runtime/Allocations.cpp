//===- Allocations.cpp - What memory a context has given ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace nm::runtime;

using Lock = std::lock_guard<std::mutex>;

static uintptr_t address(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

void Allocations::add(void *pointer, uint64_t bytes, void *stream,
                      bool isConstant) {
  Lock lock(mutex);
  allocations[address(pointer)] = {bytes, stream, isConstant, {}};
  current += bytes;
  peak = std::max(peak, current);
  constantBytes += isConstant ? bytes : 0;
}

bool Allocations::remove(void *pointer, bool isConstant, void *&stream) {
  Lock lock(mutex);
  auto found = allocations.find(address(pointer));
  if (found == allocations.end() || found->second.isConstant != isConstant)
    return false;
  const Allocation &allocation = found->second;
  if (recordUses)
    liveness.end(allocation.lifetime, allocation.bytes);
  current -= allocation.bytes;
  constantBytes -= isConstant ? allocation.bytes : 0;
  stream = allocation.stream;
  allocations.erase(found);
  return true;
}

uint64_t Allocations::bytesAt(void *pointer) const {
  Lock lock(mutex);
  return allocations.at(address(pointer)).bytes;
}

std::vector<std::pair<void *, void *>> Allocations::list() const {
  Lock lock(mutex);
  std::vector<std::pair<void *, void *>> left;
  for (const auto &[where, allocation] : allocations)
    left.push_back({reinterpret_cast<void *>(where), allocation.stream});
  return left;
}

void Allocations::use(const void *pointer, bool untilFreed) {
  auto next = allocations.upper_bound(address(pointer));
  if (next == allocations.begin())
    return;
  auto &[where, allocation] = *std::prev(next);
  if (address(pointer) - where < std::max<uint64_t>(allocation.bytes, 1))
    liveness.use(allocation.lifetime, untilFreed);
}

void Allocations::noteUse(const void *pointer, bool untilFreed) {
  if (!recordUses)
    return;
  Lock lock(mutex);
  liveness.advance();
  use(pointer, untilFreed);
}

void Allocations::noteCopy(const void *target, const void *source) {
  if (!recordUses)
    return;
  Lock lock(mutex);
  liveness.advance();
  use(target, /*untilFreed=*/false);
  use(source, /*untilFreed=*/false);
}

void Allocations::noteLaunch(const Launch &launch) {
  if (!recordUses)
    return;
  Lock lock(mutex);
  liveness.advance();
  if (!launch.kernel->getParameterSizes()) {
    for (auto &entry : allocations) // all that there is may be used
      liveness.use(entry.second.lifetime, /*untilFreed=*/false);
    return;
  }
  for (uint32_t i = 0; i < launch.parameterCount; ++i) {
    // What is as large as an address may be one.
    const void *pointer = nullptr;
    if (launch.parameters[i].bytes != sizeof(pointer))
      continue;
    std::memcpy(static_cast<void *>(&pointer), launch.parameters[i].value,
                sizeof(pointer));
    use(pointer, /*untilFreed=*/false);
  }
}

void Allocations::getStatistics(nmrtMemoryStatistics &statistics) const {
  Lock lock(mutex);
  Liveness sofar = liveness;
  for (const auto &entry : allocations)
    sofar.end(entry.second.lifetime, entry.second.bytes);
  statistics.current = current;
  statistics.peak = peak;
  statistics.liveMaximum = recordUses ? sofar.maximum() : peak;
  statistics.constants = constantBytes;
}

std::string Allocations::describeUse() const {
  Lock lock(mutex);
  return std::to_string(current) + " bytes are in use, " +
         std::to_string(constantBytes) + " of them constants";
}
