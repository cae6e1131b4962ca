//===- WarpTest.cpp - Control flow, shuffles, barriers and copies ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens between the lanes of a warp and between warps.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

using Words = std::vector<uint32_t>;

class Warp : public testing::Test {
protected:
  /// Runs `body`; one word of %rd2 a thread comes back. In the body %rd5 points
  /// to the thread's word.
  Words run(const std::string &body, uint32_t threads,
            const std::string &variables = "") {
    Device device(
        kernelText("mad.wide.u32 %rd5, %r1, 4, %rd2;\n" + body, variables));
    device.options = options;
    Words in(threads);
    for (uint32_t i = 0; i < threads; ++i)
      in[i] = i * 10;
    uint64_t from = device.upload(in), to = device.upload(Words(threads, 0));
    succeeded = device.run("k", config(1, threads), from, to, uint64_t(0));
    message = device.fault.message;
    return device.download<uint32_t>(to, threads);
  }
  Words expected(uint32_t threads, uint32_t (*value)(uint32_t)) {
    EXPECT_TRUE(succeeded) << message;
    Words result(threads);
    for (uint32_t i = 0; i < threads; ++i)
      result[i] = value(i);
    return result;
  }
  Options options;
  bool succeeded = false;
  std::string message;
};

TEST_F(Warp, LoopsEndPerLane) {
  // Lane i counts to i; lanes above 20 leave by the break, 5 by ret.
  Words result = run("mov.u32 %r2, 0;\nloop:\n"
                     "setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra done;\n"
                     "add.s32 %r2, %r2, 1;\n"
                     "setp.eq.u32 %p2, %r2, 20;\n@%p2 bra broken;\n"
                     "setp.eq.u32 %p3, %r1, 5;\n@%p3 ret;\n"
                     "bra.uni loop;\nbroken:\nadd.s32 %r2, %r2, 1000;\n"
                     "done:\nadd.s32 %r2, %r2, 7;\n"
                     "st.global.u32 [%rd5], %r2;",
                     45);
  EXPECT_EQ(result, expected(45, [](uint32_t i) {
              return i == 5 ? 0 : i < 20 ? i + 7 : 1027;
            }));
}

TEST_F(Warp, LanesMeetAgainBeforeABarrier) {
  // The "else" part lies behind the end of the kernel; a scheduler by lowest
  // address would run the barrier with half of the warp.
  Words result = run("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                     "@%p1 bra elsewhere;\nmov.u32 %r3, 5;\nmeet:\n"
                     "bar.sync 0;\nst.global.u32 [%rd5], %r3;\nret;\n"
                     "elsewhere:\nmov.u32 %r3, 6;\nbra meet;",
                     64);
  EXPECT_EQ(result, expected(64, [](uint32_t i) { return i % 2 ? 5u : 6u; }));
}

TEST_F(Warp, UnstructuredBranches) {
  // Two branches into each other's region (no nesting describes this).
  Words result = run("mov.u32 %r3, 0;\nand.b32 %r2, %r1, 3;\n"
                     "setp.eq.u32 %p1, %r2, 0;\nsetp.eq.u32 %p2, %r2, 1;\n"
                     "setp.eq.u32 %p3, %r2, 2;\n@%p1 bra b;\n"
                     "a:\nadd.s32 %r3, %r3, 1;\n@%p2 bra c;\n"
                     "b:\nadd.s32 %r3, %r3, 10;\n@%p3 bra d;\n"
                     "c:\nadd.s32 %r3, %r3, 100;\nsetp.lt.u32 %p4, %r3, 150;\n"
                     "@%p4 bra a;\n"
                     "d:\nactivemask.b32 %r4;\npopc.b32 %r4, %r4;\n"
                     "mad.lo.s32 %r3, %r4, 10000, %r3;\n"
                     "st.global.u32 [%rd5], %r3;",
                     32);
  EXPECT_EQ(result, expected(32, [](uint32_t i) {
              uint32_t sum = 0, lane = i % 4;
              bool atB = lane == 0;
              for (;;) {
                if (!atB)
                  sum += 1;
                if (atB || lane != 1) {
                  sum += 10;
                  if (lane == 2)
                    break;
                }
                atB = false;
                sum += 100;
                if (sum >= 150)
                  break;
              }
              return 320000 + sum; // All 32 lanes are together at the end.
            }));
}

