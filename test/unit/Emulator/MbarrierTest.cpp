//===- MbarrierTest.cpp - mbarriers and what goes wrong with them ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each mistake, a kernel that works and the same with one thing missing.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// Thread 0 makes the mbarrier at %r10 for `count` arrivals. %r11 is the
/// thread's word of the tile, %r12 that of the thread 32 further on.
std::string setUp(const std::string &count) {
  return "mov.u32 %r10, bars;\nmov.u32 %r11, tile;\n"
         "mad.wide.u32 %rd5, %r1, 4, %rd2;\n"
         "add.u32 %r13, %r1, 32;\nand.b32 %r13, %r13, 127;\n"
         "shl.b32 %r13, %r13, 2;\nadd.u32 %r12, %r11, %r13;\n"
         "shl.b32 %r13, %r1, 2;\nadd.u32 %r11, %r11, %r13;\n"
         "and.b32 %r14, %r1, 31;\nsetp.eq.u32 %p1, %r1, 0;\n"
         "setp.eq.u32 %p2, %r14, 0;\nmov.u32 %r15, 0;\n"
         "@%p1 mbarrier.init.shared::cta.b64 [%r10], " +
         count + ";\nbar.sync 0;\n";
}

/// A loop until the wait succeeds; `wait` names %p3 and a label is `name`.
std::string spin(const std::string &wait, const std::string &name = "spin") {
  return name + ":\n" + wait + "\n@!%p3 bra " + name + ";\n";
}

const std::string parityWait =
    "mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r10], %r15;";
const std::string write = "st.shared.u32 [%r11], %r1;\n";
const std::string read = "ld.shared.u32 %r20, [%r12];\n"
                         "st.global.u32 [%rd5], %r20;\n";
uint32_t neighbour(uint32_t i) { return (i + 32) & 127; }

class Mbarrier : public KernelTest {};

//===----------------------------------------------------------------------===//
// What it does
//===----------------------------------------------------------------------===//

struct Form {
  const char *name, *arrive, *wait;
};
class MbarrierForms : public KernelTest,
                      public testing::WithParamInterface<Form> {};

TEST_P(MbarrierForms, HandOverInEveryForm) {
  expectWords(
      setUp("128") + "cvt.u64.u32 %rd8, %r10;\ncvta.shared.u64 %rd7, %rd8;\n" +
          write + GetParam().arrive + "\n" + spin(GetParam().wait) + read,
      128, neighbour);
}

TEST_P(MbarrierForms, WithoutTheWait) {
  expectFault(
      setUp("128") + "cvt.u64.u32 %rd8, %r10;\ncvta.shared.u64 %rd7, %rd8;\n" +
          write + "bar.warp.sync -1;\n" + GetParam().arrive + "\n" + read,
      CheckRaces, {"race: "});
}

INSTANTIATE_TEST_SUITE_P(
    All, MbarrierForms,
    testing::Values(
        Form{"State", "mbarrier.arrive.shared.b64 %rd6, [%r10];",
             "mbarrier.test_wait.shared.b64 %p3, [%r10], %rd6;"},
        Form{"StateTry",
             "mbarrier.arrive.release.cta.shared::cta.b64 %rd6, [%r10];",
             "mbarrier.try_wait.acquire.cta.shared::cta.b64 %p3, [%r10], "
             "%rd6;"},
        Form{"Parity", "mbarrier.arrive.shared::cta.b64 _, [%r10];",
             "mbarrier.test_wait.parity.shared.b64 %p3, [%r10], 0;"},
        Form{"ParityTry", "mbarrier.arrive.shared::cta.b64 _, [%r10], 1;",
             "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, "
             "[%r10], %r15, 0x989680;"},
        Form{"Generic", "mbarrier.arrive.b64 %rd6, [%rd7];",
             "mbarrier.try_wait.b64 %p3, [%rd7], %rd6, 1000;"},
        Form{"Cluster",
             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r10];",
             "mbarrier.try_wait.parity.shared.b64 %p3, [%r10], 0;"},
        Form{"ExpectTx",
             "mbarrier.arrive.expect_tx.shared::cta.b64 %rd6, [%r10], 16;\n"
             "mbarrier.complete_tx.shared::cta.b64 [%r10], 16;",
             "mbarrier.test_wait.shared.b64 %p3, [%r10], %rd6;"}),
    [](const testing::TestParamInfo<Form> &form) {
      return std::string(form.param.name);
    });

