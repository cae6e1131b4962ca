//===- Trigonometric.cpp - sin, cos ---------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

using namespace mlir;
using namespace nm;

namespace {
/// x = quadrant * pi/2 + rest, |rest| <= pi/4.
struct Reduced {
  Value quadrant, rest;
};
} // namespace

static Reduced reduce(FloatBuilder &f, Value x) {
  // pi/2 in three parts of all bits of the type; with fma each product is exact
  // before it is subtracted. Positions of a long sequence (1e5 radians) keep
  // their accuracy.
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  auto [n, quadrant] = f.roundScaled(x, kTwoOverPi);
  Value rest = f.fma(n, f.real(-0x1.921fb6p+0f, -0x1.921fb54442d18p+0), x);
  rest = f.fma(n, f.real(0x1.777a5cp-25f, -0x1.1a62633145c07p-54), rest);
  rest = f.fma(n, f.real(0x1.ee59dap-50f, 0x1.f1976b7ed8fbcp-110), rest);
  return {quadrant, rest};
}

static SmallVector<double> negated(SmallVector<double> values) {
  for (double &value : values)
    value = -value;
  return values;
}

static Value sinReduced(FloatBuilder &f, Value r) {
  Value square = f.mul(r, r);
  Value series = f.polynomial(
      square, {-0.166666672f, 0.00833332911f, -0.000198393056f, 2.7180638e-06f},
      negated(inverseFactorials(3, 2, 8)));
  return f.fma(f.mul(series, square), r, r);
}

static Value cosReduced(FloatBuilder &f, Value r) {
  Value square = f.mul(r, r);
  Value series = f.polynomial(
      square,
      {0.0416666679f, -0.00138888834f, 2.4799454e-05f, -2.72052119e-07f},
      inverseFactorials(4, 2, 7));
  Value tail = f.fma(series, square, f.real(-0.5f));
  return f.fma(tail, square, f.real(1.0f));
}

/// The sine of (quadrant * pi/2 + rest).
static Value evaluate(FloatBuilder &f, Value quadrant, Value rest) {
  Value isEven = f.equalInt(f.andInt(quadrant, 1), 0);
  Value magnitude = f.select(isEven, sinReduced(f, rest), cosReduced(f, rest));
  Value isPositive = f.equalInt(f.andInt(quadrant, 2), 0);
  return f.select(isPositive, magnitude, f.neg(magnitude));
}

Value nm::expandSin(FloatBuilder &f, Value x) {
  auto [quadrant, rest] = reduce(f, x);
  Value result = evaluate(f, quadrant, rest);
  // The reduction turns -0 into +0.
  return f.select(f.equal(x, f.real(0.0f)), x, result);
}

Value nm::expandCos(FloatBuilder &f, Value x) {
  auto [quadrant, rest] = reduce(f, x);
  return evaluate(f, f.addInt(quadrant, f.integer(1)), rest);
}
