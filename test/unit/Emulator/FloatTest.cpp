//===- FloatTest.cpp - Floating-point instructions ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single and double precision against the host, half types against double
// precision rounded by an independent routine.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

using namespace nm::emulator::test;

namespace {

const Widths w32 = {32, 32, 32, 32};
const Widths w64 = {64, 64, 64, 64};
const Widths w16 = {16, 16, 16, 16};

uint64_t canonical(float value) {
  return std::isnan(value) ? 0x7fffffff : bits(value);
}
float flushed(uint64_t value) {
  float number = toFloat(value);
  return std::fpclassify(number) == FP_SUBNORMAL ? std::copysign(0.0f, number)
                                                 : number;
}

std::vector<Row> rowsFloat() {
  std::vector<Row> rows = edgesFloat(), random = randomRows(61);
  rows.insert(rows.end(), random.begin(), random.end());
  return rows;
}

TEST(Float, NearestSingle) {
  auto rows = rowsFloat();
  expectAll("add.rn.f32 %d, %a, %b;", rows, w32,
            [](Row r) { return canonical(toFloat(r.a) + toFloat(r.b)); });
  expectAll("sub.f32 %d, %a, %b;", rows, w32,
            [](Row r) { return canonical(toFloat(r.a) - toFloat(r.b)); });
  expectAll("mul.rn.f32 %d, %a, %b;", rows, w32,
            [](Row r) { return canonical(toFloat(r.a) * toFloat(r.b)); });
  expectAll("div.rn.f32 %d, %a, %b;", rows, w32,
            [](Row r) { return canonical(toFloat(r.a) / toFloat(r.b)); });
  expectAll("fma.rn.f32 %d, %a, %b, %c;", rows, w32, [](Row r) {
    return canonical(std::fma(toFloat(r.a), toFloat(r.b), toFloat(r.c)));
  });
  expectAll("sqrt.rn.f32 %d, %a;", rows, w32,
            [](Row r) { return canonical(std::sqrt(toFloat(r.a))); });
  expectAll("rcp.rn.f32 %d, %a;", rows, w32,
            [](Row r) { return canonical(1.0f / toFloat(r.a)); });
}

TEST(Float, FusedIsNotTwoRoundings) {
  // (1 + 2^-12)^2 - 1 has a last bit that a rounded product loses.
  uint64_t a = bits(1.0f + 0x1p-12f), c = bits(-1.0f - 0x1p-11f);
  EXPECT_EQ(evaluate("fma.rn.f32 %d, %a, %b, %c;", {{a, a, c}})[0],
            bits(0x1p-24f));
  EXPECT_EQ(evaluate("{\n.reg .f32 t;\nmul.rn.f32 t, %a, %b;\n"
                     "add.rn.f32 %d, t, %c;\n}",
                     {{a, a, c}})[0],
            bits(0.0f));
}

TEST(Float, FlushToZero) {
  auto rows = rowsFloat();
  expectAll("add.ftz.f32 %d, %a, %b;", rows, w32, [](Row r) {
    return bits(flushed(canonical(flushed(r.a) + flushed(r.b))));
  });
  expectAll("mul.rn.ftz.f32 %d, %a, %b;", rows, w32, [](Row r) {
    return bits(flushed(canonical(flushed(r.a) * flushed(r.b))));
  });
  expectAll("fma.rn.ftz.f32 %d, %a, %b, %c;", rows, w32, [](Row r) {
    return bits(
        flushed(canonical(std::fma(flushed(r.a), flushed(r.b), flushed(r.c)))));
  });
  expectAll("setp.gt.ftz.f32 %d, %a, %b;", rows, {1, 32, 32, 32},
            [](Row r) { return uint64_t(flushed(r.a) > flushed(r.b)); });
}

TEST(Float, Saturation) {
  expectAll("add.sat.f32 %d, %a, %b;", rowsFloat(), w32, [](Row r) {
    float sum = toFloat(r.a) + toFloat(r.b);
    return bits(std::isnan(sum) || sum <= 0 ? 0.0f : std::fmin(sum, 1.0f));
  });
}

uint64_t roundedSum(Row r, int mode) {
  volatile float a = toFloat(r.a), b = toFloat(r.b), c = toFloat(r.c);
  std::fesetround(mode);
  volatile float sum = std::fma(a, b, c);
  std::fesetround(FE_TONEAREST);
  return canonical(sum);
}

TEST(Float, OtherRoundings) {
  auto rows = rowsFloat();
  expectAll("fma.rz.f32 %d, %a, %b, %c;", rows, w32,
            [](Row r) { return roundedSum(r, FE_TOWARDZERO); });
  expectAll("fma.rm.f32 %d, %a, %b, %c;", rows, w32,
            [](Row r) { return roundedSum(r, FE_DOWNWARD); });
  expectAll("fma.rp.f32 %d, %a, %b, %c;", rows, w32,
            [](Row r) { return roundedSum(r, FE_UPWARD); });
  EXPECT_EQ(evaluate("add.rz.f32 %d, %a, %b;",
                     {{bits(1.0f), bits(0x1.8p-24f), 0}})[0],
            bits(1.0f));
  EXPECT_EQ(
      evaluate("add.rp.f32 %d, %a, %b;", {{bits(1.0f), bits(0x1p-40f), 0}})[0],
      bits(1.0f + 0x1p-23f));
}

TEST(Float, Double) {
  auto rows = randomRows(100);
  auto check = [](double value) {
    return std::isnan(value) ? bits(std::numeric_limits<double>::quiet_NaN())
                             : bits(value);
  };
  for (Row &row : rows) // Random bits, but no NaN: its payload is free.
    for (uint64_t *operand : {&row.a, &row.b, &row.c})
      if (std::isnan(toDouble(*operand)))
        *operand = bits(1.5);
  expectAll("add.rn.f64 %d, %a, %b;", rows, w64,
            [&](Row r) { return check(toDouble(r.a) + toDouble(r.b)); });
  expectAll("fma.rn.f64 %d, %a, %b, %c;", rows, w64, [&](Row r) {
    return check(std::fma(toDouble(r.a), toDouble(r.b), toDouble(r.c)));
  });
  expectAll("div.rn.f64 %d, %a, %b;", rows, w64,
            [&](Row r) { return check(toDouble(r.a) / toDouble(r.b)); });
  expectAll("abs.f64 %d, %a;", rows, w64,
            [](Row r) { return bits(std::fabs(toDouble(r.a))); });
}

TEST(Float, MinMaxNaNAndSignedZero) {
  uint64_t nan = 0x7fc00001, one = bits(1.0f), zero = 0, minusZero = 0x80000000;
  std::vector<Row> rows = {{nan, one},        {one, nan},        {nan, nan},
                           {zero, minusZero}, {minusZero, zero}, {one, zero}};
  using Results = std::vector<uint64_t>;
  EXPECT_EQ(evaluate("min.f32 %d, %a, %b;", rows),
            (Results{one, one, 0x7fffffff, minusZero, minusZero, zero}));
  EXPECT_EQ(evaluate("max.f32 %d, %a, %b;", rows),
            (Results{one, one, 0x7fffffff, zero, zero, one}));
  EXPECT_EQ(evaluate("max.NaN.f32 %d, %a, %b;", rows),
            (Results{0x7fffffff, 0x7fffffff, 0x7fffffff, zero, zero, one}));
}

TEST(Float, ComparisonsWithNaN) {
  uint64_t nan = 0x7fc00000, one = bits(1.0f), two = bits(2.0f);
  std::vector<Row> rows = {
      {one, two}, {two, one}, {one, one}, {nan, one}, {nan, nan}};
  using Results = std::vector<uint64_t>;
  Widths w = {1, 32, 32, 32};
  EXPECT_EQ(evaluate("setp.lt.f32 %d, %a, %b;", rows, w),
            (Results{1, 0, 0, 0, 0}));
  EXPECT_EQ(evaluate("setp.ltu.f32 %d, %a, %b;", rows, w),
            (Results{1, 0, 0, 1, 1}));
  EXPECT_EQ(evaluate("setp.ne.f32 %d, %a, %b;", rows, w),
            (Results{1, 1, 0, 0, 0}));
  EXPECT_EQ(evaluate("setp.neu.f32 %d, %a, %b;", rows, w),
            (Results{1, 1, 0, 1, 1}));
  EXPECT_EQ(evaluate("setp.equ.f32 %d, %a, %b;", rows, w),
            (Results{0, 0, 1, 1, 1}));
  EXPECT_EQ(evaluate("setp.num.f32 %d, %a, %b;", rows, w),
            (Results{1, 1, 1, 0, 0}));
  EXPECT_EQ(evaluate("setp.nan.f32 %d, %a, %b;", rows, w),
            (Results{0, 0, 0, 1, 1}));
  EXPECT_EQ(evaluate("testp.infinite.f32 %d, %a;",
                     {{0x7f800000}, {0xff800000}, {nan}, {one}}, w),
            (Results{1, 1, 0, 0}));
  EXPECT_EQ(evaluate("testp.subnormal.f32 %d, %a;",
                     {{1}, {0x807fffff}, {0x00800000}, {0}}, w),
            (Results{1, 1, 0, 0}));
}

TEST(Float, SignsAreBits) {
  EXPECT_EQ(evaluate("neg.f32 %d, %a;", {{0}, {0x7fc00000}})[0], 0x80000000u);
  EXPECT_EQ(evaluate("abs.f32 %d, %a;", {{0x80000000}})[0], 0u);
  // copysign takes the sign of the first operand.
  EXPECT_EQ(
      evaluate("copysign.f32 %d, %a, %b;", {{bits(-3.0f), bits(2.0f), 0}})[0],
      bits(-2.0f));
}

TEST(Float, Approximations) {
  std::vector<Row> rows;
  for (float x = -20; x < 20; x += 0.37f)
    rows.push_back({bits(x), 0, 0});
  struct Function {
    const char *instruction;
    double (*reference)(double);
  };
  const Function functions[] = {
      {"ex2.approx.f32 %d, %a;", [](double x) { return std::exp2(x); }},
      {"ex2.approx.ftz.f32 %d, %a;", [](double x) { return std::exp2(x); }},
      {"sin.approx.f32 %d, %a;", [](double x) { return std::sin(x); }},
      {"cos.approx.ftz.f32 %d, %a;", [](double x) { return std::cos(x); }},
      {"tanh.approx.f32 %d, %a;", [](double x) { return std::tanh(x); }},
      {"rcp.approx.ftz.f32 %d, %a;", [](double x) { return 1 / x; }},
      {"{\n.reg .f32 t;\nabs.f32 t, %a;\nlg2.approx.f32 %d, t;\n}",
       [](double x) { return std::log2(std::fabs(x)); }},
      {"{\n.reg .f32 t;\nabs.f32 t, %a;\nrsqrt.approx.f32 %d, t;\n}",
       [](double x) { return 1 / std::sqrt(std::fabs(x)); }},
      {"{\n.reg .f32 t;\nabs.f32 t, %a;\nsqrt.approx.ftz.f32 %d, t;\n}",
       [](double x) { return std::sqrt(std::fabs(x)); }}};
  for (const Function &function : functions) {
    auto results = evaluate(function.instruction, rows);
    for (size_t i = 0; i < rows.size(); ++i) {
      double expected = function.reference(toFloat(rows[i].a));
      EXPECT_NEAR(toFloat(results[i]), expected, std::fabs(expected) * 1.2e-7)
          << function.instruction << toFloat(rows[i].a);
    }
  }
}

TEST(Float, PairsOfSingles) {
  expectAll("fma.rn.f32x2 %d, %a, %b, %c;", randomRows(50), w64, [](Row r) {
    auto part = [&](unsigned shift) {
      return canonical(std::fma(toFloat(r.a >> shift), toFloat(r.b >> shift),
                                toFloat(r.c >> shift)));
    };
    return part(32) << 32 | part(0);
  });
}

//===----------------------------------------------------------------------===//
// 16-bit types
//===----------------------------------------------------------------------===//

/// A 16-bit format by its numbers of exponent and mantissa bits.
struct Format {
  int exponentBits, mantissaBits;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }

