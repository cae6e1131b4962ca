//===- Logarithm.cpp - log, log2, log10, log1p ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include <limits>

using namespace mlir;
using namespace nm;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kLog2E = 0x1.71547652b82fep+0;
static constexpr double kLog10E = 0x1.bcb7b1526e50ep-2;

Decomposed nm::decompose(FloatBuilder &f, Value x) {
  int64_t sqrtHalfBits = f.isF32() ? 0x3f3504f3 : 0x3fe6a09e667f3bcd;
  int64_t mantissaBits = f.isF32() ? 23 : 52;
  Value isSubnormal = f.less(x, f.real(0x1p-126f, 0x1p-1022));
  Value normal = f.select(isSubnormal, f.mul(x, f.real(0x1p23f, 0x1p52)), x);
  Value bits = f.bits(normal);
  Value exponent =
      f.shiftRight(f.subInt(bits, f.integer(sqrtHalfBits)), mantissaBits);
  Value mantissa =
      f.fromBits(f.subInt(bits, f.shiftLeft(exponent, mantissaBits)));
  Value bias =
      f.select(isSubnormal, f.real(double(-mantissaBits)), f.real(0.0));
  return {f.add(f.toFloat(exponent), bias), mantissa};
}

/// log(1 + r) - r for r in [-0.2929, 0.4143].
static Value log1pTail(FloatBuilder &f, Value r) {
  if (!f.isF32()) {
    // With s = r / (2 + r) it is s (r^2 / 2 + R) - r^2 / 2, where R is the
    // series of 2 atanh(s) / s - 2.
    Value s = f.div(r, f.add(r, f.real(2.0))), square = f.mul(s, s);
    Value half = f.mul(f.mul(r, r), f.real(0.5));
    Value series = f.mul(
        square, f.polynomial(square, {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9,
                                      2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                      2.0 / 19, 2.0 / 21, 2.0 / 23}));
    return f.fma(s, f.add(half, series), f.neg(half));
  }
  Value series = f.polynomial(r, {0.333333313f, -0.250008225f, 0.200012207f,
                                  -0.166233271f, 0.142018795f, -0.1316064f,
                                  0.127608791f, -0.0763228983f});
  Value square = f.mul(r, r);
  return f.fma(f.mul(series, r), square, f.mul(f.real(-0.5f), square));
}

/// The results where there is nothing to compute.
static Value handleSpecial(FloatBuilder &f, Value x, Value result) {
  Value zero = f.real(0.0f);
  result = f.select(f.equal(x, f.real(kInfinity)), x, result);
  result = f.select(f.equal(x, zero), f.real(-kInfinity), result);
  Value invalid = f.compare(arith::CmpFPredicate::ULT, x, zero);
  Value nan = f.real(std::numeric_limits<double>::quiet_NaN());
  return f.select(invalid, nan, result);
}

Value nm::expandLog(FloatBuilder &f, Value x) {
  auto [e, mantissa] = decompose(f, x);
  Value r = f.sub(mantissa, f.real(1.0));
  Value low =
      f.fma(e, f.real(0x1.7f7d1cp-20f, 0x1.a39ef35793c76p-33), log1pTail(f, r));
  Value result = f.fma(e, f.real(0x1.62e4p-1f, 0x1.62e42feep-1), f.add(r, low));
  return handleSpecial(f, x, result);
}

Value nm::expandLog2(FloatBuilder &f, Value x) {
  auto [e, mantissa] = decompose(f, x);
  Value r = f.sub(mantissa, f.real(1.0));
  // (r + tail) * log2(e), the product by r in two parts: near x = 1 nothing
  // else is left. A power of two gives its exponent exactly.
  Value high = f.mul(r, f.real(kLog2E));
  Value rest = f.fma(r, f.real(kLog2E), f.neg(high));
  // What rounding log2(e) left out.
  rest = f.fma(r, f.real(0x1.4ae0cp-26f, 0x1.777d0ffda0d24p-56), rest);
  rest = f.fma(log1pTail(f, r), f.real(kLog2E), rest);
  return handleSpecial(f, x, f.add(e, f.add(high, rest)));
}

Value nm::expandLog10(FloatBuilder &f, Value x) {
  return f.mul(expandLog(f, x), f.real(kLog10E));
}

Value nm::expandLog1p(FloatBuilder &f, Value x) {
  // log(1 + x) = log(u) + (what rounding u = 1 + x left out) / u.
  Value one = f.real(1.0f);
  Value u = f.add(one, x);
  Value rest = f.div(f.sub(x, f.sub(u, one)), u);
  Value isPlain =
      f.logicalAnd(f.less(f.real(0.0f), u), f.less(u, f.real(kInfinity)));
  rest = f.select(isPlain, rest, f.real(0.0f));
  Value result = f.add(expandLog(f, u), rest);
  return f.select(f.equal(u, one), x, result);
}
