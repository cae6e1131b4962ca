//===- MemoryTest.cpp - Loads, stores, atomics and state spaces -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector and narrow accesses, generic addresses, the windows of the spaces,
// variables of modules, and atomics.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

using Words = std::vector<uint32_t>;

/// Runs `body` with `threads` threads; returns `count` words from %rd2, which
/// start as 0. %rd1 points to `in`.
Words runBody(const std::string &body, const Words &in, size_t count,
              uint32_t threads = 1, const std::string &variables = "",
              uint32_t shared = 0) {
  Device device(kernelText(body, variables));
  uint64_t from = device.upload(in), to = device.upload(Words(count, 0));
  EXPECT_TRUE(
      device.run("k", config(1, threads, shared), from, to, uint64_t(0)))
      << device.fault.message;
  return device.download<uint32_t>(to, count);
}

TEST(Memory, NarrowAccessesExtend) {
  EXPECT_EQ(runBody("ld.global.s8 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;\n"
                    "ld.global.u8 %r2, [%rd1];\nst.global.u32 [%rd2+4], %r2;\n"
                    "ld.global.s16 %r2, [%rd1+2];\n"
                    "st.global.u32 [%rd2+8], %r2;\n"
                    "ld.global.b8 %h1, [%rd1+3];\n"
                    "st.global.u16 [%rd2+12], %h1;\n"
                    "st.global.u8 [%rd2+17], %r2;\n"
                    "ld.global.s32 %rd4, [%rd1];\n"
                    "st.global.u64 [%rd2+24], %rd4;",
                    {0x80f012f3}, 8),
            (Words{0xfffffff3, 0xf3, 0xffff80f0, 0x80, 0xf000, 0, 0x80f012f3,
                   0xffffffff}));
}

TEST(Memory, Vectors) {
  EXPECT_EQ(
      runBody("ld.global.v4.u32 {%r2, %r3, _, %r4}, [%rd1];\n"
              "st.global.v2.b32 [%rd2], {%r4, %r3};\n"
              "ld.global.nc.L1::no_allocate.L2::128B.v2.u64 {%rd4, %rd5}, "
              "[%rd1];\n"
              "st.global.v2.u64 [%rd2+16], {%rd5, %rd4};\n"
              "ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%rd1+8];\n"
              "st.global.v4.u8 [%rd2+8], {%h1, %h2, %h3, 7};",
              {1, 2, 0x30004, 5}, 8),
      (Words{5, 2, 0x07050304, 0, 0x30004, 5, 1, 2}));
}

TEST(Memory, GenericAddressesOfAllSpaces) {
  // Even threads go through shared, odd ones through local memory, in one
  // instruction.
  EXPECT_EQ(
      runBody(".local .align 4 .b8 depot[4];\n"
              "mov.u64 %rd4, buffer;\ncvta.shared.u64 %rd4, %rd4;\n"
              "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd4, %rd4, %rd5;\n"
              "mov.u64 %rd6, depot;\ncvta.local.u64 %rd6, %rd6;\n"
              "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
              "selp.b64 %rd7, %rd4, %rd6, %p1;\n"
              "add.s32 %r3, %r1, 50;\nst.u32 [%rd7], %r3;\n"
              "ld.u32 %r4, [%rd7];\n"
              "isspacep.shared %p2, %rd7;\nisspacep.global %p3, %rd1;\n"
              "@%p2 add.s32 %r4, %r4, 1000;\n@%p3 add.s32 %r4, %r4, 10000;\n"
              "add.s64 %rd5, %rd2, %rd5;\nst.u32 [%rd5], %r4;",
              {}, 4, 4, ".shared .align 4 .b8 buffer[128];"),
      (Words{11050, 10051, 11052, 10053}));
}

TEST(Memory, DynamicSharedFollowsStatic) {
  EXPECT_EQ(runBody("mov.u32 %r2, fixed;\nmov.u32 %r3, dynamic;\n"
                    "sub.s32 %r4, %r3, %r2;\nst.global.u32 [%rd2], %r4;\n"
                    "st.shared.u32 [dynamic+12], 9;\n"
                    "ld.shared.u32 %r5, [%r3+12];\n"
                    "st.shared.u8 [fixed], 1;\n"
                    "st.global.u32 [%rd2+4], %r5;\n"
                    "mov.u32 %r6, %dynamic_smem_size;\n"
                    "st.global.u32 [%rd2+8], %r6;",
                    {}, 3, 1,
                    ".extern .shared .align 16 .b8 dynamic[];\n"
                    ".shared .align 1 .b8 fixed[20];",
                    16),
            (Words{32, 9, 16}));
}

TEST(Memory, Parameters) {
  Device device(".version 8.0\n.target sm_80\n.address_size 64\n"
                ".visible .entry k(.param .u64 p, .param .u8 small, "
                ".param .align 16 .b8 block[24], .param .f32 last)\n{\n"
                ".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
                "ld.param.u64 %rd1, [p];\nld.param.u8 %r1, [small];\n"
                "ld.param.v2.u32 {%r2, %r3}, [block+16];\n"
                "mov.b64 %rd2, block;\nld.param.u32 %r4, [%rd2+4];\n"
                "ld.param.b32 %r5, [last];\n"
                "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};\n"
                "st.global.u32 [%rd1+16], %r5;\nret;\n}\n");
  const Kernel *kernel = device.module->findKernel("k");
  ASSERT_EQ(kernel->parameterCount(), 4u);
  EXPECT_EQ(kernel->parameterSize(1), 1u);
  EXPECT_EQ(kernel->parameterSize(2), 24u);
  struct Block {
    uint32_t words[6];
  } block = {{1, 2, 3, 4, 5, 6}};
  uint64_t out = device.upload(Words(5, 0));
  ASSERT_TRUE(device.run("k", config(1, 1), out, uint8_t(200), block, 1.0f))
      << device.fault.message;
  EXPECT_EQ(device.download<uint32_t>(out, 5),
            (Words{200, 5, 6, 2, 0x3f800000}));
}

