//===- KernelTest.h - Right kernels and the same with a fault ---*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that works must work in every order of its warps; one that misses
// something must be found in every order. With NM_EMULATOR_DUMP_PTX=DIR the
// texts are written to DIR, for ptxas to judge whether they are PTX.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_EMULATOR_KERNELTEST_H
#define NM_TEST_UNIT_EMULATOR_KERNELTEST_H

#include "TestSupport.h"

#include <cstdlib>
#include <functional>

namespace nm {
namespace emulator {
namespace test {

using Words = std::vector<uint32_t>;

class KernelTest : public testing::Test {
protected:
  static constexpr uint64_t seeds = 12;
  static constexpr uint32_t inputWords = 1024;

  /// Runs `body` once: word i of %rd1 is 10*i, the words of %rd2 come back in
  /// `output`.
  bool run(const std::string &body, uint64_t seed) {
    std::string text = kernelText(body, variables);
    text.replace(text.find("sm_90"), 5, "sm_90a");
    size_t brace = text.find("\n{");
    text.insert(brace, directives);
    text.replace(text.find("8.0"), 3, version);
    dump(text);
    Device device(text);
    device.options = options;
    device.options.seed = seed;
    device.options.maxInstructionsPerBlock = 10000000;
    Words in(inputWords);
    for (uint32_t i = 0; i < inputWords; ++i)
      in[i] = i * 10;
    uint64_t from = device.upload(in), to = device.upload(Words(4096, 0));
    if (prepare)
      extra = prepare(device, from, to);
    bool succeeded = device.run("k", launch, from, to, extra);
    output = device.download<uint32_t>(to, 4096);
    fault = device.fault;
    if (finish)
      finish(device);
    return succeeded;
  }
  /// Expects that `body` works, whatever the order, and leaves `value(i)` in
  /// word i of the output.
  template <class Value>
  void expectWords(const std::string &body, uint32_t count, Value value) {
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      ASSERT_TRUE(run(body, seed)) << fault.message << "\n" << body;
      for (uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(output[i], value(i)) << "word " << i << ", seed " << seed;
    }
  }
  void expectRuns(const std::string &body) {
    expectWords(body, 0, [](uint32_t) { return 0u; });
  }
  /// Expects one of the texts `parts` in the message of a fault that one of
  /// `checks` found (0: none that could be switched off), whatever the order.
  void expectFault(const std::string &body, uint32_t checks,
                   const std::vector<std::string> &parts) {
    // An unordered read often finds what nobody has written yet.
    options.checks = CheckAll;
    if (checks & CheckRaces)
      options.checks &= ~CheckUninitialized;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      ASSERT_FALSE(run(body, seed)) << "seed " << seed << "\n" << body;
      bool isFound = false;
      for (const std::string &part : parts)
        isFound |= fault.message.find(part) != std::string::npos;
      ASSERT_TRUE(isFound) << fault.message << "\nexpected: " << parts[0];
      ASSERT_TRUE(fault.check == checks || (fault.check & checks) != 0)
          << fault.message;
    }
    options.checks = CheckAll;
  }
  /// The text with `part` left out, which must be there.
  static std::string without(std::string text, const std::string &part) {
    size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.erase(at, part.size());
  }
  static std::string replaced(std::string text, const std::string &part,
                              const std::string &by) {
    size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.replace(at, part.size(), by);
  }

  std::string variables = ".shared .align 8 .b64 bars[8];\n"
                          ".shared .align 128 .b8 tile[8192];";
  std::string directives, version = "8.0";
  LaunchConfig launch = config(1, 128);
  uint64_t extra = 0; ///< The value of %rd3, ...
  /// ... unless this gives one; it gets the addresses in %rd1 and %rd2.
  std::function<uint64_t(Device &, uint64_t, uint64_t)> prepare;
  std::function<void(Device &)> finish; ///< Called after each run.
  Options options;
  Words output;
  Fault fault;

private:
  void dump(const std::string &text) {
    const char *directory = std::getenv("NM_EMULATOR_DUMP_PTX");
    if (!directory)
      return;
    size_t name = std::hash<std::string>()(text);
    std::ofstream(std::string(directory) + "/" + std::to_string(name) + ".ptx")
        << text;
  }
};

} // namespace test
} // namespace emulator
} // namespace nm

#endif // NM_TEST_UNIT_EMULATOR_KERNELTEST_H
