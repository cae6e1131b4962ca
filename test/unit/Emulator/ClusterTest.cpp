//===- ClusterTest.cpp - Clusters of blocks -------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks that share memory. For each mistake, a kernel that works and the same
// with one thing missing.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// Two blocks of 64 threads. %r2 is the block's rank, %r3 the other's; %r10 is
/// the first mbarrier, %r11 the thread's word of the tile, %r12 the same in the
/// other block; %rd5 the word of the output.
const std::string places =
    "mov.u32 %r2, %cluster_ctarank;\nxor.b32 %r3, %r2, 1;\n"
    "mov.u32 %r10, bars;\nmov.u32 %r9, tile;\nshl.b32 %r13, %r1, 2;\n"
    "add.u32 %r11, %r9, %r13;\nmapa.shared::cluster.u32 %r12, %r11, %r3;\n"
    "mapa.shared::cluster.u32 %r16, %r10, %r3;\n"
    "mad.lo.u32 %r14, %r2, 64, %r1;\nmad.wide.u32 %rd5, %r14, 4, %rd2;\n"
    "setp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r2, 0;\nmov.u32 %r15, 0;\n";
const std::string arrive = "barrier.cluster.arrive;\n";
const std::string wait = "barrier.cluster.wait;\n";
const std::string first = arrive + wait;
const std::string last = "barrier.cluster.arrive.aligned;\n"
                         "barrier.cluster.wait.acquire.aligned;\n";
const std::string write = "st.shared.u32 [%r11], %r14;\n";
const std::string out = "st.global.u32 [%rd5], %r20;\n";
uint32_t other(uint32_t i) { return i ^ 64; }

class Cluster : public KernelTest {
protected:
  Cluster() {
    launch = config(2, 64);
    launch.cluster[0] = 2;
    launch.cluster[1] = launch.cluster[2] = 1;
  }
};

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST_F(Cluster, SpecialRegisters) {
  launch = config(4, 1);
  launch.grid[1] = 6;
  launch.cluster[0] = 2;
  launch.cluster[1] = 3;
  launch.cluster[2] = 1;
  std::string body = "mov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ctaid.y;\n"
                     "mad.lo.u32 %r6, %r5, 4, %r4;\n"
                     "mad.wide.u32 %rd5, %r6, 64, %rd2;\n";
  const char *names[] = {
      "cluster_ctaid.x",  "cluster_ctaid.y",  "cluster_ctaid.z",
      "cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z",
      "cluster_ctarank",  "cluster_nctarank", "clusterid.x",
      "clusterid.y",      "clusterid.z",      "nclusterid.x",
      "nclusterid.y",     "nclusterid.z"};
  for (size_t i = 0; i < std::size(names); ++i)
    body += "mov.u32 %r7, %" + std::string(names[i]) +
            ";\nst.global.u32 [%rd5+" + std::to_string(4 * i) + "], %r7;\n";
  body += "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r7, 1, 0, %p1;\n"
          "st.global.u32 [%rd5+56], %r7;\n";
  auto value = [](uint32_t i) {
    uint32_t x = i / 16 % 4, y = i / 64;
    const Words row = {x % 2, y % 3, 0,     2, 3, 1, x % 2 + y % 3 * 2,
                       6,     x / 2, y / 3, 0, 2, 2, 1,
                       1,     0};
    return row[i % 16];
  };
  expectWords(body, 16 * 24, value);
  // The kernel may say it; and without either, each block is a cluster.
  launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 0;
  directives = "\n.reqnctapercluster 2, 3";
  expectWords(body, 16 * 24, value);
  directives = "";
  expectWords(body, 16 * 24, [](uint32_t i) {
    uint32_t x = i / 16 % 4, y = i / 64;
    const Words row = {0, 0, 0, 1, 1, 1, 0, 1, x, y, 0, 4, 6, 1, 0, 0};
    return row[i % 16];
  });
}

TEST_F(Cluster, RefusedLaunches) {
  auto refused = [&](uint32_t x, uint32_t y, const std::string &part) {
    launch.cluster[0] = x;
    launch.cluster[1] = y;
    launch.cluster[2] = x || y;
    EXPECT_FALSE(run("", 0));
    EXPECT_NE(fault.message.find(part), std::string::npos) << fault.message;
    EXPECT_EQ(fault.line, 0u);
  };
  launch.grid[0] = 48;
  launch.grid[1] = 4;
  refused(16, 1, "1 to 8 blocks, got 16 x 1 x 1");
  refused(4, 4, "1 to 8 blocks, got 4 x 4 x 1");
  refused(0, 1, "1 to 8 blocks, got 0 x 1 x 1");
  refused(0xffffffffu, 0xffffffffu, "1 to 8 blocks");
  refused(5, 1, "expected clusters that divide the grid, got 5 x 1 x 1");
  refused(1, 3, "expected clusters that divide the grid");
  directives = "\n.reqnctapercluster 4";
  refused(2, 1, "the cluster of .reqnctapercluster 4 x 1 x 1, got 2 x 1 x 1");
  directives = "\n.maxclusterrank 2";
  refused(4, 1, "1 to 2 blocks");
  directives = "\n.explicitcluster";
  refused(0, 0, ".explicitcluster demands");
  launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 2;
  launch.grid[2] = 2;
  EXPECT_TRUE(run("", 0)) << fault.message;
}