TEST_F(Mbarrier, PhasesGoOn) {
  // Four rounds on one mbarrier; each round reads what the neighbour wrote.
  std::string round = "add.u32 %r16, %r1, %r17;\nst.shared.u32 [%r11], %r16;\n"
                      "mbarrier.arrive.shared::cta.b64 _, [%r10];\n" +
                      spin(parityWait) +
                      "ld.shared.u32 %r20, [%r12];\nadd.u32 %r18, %r18, %r20;\n"
                      "xor.b32 %r15, %r15, 1;\n"
                      "mbarrier.arrive.shared::cta.b64 _, [%r10];\n" +
                      spin(parityWait, "again") + "xor.b32 %r15, %r15, 1;\n";
  expectWords(setUp("128") + "mov.u32 %r17, 0;\nmov.u32 %r18, 0;\nrounds:\n" +
                  round +
                  "add.u32 %r17, %r17, 1;\nsetp.lt.u32 %p4, %r17, 4;\n"
                  "@%p4 bra rounds;\nst.global.u32 [%rd5], %r18;",
              128, [](uint32_t i) { return 4 * neighbour(i) + 6; });
}

TEST_F(Mbarrier, CountsAndStates) {
  launch = config(1, 1);
  expectWords(setUp("5") +
                  "mbarrier.arrive.noComplete.shared.b64 %rd6, [%r10], 2;\n"
                  "mbarrier.pending_count.b64 %r20, %rd6;\n"
                  "st.global.u32 [%rd2], %r20;\n"
                  "mbarrier.arrive_drop.shared.b64 %rd6, [%r10];\n"
                  "mbarrier.pending_count.b64 %r20, %rd6;\n"
                  "st.global.u32 [%rd2+4], %r20;\n"
                  "mbarrier.test_wait.shared.b64 %p3, [%r10], %rd6;\n"
                  "selp.u32 %r20, 1, 0, %p3;\nst.global.u32 [%rd2+8], %r20;\n"
                  "mbarrier.arrive.shared.b64 _, [%r10], 2;\n"
                  "mbarrier.test_wait.shared.b64 %p3, [%r10], %rd6;\n"
                  "selp.u32 %r20, 1, 0, %p3;\nst.global.u32 [%rd2+12], %r20;\n"
                  // One arrival was dropped for good.
                  "mbarrier.arrive.shared.b64 %rd6, [%r10];\n"
                  "mbarrier.pending_count.b64 %r20, %rd6;\n"
                  "st.global.u32 [%rd2+16], %r20;",
              5, [](uint32_t i) { return Words{5, 3, 0, 1, 4}[i]; });
}

TEST_F(Mbarrier, ThePhaseBeforeTheFirstIsOver) {
  launch = config(1, 1);
  expectWords(setUp("1") +
                  "mbarrier.test_wait.parity.shared.b64 %p3, [%r10], 1;\n"
                  "selp.u32 %r20, 1, 0, %p3;\nst.global.u32 [%rd2], %r20;\n"
                  "mbarrier.test_wait.parity.shared.b64 %p3, [%r10], 0;\n"
                  "selp.u32 %r20, 1, 0, %p3;\nst.global.u32 [%rd2+4], %r20;",
              2, [](uint32_t i) { return 1 - i; });
}

TEST_F(Mbarrier, BytesMayComeBeforeTheyAreExpected) {
  launch = config(1, 32);
  expectRuns(setUp("1") +
             "@%p1 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r10], "
             "48;\n"
             "@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r10], 16;\n"
             "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 32;\n" +
             spin(parityWait));
}

