//===- BulkCopyTest.cpp - Bulk copies and what goes wrong with them -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk in both directions. For each mistake, a kernel that works and
// the same with one thing missing.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// %r11 is the thread's word of the tile, %rd5 that of the output, %p1 thread
/// 0; the mbarriers at %r10 are for one arrival each.
const std::string fence = "fence.mbarrier_init.release.cluster;\n";
const std::string setUp =
    "mov.u32 %r10, bars;\nmov.u32 %r9, tile;\n"
    "mad.wide.u32 %rd5, %r1, 4, %rd2;\nshl.b32 %r13, %r1, 2;\n"
    "add.u32 %r11, %r9, %r13;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r15, 0;\n"
    "@!%p1 bra ready;\nmbarrier.init.shared::cta.b64 [%r10], 1;\n"
    "mbarrier.init.shared::cta.b64 [%r10+8], 1;\n" +
    fence + "ready:\nbar.sync 0;\n";
const std::string expectTx =
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 512;\n";
const std::string bulk = "cp.async.bulk.shared::cluster.global."
                         "mbarrier::complete_tx::bytes [%r9], [%rd1], 512, "
                         "[%r10];\n";
std::string byThread0(const std::string &body, const std::string &label) {
  return "@!%p1 bra " + label + ";\n" + body + label + ":\n";
}
std::string spin(const std::string &name, const std::string &mbarrier,
                 const std::string &parity = "%r15") {
  return name + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p3, [" +
         mbarrier + "], " + parity + ";\n@!%p3 bra " + name + ";\n";
}
const std::string read = "ld.shared.u32 %r20, [%r11];\n"
                         "st.global.u32 [%rd5], %r20;\n";
uint32_t input(uint32_t i) { return 10 * i; }

class BulkCopy : public KernelTest {};

//===----------------------------------------------------------------------===//
// To shared memory
//===----------------------------------------------------------------------===//

const std::string load =
    setUp + byThread0(expectTx + bulk, "issued") + spin("spin", "%r10") + read;

TEST_F(BulkCopy, Arrives) {
  expectWords(load, 128, input);
  for (const char *form :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".L2::cache_hint [%r9], [%rd1], 512, [%r10], %rd6;\n",
        "mov.u32 %r16, 512;\ncp.async.bulk.shared::cluster.global."
        "mbarrier::complete_tx::bytes [tile], [%rd1], %r16, [bars];\n"})
    expectWords(replaced("mov.u64 %rd6, 0;\n" + load, bulk, form), 128, input);
  version = "8.6";
  expectWords(replaced(load, "shared::cluster.global", "shared::cta.global"),
              128, input);
}

TEST_F(BulkCopy, PiecesOfOnePhase) {
  std::string half = replaced(bulk, "512", "256");
  std::string second =
      replaced(replaced(half, "[%r9]", "[%r9+256]"), "[%rd1]", "[%rd1+256]");
  expectWords(replaced(load, bulk, half + second), 128, input);
  // In the order of their issue, whatever is expected when.
  expectWords(replaced(load, expectTx + bulk, half + second + expectTx), 128,
              input);
}

TEST_F(BulkCopy, SourcesAreReadLate) {
  options.checks = 0;
  std::string kernel = replaced(
      load, expectTx + bulk, expectTx + bulk + "st.global.u32 [%rd1+4], 77;\n");
  expectWords(kernel, 128, [](uint32_t i) { return i == 1 ? 77 : 10 * i; });
}

TEST_F(BulkCopy, ReadTooEarly) {
  expectFault(without(load, spin("spin", "%r10")), CheckRaces,
              {"where the copy that thread (0, 0, 0) began in line",
               "expected a barrier between them"});
  // A wait whose result nobody looks at.
  expectFault(without(load, "@!%p3 bra spin;\n"), CheckRaces,
              {"has not arrived", "wrote in", "read in"});
  // A wait for another mbarrier.
  expectFault(
      replaced(load, spin("spin", "%r10"),
               byThread0("mbarrier.arrive.shared.b64 _, [%r10+8];\n", "other") +
                   spin("spin", "%r10+8")),
      CheckRaces, {"has not arrived", "expected a barrier"});
}

