//===- InverseTrigonometric.cpp - asin, acos, atan, atan2 -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

using namespace mlir;
using namespace nm;

/// atan(t) for |t| <= tan(pi/8).
static Value atanReduced(FloatBuilder &f, Value t) {
  Value square = f.mul(t, t);
  Value series = f.polynomial(
      square,
      {-0.333333332792245395, 0.1999997724823353035, -0.142841506297302882,
       0.1107135457120135146, -0.08624598215196126671, 0.05047937432040091025},
      {-0.3333333333333333, 0.19999999999999993, -0.14285714285711518,
       0.11111111110754729, -0.09090909067009971, 0.07692306735999495,
       -0.06666642020040112, 0.05881925252973592, -0.05258041552172777,
       0.04719395016456637, -0.041044362109097926, 0.03063570284209356,
       -0.013918228004884865});
  return f.fma(f.mul(series, square), t, t);
}

/// A multiple of pi/4, minus or plus `x`, in more bits than the type has.
static Value addToQuarters(FloatBuilder &f, int quarters, Value x) {
  // pi/4 rounded to the type, and what is left of it.
  double high = f.isF32() ? 0x1.921fb6p-1 : 0x1.921fb54442d18p-1;
  double low = f.isF32() ? -0x1.777a5cp-26 : 0x1.1a62633145c07p-55;
  return f.add(f.real(quarters * high), f.add(f.real(quarters * low), x));
}

/// atan(y / x) for 0 <= y, x as an angle in the first quadrant; NaN for NaN.
static Value angleInFirstQuadrant(FloatBuilder &f, Value y, Value x) {
  // Two zeros and two infinities have the angles of 0 and of 1.
  Value isSteep = f.less(x, y);
  Value small = f.select(isSteep, x, y), large = f.select(isSteep, y, x);
  Value ratio = f.div(small, large);
  ratio = f.select(f.equal(small, large), f.real(1.0), ratio);
  ratio = f.select(f.equal(y, f.real(0.0)), f.real(0.0), ratio);
  // From tan(pi/8) on the angle is pi/4 and that of (ratio - 1) / (ratio + 1).
  Value isWide = f.less(f.real(0x1.a827998p-2), ratio);
  Value one = f.real(1.0);
  Value reduced =
      f.select(isWide, f.div(f.sub(ratio, one), f.add(ratio, one)), ratio);
  Value angle = atanReduced(f, reduced);
  angle = f.select(isWide, addToQuarters(f, 1, angle), angle);
  return f.select(isSteep, addToQuarters(f, 2, f.neg(angle)), angle);
}

Value nm::expandAtan2(FloatBuilder &f, Value y, Value x) {
  Value angle = angleInFirstQuadrant(f, f.abs(y), f.abs(x));
  // The sign of x counts where x is a zero, too.
  Value isLeft = f.less(f.copySign(f.real(1.0), x), f.real(0.0));
  angle = f.select(isLeft, addToQuarters(f, 4, f.neg(angle)), angle);
  Value isInvalid = f.logicalOr(f.isNaN(x), f.isNaN(y));
  return f.select(isInvalid, f.add(x, y), f.copySign(angle, y));
}

Value nm::expandAtan(FloatBuilder &f, Value x) {
  return expandAtan2(f, x, f.real(1.0));
}

/// sqrt(1 - x^2); NaN outside of [-1, 1].
static Value oppositeLeg(FloatBuilder &f, Value x) {
  Value one = f.real(1.0);
  return f.sqrt(f.mul(f.sub(one, x), f.add(one, x)));
}

Value nm::expandAsin(FloatBuilder &f, Value x) {
  return expandAtan2(f, x, oppositeLeg(f, x));
}

Value nm::expandAcos(FloatBuilder &f, Value x) {
  return expandAtan2(f, oppositeLeg(f, x), x);
}