//===----------------------------------------------------------------------===//
// Shared memory of other blocks
//===----------------------------------------------------------------------===//

const std::string exchange = places + write + first +
                             "ld.shared::cluster.u32 %r20, [%r12];\n" + out +
                             last;

TEST_F(Cluster, Exchange) {
  expectWords(exchange, 128, other);
  // By generic addresses.
  expectWords(
      replaced(exchange, "ld.shared::cluster.u32 %r20, [%r12];\n",
               "cvt.u64.u32 %rd6, %r11;\ncvta.shared.u64 %rd6, %rd6;\n"
               "mapa.u64 %rd7, %rd6, %r3;\nld.u32 %r20, [%rd7];\n"
               "getctarank.u64 %r21, %rd7;\nsetp.ne.u32 %p3, %r21, %r3;\n"
               "@%p3 trap;\nisspacep.shared::cluster %p3, %rd7;\n"
               "@!%p3 trap;\nisspacep.shared::cta %p3, %rd7;\n@%p3 trap;\n"
               "isspacep.shared::cta %p3, %rd6;\n@!%p3 trap;\n"
               "getctarank.shared::cluster.u32 %r21, %r11;\n"
               "setp.ne.u32 %p3, %r21, %r2;\n@%p3 trap;\n"),
      128, other);
  // By the cluster's addresses in 64 bits, and by the thread's own.
  expectWords(
      replaced(exchange, "ld.shared::cluster.u32 %r20, [%r12];\n",
               "cvt.u64.u32 %rd6, %r11;\n"
               "mapa.shared::cluster.u64 %rd7, %rd6, %r3;\n"
               "ld.shared::cluster.u32 %r20, [%rd7];\n"
               "ld.shared::cluster.u32 %r21, [%r11];\n"
               "setp.ne.u32 %p3, %r21, %r14;\n@%p3 trap;\n"
               "cvta.shared::cluster.u64 %rd7, %rd7;\nld.u32 %r21, [%rd7];\n"
               "setp.ne.u32 %p3, %r21, %r20;\n@%p3 trap;\n"),
      128, other);
}

TEST_F(Cluster, ExchangeThatMissesSomething) {
  expectFault(without(exchange, first), CheckRaces,
              {"of block (0, 0, 0) wrote in", "of block (1, 0, 0) wrote in",
               "read in"});
  expectFault(without(exchange, wait), CheckRaces | CheckBarriers,
              {"race: ", "expected barrier.cluster.wait before another"});
  expectFault(replaced(exchange, "arrive;", "arrive.relaxed;"), CheckRaces,
              {"race: "});
  // bar.sync is of one block.
  expectFault(replaced(exchange, first, "bar.sync 0;\n"), CheckRaces,
              {"race: "});
  // A block whose memory is still read must not end.
  expectFault(without(exchange, last), CheckRaces | CheckBounds,
              {"may still touch its shared memory in",
               "shared memory of block (0, 0, 0), which has ended",
               "shared memory of block (1, 0, 0), which has ended"});
  expectFault(replaced(exchange, "arrive.aligned", "arrive.relaxed.aligned"),
              CheckRaces, {"may still touch its shared memory in"});
}

TEST_F(Cluster, StoresAndAtomics) {
  std::string stores = places + "st.shared::cluster.u32 [%r12], %r14;\n" +
                       first + "ld.shared.u32 %r20, [%r11];\n" + out;
  expectWords(stores, 128, other);
  expectFault(without(stores, first), CheckRaces | CheckBounds,
              {"race: ", "may still touch", "which has ended"});
  std::string atomics =
      places + "mov.u32 %r17, 0;\n@%p1 st.shared.u32 [%r9], %r17;\n" + first +
      "mapa.shared::cluster.u32 %r18, %r9, 0;\n"
      "red.shared::cluster.add.u32 [%r18], 1;\n"
      "atom.relaxed.cluster.shared::cluster.add.u32 %r20, [%r18], 2;\n" +
      last + "ld.shared.u32 %r20, [%r9];\n" + out;
  expectWords(atomics, 128, [](uint32_t i) { return i < 64 ? 384u : 0u; });
}

