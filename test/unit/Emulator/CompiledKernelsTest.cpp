//===- CompiledKernelsTest.cpp - Kernels that nvcc compiled ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PTX of Inputs/*.cu against the same computation on the host, with all
// checks on.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace nm::emulator;
using namespace nm::emulator::test;

namespace {

/// C = A^T B by fused multiply-adds in the order of k, as the kernels do.
std::vector<float> product(const std::vector<float> &a,
                           const std::vector<float> &b, int m, int n, int k) {
  std::vector<float> c(size_t(m) * n, 0.0f);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int kk = 0; kk < k; ++kk)
        c[i * n + j] = std::fma(a[kk * m + i], b[kk * n + j], c[i * n + j]);
  return c;
}

TEST(CompiledKernels, Sgemm) {
  Device device = Device::fromFile("sgemm.ptx");
  int m = 128, n = 64, k = 48;
  std::vector<float> a = randomFloats(m * k), b = randomFloats(k * n, -2, 2);
  uint64_t pa = device.upload(a), pb = device.upload(b);
  uint64_t pc = device.memory->allocate(m * n * 4);
  LaunchConfig launch = config(n / 64, 64);
  launch.grid[1] = m / 64;
  ASSERT_TRUE(device.run("sgemm", launch, pa, pb, pc, m, n, k))
      << device.fault.message;
  EXPECT_EQ(device.download<float>(pc, m * n), product(a, b, m, n, k));
}

TEST(CompiledKernels, AsyncGemmUnderEverySeed) {
  Device device = Device::fromFile("async.ptx");
  int m = 64, n = 64, k = 40;
  std::vector<float> a = randomFloats(m * k), b = randomFloats(k * n, -2, 2);
  uint64_t pa = device.upload(a), pb = device.upload(b);
  LaunchConfig launch = config(n / 32, 256, 4096);
  launch.grid[1] = m / 32;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    device.options.seed = seed;
    uint64_t pc = device.memory->allocate(m * n * 4);
    ASSERT_TRUE(device.run("asyncGemm", launch, pa, pb, pc, m, n, k))
        << device.fault.message;
    EXPECT_EQ(device.download<float>(pc, m * n), product(a, b, m, n, k));
  }
}

TEST(CompiledKernels, BlockSum) {
  Device device = Device::fromFile("reduce.ptx");
  int n = 5000;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = float(i % 17);
  uint64_t pin = device.upload(in);
  uint64_t out = device.upload(std::vector<float>{0});
  ASSERT_TRUE(device.run("blockSum", config(3, 256), pin, out, n))
      << device.fault.message;
  float expected = 0;
  for (float value : in)
    expected += value;
  EXPECT_EQ(device.download<float>(out, 1)[0], expected);
}

TEST(CompiledKernels, Histogram) {
  Device device = Device::fromFile("reduce.ptx");
  int n = 3000;
  std::vector<unsigned> in(n), expected(64, 0);
  std::mt19937 generator(inputSeed);
  for (unsigned &value : in)
    ++expected[(value = generator()) % 64];
  uint64_t pin = device.upload(in), evens = device.upload(std::vector<int>{0});
  uint64_t bins = device.upload(std::vector<unsigned>(64, 0));
  ASSERT_TRUE(device.run("histogram", config(2, 128), pin, bins, evens, n))
      << device.fault.message;
  EXPECT_EQ(device.download<unsigned>(bins, 64), expected);
  unsigned even = 0;
  for (int i = 0; i < 128; ++i)
    even += in[i] % 2 == 0;
  EXPECT_EQ(device.download<unsigned>(evens, 1)[0], even);
}

