//===- LaunchTest.cpp - Launches and their counters -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch refuses, the order of warps, threads on the host, and exact
// counts.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <set>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

TEST(Launch, RefusesWhatADriverRefuses) {
  std::string text =
      kernelText("mov.u32 %r2, buffer;", ".shared .align 4 .b8 buffer[1024];");
  Device device(text);
  uint64_t none = 0;
  auto refused = [&](LaunchConfig launch, const std::string &part) {
    EXPECT_FALSE(device.run("k", launch, none, none, none));
    EXPECT_NE(device.fault.message.find(part), std::string::npos)
        << device.fault.message;
  };
  refused(config(1, 1025), "got 1025 x 1 x 1");
  refused(config(1, 0), "got 0 x 1 x 1");
  LaunchConfig launch = config(1, 1);
  launch.block[2] = 65;
  refused(launch, "at most 64 along z");
  launch = config(1, 1);
  launch.grid[1] = 65536;
  refused(launch, "got 1 x 65536 x 1");
  refused(config(1ull << 31, 1), "2147483647");
  refused(config(1, 1, 227 * 1024), "1024 static and 232448 dynamic");
  EXPECT_TRUE(device.run("k", config(1, 1, 226 * 1024), none, none, none));
  EXPECT_TRUE(device.run("k", config(0, 1), none, none, none));
  EXPECT_FALSE(device.run("k", config(1, 1), none, none));
  EXPECT_NE(device.fault.message.find("expected 3 parameters, got 2"),
            std::string::npos);
}

TEST(Launch, BlockSizeOfTheKernel) {
  std::string text = kernelText("");
  auto with = [&](const std::string &directive) {
    std::string changed = text;
    return changed.insert(changed.find("{"), directive + "\n");
  };
  uint64_t none = 0;
  Device most(with(".maxntid 16, 4"));
  EXPECT_TRUE(most.run("k", config(1, 64), none, none, none));
  EXPECT_FALSE(most.run("k", config(1, 65), none, none, none));
  Device exact(with(".reqntid 16, 2"));
  EXPECT_FALSE(exact.run("k", config(1, 32), none, none, none));
  LaunchConfig launch = config(1, 16);
  launch.block[1] = 2;
  EXPECT_TRUE(exact.run("k", launch, none, none, none));
}

TEST(Launch, IndicesOfThreadsAndBlocks) {
  Device device(kernelText(
      // Linear numbers of thread and block; one word each.
      "mov.u32 %r2, %tid.y;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, "
      "%r1;\nmov.u32 %r2, %tid.z;\nmov.u32 %r5, %ntid.y;\nmul.lo.u32 %r5, %r5, "
      "%r3;\nmad.lo.u32 %r4, %r2, %r5, %r4;\nmov.u32 %r6, %ctaid.z;\n"
      "mov.u32 %r7, %nctaid.y;\nmov.u32 %r8, %ctaid.y;\n"
      "mad.lo.u32 %r6, %r6, %r7, %r8;\nmov.u32 %r7, %nctaid.x;\n"
      "mov.u32 %r8, %ctaid.x;\nmad.lo.u32 %r6, %r6, %r7, %r8;\n"
      "mad.lo.u32 %r9, %r6, 60, %r4;\nmad.wide.u32 %rd4, %r9, 4, %rd1;\n"
      "mov.u32 %r10, %warpid;\nmad.lo.u32 %r9, %r10, 100000, %r9;\n"
      "st.global.u32 [%rd4], %r9;"));
  LaunchConfig launch;
  launch.grid[0] = 2, launch.grid[1] = 3, launch.grid[2] = 2;
  launch.block[0] = 5, launch.block[1] = 4, launch.block[2] = 3;
  uint64_t out = device.memory->allocate(12 * 60 * 4);
  ASSERT_TRUE(device.run("k", launch, out, out, out)) << device.fault.message;
  auto words = device.download<uint32_t>(out, 12 * 60);
  for (uint32_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(words[i], i + (i % 60 >= 32 ? 100000 : 0));
}

// Warps append their number to a list; the seed decides the order.
TEST(Launch, TheSeedDecidesTheOrderOfWarps) {
  Device device(kernelText("mov.u32 %r2, %laneid;\nsetp.ne.u32 %p1, %r2, 0;\n"
                           "@%p1 ret;\natom.global.add.u32 %r3, [%rd1], 1;\n"
                           "mad.wide.u32 %rd4, %r3, 4, %rd2;\n"
                           "st.global.u32 [%rd4], %r1;"));
  auto order = [&](uint64_t seed) {
    device.options.seed = seed;
    uint64_t next = device.upload(std::vector<int>{0});
    uint64_t list = device.memory->allocate(4 * 8);
    EXPECT_TRUE(device.run("k", config(1, 256), next, list, list))
        << device.fault.message;
    return device.download<uint32_t>(list, 8);
  };
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t seed = 0; seed < 10; ++seed)
    orders.insert(order(seed));
  EXPECT_GE(orders.size(), 5u);
  EXPECT_EQ(order(3), order(3));
}