TEST_F(Cluster, AddressesOutOfRange) {
  std::string read = "ld.shared::cluster.u32 %r20, [%r12];\n";
  expectFault(replaced(exchange, "%r12, %r11, %r3", "%r12, %r11, %r1"), 0,
              {"the rank of one of the 2 blocks of the cluster, got "});
  expectFault(replaced(exchange, read,
                       "ld.shared::cluster.u32 %r20, "
                       "[%r12+8192];\n"),
              CheckBounds,
              {"of block (1, 0, 0): expected it to lie within",
               "of block (0, 0, 0): expected it to lie within"});
  expectFault(replaced(exchange, read,
                       "ld.shared::cluster.u32 %r20, "
                       "[%r12+33554432];\n"),
              CheckBounds, {"one of the 2 blocks of the cluster"});
  // .shared alone is the block's own.
  expectFault(replaced(exchange, read, "ld.shared.u32 %r20, [%r12];\n"),
              CheckBounds, {"out-of-bounds read of 4 bytes of shared"});
  expectFault(replaced(exchange, read, "mapa.u64 %rd7, %rd1, 0;\n"),
              CheckBounds, {"expected an address of shared memory"});
  expectFault(replaced(exchange, read, "getctarank.u64 %r20, %rd1;\n"),
              CheckBounds, {"expected an address of shared memory"});
}

//===----------------------------------------------------------------------===//
// barrier.cluster
//===----------------------------------------------------------------------===//

TEST_F(Cluster, BarrierMisused) {
  expectRuns(places + first + first + last);
  expectFault(places + arrive + arrive, CheckBarriers,
              {"expected barrier.cluster.wait before another"});
  expectFault(places + wait, CheckBarriers,
              {"expected barrier.cluster.arrive before"});
  std::string half = places + "setp.lt.u32 %p3, %r1, 16;\n@%p3 bra x;\nx:\n";
  expectRuns(half + last);
  expectFault(replaced(half, "x:\n", last + "x:\n"), CheckBarriers,
              {"divergence"});
  // One block waits for the other at another barrier.
  std::string stuck =
      places + "@!%p2 bra over;\nbar.sync 1, 64;\nover:\n" + first;
  expectRuns(stuck);
  expectFault(replaced(stuck, "@!%p2 bra over;\nbar.sync 1, 64;",
                       "setp.lt.u32 %p3, %r1, 32;\n@!%p3 bra over;\n"
                       "bar.sync 1, 64;"),
              CheckBarriers, {"barrier 1 is waited for by 1 warps"});
  // Threads that have exited are not waited for.
  expectRuns(places + "setp.ge.u32 %p3, %r14, 48;\n@%p3 ret;\n" + first);
}

TEST_F(Cluster, Deadlock) {
  // The other block waits for an mbarrier of its own that nobody completes.
  std::string kernel =
      places +
      "@%p1 mbarrier.init.shared::cta.b64 [%r10], 1;\nbar.sync 0;\n"
      "@%p1 mbarrier.arrive.shared::cta.b64 _, [%r10];\n"
      "@%p2 bra over;\nspin:\nmbarrier.try_wait.parity.shared::cta.b64"
      " %p3, [%r10], 0;\n@!%p3 bra spin;\nover:\n" +
      first;
  expectRuns(kernel);
  expectFault(
      without(kernel, "@%p1 mbarrier.arrive.shared::cta.b64 _, [%r10];\n"),
      CheckBarriers, {"2 warps wait for mbarriers and 2 at barriers"});
}

//===----------------------------------------------------------------------===//
// mbarriers and bulk copies
//===----------------------------------------------------------------------===//

std::string spin(const std::string &name) {
  return name +
         ":\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
         "%p3, [%r10], %r15;\n@!%p3 bra " +
         name + ";\n";
}

// Each block writes into the other and arrives there.
const std::string remote =
    places +
    "@%p1 mbarrier.init.shared::cta.b64 [%r10], 64;\n"
    "@%p1 fence.mbarrier_init.release.cluster;\n" +
    first +
    "st.shared::cluster.u32 [%r12], %r14;\n"
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r16];\n" +
    spin("spin") + "ld.shared.u32 %r20, [%r11];\n" + out;

