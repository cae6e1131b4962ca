//===- Stamp.h - Who made an access, and when -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is by an agent in one of the agent's periods. Agents are the warps
// of a cluster and, behind them, the mbarriers: those stand for the bulk copies
// that they complete, one period a phase.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_STAMP_H
#define NM_LIB_EMULATOR_STAMP_H

#include <cstdint>

namespace nm {
namespace emulator {

/// An access of one thread, in one word.
class Stamp {
public:
  static constexpr uint32_t maxPeriod = (1u << 22) - 1;
  static constexpr uint32_t maxAgents = 1u << 14;
  static constexpr uint32_t maxInstructions = 1u << 20;
  static constexpr uint32_t severalLanes = 32;

  Stamp() = default;
  /// Periods begin at 1, so that no stamp is 0.
  Stamp(uint32_t period, uint32_t agent, uint32_t lane, uint32_t pc,
        bool isAtomic)
      : bits(uint64_t(period) | uint64_t(lane) << 22 | uint64_t(agent) << 28 |
             uint64_t(isAtomic) << 42 | uint64_t(pc) << 44) {}

  explicit operator bool() const { return bits != 0; }
  bool operator==(Stamp other) const { return bits == other.bits; }
  uint32_t period() const { return bits & maxPeriod; }
  uint32_t lane() const { return bits >> 22 & 63; }
  uint32_t agent() const { return bits >> 28 & (maxAgents - 1); }
  bool isAtomic() const { return bits & atomicBit; }
  uint32_t pc() const { return static_cast<uint32_t>(bits >> 44); }
  /// A copy that has not arrived, or an mbarrier: in order with nothing.
  bool isClosed() const { return bits & closedBit; }
  bool isMbarrier() const {
    return (bits & (closedBit | atomicBit)) == (closedBit | atomicBit);
  }

  Stamp pending() const { return withBits(bits | closedBit); }
  Stamp mbarrier() const { return withBits(bits | closedBit | atomicBit); }
  Stamp byLane(uint32_t lane) const {
    return withBits((bits & ~(63ull << 22)) | uint64_t(lane) << 22);
  }

private:
  static constexpr uint64_t atomicBit = 1ull << 42, closedBit = 1ull << 43;
  static Stamp withBits(uint64_t bits) {
    Stamp stamp;
    stamp.bits = bits;
    return stamp;
  }
  uint64_t bits = 0;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_STAMP_H
