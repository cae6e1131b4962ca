//===- ParserTest.cpp - PTX text, its errors and its declarations ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cannot be executed is refused when it is loaded, with the line; what
// only describes debugging or performance is read over.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

std::string errorOf(const std::string &text) {
  std::string error;
  return Module::parse(text, error) ? "none" : error;
}

/// Expects the error of a kernel with this body; the body begins in line 17.
void expectError(const std::string &body, const std::string &part) {
  std::string error = errorOf(kernelText(body));
  EXPECT_NE(error.find(part), std::string::npos)
      << body << "\nexpected: " << part << "\ngot: " << error;
}

TEST(Parser, UnknownInstructionsAndModifiers) {
  expectError("frobnicate.u32 %r2, %r3;",
              "line 17: expected an instruction that the emulator knows, got "
              "'frobnicate.u32' in 'frobnicate.u32 %r2, %r3'");
  expectError("\n\nadd.rn.weird.f32 %f1, %f2, %f3;", "line 19: ");
  expectError("ld.global.L3::big.u32 %r2, [%rd1];", "'.L3::big'");
  expectError("cvt.rq.f32.f64 %f1, %fd1;", "'.rq'");
  expectError("cp.async.bulk.commit;", "'.commit'");
  for (std::string opcode :
       {"mbarrier.arrive.acquire.cta.shared.b64 _, [%r2]",
        "mbarrier.arrive.release.shared.b64 _, [%r2]",
        "mbarrier.arrive.release.gpu.shared.b64 _, [%r2]",
        "mbarrier.arrive.shared.b32 _, [%r2]",
        "mbarrier.arrive.noComplete.shared::cluster.b64 _, [%r2], 1",
        "mbarrier.try_wait.shared::cluster.b64 %p1, [%r2], %rd2",
        "mbarrier.test_wait.release.cta.shared.b64 %p1, [%r2], %rd2",
        "mbarrier.init.shared::cluster.b64 [%r2], 1", "mbarrier.b64 [%r2]",
        "mbarrier.poke.b64 [%r2]", "mapa.u32 %r2, %r3, %r4",
        "mapa.shared::cta.u32 %r2, %r3, %r4", "getctarank.u32 %r2, %r3",
        "mapa.shared::cluster.b32 %r2, %r3, %r4",
        "cp.async.mbarrier.arrive.b32 [%r2]"})
    expectError(opcode + ";", "line 17: expected an instruction");
  expectError("cp.async.mbarrier.wait.b64 [%r2];", "'.wait'");
  expectError("barrier.cluster.sync;", "'.sync'");
  expectError("barrier.cluster.arrive.acquire;", "'.acquire'");
  expectError("barrier.cluster.wait.relaxed;", "'.relaxed'");
  // What follows the first modifier that is not as it should be.
  const std::pair<const char *, const char *> bulk[] = {
      {"cp.async.bulk.shared::cluster.global [%r2], [%rd1], 16, [%r3]", ""},
      {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes [%r2], "
       "[%rd1], 16, [%r3]",
       "'.shared'"},
      {"cp.async.bulk.global.shared::cta [%rd1], [%r2], 16", ""},
      {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [%r2], 16, "
       "%h1",
       "'.cp_mask'"},
      {"cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::"
       "bytes [%r2], [%rd1, {%r3}], [%r4]",
       "'.6d'"},
      {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::"
       "complete_tx::bytes [%r2], [%rd1, {%r3, %r3, %r3}], [%r4]",
       "'.im2col'"},
      {"cp.async.bulk.prefetch.tensor.1d.L1.global [%rd1, {%r3}]", "'.L1'"},
      {"cp.async.bulk.wait_group.write 0", "'.write'"},
      {"cp.async.bulk.commit_group.all", "'.all'"},
      {"cp.async.bulk.prefetch.L1.global [%rd1], 16", "'.L1'"},
      {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], "
       "[%r2], 16",
       "'.reduce'"}};
  for (const auto &[text, part] : bulk) {
    expectError(std::string(text) + ";", "modifier");
    expectError(std::string(text) + ";", part);
  }
  expectError("wgmma.fence.sync.aligned;", "'wgmma.fence.sync.aligned'");
  expectError("call.uni (%r2), f, (%r3);", "'call.uni'");
  expectError("bar.sync.cta 0;", "'.cta'");
  // Those that do nothing here are known as a whole, too.
  for (std::string opcode :
       {"membar", "membar.gpu", "membar.proxy.fast", "fence", "fence.sc",
        "fence.relaxed.gpu", "fence.acq_rel.gpu.gpu", "fence.proxy.generic",
        "griddepcontrol", "griddepcontrol.signal"})
    expectError(opcode + ";", "'" + opcode + "'");
  expectError("nanosleep.u64 %rd2;", "'nanosleep.u64'");
  expectError("prefetch.shared.L1 [%r2];", "'prefetch.shared.L1'");
  expectError("prefetchu.L2 [%rd1];", "'prefetchu.L2'");
  expectError("mov.u32 %r2, %envreg3;", "'%envreg3'");
}

