//===- Emulator.h - Execution of PTX text on the host -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A PTX interpreter: what runs where there is no GPU, and what finds the errors
// that a GPU does not report. Text is parsed and decoded once into a Module; a
// launch runs one kernel of it on a Memory to the end, and says what it did in
// Counters. docs/Emulator.md describes the instructions and the checks.
//
// Nothing here throws, and no PTX text, parameter or launch size makes it
// crash: what cannot be executed ends in an error text.
//
//===----------------------------------------------------------------------===//

#ifndef NM_EMULATOR_EMULATOR_H
#define NM_EMULATOR_EMULATOR_H

#include "nm/Emulator/Counters.h"
#include "nm/Emulator/Memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nm {
namespace emulator {

/// What is checked beyond what the execution itself needs. Or-ed together in
/// Options::checks; the values equal NMRT_CHECK_* of nm-c/Runtime.h.
enum Check : uint32_t {
  /// Accesses outside of what was allocated or declared, to the byte. Without
  /// it the bytes up to the next multiple of 256 may be touched too; an access
  /// beyond them always ends the launch, as it does on a GPU.
  CheckBounds = 1,
  /// Addresses that are not a multiple of the access's size. Without it they
  /// are executed as if that were allowed.
  CheckAlignment = 2,
  /// Reads of shared memory that nobody wrote in this block, by byte.
  CheckUninitialized = 4,
  /// Accesses of shared memory by two threads, or of global memory by two
  /// blocks or two launches, one of them a write, that nothing orders; and uses
  /// of what an asynchronous copy has not delivered.
  CheckRaces = 8,
  /// Barriers that some threads of a warp or of the block do not reach.
  CheckBarriers = 16,
  CheckAll = 31
};

/// How to run a launch.
struct Options {
  uint32_t checks = CheckAll;
  /// Decides the order in which warps run; equal seeds give equal runs.
  uint64_t seed = 0x6e6d;
  /// Host threads that run blocks; 0 counts as 1. With more than one, blocks
  /// run in no fixed order, so floating-point atomics may differ between runs.
  unsigned threads = 1;
  /// Ends a launch whose warps have executed more instructions than this in one
  /// block, for texts that may loop for ever; 0 is no limit.
  uint64_t maxInstructionsPerBlock = 0;
};

struct KernelImpl;
struct ModuleImpl;

/// A `.entry` of a module; lives as long as the module.
class Kernel {
public:
  const std::string &name() const;
  /// Number of parameters, and the size in bytes of one of them.
  size_t parameterCount() const;
  uint64_t parameterSize(size_t index) const;
  /// Bytes of its statically declared shared memory.
  uint32_t staticSharedBytes() const;
  /// Threads per block that .maxntid or .reqntid allows; 0 when not given.
  uint32_t maxThreads() const;

  const KernelImpl &impl() const { return *implementation; }
  explicit Kernel(std::unique_ptr<KernelImpl> implementation);
  ~Kernel();

private:
  std::unique_ptr<KernelImpl> implementation;
};

/// A parsed and decoded PTX text. Immutable; several threads may launch it.
class Module {
public:
  /// Parses `ptx` (a final 0 byte is accepted). Returns null, and a text
  /// `line N: ...` in `error`, when it is malformed or holds an instruction,
  /// modifier or directive that the emulator does not execute.
  static std::unique_ptr<Module> parse(std::string_view ptx,
                                       std::string &error);
  ~Module();

  /// Null when there is no such kernel.
  const Kernel *findKernel(std::string_view name) const;
  /// In the text's order.
  std::vector<std::string> kernelNames() const;

  const ModuleImpl &impl() const { return *implementation; }
  /// For those that need the text longer than the module lives.
  std::shared_ptr<const ModuleImpl> share() const { return implementation; }

private:
  explicit Module(std::unique_ptr<ModuleImpl> implementation);
  std::shared_ptr<ModuleImpl> implementation;
};

/// Size of a launch, in blocks, threads and bytes.
struct LaunchConfig {
  uint64_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  /// Blocks that run together; all 0: what the kernel requires, or none.
  uint32_t cluster[3] = {0, 0, 0};
  /// Programmatic dependent launch: it may begin before the launches before it
  /// on this memory have ended, and waits for them by griddepcontrol.wait.
  bool dependent = false;
};

/// What ended a launch.
struct Fault {
  /// Names the kernel, PTX line and its text, block, thread, address, size, and
  /// what was expected.
  std::string message;
  std::string kernel;
  unsigned line = 0; ///< Of the PTX text; 0 for launch errors.
  uint64_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  /// The check that failed, or 0 when no option could have switched it off.
  uint32_t check = 0;
};

/// Runs `kernel` of `module` to its end. `parameterValues` points to one
/// pointer per parameter, to a value of Kernel::parameterSize bytes, as
/// cuLaunchKernel takes them. A grid with a zero extent runs nothing and
/// succeeds. `counters`, if not null, is overwritten; without it the launch
/// runs faster. Returns false, with what happened in `fault`, when the launch
/// is refused or a check fails; memory then holds what was written until there.
bool launch(const Module &module, const Kernel &kernel, Memory &memory,
            const LaunchConfig &config, const void *const *parameterValues,
            size_t parameterCount, const Options &options, Counters *counters,
            Fault &fault);

/// As above, with the message only.
bool launch(const Module &module, const Kernel &kernel, Memory &memory,
            const LaunchConfig &config, const void *const *parameterValues,
            size_t parameterCount, const Options &options, Counters *counters,
            std::string &error);

/// The address in `memory` of a `.global` or `.const` variable of `module`,
/// whose variables get their place there now if no launch gave it to them; 0
/// when there is none of this name or no memory.
uint64_t findVariable(const Module &module, std::string_view name,
                      Memory &memory);

/// Frees the variables of `module` in `memory`, whose addresses are forgotten.
void removeVariables(const Module &module, Memory &memory);

} // namespace emulator
} // namespace nm

#endif // NM_EMULATOR_EMULATOR_H
