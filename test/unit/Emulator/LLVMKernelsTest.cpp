//===- LLVMKernelsTest.cpp - Kernels that LLVM compiled -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PTX of Inputs/llvm.ll against the same computation on the host, with all
// checks on.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>
#include <cmath>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

constexpr uint32_t threads = 64;

class LLVMKernels : public testing::Test {
protected:
  template <class Out, class In>
  std::vector<Out> run(const std::string &kernel, const std::vector<In> &in,
                       uint32_t shared = 0) {
    uint64_t from = device.upload(in);
    uint64_t to = device.memory->allocate(threads * sizeof(Out));
    EXPECT_TRUE(device.run(kernel, config(1, threads, shared), from, to))
        << device.fault.message;
    return device.download<Out>(to, threads);
  }
  Device device = Device::fromFile("llvm.ptx");
};

TEST_F(LLVMKernels, JumpTable) {
  std::vector<int> in(threads), expected(threads);
  for (int t = 0; t < int(threads); ++t) {
    in[t] = t * 5 % 8 - (t == 40 ? 100 : 0);
    int clz = t ? __builtin_clz(t) : 32;
    int results[] = {7, t * 3, t ^ 21, clz, -250, int(unsigned(t) << 7 | 127)};
    expected[t] = in[t] >= 0 && in[t] < 6 ? results[in[t]] : -1;
  }
  EXPECT_EQ(run<int>("choose", in), expected);
}

TEST_F(LLVMKernels, Integers128) {
  using Wide = unsigned __int128;
  std::vector<Row> random = randomRows(2 * threads);
  std::vector<uint64_t> in, expected;
  for (uint32_t t = 0; t < threads; ++t) {
    Wide a = Wide(random[t].a) << 64 | random[t].b;
    Wide b = Wide(random[t + threads].a) << 64 | random[t + threads].b;
    Wide result = (a + b) * b - a;
    for (Wide value : {a, b}) {
      in.push_back(uint64_t(value));
      in.push_back(uint64_t(value >> 64));
    }
    expected.push_back(uint64_t(result));
    expected.push_back(uint64_t(result >> 64));
  }
  struct Pair {
    uint64_t words[2];
  };
  std::vector<Pair> results = run<Pair>("wide", in);
  for (uint32_t t = 0; t < threads; ++t)
    for (unsigned i = 0; i < 2; ++i)
      EXPECT_EQ(results[t].words[i], expected[2 * t + i]) << t;
}

/// The half of a multiple of 1/4 below 16.
uint16_t quarters(int count) {
  int exponent = 0;
  float mantissa = std::frexp(float(std::abs(count)) / 4, &exponent);
  if (count == 0)
    return 0;
  return uint16_t((count < 0 ? 0x8000 : 0) |
                  (((exponent + 14) << 10) + int(mantissa * 2048) - 1024));
}

TEST_F(LLVMKernels, HalfVectors) {
  std::vector<uint16_t> in(4 * threads);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = quarters(int(i * 7 % 41) - 20);
  std::vector<uint16_t> results = run<uint16_t>("halves", in);
  for (uint32_t t = 0; t < threads; ++t) {
    auto value = [&](unsigned i) {
      return (int((t * 4 + i) * 7 % 41) - 20) / 4.0f;
    };
    float root = std::sqrt(std::fma(value(0), value(0), 1.0f));
    float most =
        std::max(root, std::floor(std::fma(value(3), value(3), -2.0f)));
    // The conversions themselves are tested elsewhere.
    std::vector<uint64_t> half =
        evaluate("cvt.rn.f16.f32 %d, %a;", {{bits(most)}}, {16, 32, 32, 32});
    std::vector<uint64_t> expected =
        evaluate("fma.rn.f16 %d, %a, %b, 0x3C00;",
                 {{half[0], quarters(int(value(1) * 4))}}, {16, 16, 16, 16});
    EXPECT_EQ(results[t], expected[0]) << t;
  }
}

TEST_F(LLVMKernels, LocalDepot) {
  std::vector<int> in(threads), expected(threads);
  for (int t = 0; t < int(threads); ++t) {
    in[t] = t * 3 % 10;
    expected[t] = (((t & 7) - in[t]) & 7) * in[t];
  }
  EXPECT_EQ(run<int>("depot", in), expected);
}

TEST_F(LLVMKernels, CopiesAndDynamicShared) {
  std::vector<int> in(threads), expected(threads);
  for (int t = 0; t < int(threads); ++t)
    in[t] = t * t - 5;
  for (int t = 0; t < int(threads); ++t)
    expected[t] = 3 * in[63 - t];
  EXPECT_EQ(run<int>("reverse", in, 256), expected);
}

} // namespace
