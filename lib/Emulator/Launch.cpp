//===- Launch.cpp - Launches ----------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks what the driver checks before it starts a kernel, then runs the blocks
// and gathers their counts.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "CounterBuilder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <thread>

using namespace nm::emulator;

namespace nm {
namespace emulator {

/// Gives the `.global` and `.const` variables of a module their place in a
/// memory, once: they keep their values between launches.
class ModuleVariables {
public:
  /// Returns their address; 0 when there is no memory for them.
  static uint64_t place(const ModuleImpl &module, Memory &memory) {
    auto known = memory.moduleVariables.find(module.id);
    if (known != memory.moduleVariables.end())
      return known->second;
    uint64_t bytes = module.syntax.globalBytes;
    uint64_t address = memory.allocate(bytes);
    uint8_t *host = address ? memory.hostPointer(address, bytes) : nullptr;
    if (!host)
      return 0;
    std::memset(host, 0, bytes);
    for (const Variable *variable : module.syntax.global)
      std::copy(variable->initialiser.begin(), variable->initialiser.end(),
                host + variable->offset);
    memory.moduleVariables[module.id] = address;
    return address;
  }

  static void remove(const ModuleImpl &module, Memory &memory) {
    auto known = memory.moduleVariables.find(module.id);
    if (known == memory.moduleVariables.end())
      return;
    memory.free(known->second);
    memory.moduleVariables.erase(known);
  }
};

} // namespace emulator
} // namespace nm

/// The largest grid, as CUDA has it.
static constexpr uint64_t maxGridX = (1ull << 31) - 1;
static constexpr uint64_t maxGridYZ = 65535;
static constexpr uint32_t maxThreadsPerBlock = 1024;
static constexpr uint32_t maxBlockZ = 64;
/// What the warps of one cluster may take of the host's memory.
static constexpr uint64_t maxState = 4ull << 30;

/// Registers of a multiprocessor.
static constexpr uint64_t registerFile = 65536;

static std::string dimensions(uint64_t x, uint64_t y, uint64_t z) {
  return std::to_string(x) + " x " + std::to_string(y) + " x " +
         std::to_string(z);
}

static std::string checkBlock(const KernelImpl &kernel,
                              const LaunchConfig &config) {
  const uint32_t *block = config.block;
  std::string got = ", got " + dimensions(block[0], block[1], block[2]);
  uint64_t threads = uint64_t(block[0]) * block[1];
  if (block[0] == 0 || block[1] == 0 || block[2] == 0 ||
      threads > maxThreadsPerBlock || threads * block[2] > maxThreadsPerBlock ||
      block[2] > maxBlockZ)
    return "expected a block of 1 to 1024 threads, at most 64 along z" + got;
  threads *= block[2];
  const uint32_t *most = kernel.maxBlock, *exact = kernel.requiredBlock;
  if (most[0] && threads > uint64_t(most[0]) * most[1] * most[2])
    return "expected a block within .maxntid " +
           dimensions(most[0], most[1], most[2]) + got;
  if (exact[0] && !std::equal(block, block + 3, exact))
    return "expected the block of .reqntid " +
           dimensions(exact[0], exact[1], exact[2]) + got;
  return {};
}

/// Fills in the shape of the clusters, from the launch or from the kernel.
static std::string findCluster(LaunchContext &context) {
  const KernelImpl &kernel = context.kernel;
  const uint32_t *asked = context.config.cluster;
  const uint32_t *required = kernel.requiredCluster;
  bool isAsked = asked[0] || asked[1] || asked[2];
  context.isExplicitCluster = isAsked || required[0];
  if (!context.isExplicitCluster)
    return kernel.isExplicitCluster
               ? "expected the shape of clusters, as .explicitcluster demands"
               : "";
  const uint32_t *shape = isAsked ? asked : required;
  std::string got = ", got " + dimensions(shape[0], shape[1], shape[2]);
  if (required[0] && !std::equal(shape, shape + 3, required))
    return "expected the cluster of .reqnctapercluster " +
           dimensions(required[0], required[1], required[2]) + got;
  uint32_t most = kernel.maxCluster
                      ? std::min(kernel.maxCluster, maxClusterBlocks)
                      : maxClusterBlocks;
  uint64_t blocks = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    // Three extents of 32 bits could pass 64 together.
    blocks *= std::min(shape[axis], most + 1);
    if (blocks == 0 || blocks > most)
      return "expected a cluster of 1 to " + std::to_string(most) + " blocks" +
             got;
    if (context.config.grid[axis] % shape[axis])
      return "expected clusters that divide the grid" + got;
    context.cluster[axis] = shape[axis];
  }
  context.clusterBlocks = static_cast<uint32_t>(blocks);
  return "";
}

