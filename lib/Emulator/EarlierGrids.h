//===- EarlierGrids.h - Launches that may still run -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dependent launch may begin while the launches before it run. Here each has
// ended before the next begins, so what they touched is kept until the next
// launch that waits for all of them.
//
// A grid starts when every block of the one before it has executed
// griddepcontrol.launch_dependents or has ended; griddepcontrol.wait waits for
// the end of that one. Of the grids before it either tells something only if
// those in between waited in turn.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_EARLIERGRIDS_H
#define NM_LIB_EMULATOR_EARLIERGRIDS_H

#include "GlobalRaces.h"

namespace nm {
namespace emulator {

struct KernelImpl;
struct ModuleImpl;

/// What one launch touched and told others.
struct Grid {
  explicit Grid(bool isParallel) : races(isParallel), atomics(isParallel) {}

  std::shared_ptr<const ModuleImpl> module; ///< That of ...
  const KernelImpl *kernel = nullptr;
  GlobalRaces races;
  /// Accesses that `races` does not take: atomics, volatile ones and the like.
  GlobalRaces atomics;
  /// A thread has waited for the grid before: that has ended when this has.
  bool waits = false;
  /// The next one cannot start before the grid before this one has ended: a
  /// block of this one waits before it lets others start.
  bool holdsBack = false;
};

class EarlierGrids {
public:
  /// Those launched on `memory`.
  static EarlierGrids &of(Memory &memory);

  /// A grid is about to run: works out which ones may run beside it.
  void begin(bool isDependent);
  /// It has run.
  void end(std::unique_ptr<Grid> grid);
  void clear() { records.clear(); }

  bool isEmpty() const { return records.empty(); }
  /// Whether some may still run when the one that began has waited.
  bool outliveWait() const { return records.front().outlivesWait; }
  /// A grid that may still run, before or after the wait, and that an access
  /// conflicts with; or null. Atomics do not conflict with atomics.
  const Grid *find(bool hasWaited, const Allocation &allocation,
                   uint64_t address, uint32_t bytes, bool isWrite,
                   bool isAtomic, GlobalRaces::Conflict &conflict) const;

private:
  struct Record {
    std::unique_ptr<Grid> grid;
    bool hasEnded = false;     ///< When the one that began starts.
    bool outlivesWait = false; ///< May run after it has waited.
  };

  std::vector<Record> records; ///< The first is one that may still run.
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_EARLIERGRIDS_H
