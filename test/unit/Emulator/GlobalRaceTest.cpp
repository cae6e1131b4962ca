//===- GlobalRaceTest.cpp - Races between blocks in global memory ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after the other here, so that most of these races never show
// in the results.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// Four blocks of 32 threads. %r2 is the block, %r3 the number of the thread
/// in the grid, %rd5 its word of the output and %rd4 that of the thread.
const std::string places =
    "mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 32, %r1;\n"
    "mad.wide.u32 %rd5, %r3, 4, %rd2;\nmad.wide.u32 %rd4, %r1, 4, %rd2;\n"
    "setp.eq.u32 %p1, %r1, 0;\n";

class GlobalRace : public KernelTest {
protected:
  GlobalRace() { launch = config(4, 32); }
};

TEST_F(GlobalRace, Writes) {
  expectWords(places + "st.global.u32 [%rd5], %r3;", 128,
              [](uint32_t i) { return i; });
  expectFault(places + "st.global.u32 [%rd4], %r3;", CheckRaces,
              {"race: write of 4 bytes of global memory at address 0x"});
  expectFault(places + "st.global.u32 [%rd4], %r3;", CheckRaces,
              {"(byte 0 of its allocation), which block 0 of the grid wrote in "
               "this launch"});
  // The same value does no harm.
  expectRuns(places + "st.global.u32 [%rd4], %r1;");
  // Nor without the check, where the last block wins.
  options.checks = 0;
  expectWords(places + "st.global.u32 [%rd4], %r3;", 32,
              [](uint32_t i) { return 96 + i; });
}

// Words and vectors that share bytes, and those that only lie side by side.
TEST_F(GlobalRace, ToTheByte) {
  std::string bytes = "cvt.u64.u32 %rd6, %r3;\nadd.u64 %rd5, %rd2, %rd6;\n"
                      "cvt.u16.u32 %h1, %r3;\nst.global.u8 [%rd5], %h1;";
  expectRuns(places + bytes);
  expectFault(replaced(places + bytes, "%rd2, %rd6", "%rd2, 127") +
                  "\nst.global.u8 [%rd5], %h1;",
              CheckRaces, {"byte 127 of its allocation"});
  // Block 0 writes 16 bytes that block 1 touches the last one of.
  std::string wide = places +
                     "setp.eq.u32 %p2, %r3, 0;\nsetp.eq.u32 %p3, %r3, 32;\n"
                     "@%p2 st.global.v4.u32 [%rd2+16], {%r3, %r3, %r3, %r3};\n"
                     "mov.u16 %h1, 9;\n@%p3 st.global.u8 [%rd2+32], %h1;\n"
                     "@%p3 st.global.u8 [%rd2+15], %h1;";
  expectRuns(wide);
  expectFault(replaced(wide, "[%rd2+32]", "[%rd2+31]"), CheckRaces,
              {"write of 1 bytes of global memory", "byte 31 of its"});
}

TEST_F(GlobalRace, ReadsAndWrites) {
  std::string reads = "ld.global.u32 %r4, [%rd1];\nst.global.u32 [%rd5], %r4;";
  expectRuns(places + reads);
  // Who wrote what another reads, and the other way round.
  expectFault(places + "st.global.u32 [%rd5], %r3;\nbar.sync 0;\n"
                       "ld.global.u32 %r4, [%rd2];",
              CheckRaces,
              {"race: read of 4 bytes", "block 0 of the grid wrote"});
  expectFault(
      places + "ld.global.u32 %r4, [%rd2+384];\n"
               "st.global.u32 [%rd5], %r3;",
      CheckRaces,
      {"race: write of 4 bytes", "which several blocks read in this launch"});
  expectFault(places + "setp.eq.u32 %p2, %r3, 0;\n"
                       "@%p2 ld.global.u32 %r4, [%rd2+128];\n"
                       "st.global.u32 [%rd5], %r3;",
              CheckRaces, {"which block 0 of the grid read in this launch"});
  expectFault(places + "@%p1 ld.global.u32 %r4, [%rd2+128];\n"
                       "st.global.u32 [%rd5], %r3;",
              CheckRaces, {"which several blocks read in this launch"});
  // A block of its own order.
  launch = config(1, 128);
  expectRuns(places + "st.global.u32 [%rd5], %r3;\nbar.sync 0;\n"
                      "ld.global.u32 %r4, [%rd2];");
}

TEST_F(GlobalRace, Atomics) {
  expectWords(places + "red.global.add.u32 [%rd2], 1;\n"
                       "atom.global.add.u32 %r4, [%rd2], 1;",
              1, [](uint32_t) { return 256u; });
  expectRuns(places + "st.volatile.global.u32 [%rd2], %r3;\n"
                      "ld.relaxed.gpu.global.u32 %r4, [%rd2];");
}