static std::string checkLaunch(const KernelImpl &kernel,
                               const LaunchConfig &config,
                               size_t parameterCount) {
  if (parameterCount != kernel.parameters.size())
    return "expected " + std::to_string(kernel.parameters.size()) +
           " parameters, got " + std::to_string(parameterCount);
  const uint64_t *grid = config.grid;
  if (grid[0] > maxGridX || grid[1] > maxGridYZ || grid[2] > maxGridYZ)
    return "expected a grid of at most 2147483647 x 65535 x 65535 blocks, "
           "got " +
           dimensions(grid[0], grid[1], grid[2]);
  if (grid[0] && grid[1] > std::numeric_limits<uint64_t>::max() / grid[0])
    return "expected fewer blocks";
  std::string error = checkBlock(kernel, config);
  if (!error.empty())
    return error;
  uint64_t shared =
      uint64_t(kernel.staticSharedBytes) + config.dynamicSharedBytes;
  if (shared > maxSharedBytes)
    return "expected at most " + std::to_string(maxSharedBytes) +
           " bytes of shared memory, got " +
           std::to_string(kernel.staticSharedBytes) + " static and " +
           std::to_string(config.dynamicSharedBytes) + " dynamic";
  uint64_t threads =
      uint64_t(config.block[0]) * config.block[1] * config.block[2];
  uint64_t warps = (threads + warpSize - 1) / warpSize;
  if (kernel.entryRegisters * warps * warpSize > registerFile)
    return "expected at most " + std::to_string(registerFile) +
           " registers of a block, got " +
           std::to_string(kernel.entryRegisters) + " in each of " +
           std::to_string(threads) + " threads";
  return {};
}

/// What the warps of a cluster take of the host's memory.
static std::string checkState(const LaunchContext &context) {
  const KernelImpl &kernel = context.kernel;
  uint64_t state = uint64_t(context.warps) * context.clusterBlocks *
                   (kernel.registerBytes + kernel.localBytes * warpSize);
  if (state > maxState)
    return "expected registers and local memory of a block, or of a cluster of "
           "blocks, within 4 GiB, got " +
           std::to_string(state) + " bytes";
  return {};
}

static bool refuse(const KernelImpl &kernel, const std::string &error,
                   Fault &fault) {
  fault.kernel = kernel.name;
  fault.message = "kernel '" + kernel.name + "': " + error;
  return false;
}