TEST(Parser, WrongOperands) {
  expectError("add.s32 %r2, %r3;", "expected 3 operands, got 2");
  expectError("add.s32 %r2, %r3, %rd4;", "expected a register of 32 bits, got "
                                         "'%rd4', a register of 64 bits");
  expectError("add.s32 5, %r3, %r4;", "expected a register, got '5'");
  expectError("add.s32 %r2, %r99, %r3;",
              "expected a declared register or a special register that the "
              "emulator knows, got '%r99'");
  expectError("mov.u32 %tid.x, %r3;", "can be written");
  expectError("ld.global.v4.f32 {%f1, %f2}, [%rd1];",
              "expected 4 values, got 2");
  expectError("ld.global.u64 %r2, [%rd1];", "at least 64 bits");
  expectError("ld.global.u32 %r2, %rd1;", "expected an address");
  expectError("bra nowhere;", "expected a declared name, got 'nowhere'");
  expectError("@%r2 bra nowhere;", "expected a predicate register, got '%r2'");
  expectError("st.param.u32 [p0], %r2;", "memory that can be written");
  expectError("mbarrier.arrive.shared::cluster.b64 %rd2, [%r2];",
              "expected '_' for the state");
  expectError("mapa.shared::cluster.u32 %r2, p0, 1;",
              "a variable in shared memory, got 'p0'");
  expectError("mbarrier.arrive.expect_tx.shared.b64 _, [%r2];",
              "expected 3 operands, got 2");
  expectError("mbarrier.test_wait.shared.b64 %p1, [%r2], %rd2, 7;",
              "expected 3 operands, got 4");
  expectError("mbarrier.test_wait.shared.b64 %p1, [%r2], %r3;",
              "expected a register of 64 bits");
  expectError("mbarrier.init.shared.b64 %r2, 1;", "expected an address");
  expectError("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
              "bytes [%r2], [%rd1], 16;",
              "expected 4 operands, got 3");
  expectError("cp.async.bulk.wait_group %r2;", "expected a 32-bit constant");
  std::string tensor = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group ";
  expectError(tensor + "[%rd1, {%r3}], [%r2];",
              "expected 2 coordinates, got 1");
  expectError(tensor + "[%rd1, {%r3, %rd3}], [%r2];",
              "expected a register of 32 bits");
  expectError(tensor + "[%rd1+8, {%r3, %r3}], [%r2];", "without an offset");
  expectError(tensor + "[%rd1], [%r2];", "a tensor map and coordinates");
  expectError(tensor + "[%rd1, %r3], [%r2];", "coordinates in braces");
  expectError("ld.global.u32 %r2, [%rd1, {%r3}];", "without coordinates");
  expectError("cp.async.cg.shared.global [%r2], [%rd1], 8;",
              "expected a copy of 16 bytes, got 8");
}

TEST(Parser, MalformedText) {
  expectError("add.s32 %r2 %r3, %r4;", "expected ',', got '%r3'");
  expectError("add.s32 %r2, %r3, ;", "expected an operand");
  expectError("x: add.s32 %r2, %r3, %r4; x:", "'x' is already defined");
  expectError(".reg .b32 %r<64>;", "'%r' is already declared");
  expectError("{", "expected '}', got the end of the text");
  EXPECT_NE(errorOf(".version 8.0\n.nonsense\n").find("line 2: "),
            std::string::npos);
  EXPECT_NE(errorOf(".address_size 32").find("expected .address_size 64"),
            std::string::npos);
  EXPECT_EQ(errorOf(""), "none");
}

// Every prefix of a real text, and texts with one byte changed, end in an error
// or in a module, never in a crash.
TEST(Parser, DamagedTextNeverCrashes) {
  std::string text = readInput("reduce.ptx"), error;
  for (size_t size = 0; size < text.size(); size += 7)
    Module::parse(text.substr(0, size), error);
  std::mt19937 generator(inputSeed);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    for (int edits = 0; edits < 3; ++edits)
      damaged[generator() % damaged.size()] =
          "0x%.,;{}[]<>@!-\"/f"[generator() % 19];
    Module::parse(damaged, error);
  }
}

TEST(Parser, HugeDeclarations) {
  expectError(".local .align 8 .b8 x[10000000];", "local memory a thread");
  EXPECT_NE(errorOf(kernelText("mov.u32 %r2, x;", ".shared .b8 x[300000];"))
                .find("232448 bytes of static shared memory"),
            std::string::npos);
  expectError(".local .b64 x[1000000][1000000][1000000];", "2^40 bytes");
  EXPECT_EQ(errorOf(kernelText(".reg .b32 %huge<100000000>;\n"
                               "mov.u32 %huge99999999, 1;")),
            "none");
  // What ptxas takes of constants, over all variables, and of parameters.
  std::string constants = ".const .b8 x[65532];\n.const .b32 y";
  EXPECT_EQ(errorOf(constants + ";"), "none");
  EXPECT_NE(errorOf(constants + "[2];")
                .find("line 2: expected at most 65536 bytes of .const "
                      "variables, got 65540"),
            std::string::npos);
  auto entry = [](int bytes) {
    return ".visible .entry k(.param .b8 p[" + std::to_string(bytes) +
           "]) { ret; }";
  };
  EXPECT_EQ(errorOf(entry(32764)), "none");
  EXPECT_NE(errorOf(entry(32768)).find("at most 32764 bytes of .param"),
            std::string::npos);
}