// One warp waits; the others need a barrier.
TEST_F(BulkCopy, OthersNeedABarrier) {
  std::string kernel =
      replaced(load, spin("spin", "%r10"),
               "setp.ge.u32 %p5, %r1, 32;\n@%p5 bra over;\n" +
                   spin("spin", "%r10") + "over:\nbar.sync 1;\n");
  expectWords(kernel, 128, input);
  expectFault(without(kernel, "bar.sync 1;\n"), CheckRaces,
              {"has not arrived", "which a bulk copy wrote",
               "expected a barrier between them"});
}

TEST_F(BulkCopy, WrongNumberOfBytes) {
  expectFault(replaced(load, "_, [%r10], 512", "_, [%r10], 256"), CheckBarriers,
              {"0 more of its 1 arrivals and 256 more bytes, with 512 on their "
               "way"});
  expectFault(replaced(load, "_, [%r10], 512", "_, [%r10], 528"), CheckBarriers,
              {"and 528 more bytes, with 512 on their way"});
  expectFault(without(load, expectTx), CheckBarriers, {"1 more of its 1"});
  // More bytes than the phase counts: the second copy is of no phase.
  std::string second = replaced(bulk, "[%r9]", "[%r9+512]");
  expectFault(replaced(load, bulk, bulk + second), CheckRaces,
              {"the block ended before this bulk copy"});
}

TEST_F(BulkCopy, InitWithoutFence) {
  expectFault(without(load, fence), CheckRaces,
              {"expected fence.mbarrier_init or fence.proxy.async after that"});
  expectWords(replaced(load, fence, "fence.proxy.async;\n"), 128, input);
  expectWords(replaced(load, fence, "fence.proxy.async.shared::cta;\n"), 128,
              input);
}

TEST_F(BulkCopy, AddressesAndSizes) {
  expectFault(
      replaced("mov.u32 %r16, 504;\n" + load, "512, [%r10]", "%r16, [%r10]"), 0,
      {"a multiple of 16 bytes, got 504"});
  expectFault(replaced(load, "[%r9], [%rd1], 512", "[%r9+8], [%rd1], 512"),
              CheckAlignment, {"shared side, got one that is 8 bytes past"});
  expectFault(replaced(load, "[%r9], [%rd1], 512", "[%r9], [%rd1+4], 512"),
              CheckAlignment, {"global side, got one that is 4 bytes past"});
  expectFault(replaced(load, "[%r9], [%rd1], 512", "[%r9], [%rd1+3600], 512"),
              CheckBounds, {"read of 512 bytes of global memory"});
  expectFault(replaced(load, "[%r9], [%rd1], 512", "[%r9+7696], [%rd1], 512"),
              CheckBounds, {"write of 512 bytes of shared memory"});
  expectFault(replaced(load, "512, [%r10]", "512, [%r10+16]"), 0,
              {"expected mbarrier.init of byte 16"});
}

