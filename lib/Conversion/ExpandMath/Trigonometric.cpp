//===- Trigonometric.cpp - sin, cos, tan ----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeReduction.h"
#include <limits>

using namespace mlir;
using namespace nm;

static SmallVector<double> negated(SmallVector<double> values) {
  for (double &value : values)
    value = -value;
  return values;
}

/// sin(rest + low): what `low` adds is low * cos(rest).
static Value sinReduced(FloatBuilder &f, const Reduced &r) {
  Value square = f.mul(r.rest, r.rest);
  Value series = f.polynomial(
      square, {-0.166666672f, 0.00833332911f, -0.000198393056f, 2.7180638e-06f},
      negated(inverseFactorials(3, 2, 8)));
  Value low = f.fma(f.mul(square, r.low), f.real(-0.5), r.low);
  return f.add(r.rest, f.fma(f.mul(series, square), r.rest, low));
}

/// cos(rest + low): what `low` adds is -low * sin(rest).
static Value cosReduced(FloatBuilder &f, const Reduced &r) {
  Value square = f.mul(r.rest, r.rest);
  Value series = f.polynomial(
      square,
      {0.0416666679f, -0.00138888834f, 2.4799454e-05f, -2.72052119e-07f},
      inverseFactorials(4, 2, 7));
  Value low = f.neg(f.mul(r.low, r.rest));
  Value tail = f.fma(f.mul(series, square), square, low);
  return f.add(f.real(1.0), f.fma(square, f.real(-0.5), tail));
}

/// Half turns change the sign.
static Value withSign(FloatBuilder &f, Value quadrant, Value magnitude) {
  Value isPositive = f.equalInt(f.andInt(quadrant, 2), 0);
  return f.select(isPositive, magnitude, f.neg(magnitude));
}

static Value isEven(FloatBuilder &f, Value quadrant) {
  return f.equalInt(f.andInt(quadrant, 1), 0);
}

/// Infinities and NaN have no sine.
static Value keepFinite(FloatBuilder &f, Value x, Value result) {
  Value infinity = f.real(std::numeric_limits<double>::infinity());
  return f.select(f.less(f.abs(x), infinity), result, f.sub(x, x));
}

/// The reduction turns -0 into +0.
static Value keepZero(FloatBuilder &f, Value x, Value result) {
  return f.select(f.equal(x, f.real(0.0)), x, result);
}

Value nm::expandSin(FloatBuilder &f, Value x) {
  Reduced r = reduceByHalfPi(f, x);
  Value magnitude =
      f.select(isEven(f, r.quadrant), sinReduced(f, r), cosReduced(f, r));
  return keepZero(f, x, keepFinite(f, x, withSign(f, r.quadrant, magnitude)));
}

Value nm::expandCos(FloatBuilder &f, Value x) {
  Reduced r = reduceByHalfPi(f, x);
  Value magnitude =
      f.select(isEven(f, r.quadrant), cosReduced(f, r), sinReduced(f, r));
  Value quadrant = f.addInt(r.quadrant, f.andInt(r.quadrant, 1));
  return keepFinite(f, x, withSign(f, quadrant, magnitude));
}

Value nm::expandTan(FloatBuilder &f, Value x) {
  Reduced r = reduceByHalfPi(f, x);
  Value sine = sinReduced(f, r), cosine = cosReduced(f, r);
  Value even = isEven(f, r.quadrant);
  Value result =
      f.div(f.select(even, sine, f.neg(cosine)), f.select(even, cosine, sine));
  return keepZero(f, x, keepFinite(f, x, result));
}
