//===- ConvertTest.cpp - cvt ----------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between integers and floating point in every rounding, at the
// edges of their ranges.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

using namespace nm::emulator::test;

namespace {

using Results = std::vector<uint64_t>;

std::vector<Row> rowsOf(const std::vector<float> &values) {
  std::vector<Row> rows;
  for (float value : values)
    rows.push_back({bits(value), 0, 0});
  return rows;
}

TEST(Convert, FloatToIntegerRoundsAndClamps) {
  auto rows = rowsOf({0.5f, 1.5f, -0.5f, -2.5f, 2.9f, -2.9f, 3e9f, -3e9f, 1e20f,
                      INFINITY, -INFINITY, NAN});
  EXPECT_EQ(evaluate("cvt.rni.s32.f32 %d, %a;", rows),
            (Results{0, 2, 0, 0xfffffffe, 3, 0xfffffffd, 0x7fffffff, 0x80000000,
                     0x7fffffff, 0x7fffffff, 0x80000000, 0}));
  EXPECT_EQ(evaluate("cvt.rzi.s32.f32 %d, %a;", rows),
            (Results{0, 1, 0, 0xfffffffe, 2, 0xfffffffe, 0x7fffffff, 0x80000000,
                     0x7fffffff, 0x7fffffff, 0x80000000, 0}));
  EXPECT_EQ(evaluate("cvt.rmi.s32.f32 %d, %a;", rows),
            (Results{0, 1, 0xffffffff, 0xfffffffd, 2, 0xfffffffd, 0x7fffffff,
                     0x80000000, 0x7fffffff, 0x7fffffff, 0x80000000, 0}));
  EXPECT_EQ(
      evaluate("cvt.rpi.u32.f32 %d, %a;", rows),
      (Results{1, 2, 0, 0, 3, 0, 3000000000, 0, 0xffffffff, 0xffffffff, 0, 0}));
  EXPECT_EQ(evaluate("cvt.rzi.u8.f32 %d, %a;", rowsOf({-1, 255.9f, 256, 300})),
            (Results{0, 255, 255, 255}));
  EXPECT_EQ(evaluate("cvt.rzi.s64.f32 %d, %a;",
                     rowsOf({1e10f, 1e30f, -1e30f, NAN}), {64, 32, 32, 32}),
            (Results{10000000000, 0x7fffffffffffffff, 0x8000000000000000,
                     0x8000000000000000}));
}

TEST(Convert, IntegerToFloatRounds) {
  uint32_t odd = 0x01000001; // Needs 25 bits.
  EXPECT_EQ(evaluate("cvt.rn.f32.u32 %d, %a;", {{odd}, {0xffffffff}}),
            (Results{bits(16777216.0f), bits(4294967296.0f)}));
  EXPECT_EQ(evaluate("cvt.rz.f32.u32 %d, %a;", {{odd}, {0xffffffff}}),
            (Results{bits(16777216.0f), bits(4294967040.0f)}));
  EXPECT_EQ(evaluate("cvt.rp.f32.s32 %d, %a;", {{odd}, {0u - odd}}),
            (Results{bits(16777218.0f), bits(-16777216.0f)}));
  EXPECT_EQ(evaluate("cvt.rm.f32.s32 %d, %a;", {{odd}, {0u - odd}}),
            (Results{bits(16777216.0f), bits(-16777218.0f)}));
  Widths from64 = {32, 64, 64, 64};
  expectAll("cvt.rn.f32.s64 %d, %a;", randomRows(100), from64,
            [](Row r) { return bits(float(int64_t(r.a))); });
  expectAll("cvt.rn.f64.u64 %d, %a;", randomRows(100), {64, 64, 64, 64},
            [](Row r) { return bits(double(r.a)); });
  expectAll("cvt.rz.f64.u64 %d, %a;", randomRows(100), {64, 64, 64, 64},
            [](Row r) {
              std::fesetround(FE_TOWARDZERO);
              volatile uint64_t from = r.a;
              volatile double result = double(from);
              std::fesetround(FE_TONEAREST);
              return bits(double(result));
            });
  // A sticky bit far below a tie decides the rounding.
  EXPECT_EQ(evaluate("cvt.rn.f32.u64 %d, %a;",
                     {{0x8000008000000000}, {0x8000008000000001}}, from64),
            (Results{bits(0x1p63f), bits(0x1.000002p63f)}));
}

TEST(Convert, IntegerToInteger) {
  EXPECT_EQ(evaluate("cvt.s32.s8 %d, %a;", {{0x1280}, {0x127f}}),
            (Results{0xffffff80, 0x7f}));
  EXPECT_EQ(evaluate("cvt.u32.u8 %d, %a;", {{0x1280}}), (Results{0x80}));
  EXPECT_EQ(evaluate("cvt.sat.s8.s32 %d, %a;", {{200}, {0u - 200}, {5}}),
            (Results{127, 0xffffff80, 5}));
  EXPECT_EQ(evaluate("cvt.sat.u8.s32 %d, %a;", {{300}, {0u - 1}, {7}}),
            (Results{255, 0, 7}));
  EXPECT_EQ(evaluate("cvt.s64.s32 %d, %a;", {{0x80000000}}, {64, 32, 32, 32}),
            (Results{0xffffffff80000000}));
  EXPECT_EQ(evaluate("cvt.u16.u64 %d, %a;", {{0x123456789}}, {16, 64, 64, 64}),
            (Results{0x6789}));
}

TEST(Convert, FloatToFloat) {
  Widths fromDouble = {32, 64, 64, 64};
  double tie = 1.0 + 0x1p-24;
  EXPECT_EQ(evaluate("cvt.rn.f32.f64 %d, %a;", {{bits(tie)}, {bits(1e300)}},
                     fromDouble),
            (Results{bits(1.0f), bits(INFINITY)}));
  EXPECT_EQ(evaluate("cvt.rp.f32.f64 %d, %a;", {{bits(tie)}}, fromDouble),
            (Results{bits(1.0f + 0x1p-23f)}));
  EXPECT_EQ(evaluate("cvt.rz.f32.f64 %d, %a;", {{bits(1e300)}}, fromDouble),
            (Results{0x7f7fffff}));
  EXPECT_EQ(evaluate("cvt.f64.f32 %d, %a;", rowsOf({0.1f}), {64, 32, 32, 32}),
            (Results{bits(double(0.1f))}));
  auto rows = rowsOf({0.5f, 1.5f, -1.5f, 1e30f, -0.25f});
  EXPECT_EQ(evaluate("cvt.rni.f32.f32 %d, %a;", rows),
            (Results{0, bits(2.0f), bits(-2.0f), bits(1e30f), 0x80000000}));
  EXPECT_EQ(evaluate("cvt.rmi.f32.f32 %d, %a;", rows),
            (Results{0, bits(1.0f), bits(-2.0f), bits(1e30f), bits(-1.0f)}));
  EXPECT_EQ(evaluate("cvt.sat.f32.f32 %d, %a;", rowsOf({-1, 0.25f, 7, NAN})),
            (Results{0, bits(0.25f), bits(1.0f), 0}));
  EXPECT_EQ(evaluate("cvt.ftz.f64.f32 %d, %a;", {{1}}, {64, 32, 32, 32}),
            (Results{0}));
}

TEST(Convert, ToHalf) {
  Widths narrow = {16, 32, 32, 32};
  auto rows = rowsOf({1.0f, 65504.0f, 65519.0f, 65520.0f, 0x1p-24f, 0x1p-25f,
                      0x1.8p-25f, -0.0f, 2049.0f, 2051.0f});
  EXPECT_EQ(evaluate("cvt.rn.f16.f32 %d, %a;", rows, narrow),
            (Results{0x3c00, 0x7bff, 0x7bff, 0x7c00, 1, 0, 1, 0x8000, 0x6800,
                     0x6802}));
  EXPECT_EQ(
      evaluate("cvt.rz.f16.f32 %d, %a;", rowsOf({65520.0f, -2049.9f}), narrow),
      (Results{0x7bff, 0xe800}));
  EXPECT_EQ(evaluate("cvt.rn.bf16.f32 %d, %a;",
                     {{0x3f808000}, {0x3f818000}, {0x7f7fffff}}, narrow),
            (Results{0x3f80, 0x3f82, 0x7f80}));
  // Double to half in one rounding: 1 + 2^-11 + 2^-40 lies above the tie.
  EXPECT_EQ(evaluate("cvt.rn.f16.f64 %d, %a;",
                     {{bits(1 + 0x1p-11)}, {bits(1 + 0x1p-11 + 0x1p-40)}},
                     {16, 64, 64, 64}),
            (Results{0x3c00, 0x3c01}));
  EXPECT_EQ(
      evaluate("cvt.rn.f16x2.f32 %d, %a, %b;", {{bits(1.0f), bits(-2.0f), 0}}),
      (Results{0x3c00c000}));
  EXPECT_EQ(evaluate("cvt.rn.relu.bf16x2.f32 %d, %a, %b;",
                     {{bits(1.0f), bits(-2.0f), 0}}),
            (Results{0x3f800000}));
}

TEST(Convert, RoundingIsRequired) {
  std::string error;
  EXPECT_FALSE(
      nm::emulator::Module::parse(kernelText("cvt.s32.f32 %r2, %f1;"), error));
  EXPECT_NE(error.find("expected a rounding modifier"), std::string::npos)
      << error;
}

} // namespace
