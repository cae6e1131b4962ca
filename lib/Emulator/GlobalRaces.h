//===- GlobalRaces.h - Races between blocks in global memory ----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remembers, for the global memory that a launch touches, which cluster wrote
// last and which one read: for each 16 bytes, and for each byte where smaller
// accesses come.
// Nothing orders the clusters of a launch but atomics and fences: whoever has
// read an atomic is taken to know what others did before a fence of theirs.
// That may be too kind, but finds no race where there is none. What orders a
// launch with the ones before it is known to EarlierGrids.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_GLOBALRACES_H
#define NM_LIB_EMULATOR_GLOBALRACES_H

#include "nm/Emulator/Memory.h"

#include <mutex>
#include <unordered_map>
#include <vector>

namespace nm {
namespace emulator {

class GlobalRaces {
  static constexpr uint32_t several = 0xffffff;

public:
  /// A cluster and the number of fences it had executed; 0: nobody.
  using Mark = uint32_t;
  /// One who accesses: a cluster, with what it has done so far.
  struct Agent {
    explicit Agent(uint64_t cluster = 0)
        : mark((static_cast<uint32_t>(cluster % (several - 1)) + 1) << 8) {}
    Mark mark;
    uint32_t pc = 0;          ///< Of the instruction that accesses.
    bool hasAcquired = false; ///< Has read an atomic or the like.
  };
  struct Conflict {
    uint64_t address = 0;
    bool isSeveral = false; ///< Of more than one other cluster.
    bool otherWrote = false;
    uint64_t cluster = 0; ///< The other one.
    uint32_t pc = 0;      ///< Of its instruction.
  };

  /// `isParallel`: clusters run on several threads of the host.
  explicit GlobalRaces(bool isParallel) : isParallel(isParallel) {}

  /// Records accesses of `bytes` bytes by the lanes of `mask`. Returns false
  /// when not all could be recorded: `access` says of each lane why.
  bool accessLanes(const Agent &me, const Allocation &allocation,
                   const uint64_t *addresses, uint32_t mask, uint32_t bytes,
                   bool isWrite);
  /// Records an access of `bytes` bytes within `allocation`. Returns false,
  /// with the reason, when another cluster's is in no order with it.
  bool access(const Agent &me, const Allocation &allocation, uint64_t address,
              uint32_t bytes, bool isWrite, Conflict &conflict);
  /// Whether an access of `bytes` bytes conflicts with any that was recorded,
  /// and with which.
  bool find(const Allocation &allocation, uint64_t address, uint32_t bytes,
            bool isWrite, Conflict &conflict) const;
  /// `agent` has executed a fence.
  void fence(Agent &agent);

private:
  struct Entry {
    Mark writer = 0, reader = 0;
    uint32_t writerPc = 0, readerPc = 0;
  };
  /// One entry for each 16 bytes, as long as accesses cover those whole; then
  /// for each 4, then for each byte.
  struct Page {
    uint32_t unit = 16;
    std::vector<Entry> entries;
  };
  static constexpr uint32_t pageBytes = 4096;
  Page &page(const Allocation &allocation, uint64_t offset);
  static void splitPage(Page &page, uint32_t unit);
  bool visitRange(const Agent &me, const Allocation &allocation,
                  uint64_t offset, uint64_t end, bool isWrite,
                  Conflict &conflict);
  bool isOrdered(Mark earlier, const Agent &me) const;
  bool visit(Entry &entry, const Agent &me, bool isWrite, Conflict &conflict);

  bool isParallel;
  std::mutex mutex;
  std::unordered_map<uint64_t, std::vector<Page>> shadows; ///< By address.
  std::unordered_map<uint32_t, uint32_t> fencesOf;         ///< By cluster.
  uint64_t lastAddress = 0; ///< Of the allocation of ...
  std::vector<Page> *last = nullptr;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_GLOBALRACES_H