// What threads wrote is another proxy's.
TEST_F(BulkCopy, OverwritesWhatThreadsWrote) {
  std::string kernel = replaced(load, "mov.u32 %r15, 0;\n",
                                "mov.u32 %r15, 0;\nst.shared.u32 [%r11], 7;\n"
                                "fence.proxy.async.shared::cta;\n");
  expectWords(kernel, 128, input);
  std::string missing = without(kernel, "fence.proxy.async.shared::cta;\n");
  expectFault(missing, CheckRaces, {"expected fence.proxy.async between them"});
  // In the thread that copies, it may also come later.
  expectWords(replaced(missing, expectTx, "fence.proxy.async;\n" + expectTx),
              128, input);
  // Too early, or for global memory only.
  expectFault(
      replaced(missing, "st.shared.u32", "fence.proxy.async;\nst.shared.u32"),
      CheckRaces, {"expected fence.proxy.async between them"});
  expectFault(replaced(kernel, "async.shared::cta", "async.global"), CheckRaces,
              {"expected fence.proxy.async between them"});
  // The fence orders nothing by itself.
  expectFault(
      replaced(missing, "bar.sync 0;\n",
               "bar.sync 0;\nfence.proxy.async;\n"
               "st.shared.u32 [%r11], 7;\nfence.proxy.async;\n"),
      CheckRaces,
      {"expected a barrier between them", "began in", "expected fence"});
}

/// Warp 0 fills two slots of 512 bytes in turn, eight times; the 96 other
/// threads add up what they read. Mbarriers 0 and 1 are full, 2 and 3 empty.
const std::string pipeline =
    "mov.u32 %r10, bars;\nmov.u32 %r9, tile;\n"
    "mad.wide.u32 %rd5, %r1, 4, %rd2;\nshl.b32 %r13, %r1, 2;\n"
    "add.u32 %r11, %r9, %r13;\nsetp.eq.u32 %p1, %r1, 0;\n"
    "@!%p1 bra ready;\nmbarrier.init.shared::cta.b64 [%r10], 1;\n"
    "mbarrier.init.shared::cta.b64 [%r10+8], 1;\n"
    "mbarrier.init.shared::cta.b64 [%r10+16], 3;\n"
    "mbarrier.init.shared::cta.b64 [%r10+24], 3;\n" +
    fence +
    "ready:\nbar.sync 0;\nmov.u32 %r16, 0;\nmov.u32 %r18, 0;\n"
    "and.b32 %r14, %r1, 31;\nsetp.eq.u32 %p2, %r14, 0;\n"
    "setp.ge.u32 %p5, %r1, 32;\n@%p5 bra consumer;\n@!%p1 bra end;\n"
    "producer:\nand.b32 %r17, %r16, 1;\nshl.b32 %r19, %r17, 3;\n"
    "add.u32 %r19, %r10, %r19;\nshl.b32 %r21, %r17, 9;\n"
    "add.u32 %r21, %r21, %r9;\nshr.u32 %r15, %r16, 1;\n"
    "and.b32 %r15, %r15, 1;\nxor.b32 %r15, %r15, 1;\n" +
    spin("empty", "%r19+16") +
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r19], 512;\n"
    "mad.wide.u32 %rd6, %r16, 512, %rd1;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
    "[%r21], [%rd6], 512, [%r19];\n"
    "add.u32 %r16, %r16, 1;\nsetp.lt.u32 %p4, %r16, 8;\n@%p4 bra producer;\n"
    "bra.uni end;\nconsumer:\nand.b32 %r17, %r16, 1;\nshl.b32 %r19, %r17, 3;\n"
    "add.u32 %r19, %r10, %r19;\nshl.b32 %r21, %r17, 9;\n"
    "add.u32 %r21, %r21, %r11;\nshr.u32 %r15, %r16, 1;\n"
    "and.b32 %r15, %r15, 1;\n" +
    spin("full", "%r19") +
    "ld.shared.u32 %r20, [%r21];\nadd.u32 %r18, %r18, %r20;\n"
    "fence.proxy.async.shared::cta;\nbar.warp.sync -1;\n"
    "@%p2 mbarrier.arrive.shared::cta.b64 _, [%r19+16];\n"
    "add.u32 %r16, %r16, 1;\nsetp.lt.u32 %p4, %r16, 8;\n"
    "@%p4 bra consumer;\nend:\nst.global.u32 [%rd5], %r18;";

TEST_F(BulkCopy, Pipeline) {
  expectWords(pipeline, 128,
              [](uint32_t i) { return i < 32 ? 0 : 80 * i + 35840; });
}

