//===- RaceDetector.h - Who touched which byte of shared memory -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every barrier begins a new period of the warps that take part, every release
// at an mbarrier one of the warp that arrives, and Ordering keeps what each
// warp knows to be over. Each 4-byte word of shared memory remembers its last
// writer and last readers with their periods. An access conflicts with an
// earlier one, one of them a write, by another thread whose period is not known
// to lie before it. What an asynchronous copy has not yet delivered, or not yet
// read, conflicts with every access, and so do the bytes of an mbarrier.
//
// Bulk copies see memory through another proxy than the accesses of threads:
// what a thread wrote must be known, with a fence.proxy.async on the way.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_RACEDETECTOR_H
#define NM_LIB_EMULATOR_RACEDETECTOR_H

#include "Ordering.h"

#include "nm/Base/Assert.h"

namespace nm {
namespace emulator {

/// Why an access is refused.
struct Conflict {
  enum Kind {
    None,
    Uninitialized, ///< A read of what nobody wrote.
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
    PendingCopy,        ///< Of what a copy has not delivered.
    PendingRead,        ///< A write of what a bulk copy has not read.
    MissingFence,       ///< A bulk copy of what a thread wrote.
    MissingFenceOfRead, ///< One to where a thread read.
    Mbarrier            ///< Of the bytes of an mbarrier.
  };
  Kind kind = None;
  uint32_t address = 0; ///< Of the byte, or the word that holds it.
  Stamp other;          ///< The earlier access.

  /// Why an access does not come after the last write, `open` if that was by a
  /// thread.
  static Kind afterWriter(Stamp writer, Kind open) {
    if (!writer.isClosed())
      return open;
    return writer.isMbarrier() ? Mbarrier : PendingCopy;
  }
};

/// What a release hands to those who acquire it.
struct Released {
  Known order;
  Known fenced; ///< Of it, what a fence.proxy.async lies behind.
  void clear() {
    order.clear();
    fenced.clear();
  }
  void add(const Released &other) {
    order.add(other.order);
    fenced.add(other.fenced);
  }
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
  /// bits are set in `used` have to have been written, and only their words
  /// conflict.
  bool read(Stamp me, uint32_t address, uint32_t count, uint64_t used,
            Conflict &conflict);
  bool write(Stamp me, uint32_t address, uint32_t count, Conflict &conflict);
  /// Records that the copy begun with the pending stamp `begun` has arrived.
  void deliver(Stamp begun, Stamp me, uint32_t address, uint32_t count);

  /// The same for bulk copies, begun by the thread of `me`: what they will
  /// write, and what they will read.
  bool beginBulkWrite(Stamp me, uint32_t address, uint32_t count,
                      Conflict &conflict);
  bool beginBulkRead(Stamp me, uint32_t address, uint32_t count,
                     Conflict &conflict);
  /// The read that began with the stamp `begun` is over, as `me` knows.
  void endBulkRead(Stamp begun, Stamp me, uint32_t address, uint32_t count);

  /// The 8 bytes at `address` are an mbarrier from now on, and are none any
  /// more.
  bool makeMbarrier(Stamp me, uint32_t address, Conflict &conflict);
  void endMbarrier(Stamp me, uint32_t address);

  /// Hands what `lanes` of `warp` know and did to `to`, and begins a new period
  /// of the warp. False when there were too many periods to be told apart.
  bool release(uint32_t warp, uint32_t lanes, Released &to);
  void acquire(uint32_t warp, uint32_t lanes, const Released &from);
  /// A bar.warp.sync of `lanes` of `warp`, and a fence.proxy.async.
  bool warpBarrier(uint32_t warp, uint32_t lanes);
  bool proxyFence(uint32_t warp, uint32_t lanes);

  /// The number of a new agent; Stamp::maxAgents when there are too many.
  uint32_t addAgent();
  bool checksRaces() const { return races; }

  bool isOrdered(Stamp earlier, Stamp me) const {
    return isOrdered(earlier, me, order.row(me.agent()));
  }
  /// Whether any thread of `warp` knows `earlier` to be over.
  bool isKnown(Stamp earlier, uint32_t warp) const {
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (order.knows(warp, lane, earlier))
        return true;
    return false;
  }
  /// Whether a fence.proxy.async lies between `earlier` and `me`.
  bool isFenced(Stamp earlier, Stamp me) const {
    return fences && fenced.knows(me.agent(), me.lane(), earlier);
  }

private:
  struct Record {
    Stamp writer;
    Stamp readers[2]; ///< The last one, and the last one of another warp.
  };

  struct BulkRead {
    Stamp stamp;
    uint32_t address, count;
  };

  /// `row` is what the warp of `me` knows. No stamp at all has period 0.
  bool isOrdered(Stamp earlier, Stamp me, const uint32_t *row) const {
    return !earlier.isClosed() && (earlier.period() <= row[earlier.agent()] ||
                                   isOrderedByLane(earlier, me));
  }
  bool isOrderedByLane(Stamp earlier, Stamp me) const;
  bool readRecord(Record &record, Stamp me, const uint32_t *row,
                  Conflict &conflict) const;
  bool writeRecord(Record &record, Stamp me, const uint32_t *row,
                   Conflict &conflict) const;
  bool checkWritten(uint32_t address, uint32_t count, uint64_t used,
                    Conflict &conflict) const;
  /// Whether an access by a thread needs a proxy fence before a bulk copy `me`.
  bool needsFence(Stamp earlier, Stamp me) const;
  bool checkFence(const Record &record, Stamp me, Conflict &conflict) const;
  bool checkFenceOfReaders(const Record &record, Stamp me,
                           Conflict &conflict) const;
  bool checkBulkReads(uint32_t address, uint32_t count,
                      Conflict &conflict) const;
  template <class Visit>
  bool forEachRecord(uint32_t address, uint32_t count, Visit visit);
  template <typename Visit>
  bool forEachUsedWord(uint32_t address, uint32_t count, uint64_t used,
                       Visit visit);

  bool races = false, uninitialized = false;
  bool fences = false; ///< Whether there was a fence.proxy.async.
  uint32_t warpCount = 0, agents = 0;
  std::vector<uint32_t> clock; ///< Current period of each warp.
  Ordering order, fenced;
  std::vector<BulkRead> bulkReads; ///< That have not ended.
  std::vector<Record> words;
  /// Where the four records of a word begin in `bytes` whose bytes differ; 0:
  /// the whole word is in `words`.
  std::vector<uint32_t> split;
  std::vector<Record> bytes;
  std::vector<uint8_t> written;
};

template <class Visit>
bool RaceDetector::forEachRecord(uint32_t address, uint32_t count,
                                 Visit visit) {
  uint32_t end = address + count;
  NM_ASSERT((uint64_t(address) + count + 3) / 4 <= words.size(),
            "an access lies in shared memory, as was checked before");
  while (address < end) {
    uint32_t word = address / 4;
    bool isWhole = address % 4 == 0 && end - address >= 4;
    if (isWhole && !split[word]) {
      if (!visit(words[word], address))
        return false;
      address += 4;
      continue;
    }
    if (!split[word]) {
      split[word] = static_cast<uint32_t>(bytes.size());
      bytes.insert(bytes.end(), 4, words[word]);
    }
    if (!visit(bytes[split[word] + address % 4], address))
      return false;
    ++address;
  }
  return true;
}

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_RACEDETECTOR_H