// The last block to come adds up what the others have left.
const std::string lastBlock =
    places + "st.global.u32 [%rd5], %r3;\nmembar.gl;\nbar.sync 0;\n"
             "@%p1 atom.global.add.u32 %r4, [%rd2+1024], 1;\n"
             "shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;\n"
             "setp.ne.u32 %p2, %r4, 3;\n@%p2 ret;\n"
             "ld.global.u32 %r5, [%rd4];\nld.global.u32 %r6, [%rd4+128];\n"
             "add.u32 %r5, %r5, %r6;\nst.global.u32 [%rd4+2048], %r5;";

TEST_F(GlobalRace, LastBlock) {
  auto value = [](uint32_t i) {
    return i < 128 ? i : i == 256 ? 4 : i < 512 ? 0 : 2 * (i - 512) + 32;
  };
  expectWords(lastBlock, 544, value);
  for (const char *fence : {"fence.acq_rel.gpu;\n", "fence.sc.sys;\n"})
    expectWords(replaced(lastBlock, "membar.gl;\n", fence), 544, value);
  expectWords(replaced(without(lastBlock, "membar.gl;\n"), "atom.global",
                       "atom.acq_rel.gpu.global"),
              544, value);
  expectFault(without(lastBlock, "membar.gl;\n"), CheckRaces,
              {"race: read of 4 bytes"});
  expectFault(replaced(lastBlock, "membar.gl;\n", "membar.cta;\n"), CheckRaces,
              {"race: read of 4 bytes"});
  // Who looks at nothing knows nothing.
  expectFault(places + "st.global.u32 [%rd5], %r3;\nmembar.gl;\n"
                       "red.global.add.u32 [%rd2+1024], 1;\n"
                       "ld.global.u32 %r5, [%rd4];",
              CheckRaces, {"race: read of 4 bytes"});
  options.threads = 3;
  expectRuns(lastBlock);
}

TEST_F(GlobalRace, Flags) {
  std::string flags =
      places + "mad.wide.u32 %rd6, %r2, 4, %rd2;\n"
               "ld.acquire.gpu.global.u32 %r4, [%rd2+1024];\n"
               "setp.eq.u32 %p2, %r2, 0;\n"
               "@%p2 st.global.u32 [%rd5], %r3;\n"
               "@!%p2 ld.global.u32 %r5, [%rd4];\n"
               "bar.sync 0;\n@%p1 st.release.gpu.global.u32 [%rd2+1024], 1;";
  expectRuns(flags);
  expectFault(replaced(flags, "st.release.gpu", "st.relaxed.gpu"), CheckRaces,
              {"race: read of 4 bytes"});
  expectFault(without(flags, "ld.acquire.gpu.global.u32 %r4, [%rd2+1024];\n"),
              CheckRaces, {"race: read of 4 bytes"});
}

TEST_F(GlobalRace, Copies) {
  std::string store =
      places + "mov.u32 %r9, tile;\nshl.b32 %r13, %r1, 2;\n"
               "add.u32 %r11, %r9, %r13;\nst.shared.u32 [%r11], %r3;\n"
               "fence.proxy.async;\nbar.sync 0;\n@!%p1 bra end;\n"
               "cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r9], "
               "128;\ncp.async.bulk.commit_group;\n"
               "cp.async.bulk.wait_group 0;\nend:";
  expectWords(store, 128, [](uint32_t i) { return i; });
  expectFault(replaced(store, "[%rd5], [%r9]", "[%rd4], [%r9]"), CheckRaces,
              {"race: write of 128 bytes of global memory"});
  std::string load = places + "mov.u32 %r9, tile;\nshl.b32 %r13, %r1, 2;\n"
                              "add.u32 %r11, %r9, %r13;\n"
                              "cp.async.ca.shared.global [%r11], [%rd1], 4;\n"
                              "cp.async.wait_all;\nst.global.u32 [%rd5], %r3;";
  expectRuns(load);
  expectFault(replaced(load, "[%r11], [%rd1]", "[%r11], [%rd2]"), CheckRaces,
              {"race: read of 4 bytes"});
}

// Blocks of one cluster have barriers of their own.
TEST_F(GlobalRace, Clusters) {
  launch.cluster[0] = 2;
  launch.cluster[1] = launch.cluster[2] = 1;
  std::string pairs = places + "shr.u32 %r4, %r2, 1;\n"
                               "mad.wide.u32 %rd6, %r4, 4, %rd2;\n"
                               "@%p1 st.global.u32 [%rd6], %r3;";
  expectRuns(pairs);
  expectFault(replaced(pairs, "[%rd6]", "[%rd2]"), CheckRaces,
              {"which cluster 0 of the grid wrote"});
}

} // namespace
