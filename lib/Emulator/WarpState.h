//===- WarpState.h - State of the warps and blocks of a cluster -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter keeps of each warp, each barrier and each block. Where
// addresses of shared memory are kept, those of all blocks of a cluster lie one
// behind the other.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EMULATOR_WARPSTATE_H
#define NM_LIB_EMULATOR_WARPSTATE_H

#include "Program.h"
#include "RaceDetector.h"

namespace nm {
namespace emulator {

/// Lanes that run together from `pc` until they reach `reconvergence`.
struct Frame {
  uint32_t pc, reconvergence, mask;
};

/// A cp.async that has not been waited for.
struct PendingCopy {
  uint32_t mask; ///< Lanes that still wait for it.
  uint32_t pc;
  uint8_t bytes;
  uint64_t number;          ///< Of the copies of the warp.
  uint32_t group[warpSize]; ///< Which commit of the lane it belongs to.
  uint32_t destination[warpSize];
  const uint8_t *source[warpSize];
  uint8_t sourceBytes[warpSize];
  Stamp stamp;
};

enum class State : uint8_t { Ready, Waiting, Done };

struct Warp {
  uint32_t index = 0;  ///< In the cluster.
  uint32_t block = 0;  ///< Rank of its block in the cluster.
  uint32_t number = 0; ///< In the block.
  uint8_t *registers = nullptr;
  uint8_t *local = nullptr;
  uint32_t threads = 0; ///< Lanes that are threads of the block.
  uint32_t exited = 0;
  State state = State::Ready;
  std::vector<Frame> stack;
  std::vector<PendingCopy> copies;
  uint32_t committed[warpSize] = {}; ///< Groups committed so far.
  uint64_t copiesBegun = 0;
  uint32_t bulkCommitted[warpSize] = {}; ///< The same for bulk copies.
  uint32_t waitPc = 0; ///< Of the barrier or mbarrier it waits at.
  uint32_t waitMask = 0;
  /// Of the last wait for an mbarrier, if that failed.
  uint32_t failedPc = noTarget;
  uint32_t polledMbarrier = 0;
  uint64_t polls = 0;     ///< Failed waits since ...
  uint64_t pollsFrom = 0; ///< ... this many changes.
  // Lanes that have arrived at barrier.cluster and not waited: for the phase
  // that lacks others, and for one that is complete.
  uint32_t clusterArrived = 0, clusterPassed = 0;
  bool waitsForCluster = false;
  // For setmaxnreg.
  uint32_t maxRegisters = 0;
  uint32_t wantedRegisters = 0;          ///< 0: it waits for none.
  std::vector<uint32_t> registerChanges; ///< By which instructions.
  /// Lanes that executed griddepcontrol.wait, or are known to come after it.
  uint32_t knowsGridWait = 0;
};

struct BarrierState {
  uint32_t waiting = 0;  ///< Warps.
  uint32_t arrived = 0;  ///< Warps, those that did not wait included.
  uint32_t arrivals = 0; ///< Number of arrivals.
  uint32_t expected = 0; ///< In warps.
  bool isWholeBlock = true;
  uint32_t predicates = 0; ///< Threads with a true predicate.
  uint32_t voters = 0;     ///< Threads that voted.
  Released released;       ///< By the warps that arrived.
};

/// A block of the cluster that runs.
struct Block {
  uint64_t index[3] = {0, 0, 0}; ///< In the grid.
  uint32_t rank[3] = {0, 0, 0};  ///< In the cluster.
  BarrierState barriers[16];
  uint32_t freeRegisters = 0; ///< A thread, that warps have given up.
  uint32_t running = 0;       ///< Warps that have not ended.
  /// Last access to its shared memory by each warp of another block.
  std::vector<Stamp> visitors;
  /// Whether a thread waits for the grid before; and whether one lets the next
  /// start that has not.
  bool waitsForGrids = false, startsNextEarly = false;
};

/// barrier.cluster
struct ClusterBarrier {
  uint32_t phase = 0;   ///< Phases completed.
  uint32_t arrived = 0; ///< Threads.
  Released arriving, completed;
};

} // namespace emulator
} // namespace nm

#endif // NM_LIB_EMULATOR_WARPSTATE_H
