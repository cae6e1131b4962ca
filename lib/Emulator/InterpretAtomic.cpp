//===- InterpretAtomic.cpp - Execution of atomics -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes go one after the other, from the first to the last. Blocks that run on
// several host threads take turns by one lock.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "LaneSupport.h"

#include <cstring>
#include <mutex>

using namespace nm::emulator;
using namespace nm::emulator::NM_LANE_NAMESPACE;

/// min and max of numbers that may be NaN: the other operand wins.
template <class T> static T extreme(AtomicOp op, T a, T b) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  return op == AtomicOp::Min ? (b < a ? b : a) : (a < b ? b : a);
}

template <class T> static T combineFloat(AtomicOp op, T a, T b) {
  return op == AtomicOp::Add ? a + b : extreme(op, a, b);
}

template <class T>
static uint64_t combineInteger(AtomicOp op, T old, T value, T second) {
  switch (op) {
  case AtomicOp::Add:
    return uint64_t(old) + uint64_t(value);
  case AtomicOp::Min:
    return uint64_t(value < old ? value : old);
  case AtomicOp::Max:
    return uint64_t(old < value ? value : old);
  case AtomicOp::And:
    return uint64_t(old & value);
  case AtomicOp::Or:
    return uint64_t(old | value);
  case AtomicOp::Xor:
    return uint64_t(old ^ value);
  case AtomicOp::Exch:
    return uint64_t(value);
  case AtomicOp::Cas:
    return uint64_t(old == value ? second : old);
  case AtomicOp::Inc:
    return old >= value ? 0 : uint64_t(old) + 1;
  case AtomicOp::Dec:
    return old == 0 || old > value ? uint64_t(value) : uint64_t(old) - 1;
  }
  return 0;
}

static uint16_t combineHalf(const MemoryAccess &access, uint16_t old,
                            uint16_t value) {
  if (access.element == ElementType::BF16 ||
      access.element == ElementType::BF16x2)
    return toBFloat(combineFloat(access.op, toFloat(BFloat{old}),
                                 toFloat(BFloat{value})))
        .bits;
  return toHalf(
             combineFloat(access.op, toFloat(Half{old}), toFloat(Half{value})))
      .bits;
}

static uint64_t combine(const MemoryAccess &access, uint64_t old,
                        uint64_t value, uint64_t second) {
  switch (access.element) {
  case ElementType::Float:
    if (access.elementBytes == 8)
      return bitCast<uint64_t>(combineFloat(access.op, bitCast<double>(old),
                                            bitCast<double>(value)));
    return bitCast<uint32_t>(combineFloat(access.op,
                                          bitCast<float>(uint32_t(old)),
                                          bitCast<float>(uint32_t(value))));
  case ElementType::F16x2:
  case ElementType::BF16x2:
    return uint32_t(
               combineHalf(access, uint16_t(old >> 16), uint16_t(value >> 16)))
               << 16 |
           combineHalf(access, uint16_t(old), uint16_t(value));
  case ElementType::F16:
  case ElementType::BF16:
    return combineHalf(access, uint16_t(old), uint16_t(value));
  case ElementType::Signed:
    if (access.elementBytes == 8)
      return combineInteger(access.op, int64_t(old), int64_t(value),
                            int64_t(second));
    return combineInteger(access.op, int32_t(old), int32_t(value),
                          int32_t(second));
  default:
    return combineInteger(access.op, old, value, second);
  }
}

Interpreter::Step
Interpreter::atomic(Warp &warp, const Instruction &instruction, uint32_t mask) {
  static std::mutex lock;
  const MemoryAccess &access = kernel.accesses[instruction.detail];
  uint32_t bytes = access.elementBytes;
  uint64_t addresses[warpSize];
  readAddresses(warp, access.address, addresses);
  warp.polls = 0; // Others may wait for this.
  auto read = [&](uint32_t offset, unsigned lane) {
    uint64_t value = 0;
    if (offset != noRegister)
      std::memcpy(&value, warp.registers + offset + lane * bytes, bytes);
    return value;
  };
  Target target;
  while (mask) {
    if (!resolve(warp, access.space, addresses, mask, bytes, true, target))
      return Step::Fault;
    mask &= ~target.mask;
    if (target.space != Space::Shared && target.space != Space::Global) {
      fail(warp, __builtin_ctz(target.mask), CheckBounds,
           "expected an atomic on global or shared memory, got " +
               std::string(spaceName(target.space)) + " memory");
      return Step::Fault;
    }
    if (launch.count)
      countAccess(target, bytes);
    if (checksShared && target.space == Space::Shared &&
        !checkSharedWrite(warp, target, bytes, true, nullptr, 0))
      return Step::Fault;
    if (launch.globalRaces && target.space == Space::Global) {
      globalAgent.hasAcquired |= access.registers[0] != noRegister;
      if (access.isRelease)
        launch.globalRaces->fence(globalAgent);
      if (!checkStrong(warp, target, bytes, true))
        return Step::Fault;
    }
    std::lock_guard<std::mutex> guard(lock);
    for (uint32_t rest = target.mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      uint64_t old = 0;
      std::memcpy(&old, target.pointers[lane], bytes);
      uint64_t value = combine(access, old, read(access.operands[0], lane),
                               read(access.operands[1], lane));
      std::memcpy(target.pointers[lane], &value, bytes);
      if (access.registers[0] != noRegister)
        std::memcpy(warp.registers + access.registers[0] + lane * bytes, &old,
                    bytes);
    }
  }
  return Step::Next;
}