  double decode(uint64_t value) const {
    int exponent = value >> mantissaBits & ((1 << exponentBits) - 1);
    int mantissa = value & ((1 << mantissaBits) - 1);
    double sign = value & 0x8000 ? -1 : 1;
    if (exponent == (1 << exponentBits) - 1)
      return mantissa ? NAN : sign * INFINITY;
    if (exponent == 0)
      return sign * std::ldexp(mantissa, 1 - bias() - mantissaBits);
    return sign * std::ldexp((1 << mantissaBits) + mantissa,
                             exponent - bias() - mantissaBits);
  }

  /// Nearest, ties to even; `value` exact. NaN is 0x7fff.
  uint64_t encode(long double value) const {
    if (std::isnan(value))
      return 0x7fff;
    uint64_t sign = std::signbit(value) ? 0x8000 : 0;
    long double magnitude = std::fabs(value);
    int exponent = magnitude > 0 && !std::isinf(magnitude)
                       ? std::max(std::ilogb(magnitude), 1 - bias())
                       : 1 - bias();
    long double scaled = std::ldexp(magnitude, mantissaBits - exponent);
    long double whole = std::nearbyint(scaled);
    uint64_t infinity = uint64_t((1 << exponentBits) - 1) << mantissaBits;
    if (std::isinf(whole))
      return sign | infinity;
    uint64_t result =
        uint64_t(whole) + (uint64_t(exponent + bias() - 1) << mantissaBits);
    return sign | std::min(result, infinity);
  }
};

