//===- GridOrderTest.cpp - Order of launches in global memory -------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches run one after the other here, so that none of these races ever shows
// in the results.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// A launch of a test: whether it is dependent, and its text. %r1 is the
/// thread, %rd4 its word of the first buffer, %rd5 that of the second.
struct Step {
  bool dependent;
  std::string body;
};

const bool ordered = false, dependent = true;
const std::string wait = "griddepcontrol.wait;\n",
                  start = "griddepcontrol.launch_dependents;\n",
                  write = "st.global.u32 [%rd4], %r2;\n",
                  read = "ld.global.u32 %r4, [%rd4];\n",
                  readOther = "ld.global.u32 %r4, [%rd5];\n",
                  writeOther = "st.global.u32 [%rd5], %r2;\n",
                  add = "red.global.add.u32 [%rd4], 1;\n",
                  nothing = "add.u32 %r4, %r1, 1;\n";

/// Kernels k0, k1, ... with these bodies. %r2 differs between them.
std::string moduleText(const std::vector<Step> &steps) {
  std::string text;
  for (size_t i = 0; i < steps.size(); ++i) {
    std::string number = std::to_string(i);
    std::string kernel = kernelText(
        "mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r3, %r3, 64, %r1;\n"
        "mad.wide.u32 %rd4, %r3, 4, %rd1;\nmad.wide.u32 %rd5, %r3, 4, %rd2;\n"
        "add.u32 %r2, %r1, " +
            number +
            "000;\nmov.u32 %r9, bars;\n"
            "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p2, %r1, 32;\n" +
            steps[i].body,
        ".shared .align 8 .b64 bars[2];\n");
    size_t entry = kernel.find(".visible .entry k(");
    kernel.replace(kernel.find(" k("), 3, " k" + number + "(");
    text += i == 0 ? kernel : kernel.substr(entry);
  }
  return text;
}

class GridOrder : public testing::Test {
protected:
  /// Runs the launches; false after a fault, which is then `fault`.
  bool run(const std::vector<Step> &steps, uint64_t seed = 1) {
    Device device(moduleText(steps));
    device.options = options;
    device.options.seed = seed;
    uint64_t first = device.upload(std::vector<uint32_t>(256, 7));
    uint64_t second = device.upload(std::vector<uint32_t>(256, 7));
    for (size_t i = 0; i < steps.size(); ++i) {
      LaunchConfig launch = config(blocks, 64);
      launch.dependent = steps[i].dependent;
      if (!device.run("k" + std::to_string(i), launch, first, second,
                      uint64_t(0))) {
        fault = device.fault;
        return false;
      }
    }
    return true;
  }
  void expectRuns(const std::vector<Step> &steps) {
    for (uint64_t seed = 0; seed < 8; ++seed)
      EXPECT_TRUE(run(steps, seed)) << fault.message;
  }
  /// Expects a race in the last launch, with `parts` in its message.
  void expectRace(const std::vector<Step> &steps,
                  const std::vector<std::string> &parts) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
      ASSERT_FALSE(run(steps, seed));
      EXPECT_EQ(fault.check, CheckRaces) << fault.message;
      EXPECT_EQ(fault.kernel, "k" + std::to_string(steps.size() - 1))
          << fault.message;
      for (const std::string &part : parts)
        EXPECT_NE(fault.message.find(part), std::string::npos) << fault.message;
    }
  }

  uint64_t blocks = 2;
  Options options;
  Fault fault;
};

TEST_F(GridOrder, ReadAfterWrite) {
  expectRuns({{ordered, write + start}, {ordered, read}});
  expectRuns({{ordered, write + start}, {dependent, wait + read}});
  expectRace({{ordered, write + start}, {dependent, read + wait}},
             {"kernel 'k1', line ", "'ld.global.u32 %r4, [%rd4]', block (0, ",
              "race: read of 4 bytes of global memory at address 0x",
              "of its allocation), which kernel 'k0' wrote in an earlier "
              "launch in line 26 'st.global.u32 [%rd4], %r2'; this launch may "
              "run beside that one: expected griddepcontrol.wait before the "
              "access"});
  // Whether it lets others start early or not: its writes may arrive later.
  expectRace({{ordered, write}, {dependent, read}},
             {"which kernel 'k0' wrote"});
  // A block alone.
  blocks = 1;
  expectRuns({{ordered, write}, {dependent, wait + read}});
  expectRace({{ordered, write}, {dependent, read}},
             {"which kernel 'k0' wrote"});
  options.checks = CheckAll & ~CheckRaces;
  expectRuns({{ordered, write}, {dependent, read}});
}