TEST_F(Warp, BranchTables) {
  Words result = run("rem.u32 %r2, %r1, 3;\n"
                     "table: .branchtargets zero, one, two;\n"
                     "brx.idx %r2, table;\n"
                     "zero:\nmov.u32 %r3, 100;\nbra meet;\n"
                     "one:\nmov.u32 %r3, 200;\nbra meet;\n"
                     "two:\nmov.u32 %r3, 300;\n"
                     "meet:\nst.global.u32 [%rd5], %r3;",
                     40);
  EXPECT_EQ(result, expected(40, [](uint32_t i) { return (i % 3 + 1) * 100; }));
}

TEST_F(Warp, ShufflesClampAtSegments) {
  // Segments of 8 lanes: c = (32 - 8) << 8 | 7 (or | 0 for up).
  Words up = run("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0x1800, -1;\n"
                 "@%p1 add.s32 %r2, %r2, 100;\nst.global.u32 [%rd5], %r2;",
                 32);
  EXPECT_EQ(up, expected(32, [](uint32_t i) {
              return i % 8 >= 3 ? i - 3 + 100 : i;
            }));
  Words down = run("shfl.sync.down.b32 %r2|%p1, %r1, 3, 0x1807, -1;\n"
                   "@%p1 add.s32 %r2, %r2, 100;\nst.global.u32 [%rd5], %r2;",
                   32);
  EXPECT_EQ(down, expected(32, [](uint32_t i) {
              return i % 8 + 3 < 8 ? i + 3 + 100 : i;
            }));
  Words index = run("shfl.sync.idx.b32 %r2, %r1, 13, 0x1807, -1;\n"
                    "st.global.u32 [%rd5], %r2;",
                    32);
  EXPECT_EQ(index, expected(32, [](uint32_t i) { return i / 8 * 8 + 13 % 8; }));
  Words xors = run("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;\n"
                   "st.global.u32 [%rd5], %r2;",
                   32);
  EXPECT_EQ(xors, expected(32, [](uint32_t i) { return i ^ 5; }));
}

TEST_F(Warp, ExchangesNeedTheirMembers) {
  run("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
      "@%p1 shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;",
      32);
  EXPECT_FALSE(succeeded);
  EXPECT_NE(message.find("got mask 0xffffffff and lanes 0x55555555"),
            std::string::npos)
      << message;
  Words named = run("and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                    "mov.u32 %r3, 0;\n"
                    "@%p1 redux.sync.max.u32 %r3, %r1, 0x55555555;\n"
                    "st.global.u32 [%rd5], %r3;",
                    32);
  EXPECT_EQ(named, expected(32, [](uint32_t i) { return i % 2 ? 0u : 30u; }));
}

TEST_F(Warp, Votes) {
  Words result = run("setp.gt.u32 %p1, %r1, 20;\n"
                     "vote.sync.any.pred %p2, %p1, -1;\n"
                     "vote.sync.all.pred %p3, !%p1, -1;\n"
                     "vote.sync.ballot.b32 %r2, %p1, -1;\n"
                     "mov.u32 %r3, %lanemask_lt;\nand.b32 %r2, %r2, %r3;\n"
                     "popc.b32 %r2, %r2;\n@%p2 add.s32 %r2, %r2, 100;\n"
                     "@%p3 add.s32 %r2, %r2, 1000;\n"
                     "st.global.u32 [%rd5], %r2;",
                     32);
  EXPECT_EQ(result, expected(32, [](uint32_t i) {
              return 100 + (i > 21 ? i - 21 : 0);
            }));
}

