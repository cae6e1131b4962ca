//===- RaceDetector.h - Who touched which byte of shared memory -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every barrier of a block, and every bar.warp.sync of a warp, begins a new
// period of the warps that take part. Each warp counts its periods and knows
// the latest period of every other warp that a barrier has put before its own.
// Each 4-byte word of shared memory remembers its last writer and last readers
// with their periods. An access conflicts with an earlier one, one of them a
// write, by another thread whose period is not known to lie before it. What
// cp.async has not yet delivered conflicts with every access.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_RACEDETECTOR_H
#define NM_LIB_EMULATOR_RACEDETECTOR_H

#include <cstdint>
#include <vector>

namespace nm {
namespace emulator {

/// An access of one thread, in one word.
class Stamp {
public:
  static constexpr uint32_t maxPeriod = (1u << 24) - 1;
  static constexpr uint32_t severalLanes = 32;

  Stamp() = default;
  Stamp(uint32_t period, uint32_t warp, uint32_t lane, uint32_t pc,
        bool isAtomic)
      : bits(uint64_t(period) | uint64_t(lane) << 24 | uint64_t(warp) << 30 |
             uint64_t(isAtomic) << 35 | uint64_t(pc & 0xffffff) << 36 |
             1ull << 60) {}

  explicit operator bool() const { return bits != 0; }
  bool operator==(Stamp other) const { return bits == other.bits; }
  uint32_t period() const { return bits & maxPeriod; }
  uint32_t lane() const { return bits >> 24 & 63; }
  uint32_t warp() const { return bits >> 30 & 31; }
  bool isAtomic() const { return bits >> 35 & 1; }
  uint32_t pc() const { return bits >> 36 & 0xffffff; }
  bool isPending() const { return bits >> 61 & 1; }

  Stamp pending() const { return withBits(bits | 1ull << 61); }
  Stamp byLane(uint32_t lane) const {
    return withBits((bits & ~(63ull << 24)) | uint64_t(lane) << 24);
  }

private:
  static Stamp withBits(uint64_t bits) {
    Stamp stamp;
    stamp.bits = bits;
    return stamp;
  }
  uint64_t bits = 0;
};

/// Why an access is refused.
struct Conflict {
  enum Kind {
    None,
    Uninitialized, ///< A read of what nobody wrote.
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
    PendingCopy ///< Of what cp.async has not delivered.
  };
  Kind kind = None;
  uint32_t address = 0; ///< Of the byte, or the word that holds it.
  Stamp other;          ///< The earlier access.
};

class RaceDetector {
public:
  /// Starts a block with `warps` warps and shared memory up to address `bytes`.
  void reset(uint32_t bytes, uint32_t warps, bool checkRaces,
             bool checkUninitialized);

  /// The stamp of an access by lane 0 of `warp` now.
  Stamp stamp(uint32_t warp, uint32_t pc, bool isAtomic) const {
    return Stamp(clock[warp], warp, 0, pc, isAtomic);
  }

  /// Record an access of `count` bytes by `me`. Return false, with the reason
  /// in `conflict`, when it must not happen. Of a read, only the bytes whose
  /// bits are set in `used` have to have been written.
  bool read(Stamp me, uint32_t address, uint32_t count, uint64_t used,
            Conflict &conflict);
  bool write(Stamp me, uint32_t address, uint32_t count, Conflict &conflict);
  /// Records that the copy begun with the pending stamp `begun` has arrived.
  void deliver(Stamp begun, Stamp me, uint32_t address, uint32_t count);

  /// A barrier that the warps of `waiting` passed and those of `arrived` (which
  /// includes them) reached. Returns false when there were too many barriers to
  /// be told apart.
  bool barrier(uint32_t waiting, uint32_t arrived);
  /// A bar.warp.sync of `warp`.
  bool warpBarrier(uint32_t warp);

private:
  struct Record {
    Stamp writer;
    Stamp readers[2]; ///< The last one, and the last one of another warp.
  };

  bool isOrdered(Stamp earlier, Stamp me) const {
    if (!earlier)
      return true;
    if (earlier.isPending())
      return false;
    if (earlier.warp() == me.warp())
      return earlier.lane() == me.lane() || earlier.period() < me.period();
    return earlier.period() <= seen[me.warp() * warpCount + earlier.warp()];
  }
  bool readRecord(Record &record, Stamp me, Conflict &conflict) const;
  bool writeRecord(Record &record, Stamp me, Conflict &conflict) const;
  template <class Visit>
  bool forEachRecord(uint32_t address, uint32_t count, Visit visit);

  bool races = false, uninitialized = false;
  uint32_t warpCount = 0;
  std::vector<uint32_t> clock; ///< Current period of each warp.
  /// By warp and other warp: the last period known to be over.
  std::vector<uint32_t> seen;
  std::vector<Record> words;
  /// Where the four records of a word begin in `bytes` whose bytes differ; 0:
  /// the whole word is in `words`.
  std::vector<uint32_t> split;
  std::vector<Record> bytes;
  std::vector<uint8_t> written;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_RACEDETECTOR_H