const Format half = {5, 10}, bfloat = {8, 7};

TEST(Half, EveryValueSurvivesConversion) {
  for (const Format &format : {half, bfloat}) {
    std::string type = format.exponentBits == 5 ? "f16" : "bf16";
    for (unsigned first = 0; first < 0x10000; first += 1024) {
      std::vector<Row> rows;
      for (unsigned value = first; value < first + 1024; ++value)
        rows.push_back({value, 0, 0});
      expectAll("cvt.f32." + type + " %d, %a;", rows, {32, 16, 16, 16},
                [&](Row r) { return canonical(float(format.decode(r.a))); });
      expectAll("{\n.reg .f32 t;\ncvt.f32." + type + " t, %a;\ncvt.rn." + type +
                    ".f32 %d, t;\n}",
                rows, w16, [&](Row r) {
                  return std::isnan(format.decode(r.a)) ? 0x7fff : r.a;
                });
    }
  }
}

std::vector<Row> rowsHalf() {
  const uint16_t values[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,
                             0x3c00, 0xbc00, 0x7bff, 0x7c00, 0xfc00, 0x7e00,
                             0x3c01, 0x3555, 0x0080, 0x7f7f, 0x3f80, 0x3f81};
  std::vector<Row> rows;
  for (uint16_t a : values)
    for (uint16_t b : values)
      rows.push_back({a, b, values[(a * 3 + b) % 18]});
  std::vector<Row> random = randomRows(500);
  rows.insert(rows.end(), random.begin(), random.end());
  for (Row &row : rows)
    row = {row.a & 0xffff, row.b & 0xffff, row.c & 0xffff};
  return rows;
}

