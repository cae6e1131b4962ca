//===- ChecksTest.cpp - What the checks find ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel of Inputs/faulty.cu passes with one argument and fails with
// another; the message must name the right place and thread.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

class Checks : public testing::Test {
protected:
  /// Runs `kernel` on 256 integers that count up.
  bool run(const std::string &kernel, uint32_t threads, int argument) {
    std::vector<int> data(256);
    for (int i = 0; i < 256; ++i)
      data[i] = i;
    address = device.upload(data);
    return device.run(kernel, config(1, threads), address, argument);
  }
  /// Expects a fault of `check` whose message has all of `parts`.
  void expectFault(uint32_t check, const std::vector<std::string> &parts) {
    EXPECT_EQ(device.fault.check, check) << device.fault.message;
    EXPECT_GT(device.fault.line, 0u);
    for (const std::string &part : parts)
      EXPECT_NE(device.fault.message.find(part), std::string::npos)
          << "no '" << part << "' in: " << device.fault.message;
  }
  Device device = Device::fromFile("faulty.ptx");
  uint64_t address = 0;
};

TEST_F(Checks, MissingBarrier) {
  EXPECT_TRUE(run("missingBarrier", 256, 0)) << device.fault.message;
  EXPECT_EQ(device.download<int>(address, 256)[3], 252);
  // Whatever the order of the warps.
  for (uint64_t seed = 0; seed < 10; ++seed) {
    device.options.seed = seed;
    EXPECT_FALSE(run("missingBarrier", 256, 1));
    bool isUninitialized = device.fault.check == CheckUninitialized;
    expectFault(isUninitialized ? CheckUninitialized : CheckRaces,
                {"kernel 'missingBarrier', line ", "shared", "block (0, 0, 0)",
                 "4 bytes", "expected"});
  }
  device.options.checks = CheckRaces;
  EXPECT_FALSE(run("missingBarrier", 256, 1));
  expectFault(CheckRaces, {"race: ", "'ld.shared.u32", "'st.shared.u32",
                           "expected a barrier between them"});
  device.options.checks = 0;
  EXPECT_TRUE(run("missingBarrier", 256, 1)) << device.fault.message;
}

TEST_F(Checks, MissingSecondBarrier) {
  EXPECT_TRUE(run("missingSecondBarrier", 128, 0)) << device.fault.message;
  EXPECT_FALSE(run("missingSecondBarrier", 128, 1));
  expectFault(CheckRaces, {"race: "});
}

TEST_F(Checks, MissingWarpBarrier) {
  EXPECT_TRUE(run("missingWarpBarrier", 32, 0)) << device.fault.message;
  EXPECT_FALSE(run("missingWarpBarrier", 32, 1));
  expectFault(CheckRaces, {"race: read of 4 bytes", "thread (0, 0, 0)",
                           "thread (1, 0, 0) wrote"});
}

TEST_F(Checks, OutOfBounds) {
  EXPECT_TRUE(run("outOfBounds", 64, 192)) << device.fault.message;
  EXPECT_FALSE(run("outOfBounds", 64, 193));
  expectFault(CheckBounds,
              {"out-of-bounds write of 4 bytes of global memory",
               "thread (63, 0, 0)", "has 1024 bytes", "at its byte 1024"});
  EXPECT_FALSE(run("outOfBounds", 64, 1 << 20));
  expectFault(CheckBounds, {"within an allocation", "thread (0, 0, 0)"});
  // Beyond all padding it fails without the check as well.
  device.options.checks = 0;
  EXPECT_FALSE(run("outOfBounds", 64, 1 << 20));
}

TEST_F(Checks, UseAfterFree) {
  EXPECT_TRUE(run("outOfBounds", 64, 0)) << device.fault.message;
  ASSERT_TRUE(device.memory->free(address));
  EXPECT_FALSE(device.run("outOfBounds", config(1, 64), address, 0));
  expectFault(CheckBounds, {"within an allocation"});
}

TEST_F(Checks, SharedOutOfBounds) {
  EXPECT_TRUE(run("sharedOutOfBounds", 64, 0)) << device.fault.message;
  EXPECT_FALSE(run("sharedOutOfBounds", 64, 1));
  expectFault(CheckBounds, {"shared memory at byte 256", "thread (63, 0, 0)",
                            "block's 256 bytes"});
  EXPECT_FALSE(run("sharedOutOfBounds", 64, -1));
  expectFault(CheckBounds, {"shared memory at byte -4", "thread (0, 0, 0)"});
}