TEST_F(BulkCopy, PipelineSlotsReusedTooEarly) {
  // The producer does not wait.
  expectFault(without(pipeline, "@!%p3 bra empty;\n"),
              CheckRaces | CheckBarriers, {"race: ", "an arrival of 1 to 0"});
  // Nor with the right parity.
  expectFault(without(pipeline, "xor.b32 %r15, %r15, 1;\n"), CheckBarriers,
              {"deadlock"});
  // Two of the three warps free the slot.
  expectFault(replaced(replaced(pipeline, "[%r10+16], 3", "[%r10+16], 2"),
                       "[%r10+24], 3", "[%r10+24], 2"),
              CheckRaces | CheckBarriers,
              {"race: ", "an arrival of 1 to", "deadlock"});
  // A warp frees its slot before all its lanes have read.
  expectFault(without(pipeline, "bar.warp.sync -1;\n"), CheckRaces,
              {"race: write of 512 bytes"});
  // The copy engine is told of no read.
  expectFault(without(pipeline, "fence.proxy.async.shared::cta;\n"), CheckRaces,
              {"which thread", "read in",
               "expected fence.proxy.async between them, for the copy engine"});
  // Nor by a fence before the read.
  expectFault(replaced(without(pipeline, "fence.proxy.async.shared::cta;\n"),
                       "ld.shared.u32 %r20",
                       "fence.proxy.async.shared::cta;\nld.shared.u32 %r20"),
              CheckRaces, {"expected fence.proxy.async between them"});
  // The producer may tell it, too, when it knows of the reads.
  expectWords(replaced(without(pipeline, "fence.proxy.async.shared::cta;\n"),
                       "mbarrier.arrive.expect_tx",
                       "fence.proxy.async;\nmbarrier.arrive.expect_tx"),
              128, [](uint32_t i) { return i < 32 ? 0 : 80 * i + 35840; });
  // The consumers do not wait.
  expectFault(without(pipeline, "@!%p3 bra full;\n"),
              CheckRaces | CheckBarriers,
              {"race: ", "an arrival of 1 to", "deadlock"});
}

TEST_F(BulkCopy, BetweenPlacesOfSharedMemory) {
  std::string kernel =
      setUp + "st.shared.u32 [%r11], %r1;\nfence.proxy.async;\nbar.sync 0;\n" +
      byThread0(expectTx + "cp.async.bulk.shared::cluster.shared::cta."
                           "mbarrier::complete_tx::bytes [%r9+1024], [%r9], "
                           "512, [%r10];\n",
                "issued") +
      spin("spin", "%r10") +
      "ld.shared.u32 %r20, [%r11+1024];\n"
      "st.shared.u32 [%r11], 5;\n"
      "st.global.u32 [%rd5], %r20;\n";
  expectWords(kernel, 128, [](uint32_t i) { return i; });
  expectFault(without(kernel, "fence.proxy.async;\n"), CheckRaces,
              {"expected fence.proxy.async"});
  // The source is overwritten while it is read.
  expectFault(replaced(kernel, spin("spin", "%r10"),
                       "bar.sync 1;\nst.shared.u32 [%r11], 6;\n" +
                           spin("spin", "%r10")),
              CheckRaces, {"has not read"});
}

//===----------------------------------------------------------------------===//
// To global memory
//===----------------------------------------------------------------------===//

const std::string bulkStore =
    "cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r9], 512;\n";
const std::string commit = "cp.async.bulk.commit_group;\n";
const std::string waitRead = "cp.async.bulk.wait_group.read 0;\n";
const std::string store =
    setUp +
    "st.shared.u32 [%r11], %r1;\nfence.proxy.async.shared::cta;\n"
    "bar.sync 1;\n" +
    byThread0(bulkStore + commit + "cp.async.bulk.wait_group 0;\n", "issued");