TEST(Memory, Atomics) {
  // All 40 threads on one place each time.
  std::string body;
  const char *ops[] = {"add.u32", "max.s32", "min.u32", "and.b32",
                       "or.b32",  "xor.b32", "inc.u32", "dec.u32"};
  for (unsigned i = 0; i < 8; ++i)
    body += std::string("red.global.") + ops[i] + " [%rd2+" +
            std::to_string(4 * i) + "], %r1;\n";
  body += "atom.global.exch.b32 %r2, [%rd2+32], %r1;\n"
          "cvt.rn.f32.u32 %f1, %r1;\nred.global.gpu.add.f32 [%rd2+36], %f1;\n"
          "atom.global.acq_rel.gpu.cas.b32 %r3, [%rd2+40], %r1, 99;\n"
          "atom.shared.add.u64 %rd4, [sum], 3;\nbar.sync 0;\n"
          "ld.shared.u32 %r4, [sum];\nst.global.u32 [%rd2+44], %r4;";
  std::string start = "setp.eq.u32 %p1, %r1, 0;\n"
                      "@%p1 st.shared.u64 [sum], 0;\nbar.sync 0;\n";
  Words result = runBody(start + body, {}, 12, 40, ".shared .u64 sum;");
  float sum = 780;
  uint32_t bitsOfSum;
  std::memcpy(&bitsOfSum, &sum, 4);
  EXPECT_EQ(result[0], 780u);
  EXPECT_EQ(result[1], 39u);
  EXPECT_EQ(result[2], 0u);
  EXPECT_EQ(result[3], 0u);
  EXPECT_EQ(result[4], 63u);
  EXPECT_EQ(result[5], 0u);
  EXPECT_LT(result[8], 40u);
  EXPECT_EQ(result[9], bitsOfSum);
  EXPECT_EQ(result[10], 99u); // Thread 0 finds the 0 that it expects.
  EXPECT_EQ(result[11], 120u);
}

TEST(Memory, AtomicsOnHalves) {
  // 1.0 in each half, 33 times; the address wraps within a word.
  Words result = runBody("mov.b32 %r2, 0x3c003c00;\n"
                         "red.global.add.noftz.f16x2 [%rd2], %r2;\n"
                         "mov.b16 %h1, 0x3f80;\n"
                         "atom.global.add.noftz.bf16 %h2, [%rd2+4], %h1;",
                         {}, 2, 33);
  EXPECT_EQ(result, (Words{0x50205020, 0x4204}));
}

TEST(Memory, FreshMemoryIsNaN) {
  Memory memory;
  uint64_t address = memory.allocate(12);
  uint32_t words[3] = {};
  ASSERT_TRUE(memory.download(words, address, 12));
  EXPECT_EQ(words[2], 0xffffffffu);
  EXPECT_EQ(address % 256, 0u);
}

TEST(Memory, AllocationsAreKeptApart) {
  Memory memory;
  uint64_t a = memory.allocate(100), b = memory.allocate(0);
  uint64_t c = memory.allocate(1 << 20);
  EXPECT_GE(b - a, 16u << 20);
  EXPECT_NE(b, 0u);
  EXPECT_EQ(memory.bytesInUse(), (1u << 20) + 100);
  uint8_t byte = 0;
  EXPECT_TRUE(memory.download(&byte, a + 99, 1));
  EXPECT_FALSE(memory.download(&byte, a + 100, 1));
  EXPECT_FALSE(memory.upload(a + 99, &byte, 2));
  EXPECT_TRUE(memory.free(c));
  EXPECT_FALSE(memory.free(c));
  EXPECT_FALSE(memory.free(a + 1));
  EXPECT_EQ(memory.hostPointer(c, 1), nullptr);
  EXPECT_EQ(memory.peakBytes(), (1u << 20) + 100);
  EXPECT_EQ(memory.allocate(~0ull), 0u);
  EXPECT_EQ(memory.allocate(1ull << 46), 0u);
}

TEST(Memory, VariablesHaveAPlaceUntilTheyAreRemoved) {
  Device device(kernelText("st.global.u64 [%rd1], first;\n"
                           "ld.global.u32 %r2, [second];\n"
                           "st.global.u32 [%rd1+8], %r2;",
                           ".global .align 4 .u32 first = 5;\n"
                           ".global .align 4 .u32 second = 7;\n"));
  Memory &memory = *device.memory;
  EXPECT_EQ(findVariable(*device.module, "third", memory), 0u);
  EXPECT_EQ(memory.bytesInUse(), 0u);
  uint64_t second = findVariable(*device.module, "second", memory);
  EXPECT_EQ(device.download<uint32_t>(second, 1), Words{7});
  // Kernels see what was written there before the first launch.
  const uint32_t nine = 9;
  ASSERT_TRUE(memory.upload(second, &nine, 4));
  uint64_t out = device.upload(Words(3, 0));
  ASSERT_TRUE(device.run("k", config(1, 1), out, uint64_t(0), uint64_t(0)))
      << device.fault.message;
  EXPECT_EQ(device.download<uint32_t>(out, 3)[2], 9u);
  EXPECT_EQ(device.download<uint64_t>(out, 1)[0],
            findVariable(*device.module, "first", memory));
  removeVariables(*device.module, memory);
  removeVariables(*device.module, memory);
  EXPECT_EQ(memory.bytesInUse(), 12u);
  EXPECT_EQ(memory.find(second), nullptr);
}

} // namespace