TEST(CompiledKernels, WarpOperations) {
  Device device = Device::fromFile("reduce.ptx");
  int n = 64;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7) % 5 - 1 + (i == 40 ? 200 : 0);
  uint64_t pin = device.upload(in), scan = device.memory->allocate(4 * n);
  uint64_t ballot = device.memory->allocate(4 * n);
  uint64_t matched = device.memory->allocate(4 * n);
  uint64_t total = device.memory->allocate(4 * n);
  ASSERT_TRUE(
      device.run("warpOps", config(1, n), pin, scan, ballot, matched, total))
      << device.fault.message;
  auto scans = device.download<int>(scan, n),
       totals = device.download<int>(total, n);
  auto ballots = device.download<unsigned>(ballot, n);
  auto matches = device.download<unsigned>(matched, n);
  for (int i = 0; i < n; ++i) {
    int base = i / 32 * 32, sum = 0, all = 0;
    unsigned positive = 0, same = 0;
    for (int j = 0; j < 32; ++j) {
      int value = in[base + j];
      sum += base + j <= i ? value : 0;
      all += value;
      positive |= value > 0 ? 1u << j : 0;
      same |= value == in[i] ? 1u << j : 0;
    }
    EXPECT_EQ(scans[i], sum) << i;
    EXPECT_EQ(ballots[i], positive) << i;
    EXPECT_EQ(matches[i], same) << i;
    EXPECT_EQ(totals[i], all + (base == 32 ? 1000000 : 0)) << i;
  }
}

TEST(CompiledKernels, SoftmaxOfRaggedRows) {
  Device device = Device::fromFile("softmax.ptx");
  int rows = 3;
  for (int n : {1, 31, 100, 257}) {
    std::vector<float> in = randomFloats(rows * n, -5, 5);
    uint64_t pin = device.upload(in);
    uint64_t out = device.memory->allocate(4 * rows * n);
    ASSERT_TRUE(device.run("softmax", config(rows, 96), pin, out, n))
        << device.fault.message;
    std::vector<float> result = device.download<float>(out, rows * n);
    for (int row = 0; row < rows; ++row) {
      double most = -1e300, sum = 0;
      for (int i = 0; i < n; ++i)
        most = std::max(most, double(in[row * n + i]));
      for (int i = 0; i < n; ++i)
        sum += std::exp(in[row * n + i] - most);
      for (int i = 0; i < n; ++i) {
        double expected = std::exp(in[row * n + i] - most) / sum;
        EXPECT_NEAR(result[row * n + i], expected, 1e-6 * expected);
      }
    }
  }
}

TEST(CompiledKernels, LoopsOfDifferentLength) {
  Device device = Device::fromFile("softmax.ptx");
  int n = 150;
  std::vector<unsigned> in(n), expected(n);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 + 1;
    uint64_t value = in[i];
    for (; value != 1; ++expected[i])
      value = value % 2 ? 3 * value + 1 : value / 2;
  }
  uint64_t pin = device.upload(in), out = device.upload(expected);
  ASSERT_TRUE(device.run("collatz", config(2, 96), pin, out, n))
      << device.fault.message;
  EXPECT_EQ(device.download<unsigned>(out, n), expected);
}

int maze(int value) {
  int result = 0;
  for (int outer = 0; outer < value % 7; ++outer) {
    if (value % 3 == 0 && outer == 2)
      continue;
    for (int inner = outer; inner < 9; ++inner) {
      switch ((value + inner) % 5) {
      case 0:
        result += inner;
        break;
      case 1:
        result ^= outer * 3;
        if (result > 500)
          return -result;
        break;
      case 2:
        result = int(unsigned(result) * 5 + 1);
        break;
      case 3:
        goto next;
      default:
        result -= 2;
      }
      if ((result & 15) == 7)
        break;
    }
  next:
    result += 100;
  }
  return result;
}

TEST(CompiledKernels, IrregularControlFlow) {
  Device device = Device::fromFile("softmax.ptx");
  int n = 320;
  std::vector<int> in(n), expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = maze(in[i] = (i * 7919) % 1000);
  uint64_t pin = device.upload(in), out = device.memory->allocate(4 * n);
  ASSERT_TRUE(device.run("maze", config(5, 64), pin, out, n))
      << device.fault.message;
  EXPECT_EQ(device.download<int>(out, n), expected);
}