uint32_t number(uint32_t i) { return i; }

TEST_F(BulkCopy, Stores) {
  expectWords(store, 128, number);
  expectWords(replaced(store, "wait_group 0", "wait_group.read 0"), 128,
              number);
  expectWords(replaced("mov.u64 %rd6, 0;\n" + store, bulkStore,
                       "cp.async.bulk.global.shared::cta.bulk_group."
                       "L2::cache_hint [%rd2], [%r9], 512, %rd6;\n"),
              128, number);
}

TEST_F(BulkCopy, StoresThatMissSomething) {
  const std::string proxy = "fence.proxy.async.shared::cta;\n";
  expectFault(without(store, proxy), CheckRaces,
              {"read of 512 bytes of shared memory at byte 128",
               "expected fence.proxy.async between them"});
  expectWords(replaced(without(store, proxy), bulkStore, proxy + bulkStore),
              128, number);
  expectFault(without(store, "bar.sync 1;\n"), CheckRaces,
              {"expected a barrier between them"});
  expectFault(without(store, commit), CheckRaces,
              {"expected cp.async.bulk.commit_group and a wait"});
  expectFault(without(store, "cp.async.bulk.wait_group 0;\n"), CheckRaces,
              {"expected cp.async.bulk.commit_group and a wait"});
  expectFault(replaced(store, "wait_group 0", "wait_group 1"), CheckRaces,
              {"expected cp.async.bulk.commit_group and a wait"});
  expectFault(
      replaced("mov.u32 %r16, 520;\n" + store, "[%r9], 512;", "[%r9], %r16;"),
      0, {"a multiple of 16"});
  expectFault(replaced(store, "[%rd2], [%r9], 512", "[%rd2+16256], [%r9], 512"),
              CheckBounds, {"write of 512 bytes of global memory"});
}

TEST_F(BulkCopy, SourcesOfStoresAreReusedAfterTheWait) {
  std::string again = "bar.sync 2;\nst.shared.u32 [%r11], 9;\n";
  std::string kernel =
      replaced(store, "wait_group 0", "wait_group.read 0") + again;
  expectWords(kernel, 128, number);
  expectFault(without(kernel, "bar.sync 2;\n"), CheckRaces,
              {"has not read", "which thread (0, 0, 0) read in",
               "expected a barrier between them"});
  expectFault(without(kernel, waitRead) + byThread0(waitRead, "waited"),
              CheckRaces,
              {"has not read: expected "
               "cp.async.bulk.wait_group.read"});
  // Unchecked, the copy finds what came later.
  options.checks = 0;
  expectWords(without(kernel, waitRead) + "bar.sync 3;\n" +
                  byThread0("cp.async.bulk.wait_group 0;\n", "waited"),
              128, [](uint32_t) { return 9u; });
}

// Of two groups the first is waited for.
TEST_F(BulkCopy, GroupsInTheirOrder) {
  std::string kernel =
      setUp +
      "st.shared.u32 [%r11], %r1;\nst.shared.u32 [%r11+512], %r1;\n"
      "fence.proxy.async;\nbar.sync 1;\n" +
      byThread0(bulkStore + commit +
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd2+512], "
                    "[%r9+512], 512;\n" +
                    commit + "cp.async.bulk.wait_group.read 1;\n",
                "issued") +
      "bar.sync 2;\nst.shared.u32 [%r11], 9;\n" + byThread0(waitRead, "end");
  expectWords(kernel, 256, [](uint32_t i) { return i % 128; });
  expectFault(replaced(kernel, "st.shared.u32 [%r11], 9",
                       "st.shared.u32 [%r11+512], 9"),
              CheckRaces, {"has not read"});
}

TEST_F(BulkCopy, Prefetch) {
  expectRuns("cp.async.bulk.prefetch.L2.global [%rd1], 64;\n"
             "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd1], 64, "
             "%rd3;");
}

} // namespace