TEST(Parser, DebugInformationIsReadOver) {
  std::string text =
      "// comment with { braces\n/* and\nanother { */\n"
      ".version 7.8\n.target sm_90, debug\n.address_size 64\n"
      ".file 1 \"a \\\"quoted\\\" name.cu\"\n"
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
      ".func helper(.param .b32 a) { .reg .b32 %r<2>; ret; }\n"
      ".visible .entry k(.param .u64 .ptr .global .align 4 p)\n"
      ".maxntid 64, 2\n.minnctapersm 2\n.maxnreg 64\n"
      "{\n.loc 1 3 4, function_name $x, inlined_at 1 2 3\n"
      ".pragma \"nounroll\";\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\n"
      "st.global.u32 [%rd1], 7;\nret;\n}\n"
      ".section .debug_str\n{\n.b8 1,2,3\n.b64 k\n}\n";
  Device device(text);
  uint64_t out = device.upload(std::vector<int>{0});
  EXPECT_TRUE(device.run("k", config(1, 1), out)) << device.fault.message;
  EXPECT_EQ(device.download<int>(out, 1)[0], 7);
  EXPECT_EQ(device.module->findKernel("k")->maxThreads(), 128u);
}

TEST(Parser, ScopesHideNames) {
  // As inline assembly prints them.
  EXPECT_EQ(evaluate("{\n.reg .b32 t;\nadd.s32 t, %a, 1;\n"
                     "{\n.reg .b32 t;\nmov.b32 t, 100;\n"
                     "bra end;\nmov.b32 t, 0;\nend:\n"
                     "add.s32 %d, t, %a;\n}\nadd.s32 %d, %d, t;\n"
                     "bra end;\nmov.b32 %d, 0;\nend:\n}",
                     {{5, 0, 0}})[0],
            111u);
}

TEST(Parser, ConstantsInEveryForm) {
  auto value = [](const std::string &constant) {
    return evaluate("mov.b32 %d, " + constant + ";", {{}})[0];
  };
  EXPECT_EQ(value("0xFf"), 255u);
  EXPECT_EQ(value("0b101"), 5u);
  EXPECT_EQ(value("017"), 15u);
  EXPECT_EQ(value("42U"), 42u);
  EXPECT_EQ(value("-1"), 0xffffffffu);
  EXPECT_EQ(value("0f3f800000"), 0x3f800000u);
  EXPECT_EQ(value("1.5"), bits(1.5f));
  EXPECT_EQ(value("-2.5e1"), bits(-25.0f));
  EXPECT_EQ(
      evaluate("mov.f64 %d, 0d3FF8000000000000;", {{}}, {64, 32, 32, 32})[0],
      bits(1.5));
  EXPECT_EQ(evaluate("mov.f64 %d, 0f3FC00000;", {{}}, {64, 32, 32, 32})[0],
            bits(1.5));
}

TEST(Parser, ModuleVariables) {
  std::string variables =
      ".const .align 4 .u32 table[4] = {10, 20, 0x1e, 40};\n"
      ".global .align 8 .f64 ratio = 0d4000000000000000;\n"
      ".global .align 4 .b8 bytes[8] = {1, 0, 0, 0, 255};\n"
      ".global .f32 grid[2][2] = {{1.0, 2.0}, {3.0, -4.0}};\n";
  Device device(kernelText("ld.const.u32 %r2, [table+8];\n"
                           "mov.u64 %rd4, table;\n"
                           "ld.const.u32 %r3, [%rd4+4];\n"
                           "add.s32 %r2, %r2, %r3;\n"
                           "st.global.u32 [%rd1], %r2;\n"
                           "cvta.const.u64 %rd5, %rd4;\n"
                           "ld.u32 %r4, [%rd5+12];\n"
                           "st.global.u32 [%rd1+4], %r4;\n"
                           "ld.global.u32 %r5, [bytes+4];\n"
                           "add.s32 %r5, %r5, 1;\n"
                           "st.global.u32 [bytes+4], %r5;\n"
                           "st.global.u32 [%rd1+8], %r5;\n"
                           "ld.global.f32 %f1, [grid+12];\n"
                           "st.global.f32 [%rd1+12], %f1;",
                           variables));
  uint64_t out = device.upload(std::vector<uint32_t>(4, 0));
  for (uint32_t launch = 1; launch < 3; ++launch) {
    ASSERT_TRUE(device.run("k", config(1, 1), out, out, out))
        << device.fault.message;
    // Variables keep their values from launch to launch.
    EXPECT_EQ(
        device.download<uint32_t>(out, 4),
        (std::vector<uint32_t>{50, 40, 255 + launch, uint32_t(bits(-4.0f))}));
  }
}

} // namespace