TEST(CompiledKernels, ConstantAndLocalMemory) {
  Device device = Device::fromFile("softmax.ptx");
  const double weights[8] = {0.5, 1.5, -2.25, 3.0, 1e-3, 7.0, -0.125, 9.0};
  int n = 50;
  std::vector<int> in(n);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 3 % 11;
    double local[8];
    for (int j = 0; j < 8; ++j)
      local[(j * 3 + in[i]) & 7] = weights[j] / (i + 1);
    for (int j = 0; j < 8; ++j)
      expected[i] = std::fma(std::sqrt(std::fabs(local[(j + in[i] * 5) & 7])),
                             j, expected[i]);
  }
  uint64_t pin = device.upload(in), out = device.memory->allocate(8 * n);
  ASSERT_TRUE(device.run("tables", config(1, 64), pin, out, n))
      << device.fault.message;
  EXPECT_EQ(device.download<double>(out, n), expected);
}

float halfToFloat(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float value = exponent == 0 ? std::ldexp(float(mantissa), -24)
                : exponent == 31
                    ? (mantissa ? NAN : INFINITY)
                    : std::ldexp(float(1024 + mantissa), exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/// A half of a small multiple of 1/8, exact.
uint16_t eighths(int count) {
  if (count == 0)
    return 0;
  float value = std::fabs(count / 8.0f);
  int exponent;
  float mantissa = std::frexp(value, &exponent);
  return uint16_t((count < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                  (int(mantissa * 2048) & 1023));
}

TEST(CompiledKernels, HalfPairs) {
  Device device = Device::fromFile("async.ptx");
  int n = 40;
  std::vector<uint16_t> x(2 * n), w(2 * n), b(2 * n);
  for (int i = 0; i < 2 * n; ++i) {
    x[i] = eighths(i % 23 - 11);
    w[i] = eighths(i % 17 - 8);
    b[i] = eighths(i % 5 - 2);
  }
  uint64_t px = device.upload(x), pw = device.upload(w), pb = device.upload(b);
  uint64_t py = device.memory->allocate(4 * n),
           pm = device.memory->allocate(4 * n);
  ASSERT_TRUE(device.run("halfAxpy", config(1, 64), px, pw, pb, py, pm, n))
      << device.fault.message;
  auto y = device.download<uint16_t>(py, 2 * n);
  auto most = device.download<float>(pm, n);
  for (int i = 0; i < n; ++i) {
    float relu[2];
    for (int j = 0; j < 2; ++j) {
      int e = 2 * i + j;
      float value = halfToFloat(x[e]) * halfToFloat(w[e]) + halfToFloat(b[e]);
      relu[j] = std::max(value, 0.0f);
      EXPECT_EQ(halfToFloat(y[e]), relu[j] + 0.5f * halfToFloat(x[e])) << e;
    }
    EXPECT_EQ(most[i], std::max(relu[0], relu[1]) +
                           (relu[0] > relu[1] ? 1000.0f : 0.0f));
  }
}

TEST(CompiledKernels, TensorCoreTile) {
  Device device = Device::fromFile("async.ptx");
  std::vector<uint16_t> a(256), b(128);
  for (int i = 0; i < 256; ++i)
    a[i] = eighths(i * 5 % 31 - 15);
  for (int i = 0; i < 128; ++i)
    b[i] = eighths(i * 11 % 29 - 14);
  uint64_t pa = device.upload(a), pb = device.upload(b);
  uint64_t pc = device.memory->allocate(512);
  ASSERT_TRUE(device.run("mmaTile", config(1, 32), pa, pb, pc))
      << device.fault.message;
  auto c = device.download<float>(pc, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += halfToFloat(a[i * 16 + k]) * halfToFloat(b[k * 8 + j]);
      EXPECT_EQ(c[i * 8 + j], sum) << i << " " << j;
    }
}

} // namespace