/// Runs the clusters on `threads` host threads. Returns false after a fault,
/// that of the lowest cluster that had one.
static bool runClusters(const LaunchContext &context, uint64_t clusters,
                        unsigned threads, CounterBuilder &counters, Grid &grid,
                        Fault &fault) {
  std::atomic<uint64_t> next{0}, faultAt{clusters};
  threads = static_cast<unsigned>(
      std::min<uint64_t>(std::max(threads, 1u), clusters));
  std::vector<std::unique_ptr<Interpreter>> interpreters;
  for (unsigned i = 0; i < threads; ++i)
    interpreters.push_back(std::make_unique<Interpreter>(context));
  std::vector<uint64_t> faults(threads, clusters);
  auto work = [&](unsigned i) {
    for (;;) {
      uint64_t cluster = next++;
      if (cluster >= clusters || cluster > faultAt)
        return;
      if (interpreters[i]->runCluster(cluster))
        continue;
      faults[i] = cluster;
      uint64_t least = faultAt;
      while (cluster < least && !faultAt.compare_exchange_weak(least, cluster))
        ;
      return;
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(work, i);
  work(0);
  for (std::thread &thread : others)
    thread.join();
  for (const auto &interpreter : interpreters) {
    counters.add(*interpreter);
    grid.waits |= interpreter->waitsForGrids;
    grid.holdsBack |= interpreter->holdsBackGrids;
  }
  auto first = std::min_element(faults.begin(), faults.end());
  if (*first == clusters)
    return true;
  fault = interpreters[static_cast<size_t>(first - faults.begin())]->fault();
  return false;
}

/// Runs the clusters, checked against the grids that may run beside them.
static bool runGrid(LaunchContext &context, const Module &module,
                    uint64_t clusters, EarlierGrids &earlier,
                    CounterBuilder &counters, Fault &fault) {
  const Options &options = context.options;
  bool checksRaces = options.checks & CheckRaces;
  auto grid = std::make_unique<Grid>(options.threads > 1);
  grid->module = module.share();
  grid->kernel = &context.kernel;
  earlier.begin(context.config.dependent);
  if (checksRaces) {
    context.globalRaces = &grid->races;
    context.globalAtomics = &grid->atomics;
    context.earlierGrids = earlier.isEmpty() ? nullptr : &earlier;
  }
  bool succeeded =
      runClusters(context, clusters, options.threads, counters, *grid, fault);
  // After a fault nothing is known of what ran.
  if (succeeded && checksRaces)
    earlier.end(std::move(grid));
  else
    earlier.clear();
  return succeeded;
}

static bool runLaunch(const Module &module, const Kernel &kernel,
                      Memory &memory, const LaunchConfig &config,
                      const void *const *parameterValues, size_t parameterCount,
                      const Options &options, Counters *counters,
                      Fault &fault) {
  const KernelImpl &program = kernel.impl();
  fault = Fault();
  std::string error = checkLaunch(program, config, parameterCount);
  if (!error.empty())
    return refuse(program, error, fault);
  LaunchContext context(program, memory, config, options);
  error = findCluster(context);
  if (!error.empty())
    return refuse(program, error, fault);
  context.count = counters != nullptr;
  uint64_t threads =
      uint64_t(config.block[0]) * config.block[1] * config.block[2];
  context.threads = static_cast<uint32_t>(threads);
  context.warps = static_cast<uint32_t>((threads + warpSize - 1) / warpSize);
  error = checkState(context);
  if (!error.empty())
    return refuse(program, error, fault);
  context.sharedBytes = program.staticSharedBytes + config.dynamicSharedBytes;
  context.parameters.resize(program.parameterBytes);
  for (size_t i = 0; i < parameterCount; ++i) {
    if (!parameterValues[i])
      return refuse(program,
                    "expected a value of parameter " + std::to_string(i) +
                        ", got a null pointer",
                    fault);
    std::memcpy(context.parameters.data() + program.parameters[i].offset,
                parameterValues[i], program.parameters[i].size);
  }
  if (!module.impl().syntax.global.empty()) {
    context.globalVariables = ModuleVariables::place(module.impl(), memory);
    if (!context.globalVariables)
      return refuse(program, "no memory for the variables of the module",
                    fault);
  }
  CounterBuilder builder(context);
  uint64_t blocks = config.grid[0] * config.grid[1] * config.grid[2];
  bool succeeded =
      blocks == 0 || runGrid(context, module, blocks / context.clusterBlocks,
                             EarlierGrids::of(memory), builder, fault);
  if (counters)
    *counters = builder.finish(blocks);
  return succeeded;
}

// The host's memory may run out under what a launch may legally ask for.
bool nm::emulator::launch(const Module &module, const Kernel &kernel,
                          Memory &memory, const LaunchConfig &config,
                          const void *const *parameterValues,
                          size_t parameterCount, const Options &options,
                          Counters *counters, Fault &fault) {
  try {
    return runLaunch(module, kernel, memory, config, parameterValues,
                     parameterCount, options, counters, fault);
  } catch (const std::bad_alloc &) {
    return refuse(kernel.impl(), "the host has no memory for this launch",
                  fault);
  }
}

bool nm::emulator::launch(const Module &module, const Kernel &kernel,
                          Memory &memory, const LaunchConfig &config,
                          const void *const *parameterValues,
                          size_t parameterCount, const Options &options,
                          Counters *counters, std::string &error) {
  Fault fault;
  bool succeeded = launch(module, kernel, memory, config, parameterValues,
                          parameterCount, options, counters, fault);
  error = fault.message;
  return succeeded;
}

uint64_t nm::emulator::findVariable(const Module &module, std::string_view name,
                                    Memory &memory) {
  for (const Variable *variable : module.impl().syntax.global)
    if (variable->name == name) {
      uint64_t base = ModuleVariables::place(module.impl(), memory);
      return base ? base + variable->offset : 0;
    }
  return 0;
}

void nm::emulator::removeVariables(const Module &module, Memory &memory) {
  ModuleVariables::remove(module.impl(), memory);
}
