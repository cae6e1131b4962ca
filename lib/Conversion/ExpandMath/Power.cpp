//===- Power.cpp - powf, fpowi --------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y = exp(y log x). The exponential multiplies an error of its argument by up
// to 88, so the logarithm is kept as an unevaluated sum of two f32 numbers.
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include <limits>

using namespace mlir;
using namespace nm;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {
/// high + low, with |low| far below |high|.
struct Pair {
  Value high, low;
};
} // namespace

/// log(x) for a positive finite x.
static Pair logPair(FloatBuilder &f, Value x) {
  Value one = f.real(1.0f);
  auto [e, m] = decompose(f, x);

  // log m = 2 atanh(s), s = (m - 1) / (m + 1), with what rounding left out.
  Value numerator = f.sub(m, one), sum = f.add(m, one);
  Value sumLow = f.sub(m, f.sub(sum, one));
  Value s = f.div(numerator, sum);
  Value sLow = f.fma(f.neg(s), sum, numerator);
  sLow = f.div(f.fma(f.neg(s), sumLow, sLow), sum);
  Value square = f.mul(s, s);
  // The series of 2 atanh(s) / s - 2 in s^2; |s| < 0.1716 makes 5 terms enough,
  // and 11 in f64.
  Value tail =
      f.polynomial(square, {2.0f / 3, 2.0f / 5, 2.0f / 7, 2.0f / 9, 2.0f / 11},
                   {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13,
                    2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23});
  Value logHigh = f.mul(s, f.real(2.0f));
  Value logLow = f.fma(f.mul(square, s), tail, f.mul(sLow, f.real(2.0f)));

  // The product of e and the first part of ln 2 is exact; a sum of two with its
  // error.
  Value base = f.mul(e, f.real(0x1.62e4p-1f, 0x1.62e42feep-1));
  Value high = f.add(base, logHigh);
  Value part = f.sub(high, base);
  Value error = f.add(f.sub(base, f.sub(high, part)), f.sub(logHigh, part));
  Value low = f.add(
      error, f.fma(e, f.real(0x1.7f7d1cp-20f, 0x1.a39ef35793c76p-33), logLow));
  Value total = f.add(high, low);
  return {total, f.add(f.sub(high, total), low)};
}

Value nm::expandPow(FloatBuilder &f, Value x, Value y) {
  Value one = f.real(1.0f), zero = f.real(0.0f), infinity = f.real(kInfinity);
  Value a = f.abs(x);
  auto [high, low] = logPair(f, a);
  high = f.select(f.less(a, infinity), high, a); // infinity and NaN
  high = f.select(f.equal(a, zero), f.real(-kInfinity), high);

  Value exponent = f.mul(y, high);
  Value rest = f.fma(y, low, f.fma(y, high, f.neg(exponent)));
  Value power = expandExactExp(f, exponent);
  // exp(u + v) = exp(u) (1 + v); nothing to correct at 0 and infinity.
  Value isPlain = f.logicalAnd(f.less(f.abs(exponent), f.real(120.0f, 760.0)),
                               f.less(power, infinity));
  power = f.select(isPlain, f.fma(power, rest, power), power);

  // A negative base needs an integral power; an odd one keeps the sign.
  Value isIntegral = f.equal(f.trunc(y), y);
  Value halfPower = f.mul(y, f.real(0.5f));
  Value isOdd =
      f.logicalAnd(isIntegral, f.compare(arith::CmpFPredicate::ONE,
                                         f.trunc(halfPower), halfPower));
  Value result = f.select(isOdd, f.copySign(power, x), power);
  Value isFractional = f.compare(arith::CmpFPredicate::ONE, f.trunc(y), y);
  Value isInvalid = f.logicalAnd(
      f.logicalAnd(f.less(x, zero), f.less(a, infinity)), isFractional);
  result = f.select(isInvalid, f.real(kNaN), result);
  Value isOne = f.logicalOr(f.equal(x, one), f.equal(y, zero));
  Value minusOneToInfinity =
      f.logicalAnd(f.equal(x, f.real(-1.0f)), f.equal(f.abs(y), infinity));
  return f.select(f.logicalOr(isOne, minusOneToInfinity), one, result);
}

Value nm::expandPowInt(FloatBuilder &f, Value x, int64_t power) {
  uint64_t rest = power < 0 ? 0 - uint64_t(power) : uint64_t(power);
  Value result, square = x;
  for (; rest != 0; rest >>= 1) {
    if (rest & 1)
      result = result ? f.mul(result, square) : square;
    if (rest > 1)
      square = f.mul(square, square);
  }
  if (!result)
    return f.real(1.0f);
  return power < 0 ? f.div(f.real(1.0f), result) : result;
}