TEST_F(Checks, Misaligned) {
  EXPECT_TRUE(run("misaligned", 8, 16)) << device.fault.message;
  EXPECT_FALSE(run("misaligned", 8, 8));
  expectFault(CheckAlignment,
              {"misaligned write of 16 bytes", "expected a multiple of 16"});
  device.options.checks = CheckAll & ~CheckAlignment;
  EXPECT_TRUE(run("misaligned", 8, 8)) << device.fault.message;
}

TEST_F(Checks, Uninitialised) {
  EXPECT_TRUE(run("uninitialised", 64, 64)) << device.fault.message;
  EXPECT_FALSE(run("uninitialised", 64, 50));
  expectFault(CheckUninitialized, {"uninitialised read of 4 bytes",
                                   "at byte 200", "thread (50, 0, 0)"});
  device.options.checks = CheckAll & ~CheckUninitialized;
  EXPECT_TRUE(run("uninitialised", 64, 50)) << device.fault.message;
}

/// Whether `loads`, on 8 bytes of shared memory of which all but byte 3 and
/// bytes 6 and 7 were written, read only what was written; %r10 to %r29 and
/// %h10 to %h19 are free. The result of the last instruction is in %r20.
std::string readPartly(const std::string &loads) {
  Device device(kernelText("mov.u32 %r2, tile;\n"
                           "mov.u16 %h1, 7;\n"
                           "st.shared.b16 [%r2], %h1;\n"
                           "st.shared.b8 [%r2+2], %h1;\n"
                           "st.shared.b16 [%r2+4], %h1;\n" +
                               loads + "\nst.global.b32 [%rd1], %r20;\n",
                           ".shared .align 8 .b8 tile[8];\n"));
  uint64_t out = device.upload(std::vector<int>(1, 0));
  if (device.run("k", config(1, 1), out, out, out))
    return "";
  EXPECT_EQ(device.fault.check, CheckUninitialized) << device.fault.message;
  size_t at = device.fault.message.find(" at byte ");
  return at == std::string::npos ? device.fault.message
                                 : device.fault.message.substr(at + 9, 1);
}

TEST_F(Checks, UninitialisedToTheByte) {
  const std::string word = "ld.shared.b32 %r10, [%r2];\n";
  // Every byte that is used counts, not only the first one.
  EXPECT_EQ(readPartly(word + "add.s32 %r20, %r10, 1;"), "3");
  EXPECT_EQ(readPartly(word + "mov.b32 %r20, %r10;"), "3");
  EXPECT_EQ(
      readPartly("ld.shared.v2.b32 {%r10, %r11}, [%r2];\n"
                 "and.b32 %r12, %r10, 0xffff;\nadd.s32 %r20, %r12, %r11;"),
      "6");
  // A merged load of which only written bytes are picked.
  for (const char *pick :
       {"prmt.b32 %r20, %r10, 0, 0x7772U;", "bfe.u32 %r20, %r10, 16, 8;",
        "bfe.s32 %r20, %r10, 8, 16;", "and.b32 %r20, %r10, 0xffffff;",
        "shl.b32 %r20, %r10, 8;", "cvt.u32.u16 %r20, %r10;",
        "cvt.s32.s8 %r20, %r10;",
        "mov.b32 {%h10, %h11}, %r10;\ncvt.u32.u16 %r20, %h10;",
        "shr.u32 %r11, %r10, 8;\nand.b32 %r20, %r11, 0xffff;"})
    EXPECT_EQ(readPartly(word + pick), "") << pick;
  // The same ways to the byte that nobody wrote.
  for (const char *pick :
       {"prmt.b32 %r20, %r10, 0, 0x7773U;", "prmt.b32 %r20, 0, %r10, 0x3337U;",
        "bfe.u32 %r20, %r10, 20, 8;", "bfe.s32 %r20, %r10, 24, 8;",
        "and.b32 %r20, %r10, 0xff000000;", "shl.b32 %r20, %r10, 7;",
        "shr.s32 %r20, %r10, 31;",
        "cvt.s64.s32 %rd9, %r10;\nshr.s64 %rd9, %rd9, 60;\ncvt.u32.u64 %r20, "
        "%rd9;",
        "mov.b32 {%h10, %h11}, %r10;\ncvt.u32.u16 %r20, %h11;",
        "shr.u32 %r11, %r10, 8;\nand.b32 %r20, %r11, 0xff0000;"})
    EXPECT_EQ(readPartly(word + pick), "3") << pick;
  // What is loaded and dropped, and what is stored of a register.
  EXPECT_EQ(readPartly("ld.shared.v2.b32 {_, %r11}, [%r2];\n"
                       "and.b32 %r20, %r11, 1;"),
            "");
  EXPECT_EQ(
      readPartly("ld.shared.b16 %h10, [%r2+2];\nst.global.b8 [%rd1], %h10;"),
      "");
  EXPECT_EQ(
      readPartly("ld.shared.b16 %h10, [%r2+2];\nst.global.b16 [%rd1], %h10;"),
      "3");
  // A sign is the highest byte.
  EXPECT_EQ(readPartly("ld.shared.s16 %r10, [%r2+2];\nshr.u32 %r20, %r10, 16;"),
            "3");
  EXPECT_EQ(readPartly("ld.shared.u16 %r10, [%r2+2];\nshr.u32 %r20, %r10, 16;"),
            "");
}