TEST(Launch, HostThreadsGiveTheSameResult) {
  Device device = Device::fromFile("sgemm.ptx");
  int m = 128, n = 128, k = 32;
  std::vector<float> a = randomFloats(m * k), b = randomFloats(k * n);
  uint64_t pa = device.upload(a), pb = device.upload(b);
  std::vector<std::vector<float>> results;
  for (unsigned threads : {1, 3}) {
    device.options.threads = threads;
    device.count = true;
    uint64_t pc = device.memory->allocate(m * n * 4);
    LaunchConfig launch = config(2, 64);
    launch.grid[1] = 2;
    ASSERT_TRUE(device.run("sgemm", launch, pa, pb, pc, m, n, k))
        << device.fault.message;
    results.push_back(device.download<float>(pc, m * n));
    EXPECT_EQ(device.counters.executed("fma").lanes, uint64_t(m) * n * k);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Launch, TheFirstBlockWithAFaultIsReported) {
  Device device(kernelText("mov.u32 %r2, %ctaid.x;\nsetp.gt.u32 %p1, %r2, 4;\n"
                           "@%p1 trap;"));
  device.options.threads = 2;
  uint64_t none = 0;
  EXPECT_FALSE(device.run("k", config(50, 32), none, none, none));
  EXPECT_EQ(device.fault.block[0], 5u);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Runs a kernel in which thread i reads `bytes` bytes of shared memory at byte
/// i * `stride` / `divisor` % 4096; returns that access.
SharedCounts sharedRead(unsigned bytes, unsigned stride, unsigned divisor = 1) {
  std::string type = bytes == 16  ? "v4.u32 {%r3, %r4, %r5, %r6}"
                     : bytes == 8 ? "v2.u32 {%r3, %r4}"
                     : bytes == 2 ? "u16 %r3"
                                  : "u32 %r3";
  Device device(kernelText(
      "div.u32 %r2, %r1, " + std::to_string(divisor) +
          ";\nmul.lo.u32 %r2, %r2, " + std::to_string(stride) +
          ";\nand.b32 %r2, %r2, 4095;\n" +
          "mov.u32 %r7, buffer;\nadd.s32 %r2, %r2, %r7;\nld.shared." + type +
          ", [%r2];",
      ".shared .align 16 .b8 buffer[4112];"));
  device.options.checks = CheckAll & ~CheckUninitialized;
  device.count = true;
  uint64_t none = 0;
  EXPECT_TRUE(device.run("k", config(1, 32), none, none, none))
      << device.fault.message;
  EXPECT_EQ(device.counters.shared.size(), 1u);
  return device.counters.shared.at(0);
}

TEST(Counters, BankConflicts) {
  struct Case {
    unsigned bytes, stride, divisor;
    uint64_t wavefronts, ideal;
  };
  const Case cases[] = {
      {4, 4, 1, 1, 1},    // One word a lane.
      {4, 8, 1, 2, 1},    // Every other word: two lanes a bank.
      {4, 128, 1, 32, 1}, // All in one bank.
      {4, 132, 1, 1, 1},  // Padded rows.
      {4, 0, 1, 1, 1},    // One word for all.
      {4, 128, 8, 4, 1},  // Four words of one bank, each for 8 lanes.
      {8, 8, 1, 2, 2},    // Half a warp at a time.
      {8, 128, 1, 32, 2}, // 16 lanes a half warp in the same two banks.
      {8, 8, 2, 1, 1},    // Pairs of lanes agree: both halves at once.
      {16, 16, 1, 4, 4},  // A quarter warp at a time.
      {16, 32, 1, 8, 4},  // Two of 8 lanes share their banks.
      {16, 16, 2, 2, 2},  // Pairs agree: two quarters at once.
      {16, 0, 1, 2, 2},   {2, 2, 1, 1, 1}, // Two lanes a word.
      {2, 130, 1, 2, 1}, // Words 0, 32, 65, 97, ...: two in each bank.
      {2, 128, 1, 32, 1},
  };
  for (const Case &test : cases) {
    SharedCounts row = sharedRead(test.bytes, test.stride, test.divisor);
    EXPECT_EQ(row.requests, 1u);
    EXPECT_EQ(row.bytesPerLane, test.bytes);
    EXPECT_EQ(row.wavefronts, test.wavefronts)
        << test.bytes << " bytes, stride " << test.stride << " / "
        << test.divisor;
    EXPECT_EQ(row.idealWavefronts, test.ideal)
        << test.bytes << " bytes, stride " << test.stride << " / "
        << test.divisor;
  }
}

TEST(Counters, SectorsOfGlobalAccesses) {
  struct Case {
    unsigned stride, sectors;
  };
  for (Case test :
       {Case{4, 4}, Case{0, 1}, Case{8, 8}, Case{32, 32}, Case{36, 32}}) {
    Device device(kernelText("mul.wide.u32 %rd4, %r1, " +
                             std::to_string(test.stride) +
                             ";\nadd.s64 %rd4, %rd4, %rd1;\n"
                             "ld.global.f32 %f1, [%rd4];"));
    device.count = true;
    uint64_t data = device.memory->allocate(4096);
    ASSERT_TRUE(device.run("k", config(2, 32), data, data, data))
        << device.fault.message;
    ASSERT_EQ(device.counters.global.size(), 1u);
    EXPECT_EQ(device.counters.global[0].requests, 2u);
    EXPECT_EQ(device.counters.global[0].sectorsPerRequest(), test.sectors);
  }
}

// A warp copies two rows of 256 bytes, 16 a lane, to rows of shared memory that
// are `pitch` bytes apart, lanes swapped in pairs by `swap`.
TEST(Counters, SectorsOfAsynchronousCopies) {
  struct Case {
    unsigned pitch, swap, sectors;
  };
  for (Case test : {Case{256, 0, 16}, Case{256, 1, 16}, Case{272, 0, 24},
                    Case{288, 0, 16}}) {
    Device device(
        kernelText("mul.wide.u32 %rd4, %r1, 16;\nadd.s64 %rd4, %rd4, %rd1;\n"
                   "xor.b32 %r2, %r1, " +
                       std::to_string(test.swap) +
                       ";\n"
                       "and.b32 %r3, %r2, 15;\nmul.lo.u32 %r3, %r3, 16;\n"
                       "shr.u32 %r2, %r2, 4;\n"
                       "mad.lo.u32 %r3, %r2, " +
                       std::to_string(test.pitch) +
                       ", %r3;\n"
                       "mov.u32 %r4, tile;\nadd.u32 %r3, %r3, %r4;\n"
                       "cp.async.cg.shared.global [%r3], [%rd4], 16;\n"
                       "cp.async.wait_all;",
                   ".shared .align 128 .b8 tile[1024];\n"));
    device.count = true;
    uint64_t data = device.memory->allocate(4096);
    ASSERT_TRUE(device.run("k", config(1, 32), data, data, data))
        << device.fault.message;
    ASSERT_EQ(device.counters.global.size(), 1u);
    EXPECT_EQ(device.counters.global[0].sectorsPerRequest(), test.sectors)
        << "pitch " << test.pitch;
  }
}

TEST(Counters, MainLoopOfAMatrixProduct) {
  Device device = Device::fromFile("sgemm.ptx");
  device.count = true;
  int m = 64, n = 64, k = 64;
  uint64_t a = device.upload(randomFloats(m * k));
  uint64_t b = device.upload(randomFloats(k * n));
  uint64_t c = device.memory->allocate(m * n * 4);
  ASSERT_TRUE(device.run("sgemm", config(1, 64), a, b, c, m, n, k))
      << device.fault.message;
  const Counters &counters = device.counters;
  EXPECT_EQ(counters.kernel, "sgemm");
  EXPECT_EQ(counters.threadsPerBlock, 64u);
  EXPECT_EQ(counters.sharedBytes, 8192u);
  EXPECT_EQ(counters.byOpcode.at("fma.rn.f32").lanes, uint64_t(m) * n * k);
  const LoopCounts &loop = counters.mainLoop;
  uint64_t fmas = loop.staticCounts.at("fma.rn.f32");
  EXPECT_GT(fmas, 0u);
  EXPECT_EQ(loop.executed.at("fma.rn.f32").warps, fmas * loop.iterations);
  EXPECT_EQ(loop.iterations * fmas, uint64_t(m) * n * k / 32);
  EXPECT_LT(loop.firstLine, loop.lastLine);
  // The reads of both tiles are free of conflicts.
  for (const SharedCounts &row : counters.shared)
    EXPECT_EQ(row.bankConflicts(), 0u) << row.opcode << " " << row.line;
  EXPECT_EQ(counters.globalSectors(), 2 * 64 * 64 * 4 / 32 + 64 * 64 * 4 / 32u);
}

TEST(Counters, PredicatedAndDivergentInstructions) {
  Device device(kernelText("setp.lt.u32 %p1, %r1, 10;\n"
                           "@%p1 add.s32 %r2, %r1, 1;\n"
                           "@!%p1 bra end;\nmul.lo.u32 %r3, %r1, 3;\nend:"));
  device.count = true;
  uint64_t none = 0;
  ASSERT_TRUE(device.run("k", config(1, 40), none, none, none));
  EXPECT_EQ(device.counters.executed("add").warps, 2u);
  EXPECT_EQ(device.counters.executed("add").lanes, 10u);
  EXPECT_EQ(device.counters.executed("mul.lo").warps, 1u);
  EXPECT_EQ(device.counters.executed("mul").lanes, 10u);
  EXPECT_EQ(device.counters.executed("ad").warps, 0u);
  std::string json = device.counters.toJSON();
  EXPECT_NE(json.find("\"kernel\": \"k\""), std::string::npos);
  EXPECT_NE(json.find("\"mul.lo.u32\": {\"warps\": 1, \"lanes\": 10}"),
            std::string::npos)
      << json;
}

} // namespace