// One path waits for the other path of its warp.
TEST_F(Mbarrier, PathsOfAWarpTakeTurns) {
  launch = config(1, 32);
  std::string waitFirst = setUp("1") + "@%p1 bra other;\n" + spin(parityWait) +
                          "bra.uni end;\nother:\n"
                          "mbarrier.arrive.shared::cta.b64 _, [%r10];\nend:";
  expectRuns(waitFirst);
  expectRuns(replaced(waitFirst, "@%p1", "@!%p1") == waitFirst
                 ? waitFirst
                 : setUp("1") +
                       "@!%p1 bra other;\n"
                       "mbarrier.arrive.shared::cta.b64 _, [%r10];\n"
                       "bra.uni end;\nother:\n" +
                       spin(parityWait) + "end:");
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

const std::string arrive = "mbarrier.arrive.shared::cta.b64 _, [%r10];\n";

TEST_F(Mbarrier, RelaxedOrdersNothing) {
  std::string kernel = setUp("128") + write +
                       "mbarrier.arrive.release.cta.shared::cta.b64 _, "
                       "[%r10];\n" +
                       spin("mbarrier.try_wait.parity.acquire.cta.shared::cta."
                            "b64 %p3, [%r10], %r15;") +
                       read;
  expectWords(kernel, 128, neighbour);
  version = "8.6";
  expectFault(replaced(kernel, ".release", ".relaxed"), CheckRaces, {"race: "});
  expectFault(replaced(kernel, ".acquire", ".relaxed"), CheckRaces, {"race: "});
}

TEST_F(Mbarrier, WaitsWhoseResultNobodyLooksAt) {
  std::string kernel = setUp("128") + write + arrive + spin(parityWait) + read;
  expectWords(kernel, 128, neighbour);
  for (uint64_t seed = 0; seed < seeds; ++seed)
    EXPECT_FALSE(run(without(kernel, "@!%p3 bra spin;\n"), seed));
}

// One lane arrives for its warp: what the other lanes wrote is only handed over
// after a barrier of the warp.
TEST_F(Mbarrier, OneLaneArrivesForItsWarp) {
  std::string kernel = setUp("4") + write + "bar.warp.sync -1;\n@%p2 " +
                       arrive + spin(parityWait) + read;
  expectWords(kernel, 128, neighbour);
  expectFault(without(kernel, "bar.warp.sync -1;\n"), CheckRaces, {"race: "});
}

// One lane waits for its warp.
TEST_F(Mbarrier, OneLaneWaitsForItsWarp) {
  std::string kernel = setUp("128") + write + arrive + "@!%p2 bra over;\n" +
                       spin(parityWait) + "over:\nbar.warp.sync -1;\n" + read;
  expectWords(kernel, 128, neighbour);
  expectFault(without(kernel, "bar.warp.sync -1;\n"), CheckRaces, {"race: "});
}

// Warps 1 to 3 read what warp 0 writes twice into one place.
TEST_F(Mbarrier, SlotsAreFreedByAnMbarrier) {
  std::string kernel =
      setUp("1") +
      "@%p1 mbarrier.init.shared::cta.b64 [%r10+8], 96;\nbar.sync 0;\n"
      "setp.ge.u32 %p5, %r1, 32;\nmov.u32 %r11, tile;\nmov.u32 %r17, 0;\n"
      "mov.u32 %r18, 0;\n@%p5 bra consumer;\n@!%p1 bra end;\nproduce:\n"
      "xor.b32 %r16, %r15, 1;\n" +
      spin("mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r10+8], %r16;",
           "free") +
      "add.u32 %r17, %r17, 5;\nst.shared.u32 [%r11], %r17;\n" + arrive +
      "xor.b32 %r15, %r15, 1;\nsetp.lt.u32 %p4, %r17, 15;\n"
      "@%p4 bra produce;\nbra.uni end;\nconsumer:\n" +
      spin(parityWait, "full") +
      "ld.shared.u32 %r20, [%r11];\nadd.u32 %r18, %r18, %r20;\n"
      "mbarrier.arrive.shared::cta.b64 _, [%r10+8];\n"
      "xor.b32 %r15, %r15, 1;\nadd.u32 %r17, %r17, 5;\n"
      "setp.lt.u32 %p4, %r17, 15;\n@%p4 bra consumer;\nend:\n"
      "st.global.u32 [%rd5], %r18;";
  expectWords(kernel, 128, [](uint32_t i) { return i < 32 ? 0u : 30u; });
  // The producer does not wait until the place is free.
  expectFault(without(kernel, "@!%p3 bra free;\n"), CheckRaces | CheckBarriers,
              {"race: ", "an arrival of 1 to 0", "deadlock"});
  // Warps free the place before they have read it.
  std::string early = replaced(
      without(kernel, "mbarrier.arrive.shared::cta.b64 _, [%r10+8];\n"),
      "ld.shared.u32 %r20, [%r11];\n",
      "mbarrier.arrive.shared::cta.b64 _, [%r10+8];\n"
      "ld.shared.u32 %r20, [%r11];\n");
  expectFault(early, CheckRaces, {"race: "});
}

TEST_F(Mbarrier, UseBeforeTheOthersKnowOfIt) {
  std::string kernel = setUp("128") + arrive + spin(parityWait);
  expectRuns(kernel);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_FALSE(run(without(kernel, "bar.sync 0;\n"), seed));
    bool isEarly = fault.check == 0;
    EXPECT_NE(fault.message.find(isEarly ? "expected mbarrier.init of byte 0"
                                         : "race: use of the mbarrier at byte "
                                           "0, which thread (0, 0, 0)"),
              std::string::npos)
        << fault.message;
  }
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

TEST_F(Mbarrier, NeverInitialised) {
  launch = config(1, 1);
  std::string kernel = setUp("1") + arrive;
  expectRuns(kernel);
  for (const char *use :
       {"mbarrier.arrive.shared.b64 _, [%r10+8];",
        "mbarrier.inval.shared.b64 [%r10+8];",
        "mbarrier.test_wait.parity.shared.b64 %p3, [%r10+8], 1;",
        "mbarrier.expect_tx.shared::cta.b64 [%r10+8], 4;",
        "cp.async.mbarrier.arrive.shared.b64 [%r10+8];"})
    expectFault(kernel + use, 0,
                {"expected mbarrier.init of byte 8 of shared memory"});
}

TEST_F(Mbarrier, CountsOutOfRange) {
  launch = config(1, 1);
  expectRuns(setUp("1048575"));
  expectFault(setUp("1048576"), 0, {"1 to 1048575 arrivals, got 1048576"});
  expectFault(setUp("0"), 0, {"arrivals, got 0"});
  expectRuns(setUp("2") + arrive + arrive + arrive);
  std::string open = setUp("2") +
                     "mbarrier.expect_tx.shared::cta.b64 [%r10], 4;\n" +
                     arrive + arrive;
  expectRuns(open);
  expectFault(open + arrive, CheckBarriers, {"what phase 0 of the mbarrier"});
  expectFault(setUp("2") + "mbarrier.arrive.shared.b64 _, [%r10], 3;",
              CheckBarriers, {"an arrival of 1 to 2"});
  expectFault(setUp("2") + "mbarrier.arrive.shared.b64 _, [%r10], %r15;",
              CheckBarriers, {"got 0"});
  expectFault(setUp("2") +
                  "mbarrier.arrive.noComplete.shared.b64 %rd6, [%r10], 2;",
              CheckBarriers, {"noComplete"});
}

TEST_F(Mbarrier, TxCountOutOfRange) {
  launch = config(1, 1);
  std::string expect = "mbarrier.expect_tx.shared::cta.b64 [%r10], 1048575;\n";
  expectRuns(setUp("1") + expect);
  expectFault(setUp("1") + expect + expect, 0,
              {"within 1048575, got 1048575 and 1048575 more"});
  expectFault(setUp("1") + "mbarrier.complete_tx.shared::cta.b64 [%r10], "
                           "1048576;",
              0, {"a tx-count"});
}

TEST_F(Mbarrier, BytesTouchedByOtherInstructions) {
  launch = config(1, 1);
  std::string inval = "mbarrier.inval.shared.b64 [%r10];\n";
  expectRuns(setUp("1") + inval +
             "st.shared.u64 [%r10], %rd1;\n"
             "ld.shared.u64 %rd6, [%r10];");
  for (const char *use :
       {"st.shared.u8 [%r10+7], %h1;", "ld.shared.u32 %r20, [%r10+4];",
        "atom.shared.add.u32 %r20, [%r10], 1;",
        "cp.async.ca.shared.global [%r10], [%rd1], 4;"})
    expectFault(setUp("1") + use, CheckRaces, {"which is an mbarrier that"});
  // What an inval leaves behind is nothing.
  expectFault(setUp("1") + inval +
                  "ld.shared.u64 %rd6, [%r10];\n"
                  "st.global.u64 [%rd2], %rd6;",
              CheckUninitialized, {"uninitialised"});
}

TEST_F(Mbarrier, InitTwice) {
  launch = config(1, 1);
  std::string again = "mbarrier.init.shared.b64 [%r10], 2;\n";
  expectRuns(setUp("1") + "mbarrier.inval.shared.b64 [%r10];\n" + again);
  expectFault(setUp("1") + again, CheckBarriers, {"expected mbarrier.inval"});
}

TEST_F(Mbarrier, InvalWhileOthersUseIt) {
  std::string kernel = setUp("128") + arrive + spin(parityWait) +
                       "bar.sync 1;\n@%p1 mbarrier.inval.shared.b64 [%r10];";
  expectRuns(kernel);
  expectFault(without(kernel, "bar.sync 1;\n"), CheckRaces, {"race: "});
}

TEST_F(Mbarrier, Deadlock) {
  std::string kernel = setUp("128") + arrive + spin(parityWait);
  expectRuns(kernel);
  expectFault(replaced(kernel, "], 128", "], 129"), CheckBarriers,
              {"deadlock: phase 0 of the mbarrier at byte 0 cannot complete: "
               "expected 1 more of its 129 arrivals and 0 more bytes, with 0 "
               "on their way; 4 warps "
               "wait for mbarriers"});
  expectFault(replaced(kernel, "mov.u32 %r15, 0", "mov.u32 %r15, 1") +
                  "mbarrier.test_wait.parity.shared.b64 %p3, [%r10], %r15;\n" +
                  spin(parityWait, "never"),
              CheckBarriers, {"deadlock: phase 1"});
  // Some wait at a barrier, and one has left.
  expectFault(setUp("128") +
                  "setp.lt.u32 %p5, %r1, 32;\nsetp.ge.u32 %p6, %r1, 64;\n"
                  "@%p6 bra.uni sync;\n@!%p5 ret;\n" +
                  spin(parityWait) + "sync:\nbar.sync 1, 96;",
              CheckBarriers,
              {"128 more of its 128 arrivals and 0 more bytes, with 0 on their "
               "way; 1 warps wait "
               "for mbarriers and 2 at barriers"});
}

// A loop that gives up goes on.
TEST_F(Mbarrier, LoopsThatGiveUp) {
  launch = config(1, 64);
  expectRuns(setUp("128") + "mov.u32 %r16, 0;\nspin:\n" + parityWait +
             "\nadd.u32 %r16, %r16, 1;\nsetp.gt.u32 %p4, %r16, 500;\n"
             "@%p4 bra out;\n@!%p3 bra spin;\nout:");
}

TEST_F(Mbarrier, StatesOfOtherPhases) {
  launch = config(1, 1);
  std::string kernel =
      setUp("1") + "mbarrier.arrive.shared.b64 %rd6, [%r10];\n";
  std::string wait = "mbarrier.test_wait.shared.b64 %p3, [%r10], %rd6;\n";
  expectRuns(kernel + wait);
  expectFault(kernel + arrive + wait, CheckBarriers, {"got one of phase 0"});
  expectFault(kernel + "mov.u32 %r15, 2;\n" + parityWait, 0, {"parity 0 or 1"});
}

TEST_F(Mbarrier, NotInSharedMemory) {
  launch = config(1, 1);
  expectFault(setUp("1") + "mbarrier.arrive.b64 %rd6, [%rd1];", CheckBounds,
              {"expected the address of an mbarrier in shared memory"});
  expectFault(setUp("1") + "mbarrier.arrive.shared.b64 %rd6, [%r10+4];",
              CheckAlignment, {"a multiple of 8"});
  expectFault(setUp("1") + "mbarrier.arrive.shared.b64 %rd6, [%r10+65536];",
              CheckBounds, {"out-of-bounds"});
}

//===----------------------------------------------------------------------===//
// cp.async.mbarrier.arrive
//===----------------------------------------------------------------------===//

/// Each thread copies a word; all wait for the mbarrier.
std::string copies(const std::string &count, const std::string &asyncArrive) {
  return setUp(count) +
         "mad.wide.u32 %rd9, %r1, 4, %rd1;\n"
         "cp.async.ca.shared.global [%r11], [%rd9], 4;\n" +
         asyncArrive + spin(parityWait) + read;
}
uint32_t copied(uint32_t i) { return neighbour(i) * 10; }

TEST_F(Mbarrier, CopiesArrive) {
  std::string noinc =
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r10];\n";
  std::string inc = "cp.async.mbarrier.arrive.shared.b64 [%r10];\n" + arrive;
  expectWords(copies("128", noinc), 128, copied);
  expectWords(copies("128", inc), 128, copied);
  // An ordinary arrival does not wait for the copies.
  expectFault(copies("128", arrive), CheckRaces, {"has not arrived"});
  // The count allows for one of the two.
  expectFault(copies("256", noinc), CheckBarriers, {"deadlock"});
  // The result is not looked at.
  expectFault(without(copies("128", noinc), "@!%p3 bra spin;\n"), CheckRaces,
              {"has not arrived", "race: "});
  // Only what was begun before it arrives.
  expectFault(replaced(copies("128", noinc), noinc,
                       noinc + "cp.async.ca.shared.global [%r11+512], [%rd9], "
                               "4;\n") +
                  "ld.shared.u32 %r21, [%r11+512];",
              CheckRaces, {"has not arrived"});
}

TEST_F(Mbarrier, InvalBeforeCopiesArrived) {
  launch = config(1, 32);
  std::string kernel =
      copies("32", "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r10];\n");
  kernel =
      replaced(kernel, read,
               "bar.warp.sync -1;\n@%p1 mbarrier.inval.shared.b64 [%r10];");
  expectRuns(kernel);
  expectFault(without(kernel, spin(parityWait)), CheckRaces,
              {"expected all copies to have arrived"});
}

} // namespace
