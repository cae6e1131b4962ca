//===- Float16Test.cpp - Conversion of f16 and bf16 -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Numbers/Float16.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace nm;

/// The nearest of the 2^16 values by the definition of rounding to nearest
/// even, for a finite value that does not overflow.
template <typename ToFloat>
static uint16_t nearest(double value, ToFloat toFloat, uint16_t infinity) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::abs(value);
  uint16_t low = 0, high = infinity;
  while (high - low > 1) {
    uint16_t middle = (low + high) / 2;
    (double(toFloat(middle)) <= magnitude ? low : high) = middle;
  }
  // The value that would follow the largest one takes the place of infinity.
  double below = toFloat(low);
  double above = high == infinity
                     ? 2 * below - double(toFloat(uint16_t(low - 1)))
                     : double(toFloat(high));
  double toLow = magnitude - below, toHigh = above - magnitude;
  bool up = toHigh < toLow || (toHigh == toLow && low % 2 != 0);
  return sign | (up ? high : low);
}

TEST(Float16Test, EveryValueRoundTrips) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float half = halfToFloat(bits), bfloat = bfloat16ToFloat(bits);
    if (std::isnan(half)) {
      EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(half))));
    } else {
      EXPECT_EQ(floatToHalf(half), bits);
    }
    if (std::isnan(bfloat)) {
      EXPECT_TRUE(std::isnan(bfloat16ToFloat(floatToBFloat16(bfloat))));
    } else {
      EXPECT_EQ(floatToBFloat16(bfloat), bits);
    }
  }
}

TEST(Float16Test, KnownValues) {
  EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
  EXPECT_EQ(halfToFloat(0x7bff), 65504.0f);
  EXPECT_EQ(halfToFloat(0x0001), 0x1p-24f);
  EXPECT_EQ(floatToHalf(65519.99f), 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(floatToHalf(0x1p-25f), 0x0000);
  EXPECT_EQ(floatToHalf(0x1.8p-25f), 0x0001);
  EXPECT_EQ(floatToHalf(-0.0f), 0x8000);
  EXPECT_EQ(floatToBFloat16(1.0f), 0x3f80);
  EXPECT_EQ(floatToBFloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(floatToBFloat16(-std::numeric_limits<float>::infinity()), 0xff80);
}

TEST(Float16Test, RoundsFloatToNearestEven) {
  std::mt19937_64 rng(20261121);
  for (int i = 0; i < 200000; ++i) {
    float value = floatFromBits(static_cast<uint32_t>(rng()));
    if (std::isfinite(value) && std::abs(value) < 0x1.fep127) {
      ASSERT_EQ(floatToBFloat16(value), nearest(value, bfloat16ToFloat, 0x7f80))
          << value;
    }
    // Exponents of the f16 range, subnormals included.
    float small = std::ldexp(1.0f + float(rng() % 8388608) * 0x1p-23f,
                             int(rng() % 43) - 27);
    ASSERT_EQ(floatToHalf(small), nearest(small, halfToFloat, 0x7c00)) << small;
  }
}

TEST(Float16Test, RoundsDoubleOnce) {
  // Just above the middle between two f16 values, by less than f32 resolves.
  double middle = 1.0 + 0x1p-11;
  EXPECT_EQ(doubleToHalf(middle), 0x3c00);
  EXPECT_EQ(doubleToHalf(middle + 0x1p-40), 0x3c01);
  EXPECT_EQ(floatToHalf(static_cast<float>(middle + 0x1p-40)), 0x3c00);
  EXPECT_EQ(doubleToBFloat16(1.0 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(doubleToBFloat16(-(1.0 + 0x1p-8 + 0x1p-40)), 0xbf81);
  EXPECT_EQ(doubleToBFloat16(1e300), 0x7f80);
  std::mt19937_64 rng(20261121);
  for (int i = 0; i < 200000; ++i) {
    double value =
        std::ldexp(1.0 + double(rng() >> 12) * 0x1p-52, int(rng() % 43) - 27);
    ASSERT_EQ(doubleToHalf(value), nearest(value, halfToFloat, 0x7c00))
        << value;
    ASSERT_EQ(doubleToBFloat16(-value),
              nearest(-value, bfloat16ToFloat, 0x7f80));
  }
}
