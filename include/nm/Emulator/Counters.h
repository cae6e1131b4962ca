//===- Counters.h - What a launch executed ----------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact counts of one launch, where a GPU offers samples and hardware counters:
// instructions by opcode, the main loop, shared-memory wavefronts and global
// sectors of every access. docs/Emulator.md says which counters of ncu they
// stand for.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EMULATOR_COUNTERS_H
#define NM_EMULATOR_COUNTERS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nm {
namespace emulator {

/// How often something was executed, by warps and by their active threads. A
/// predicated instruction counts for the threads whose predicate held; a warp
/// whose threads are all predicated off still counts as one warp.
struct ExecutionCount {
  uint64_t warps = 0;
  uint64_t lanes = 0;
};

/// One instruction of the kernel.
struct InstructionCounts {
  unsigned line = 0;  ///< Line of the PTX text, from 1.
  std::string opcode; ///< With its modifiers, such as "ld.shared.v4.f32".
  std::string text;   ///< The whole instruction.
  ExecutionCount count;
};

/// An instruction that reads or writes shared memory.
struct SharedCounts {
  unsigned line = 0;
  std::string opcode;
  bool isWrite = false;
  unsigned bytesPerLane = 0;
  uint64_t requests = 0;   ///< Warp-level executions with an active thread.
  uint64_t wavefronts = 0; ///< Passes over the 32 banks that they took.
  /// Passes that the same number of distinct bytes needs when they are spread
  /// evenly over the banks.
  uint64_t idealWavefronts = 0;

  uint64_t bankConflicts() const { return wavefronts - idealWavefronts; }
};

/// An instruction that reads or writes global memory.
struct GlobalCounts {
  unsigned line = 0;
  std::string opcode;
  bool isWrite = false;
  unsigned bytesPerLane = 0;
  uint64_t requests = 0; ///< Warp-level executions with an active thread.
  uint64_t sectors = 0;  ///< Distinct 32-byte sectors, summed over requests.

  double sectorsPerRequest() const {
    return requests ? static_cast<double>(sectors) / requests : 0.0;
  }
};

/// A loop without inner loops.
struct LoopCounts {
  unsigned firstLine = 0;  ///< Smallest and largest line of its instructions;
  unsigned lastLine = 0;   ///< 0 when the kernel has no loop.
  uint64_t iterations = 0; ///< Times that a warp entered its header.
  /// By opcode with modifiers: how many stand in the loop, and how many were
  /// executed there.
  std::map<std::string, uint64_t> staticCounts;
  std::map<std::string, ExecutionCount> executed;
};

/// All counts of one launch.
struct Counters {
  std::string kernel;
  uint64_t blocks = 0;
  uint32_t threadsPerBlock = 0;
  uint32_t sharedBytes = 0; ///< Static and dynamic, per block.
  ExecutionCount total;
  std::map<std::string, ExecutionCount> byOpcode; ///< With modifiers.
  std::vector<InstructionCounts> instructions;    ///< In the text's order.
  /// The innermost loop with the most executed instructions.
  LoopCounts mainLoop;
  std::vector<SharedCounts> shared;
  std::vector<GlobalCounts> global;

  /// Sums over `shared` and `global`.
  uint64_t sharedRequests() const;
  uint64_t sharedWavefronts() const;
  uint64_t sharedIdealWavefronts() const;
  uint64_t globalRequests() const;
  uint64_t globalSectors() const;

  /// Sum over the opcodes that are `opcode` or start with `opcode` and a dot:
  /// "fma" counts fma.rn.f32 and fma.rn.f64.
  ExecutionCount executed(const std::string &opcode) const;

  /// Everything above as one JSON object with the names above.
  std::string toJSON() const;
};

} // namespace emulator
} // namespace nm

#endif // NM_EMULATOR_COUNTERS_H