TEST_F(GridOrder, Writes) {
  for (const std::string &before : {read, write}) {
    expectRuns({{ordered, before + start}, {dependent, wait + write}});
    expectRace({{ordered, before + start}, {dependent, write}},
               {"race: write of 4 bytes", before == read
                                              ? "which kernel 'k0' read"
                                              : "which kernel 'k0' wrote"});
  }
  expectRuns({{ordered, read + start}, {dependent, read}});
  expectRuns({{ordered, write + start}, {dependent, writeOther}});
  // Who writes what is there does no harm.
  std::string same = "st.global.u32 [%rd4], %r1;\n";
  expectRuns({{ordered, same}, {dependent, same}});
}

TEST_F(GridOrder, ToTheByte) {
  std::string byte = "mov.u16 %h1, 3;\n@%p1 st.global.u8 [%rd1+21], %h1;\n";
  auto readByte = [](const char *at) {
    return "@%p1 ld.global.u8 %h2, [%rd1+" + std::string(at) + "];\n";
  };
  // Two blocks write the same value.
  expectRace({{ordered, byte}, {dependent, readByte("21")}},
             {"(byte 21 of its allocation)"});
  expectRuns({{ordered, byte}, {dependent, readByte("20") + readByte("22")}});
  expectRace({{ordered, byte},
              {dependent, "@%p1 ld.global.v4.u32 {%r4, %r5, %r6, %r7}, "
                          "[%rd1+16];\n"}},
             {"(byte 21 of its allocation)"});
  expectRuns({{ordered, byte},
              {dependent, "@%p1 ld.global.v4.u32 {%r4, %r5, %r6, %r7}, "
                          "[%rd1+32];\n"}});
}

// Only the threads that wait, and those that a barrier orders behind them.
TEST_F(GridOrder, Threads) {
  std::string oneWaits = "@%p1 griddepcontrol.wait;\n";
  std::string warpWaits = "@%p2 griddepcontrol.wait;\n";
  expectRace({{ordered, write}, {dependent, oneWaits + read}}, {"'k0' wrote"});
  expectRace({{ordered, write}, {dependent, warpWaits + read}}, {"'k0' wrote"});
  expectRace(
      {{ordered, write}, {dependent, warpWaits + "bar.warp.sync -1;\n" + read}},
      {"'k0' wrote"});
  expectRace(
      {{ordered, write}, {dependent, "bar.sync 0;\n" + warpWaits + read}},
      {"'k0' wrote"});
  expectRuns(
      {{ordered, write}, {dependent, oneWaits + "bar.sync 0;\n" + read}});
  expectRuns(
      {{ordered, write}, {dependent, warpWaits + "bar.sync 0;\n" + read}});
  expectRuns({{ordered, write},
              {dependent, oneWaits + "bar.warp.sync -1;\n@%p2 " + read}});
  // Through an mbarrier, at which the thread that waited arrives.
  std::string handOver = "@%p1 mbarrier.init.shared.b64 [%r9], 1;\n"
                         "bar.sync 0;\n" +
                         oneWaits +
                         "@%p1 mbarrier.arrive.shared.b64 %rd9, [%r9];\n"
                         "again:\nmbarrier.try_wait.parity.shared.b64 %p3, "
                         "[%r9], 0;\n@!%p3 bra again;\n";
  expectRuns({{ordered, write}, {dependent, handOver + read}});
  expectRace({{ordered, write},
              {dependent, handOver.substr(0, handOver.find("again")) + read}},
             {"'k0' wrote"});
}

// Atomics order blocks with each other, not launches with plain accesses.
TEST_F(GridOrder, Atomics) {
  expectRuns({{ordered, add + start}, {dependent, add}});
  expectRuns({{ordered, add + start}, {dependent, wait + read}});
  expectRace({{ordered, add + start}, {dependent, read}},
             {"which kernel 'k0' wrote", "'red.global.add.u32 [%rd4], 1'"});
  expectRuns({{ordered, write + start}, {dependent, wait + add}});
  expectRace({{ordered, write + start}, {dependent, add}},
             {"race: write of 4 bytes", "which kernel 'k0' wrote"});
  std::string loads = "ld.volatile.global.u32 %r4, [%rd4];\n";
  expectRuns({{ordered, loads}, {dependent, loads + add + read}});
  expectRace({{ordered, loads}, {dependent, write}},
             {"which kernel 'k0' read"});
}

