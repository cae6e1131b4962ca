//===- TestSupport.h - Running PTX in tests ---------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device with typed buffers and launches in one line.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_EMULATOR_TESTSUPPORT_H
#define NM_TEST_UNIT_EMULATOR_TESTSUPPORT_H

#include "nm/Emulator/Emulator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

namespace nm {
namespace emulator {
namespace test {

/// The seed of every random input: printed by the tests that use it.
constexpr unsigned inputSeed = 20261121;

inline std::string readInput(const std::string &name) {
  std::ifstream file(std::string(NM_EMULATOR_INPUTS) + "/" + name);
  EXPECT_TRUE(file.good()) << "cannot read " << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A module on a memory of its own.
class Device {
public:
  explicit Device(const std::string &ptx) {
    std::string error;
    module = Module::parse(ptx, error);
    EXPECT_TRUE(module) << error;
  }
  static Device fromFile(const std::string &name) {
    return Device(readInput(name));
  }

  template <class T> uint64_t upload(const std::vector<T> &values) {
    uint64_t address = memory->allocate(values.size() * sizeof(T));
    EXPECT_TRUE(
        memory->upload(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  template <class T>
  std::vector<T> download(uint64_t address, size_t count) const {
    std::vector<T> values(count);
    EXPECT_TRUE(memory->download(values.data(), address, count * sizeof(T)));
    return values;
  }

  /// Launches; the message of the fault is in `fault`.
  template <class... T>
  bool run(const std::string &name, LaunchConfig config, T... arguments) {
    const void *pointers[] = {&arguments..., nullptr};
    const Kernel *kernel = module ? module->findKernel(name) : nullptr;
    if (!kernel) {
      fault = Fault();
      fault.message = "no kernel '" + name + "'";
      return false;
    }
    return launch(*module, *kernel, *memory, config, pointers,
                  sizeof...(arguments), options, count ? &counters : nullptr,
                  fault);
  }

  std::unique_ptr<Memory> memory = std::make_unique<Memory>();
  std::unique_ptr<Module> module;
  Options options;
  bool count = false;
  Counters counters;
  Fault fault;
};

inline LaunchConfig config(uint64_t blocks, uint32_t threads,
                           uint32_t shared = 0) {
  LaunchConfig result;
  result.grid[0] = blocks;
  result.block[0] = threads;
  result.dynamicSharedBytes = shared;
  return result;
}

inline std::vector<float> randomFloats(size_t count, float low = -1,
                                       float high = 1) {
  std::mt19937 generator(inputSeed);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(generator);
  return values;
}

/// A kernel `k` with the body between its braces, three pointers as parameters
/// (%rd1 to %rd3, in global space), and %r1 the thread's number.
inline std::string kernelText(const std::string &body,
                              const std::string &variables = "") {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + variables +
         "\n.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2)\n"
         "{\n.reg .pred %p<16>;\n.reg .b16 %h<32>;\n.reg .b32 %r<64>;\n"
         ".reg .f32 %f<32>;\n.reg .b64 %rd<32>;\n.reg .f64 %fd<16>;\n"
         "ld.param.u64 %rd1, [p0];\nld.param.u64 %rd2, [p1];\n"
         "ld.param.u64 %rd3, [p2];\nmov.u32 %r1, %tid.x;\n" +
         body + "\nret;\n}\n";
}

} // namespace test
} // namespace emulator
} // namespace nm

#endif // NM_TEST_UNIT_EMULATOR_TESTSUPPORT_H
