//===- RunPTX.cpp - Parses PTX and launches its kernels -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Emulator/Emulator.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

using namespace nm::emulator;
using namespace nm::fuzz;

namespace {

/// The arguments of a launch: a parameter of eight bytes is a pointer, all
/// others are small numbers, as the sizes that kernels take are.
class Arguments {
public:
  Arguments(const Kernel &kernel, Memory &memory, std::mt19937_64 &random) {
    for (size_t index = 0; index < kernel.parameterCount(); ++index) {
      uint64_t size = kernel.parameterSize(index);
      // The module may declare more than there is.
      if (size > 1 << 20)
        break;
      std::vector<uint8_t> value(std::max<uint64_t>(size, 8), 0);
      uint64_t number = random() % 40;
      if (size == 8)
        number = allocate(memory, random);
      std::copy_n(reinterpret_cast<uint8_t *>(&number), 8, value.begin());
      values.push_back(std::move(value));
    }
    for (const std::vector<uint8_t> &value : values)
      pointers.push_back(value.data());
  }

  std::vector<const void *> pointers;

private:
  static uint64_t allocate(Memory &memory, std::mt19937_64 &random) {
    std::vector<uint32_t> words(4096);
    for (uint32_t &word : words)
      word = random() % 64;
    uint64_t address = memory.allocate(words.size() * sizeof(words[0]));
    memory.upload(address, words.data(), words.size() * sizeof(words[0]));
    return address;
  }

  std::vector<std::vector<uint8_t>> values;
};

} // namespace

/// Returns what ended the launch, or nothing.
static std::string launchKernel(const Module &module, const Kernel &kernel,
                                Memory &memory, std::mt19937_64 &random) {
  Arguments arguments(kernel, memory, random);
  LaunchConfig config;
  config.grid[0] = 1 + random() % 2;
  config.block[0] = 64;
  if (uint32_t most = kernel.maxThreads())
    config.block[0] = std::min(most, 256u);
  config.dynamicSharedBytes = 1024;
  Options options;
  options.maxInstructionsPerBlock = 20000;
  Counters counters;
  std::string error;
  bool isCounted = random() % 2;
  if (launch(module, kernel, memory, config, arguments.pointers.data(),
             arguments.pointers.size(), options,
             isCounted ? &counters : nullptr, error)) {
    if (isCounted)
      counters.toJSON();
    return "";
  }
  return error.empty() ? "failed without a message" : error;
}

Reply nm::fuzz::runPTX(Parts parts) {
  std::mt19937_64 random(std::strtoull(parts[0].c_str(), nullptr, 10));
  std::string error;
  auto module = Module::parse(parts[1], error);
  if (!module)
    return {false, error};
  obeySeededDefects(parts[1]);
  // One for all kernels: the module's variables may be large.
  Memory memory;
  std::string faults;
  for (const std::string &name : module->kernelNames())
    faults +=
        launchKernel(*module, *module->findKernel(name), memory, random) + "\n";
  return {true, faults};
}
