//===- RegistersTest.cpp - setmaxnreg -------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroups that hand registers to each other, and those that get it wrong.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

class Registers : public KernelTest {
protected:
  Registers() {
    launch = config(1, 384);
    directives = "\n.maxntid 384\n.maxnreg 168";
  }
};

/// The first of three warpgroups gives up registers for the others.
const std::string give = "setmaxnreg.dec.sync.aligned.u32 24;\n";
const std::string want = "setmaxnreg.inc.sync.aligned.u32 240;\n";
const std::string kernel =
    "mad.wide.u32 %rd5, %r1, 4, %rd2;\nsetp.lt.u32 %p1, %r1, 128;\n"
    "@%p1 bra first;\n" +
    want + "bra.uni end;\nfirst:\n" + give + "end:\nst.global.u32 [%rd5], %r1;";

TEST_F(Registers, HandedOver) {
  expectWords(kernel, 384, [](uint32_t i) { return i; });
  directives = "\n.reqntid 384\n.minnctapersm 1";
  expectWords(kernel, 384, [](uint32_t i) { return i; });
}

TEST_F(Registers, MoreThanThereAre) {
  expectFault(replaced(kernel, "u32 24;", "u32 40;"), CheckBarriers,
              {"deadlock: expected 72 more registers a thread"});
  expectFault(without(kernel, give), CheckBarriers, {"deadlock: expected 72"});
  expectFault(replaced(kernel, "u32 240;", "u32 248;"), CheckBarriers,
              {"deadlock: expected 80"});
  directives = "\n.maxntid 384\n.maxnreg 176";
  expectFault(kernel, 0,
              {"at most 65536 registers of a block, got 176 in each of 384"});
}

TEST_F(Registers, TheWrongWay) {
  expectFault(replaced(kernel, "u32 240;", "u32 160;"), 0,
              {"at least the 168 registers that the warp has, got 160"});
  expectFault(replaced(kernel, "u32 24;", "u32 176;"), 0,
              {"at most the 168 registers that the warp has, got 176"});
}

TEST_F(Registers, NotTheWholeWarpgroup) {
  // Half a warp, half a warpgroup, and two instructions for one warpgroup.
  expectFault(replaced(kernel, "%r1, 128;", "%r1, 112;"), CheckBarriers,
              {"divergence"});
  expectFault(replaced(kernel, "%r1, 128;", "%r1, 64;"), CheckBarriers,
              {"divergence: expected all warps of a warpgroup"});
  expectFault(replaced(kernel, "first:\n",
                       "first:\nsetp.lt.u32 %p2, %r1, 32;\n@%p2 bra end;\n"),
              CheckBarriers,
              {"warp 0 never did", "deadlock", "expected all warps"});
  launch = config(1, 320);
  expectFault(kernel, CheckBarriers, {"a warpgroup of 4 warps, got 2"});
}

TEST_F(Registers, ChangesWithoutABarrierBetween) {
  std::string twice = replaced(
      kernel, give,
      "setmaxnreg.dec.sync.aligned.u32 40;\nbar.sync 1, 128;\n" + give);
  expectRuns(twice);
  options.checks = CheckAll;
  unsigned found = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed)
    found += !run(without(twice, "bar.sync 1, 128;\n"), seed);
  EXPECT_GT(found, 0u);
}

TEST_F(Registers, WithoutTheirNumberAtTheStart) {
  std::string text = kernelText(give), error;
  EXPECT_FALSE(Module::parse(text, error));
  EXPECT_NE(error.find("expected .maxnreg"), std::string::npos) << error;
  text.insert(text.find("\n{"), "\n.maxnreg 168");
  EXPECT_TRUE(Module::parse(text, error)) << error;
  for (const char *count : {"20", "28", "264", "0"}) {
    std::string wrong =
        replaced(text, "u32 24;", std::string("u32 ") + count + ";");
    EXPECT_FALSE(Module::parse(wrong, error));
    EXPECT_NE(error.find("a multiple of 8, got "), std::string::npos) << error;
  }
  EXPECT_FALSE(Module::parse(replaced(text, ".sync.aligned", ".sync"), error));
}

} // namespace