TEST_F(Cluster, RemoteArrivals) {
  expectWords(remote, 128, other);
  expectFault(without(remote, "@!%p3 bra spin;\n"), CheckRaces | CheckBounds,
              {"race: ", "may still touch", "which has ended"});
  // The wait for an mbarrier is for those of the own block.
  expectFault(replaced(remote, spin("spin"),
                       "cvt.u64.u32 %rd6, %r16;\n"
                       "cvta.shared::cluster.u64 %rd6, %rd6;\n"
                       "mbarrier.test_wait.parity.b64 %p3, [%rd6], 0;\n"),
              0, {"expected an mbarrier in the block's own shared memory"});
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_FALSE(run(replaced(remote, first, "bar.sync 0;\n"), seed));
    EXPECT_TRUE(fault.message.find("race: use of the mbarrier at byte 0 of "
                                   "block (") != std::string::npos ||
                fault.message.find("expected mbarrier.init of byte 0 of block "
                                   "(") != std::string::npos)
        << fault.message;
  }
}

// Block 0 fills the tiles of both.
const std::string multicast =
    places +
    "@%p1 mbarrier.init.shared::cta.b64 [%r10], 1;\n"
    "@%p1 fence.mbarrier_init.release.cluster;\n" +
    first +
    "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 256;\n"
    "mov.u16 %h1, 3;\nand.pred %p4, %p1, %p2;\n"
    "@%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
    ".multicast::cluster [%r9], [%rd1], 256, [%r10], %h1;\n" +
    spin("spin") + "ld.shared.u32 %r20, [%r11];\n" + out + last;

TEST_F(Cluster, Multicast) {
  expectWords(multicast, 128, [](uint32_t i) { return 10 * (i % 64); });
  expectFault(replaced(multicast, "%h1, 3;", "%h1, 1;"), CheckBarriers,
              {"256 more bytes, with 0 on their way"});
  expectFault(replaced(multicast, "%h1, 3;", "%h1, 7;"), 0,
              {"a mask of some of the 2 blocks of the cluster, got 7"});
  expectFault(replaced(multicast, "%h1, 3;", "%h1, 0;"), 0, {"got 0"});
  expectFault(without(multicast, "@!%p3 bra spin;\n"), CheckRaces,
              {"has not arrived", "race: "});
  expectFault(without(multicast, "@%p1 fence.mbarrier_init.release.cluster;\n"),
              CheckRaces, {"expected fence.mbarrier_init"});
  // To one block, which the address names.
  expectWords(
      replaced(replaced(multicast, ".multicast::cluster [%r9]", " [%r18]"),
               "[%r10], %h1;\n",
               "[%r16];\n@%p4 cp.async.bulk.shared::cluster.global."
               "mbarrier::complete_tx::bytes [%r9], [%rd1], 256, "
               "[%r10];\n")
          .insert(places.size(), "mapa.shared::cluster.u32 %r18, %r9, %r3;\n"),
      128, [](uint32_t i) { return 10 * (i % 64); });
  // The mbarrier of another block.
  expectFault(replaced(replaced(multicast, ".multicast::cluster", ""),
                       "[%r10], %h1;", "[%r16];"),
              0, {"an mbarrier in the block that the copy goes to"});
}

// Who fills the tile of another block must know that it is free.
TEST_F(Cluster, MulticastOverWhatOthersRead) {
  std::string again = replaced(
      multicast, last,
      "fence.proxy.async;\n" + first +
          "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], "
          "256;\n@%p4 cp.async.bulk.shared::cluster.global.mbarrier::"
          "complete_tx::bytes.multicast::cluster [%r9], [%rd1+256], 256, "
          "[%r10], %h1;\nmov.u32 %r15, 1;\n" +
          spin("again") + "ld.shared.u32 %r20, [%r11];\n" + out + last);
  expectWords(again, 128, [](uint32_t i) { return 10 * (i % 64) + 640; });
  expectFault(without(again, "fence.proxy.async;\n"), CheckRaces,
              {"expected fence.proxy.async between them"});
  std::string missing = again;
  missing.erase(again.rfind(first), first.size());
  expectFault(missing, CheckRaces | CheckBarriers,
              {"race: write of 256 bytes", "an arrival of 1 to"});
}

TEST_F(Cluster, FaultsNameTheirBlock) {
  std::string kernel = places + "and.pred %p3, %p1, %p2;\n@!%p3 trap;";
  EXPECT_FALSE(run(kernel, 1));
  launch.grid[0] = 8;
  kernel = places + "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p3, %r4, 5;\n"
                    "@%p3 trap;";
  EXPECT_FALSE(run(kernel, 1));
  EXPECT_EQ(fault.block[0], 5u);
  EXPECT_NE(fault.message.find("block (5, 0, 0), thread ("), std::string::npos)
      << fault.message;
}

} // namespace