TEST(Half, Arithmetic) {
  for (const Format &format : {half, bfloat}) {
    std::string type = format.exponentBits == 5 ? "f16" : "bf16";
    auto value = [&](uint64_t bits) {
      return (long double)format.decode(bits);
    };
    expectAll("add.rn." + type + " %d, %a, %b;", rowsHalf(), w16,
              [&](Row r) { return format.encode(value(r.a) + value(r.b)); });
    expectAll("mul." + type + " %d, %a, %b;", rowsHalf(), w16,
              [&](Row r) { return format.encode(value(r.a) * value(r.b)); });
    // 64 bits of mantissa hold the sums that are tried here exactly: where the
    // terms lie further apart, c is left out.
    std::vector<Row> rows = rowsHalf();
    for (Row &row : rows) {
      long double product = value(row.a) * value(row.b), c = value(row.c);
      if (product != 0 && c != 0 && std::isfinite(product) &&
          std::isfinite(c) &&
          std::abs(std::ilogb(product) - std::ilogb(c)) > 40)
        row.c = 0;
    }
    expectAll("fma.rn." + type + " %d, %a, %b, %c;", rows, w16, [&](Row r) {
      return format.encode(std::fma(value(r.a), value(r.b), value(r.c)));
    });
    expectAll("max." + type + " %d, %a, %b;", rowsHalf(), w16, [&](Row r) {
      double a = format.decode(r.a), b = format.decode(r.b);
      if (std::isnan(a) && std::isnan(b))
        return uint64_t(0x7fff);
      if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) ? r.b : r.a;
      return a > b || (a == b && !std::signbit(a)) ? r.a : r.b;
    });
  }
}

TEST(Half, FusedSumsFarApart) {
  // 1 + 2^-8 lies halfway between 1 and the next number; ties go to even.
  EXPECT_EQ(evaluate("fma.rn.bf16 %d, %a, %b, %c;", {{0x3b80, 0x3f80, 0x3f80}},
                     w16)[0],
            0x3f80u);
  // A product that is a tie, and a sum that 2^-100 or so decides upwards: both
  // are lost when the sum is rounded to 53 bits first.
  EXPECT_EQ(evaluate("fma.rn.bf16 %d, %a, %b, %c;",
                     {{0xa720, 0x71d4, 0x8156}, {0xa720, 0x71d4, 0x0156}}, w16),
            (std::vector<uint64_t>{0xd985, 0xd984}));
}

TEST(Half, PackedAndFused) {
  auto rows = randomRows(200);
  expectAll("fma.rn.f16x2 %d, %a, %b, %c;", rows, w32, [](Row r) {
    auto part = [&](unsigned shift) {
      auto value = [&](uint64_t bits) {
        return (long double)half.decode(bits >> shift & 0xffff);
      };
      return half.encode(std::fma(value(r.a), value(r.b), value(r.c)));
    };
    return part(16) << 16 | part(0);
  });
  expectAll("fma.rn.relu.f16 %d, %a, %b, %c;", rowsHalf(), w16, [](Row r) {
    long double sum =
        std::fma((long double)half.decode(r.a), (long double)half.decode(r.b),
                 (long double)half.decode(r.c));
    return half.encode(sum <= 0 ? 0.0L : sum);
  });
  expectAll("neg.bf16x2 %d, %a;", rows, w32,
            [](Row r) { return uint32_t(r.a) ^ 0x80008000u; });
  expectAll("set.gt.u32.f16x2 %d, %a, %b;", rows, w32, [](Row r) {
    auto greater = [&](unsigned shift) {
      return half.decode(r.a >> shift & 0xffff) >
             half.decode(r.b >> shift & 0xffff);
    };
    return (greater(0) ? 0xffffull : 0) | (greater(16) ? 0xffff0000ull : 0);
  });
}

} // namespace
