//===- CubeRoot.cpp - cbrt ------------------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include <limits>

using namespace mlir;
using namespace nm;

Value nm::expandCbrt(FloatBuilder &f, Value x) {
  Value a = f.abs(x);
  // A subnormal number is scaled by a power of 8.
  Value isTiny = f.less(a, f.real(0x1p-126f, 0x1p-1022));
  Value scaled = f.select(isTiny, f.mul(a, f.real(0x1p24f, 0x1p54)), a);
  // A third of the bits is a third of the exponent, and of the mantissa nearly;
  // the constant is what is left of the bias, less what makes the error, 3 %,
  // equal to both sides.
  Value y = f.fromBits(
      f.addInt(f.divInt(f.bits(scaled), 3),
               f.integer(f.isF32() ? 709958130 : 0x2a9f7893782da1ce)));
  // Halley's iteration triples the right digits: y + y (r - y) / (2y + r) with
  // r = a / y^2, which unlike y^3 does not overflow, and is exact next to y.
  Value two = f.real(2.0);
  for (int i = 0, e = f.isF32() ? 2 : 3; i < e; ++i) {
    Value ratio = f.div(scaled, f.mul(y, y));
    Value step = f.div(f.sub(ratio, y), f.fma(y, two, ratio));
    y = f.fma(y, step, y);
  }
  y = f.select(isTiny, f.mul(y, f.real(0x1p-8f, 0x1p-18)), y);
  Value infinity = f.real(std::numeric_limits<double>::infinity());
  // Zero, infinities and NaN are their own roots.
  Value isOrdinary =
      f.logicalAnd(f.compare(arith::CmpFPredicate::OGT, a, f.real(0.0)),
                   f.less(a, infinity));
  return f.select(isOrdinary, f.copySign(y, x), x);
}
