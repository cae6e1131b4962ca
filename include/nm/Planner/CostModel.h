//===- CostModel.h - How long a kernel will take ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NM-SpMM III, Eq. 3-6, counted per step of a block: what a kernel issues, and
// what it moves, against what the chip does in that time.
//
//===----------------------------------------------------------------------===//

#ifndef NM_PLANNER_COSTMODEL_H
#define NM_PLANNER_COSTMODEL_H

#include "nm/Target/TargetInfo.h"

namespace nm {

/// What a kernel does, as its strategy counts it.
struct KernelWork {
  int64_t blocks = 1;      // of the grid
  int64_t steps = 1;       // of k, a block
  int64_t stages = 1;      // buffers that steps take in turn
  int64_t threads = 32;    // a block
  int64_t registers = 32;  // a thread
  int64_t sharedBytes = 0; // a block
  double instructions =
      0;                  // a warp and step: FMAs, and others at an FMA's price
  double wavefronts = 0;  // of shared memory, a block and step
  double bytes = 0;       // from L2, a block and step
  bool byEngine = false;  // which the chip's copy engine fetches
  double uniqueBytes = 0; // of all operands, once
  double weightBytes = 0; // of these what no block leaves out
  bool readsOnce = false; // blocks share but what stays in L2
  double leastWarps = 1;  // a scheduler with fewer takes as long as with these
  int64_t cluster = 1;    // blocks that add their sums
  double clusterBytes = 0; // of sums, that a block reads in its cluster
  /// Of sums that go through global memory, between two kernels.
  double workspaceBytes = 0;
  double firstBytes = 0; // from L2, which a block needs before all else
  /// Of what a block takes beside its steps: less where these begin with it.
  double besides = 1;
  double laterWaves = 1; // what a wave behind the first takes of its time
  bool isFirst = false;  // no other block has brought what it reads to L2
  double segments = 1;   // tiles that a block computes steps of, one by one
  bool overlaps = false; // copies for the next of them before it stores one
  /// Of sums that a block writes for others and reads of theirs, before it
  /// ends; 0 where the blocks do not share all steps.
  double streamBytes = 0;
};

/// What a kernel waits for most.
enum class Bound { Issue, Latency, SharedMemory, L2, DRAM };
llvm::StringRef getName(Bound bound);

struct Cost {
  double seconds;
  Bound bound;
  int64_t blocksPerSM; // that are resident together
};

/// Blocks of `work` that an SM of `target` holds.
int64_t getBlocksPerSM(const KernelWork &work, const TargetInfo &target);

/// The time of a kernel of `work` alone on `target`.
Cost predictCost(const KernelWork &work, const TargetInfo &target);

/// The seconds of a kernel that moves `bytes` from memory and to it, and does
/// nothing else: a transposition.
double predictTransfer(double bytes, const TargetInfo &target);

} // namespace nm

#endif // NM_PLANNER_COSTMODEL_H