TEST_F(GridOrder, Copies) {
  std::string copy = "cp.async.ca.shared.global [%r9], [%rd1], 4;\n",
              arrive = "cp.async.wait_all;\n";
  expectRuns({{ordered, write}, {dependent, wait + "@%p1 " + copy + arrive}});
  // It may read before it is waited for.
  expectRace({{ordered, write}, {dependent, "@%p1 " + copy + wait + arrive}},
             {"race: read of 4 bytes"});
  std::string bulk = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd4], "
                     "[%r9], 16;\n",
              bulkWait = "cp.async.bulk.commit_group;\n"
                         "cp.async.bulk.wait_group 0;\n";
  std::string fill = "@%p1 st.shared.v4.u32 [%r9], {%r1, %r1, %r1, %r1};\n"
                     "fence.proxy.async;\n";
  expectRuns({{ordered, read}, {dependent, fill + wait + bulk + bulkWait}});
  expectRace({{ordered, read}, {dependent, fill + bulk + bulkWait}},
             {"race: write of 16 bytes", "which kernel 'k0' read"});
}

// A wait is for the launch before; what that one waited for is over, too.
TEST_F(GridOrder, Transitively) {
  expectRuns({{ordered, write + start},
              {dependent, wait + start},
              {dependent, wait + read}});
  // One that never waits may end before those before it.
  expectRace({{ordered, write + start},
              {dependent, nothing + start},
              {dependent, wait + read}},
             {"which kernel 'k0' wrote", "a later launch, for which this one "
                                         "waits, did not wait for that one: "
                                         "expected griddepcontrol.wait in "
                                         "every kernel in between"});
  expectRuns({{ordered, write + start},
              {dependent, nothing + start},
              {dependent, wait + start + readOther}});
  // That one thread waited is enough: it had to end.
  expectRuns({{ordered, write + start},
              {dependent, start + "@%p1 " + wait},
              {dependent, wait + read}});
  expectRace({{ordered, write + start},
              {dependent, nothing},
              {dependent, wait + start},
              {dependent, wait + read}},
             {"which kernel 'k0' wrote"});
  // A launch that is not dependent waits for all.
  expectRuns({{ordered, write + start},
              {dependent, nothing + start},
              {ordered, read + start},
              {dependent, readOther}});
}

// A launch that waits before it lets the next one start holds that back.
TEST_F(GridOrder, Starts) {
  expectRuns(
      {{ordered, write + start}, {dependent, wait + start}, {dependent, read}});
  expectRuns({{ordered, write + start},
              {dependent, wait + nothing},
              {dependent, read}});
  expectRace(
      {{ordered, write + start}, {dependent, start + wait}, {dependent, read}},
      {"which kernel 'k0' wrote"});
  expectRace(
      {{ordered, write + start}, {dependent, nothing}, {dependent, read}},
      {"which kernel 'k0' wrote"});
  // One block that does is enough, and one thread that does not is too many.
  std::string second = "setp.ge.u32 %p3, %r3, 64;\n@%p3 griddepcontrol.wait;\n";
  expectRuns(
      {{ordered, write}, {dependent, second + start}, {dependent, read}});
  std::string early = "@%p1 griddepcontrol.launch_dependents;\n";
  expectRace(
      {{ordered, write}, {dependent, early + wait + start}, {dependent, read}},
      {"which kernel 'k0' wrote"});
  // Of those before, too, when they waited.
  expectRuns({{ordered, write},
              {dependent, start + wait},
              {dependent, wait + start},
              {dependent, read}});
}

TEST_F(GridOrder, OfOneMemory) {
  // The first launch of all may be dependent; the text of an earlier one is
  // needed as long as a message may name it.
  expectRuns({{dependent, read + write}});
  auto first = std::make_unique<Device>(moduleText({{ordered, write}}));
  Device second(moduleText({{dependent, read}}));
  std::swap(first->memory, second.memory);
  uint64_t buffer = second.upload(std::vector<uint32_t>(256, 7));
  std::swap(first->memory, second.memory);
  ASSERT_TRUE(first->run("k0", config(2, 64), buffer, buffer, uint64_t(0)))
      << first->fault.message;
  std::swap(first->memory, second.memory);
  first.reset();
  LaunchConfig launch = config(2, 64);
  launch.dependent = true;
  EXPECT_FALSE(second.run("k0", launch, buffer, buffer, uint64_t(0)));
  EXPECT_NE(second.fault.message.find("in line 26 'st.global.u32"),
            std::string::npos)
      << second.fault.message;
  // After a fault nothing is known.
  EXPECT_TRUE(second.run("k0", launch, buffer, buffer, uint64_t(0)))
      << second.fault.message;
}

TEST_F(GridOrder, OnThreads) {
  options.threads = 3;
  blocks = 4;
  expectRuns({{ordered, write + start}, {dependent, wait + start + write}});
  expectRace({{ordered, write + start}, {dependent, write}}, {"'k0' wrote"});
}

} // namespace
