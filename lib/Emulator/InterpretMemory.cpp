//===- InterpretMemory.cpp - Execution of loads and stores ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements move one by one between the registers of a lane and its pointer.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <cstring>

using namespace nm::emulator;

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
        !checkSharedRead(warp, target, bytes, access.usedBytes))
      return Step::Fault;
    if (launch.globalRaces && target.space == Space::Global) {
      globalAgent.hasAcquired |= access.isStrong;
      if (access.isStrong
              ? !checkStrong(warp, target, bytes, false)
              : !checkGlobal(warp, target, bytes, false, nullptr, 0))
        return Step::Fault;
    }
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
  warp.polls = 0; // Others may wait for this.
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
    if (launch.globalRaces && target.space == Space::Global) {
      if (access.isRelease)
        launch.globalRaces->fence(globalAgent);
      if (access.isStrong
              ? !checkStrong(warp, target, bytes, true)
              : !checkGlobal(warp, target, bytes, true, values, stride))
        return Step::Fault;
    }
    for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      std::memcpy(target.pointers[lane], places[lane], bytes);
    }
  }
  return Step::Next;
}