TEST_F(Warp, NamedBarriersOfSomeWarps) {
  // Warps 0 and 1 hand over by barrier 1 without the third warp; the producer
  // only arrives.
  Words result = run("shr.u32 %r2, %r1, 5;\nsetp.eq.u32 %p1, %r2, 0;\n"
                     "setp.eq.u32 %p2, %r2, 1;\nmov.u32 %r6, buffer;\n"
                     "and.b32 %r3, %r1, 31;\nmad.lo.u32 %r4, %r3, 4, %r6;\n"
                     "mov.u32 %r5, 1;\n@!%p1 bra consumer;\n"
                     "add.s32 %r7, %r1, 70;\nst.shared.u32 [%r4], %r7;\n"
                     "bar.arrive 1, 64;\nbra end;\nconsumer:\n@!%p2 bra end;\n"
                     "bar.sync 1, 64;\nld.shared.u32 %r5, [%r4];\n"
                     "end:\nst.global.u32 [%rd5], %r5;",
                     96, ".shared .align 4 .b8 buffer[128];");
  EXPECT_EQ(result, expected(96, [](uint32_t i) {
              return i / 32 == 1 ? 70 + i % 32 : 1u;
            }));
}

TEST_F(Warp, BarrierReductions) {
  Words result = run("setp.lt.u32 %p1, %r1, 37;\n"
                     "bar.red.popc.u32 %r2, 0, %p1;\n"
                     "bar.red.and.pred %p2, 0, !%p1;\n"
                     "barrier.cta.red.or.aligned.pred %p3, 2, 64, %p1;\n"
                     "@%p2 add.s32 %r2, %r2, 1000;\n"
                     "@%p3 add.s32 %r2, %r2, 100;\n"
                     "st.global.u32 [%rd5], %r2;",
                     64);
  EXPECT_EQ(result, expected(64, [](uint32_t) { return 137u; }));
}