/// Whether reading 8 bytes of shared memory by `load` races with the copy of
/// the second four; %r10 to %r19 are free.
bool racesWithCopy(const std::string &load) {
  Device device(kernelText("mov.u32 %r2, tile;\n"
                           "st.shared.b32 [%r2], 7;\n"
                           "cp.async.ca.shared.global [%r2+4], [%rd1], 4;\n" +
                               load +
                               "\ncp.async.wait_all;\n"
                               "st.global.b32 [%rd1], %r20;\n",
                           ".shared .align 8 .b8 tile[8];\n"));
  uint64_t out = device.upload(std::vector<int>(1, 0));
  if (device.run("k", config(1, 1), out, out, out))
    return false;
  EXPECT_EQ(device.fault.check, CheckRaces) << device.fault.message;
  return true;
}

TEST_F(Checks, RaceOfTheWordsInUse) {
  const std::string both = "ld.shared.v2.b32 {%r10, %r11}, [%r2];\n";
  EXPECT_FALSE(racesWithCopy(both + "mov.b32 %r20, %r10;"));
  EXPECT_FALSE(racesWithCopy(both + "and.b32 %r12, %r11, 0;\n"
                                    "add.s32 %r20, %r10, 1;"));
  EXPECT_TRUE(racesWithCopy(both + "mov.b32 %r20, %r11;"));
  EXPECT_TRUE(racesWithCopy(both + "add.s32 %r20, %r10, %r11;"));
  EXPECT_TRUE(racesWithCopy(both + "and.b32 %r20, %r11, 0xff;"));
}

TEST_F(Checks, DivergentBarrier) {
  EXPECT_TRUE(run("divergentBarrier", 64, 64)) << device.fault.message;
  EXPECT_FALSE(run("divergentBarrier", 64, 40));
  expectFault(CheckBarriers,
              {"divergence", "'bar.sync", "warp 1", "got lanes 0x000000ff",
               "thread (40, 0, 0) is on another path"});
  // A whole warp that never comes.
  EXPECT_FALSE(run("divergentBarrier", 64, 32));
  expectFault(CheckBarriers, {"cannot complete", "2 warps", "got 1"});
}

TEST_F(Checks, ExitBeforeBarrier) {
  EXPECT_TRUE(run("exitBeforeBarrier", 64, 64)) << device.fault.message;
  EXPECT_FALSE(run("exitBeforeBarrier", 64, 20));
  expectFault(CheckBarriers, {"divergence", "thread (20, 0, 0)"});
  EXPECT_FALSE(run("exitBeforeBarrier", 64, 32));
  expectFault(CheckBarriers, {"1 warps have exited"});
  // A GPU counts exited threads as arrived.
  device.options.checks = 0;
  EXPECT_TRUE(run("exitBeforeBarrier", 64, 20)) << device.fault.message;
}

TEST_F(Checks, EarlyCopyRead) {
  auto run = [&](int skip) {
    std::vector<int> in(64);
    for (int i = 0; i < 64; ++i)
      in[i] = 1000 + i;
    uint64_t from = device.upload(in);
    address = device.upload(std::vector<int>(64, 0));
    return device.run("earlyCopyRead", config(1, 64), from, address, skip);
  };
  EXPECT_TRUE(run(0)) << device.fault.message;
  EXPECT_EQ(device.download<int>(address, 64)[0], 1063);
  EXPECT_FALSE(run(1));
  expectFault(CheckRaces, {"has not arrived", "cp.async"});
  // Which of the two threads comes first depends on the order of the warps.
  device.options.checks = CheckRaces;
  EXPECT_FALSE(run(2));
  expectFault(CheckRaces, {"race: ", "cp.async", "'ld.shared.u32"});
  // Unchecked, the read finds what was there before.
  device.options.checks = 0;
  EXPECT_TRUE(run(1));
  EXPECT_EQ(device.download<int>(address, 64)[5], -1);
}

TEST_F(Checks, Trap) {
  EXPECT_TRUE(run("trapIf", 32, 31)) << device.fault.message;
  EXPECT_FALSE(run("trapIf", 32, 20));
  expectFault(0, {"trap", "thread (21, 0, 0)"});
}

} // namespace