TEST_F(Warp, EndlessLoopsEndByTheLimit) {
  options.maxInstructionsPerBlock = 10000;
  run("loop:\nbra loop;", 32);
  EXPECT_FALSE(succeeded);
  EXPECT_NE(message.find("within 10000 instructions"), std::string::npos)
      << message;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

const char *const buffer = ".shared .align 16 .b8 buffer[4096];";

/// Before each body: %r2 is the thread's 16 bytes in shared memory, filled with
/// 7, and %rd6 the same in the input.
const std::string fill = "shl.b32 %r3, %r1, 4;\nmov.u32 %r2, buffer;\n"
                         "add.s32 %r2, %r2, %r3;\n"
                         "mad.wide.u32 %rd6, %r1, 4, %rd1;\n"
                         "mov.u32 %r4, 7;\n"
                         "st.shared.v4.u32 [%r2], {%r4, %r4, %r4, %r4};\n";
const std::string readBack = "ld.shared.u32 %r8, [%r2];\n"
                             "st.global.u32 [%rd5], %r8;\n";

TEST_F(Warp, CopiesArriveAtTheWaitAndNoEarlier) {
  options.checks = 0;
  std::string copy = "cp.async.ca.shared.global [%r2], [%rd6], 4;\n";
  auto old = [](uint32_t) { return 7u; };
  auto fresh = [](uint32_t i) { return i * 10; };
  std::string commit = "cp.async.commit_group;\n";
  Words unwaited = run(fill + copy + commit + readBack, 40, buffer);
  EXPECT_EQ(unwaited, expected(40, old));
  Words waited = run(
      fill + copy + commit + "cp.async.wait_group 0;\n" + readBack, 40, buffer);
  EXPECT_EQ(waited, expected(40, fresh));
  Words oneLeft = run(
      fill + copy + commit + "cp.async.wait_group 1;\n" + readBack, 40, buffer);
  EXPECT_EQ(oneLeft, expected(40, old));
  Words emptyGroup =
      run(fill + copy + commit + commit + "cp.async.wait_group 1;\n" + readBack,
          40, buffer);
  EXPECT_EQ(emptyGroup, expected(40, fresh));
  // A copy that was never committed is only waited for by wait_all.
  Words uncommitted =
      run(fill + copy + "cp.async.wait_group 0;\n" + readBack, 40, buffer);
  EXPECT_EQ(uncommitted, expected(40, old));
  Words all = run(fill + copy + "cp.async.wait_all;\n" + readBack, 40, buffer);
  EXPECT_EQ(all, expected(40, fresh));
}

TEST_F(Warp, CopiesReadTheirSourceAtTheWait) {
  options.checks = 0;
  Words result = run(fill +
                         "cp.async.ca.shared.global [%r2], [%rd6], 4;\n"
                         "st.global.u32 [%rd6], 55;\n"
                         "cp.async.wait_all;\n" +
                         readBack,
                     32, buffer);
  EXPECT_EQ(result, expected(32, [](uint32_t) { return 55u; }));
}

TEST_F(Warp, GroupsArriveInOrderPerLane) {
  options.checks = 0;
  // Odd lanes commit once more between the two copies.
  Words result = run(fill +
                         "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 1;\n"
                         "cp.async.ca.shared.global [%r2], [%rd6], 4;\n"
                         "cp.async.commit_group;\n"
                         "@%p1 cp.async.commit_group;\n"
                         "cp.async.ca.shared.global [%r2+4], [%rd6], 4;\n"
                         "cp.async.commit_group;\ncp.async.wait_group 2;\n" +
                         readBack,
                     32, buffer);
  EXPECT_EQ(result,
            expected(32, [](uint32_t i) { return i % 2 ? i * 10 : 7u; }));
}

TEST_F(Warp, ShortSourcesAreFilledWithZeros) {
  // 16 bytes of which lane i reads 4 * (i % 3); the sum of the words.
  Words result =
      run(fill + "rem.u32 %r6, %r1, 3;\nshl.b32 %r6, %r6, 2;\n"
                 "and.b64 %rd6, %rd6, -16;\n"
                 "cp.async.cg.shared.global.L2::128B [%r2], [%rd6], "
                 "16, %r6;\ncp.async.wait_all;\n"
                 "ld.shared.v4.u32 {%r7, %r8, %r9, %r10}, [%r2];\n"
                 "add.s32 %r7, %r7, %r8;\nadd.s32 %r9, %r9, %r10;\n"
                 "add.s32 %r7, %r7, %r9;\nst.global.u32 [%rd5], %r7;",
          32, buffer);
  EXPECT_EQ(result, expected(32, [](uint32_t i) {
              uint32_t first = i / 4 * 40, words = i % 3;
              return words * first + (words == 2 ? 10 : 0);
            }));
}

TEST_F(Warp, SourcesOfNoBytesMayPointAnywhere) {
  Words result = run(fill +
                         "mov.u64 %rd7, 0;\nmov.u32 %r6, 0;\n"
                         "cp.async.ca.shared.global [%r2], [%rd7], 8, %r6;\n"
                         "cp.async.wait_all;\n" +
                         readBack,
                     32, buffer);
  EXPECT_EQ(result, expected(32, [](uint32_t) { return 0u; }));
}

TEST_F(Warp, OverwritingACopyInFlightIsARace) {
  run(fill + "bar.sync 0;\ncp.async.ca.shared.global [%r2], [%rd6], 4;\n"
             "st.shared.u32 [%r2], 1;\ncp.async.wait_all;",
      32, buffer);
  EXPECT_FALSE(succeeded);
  EXPECT_NE(message.find("has not arrived"), std::string::npos) << message;
}

} // namespace
