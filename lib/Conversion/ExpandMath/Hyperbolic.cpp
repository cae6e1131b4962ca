//===- Hyperbolic.cpp - sinh, cosh and the inverse functions --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include <limits>

using namespace mlir;
using namespace nm;

static constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// exp(a) / 2 where exp(a) may be infinite and half of it is not, to 5 ulp.
static Value halfExp(FloatBuilder &f, Value a) {
  Value root = expandExactExp(f, f.mul(a, f.real(0.5)));
  return f.mul(f.mul(root, f.real(0.5)), root);
}

/// exp(-a) does not show beside exp(a) from here on.
static Value isFar(FloatBuilder &f, Value a) {
  return f.compare(arith::CmpFPredicate::OGT, a, f.real(20.0f, 40.0));
}

Value nm::expandSinh(FloatBuilder &f, Value x) {
  Value a = f.abs(x), half = f.real(0.5);
  // (m + m / (m + 1)) / 2 with m = exp(a) - 1.
  Value m = expandExpM1(f, a);
  Value near = f.mul(half, f.add(m, f.div(m, f.add(m, f.real(1.0)))));
  Value result = f.select(isFar(f, a), halfExp(f, a), near);
  return f.copySign(result, x);
}

Value nm::expandCosh(FloatBuilder &f, Value x) {
  Value a = f.abs(x), half = f.real(0.5);
  Value e = expandExactExp(f, a);
  Value near = f.fma(half, e, f.div(half, e));
  return f.select(isFar(f, a), halfExp(f, a), near);
}

/// From here on a^2 + 1, or a^2 - 1, is a^2 in the type.
static Value isSquareFar(FloatBuilder &f, Value a) {
  return f.compare(arith::CmpFPredicate::OGT, a, f.real(0x1p13f, 0x1p28));
}

Value nm::expandAsinh(FloatBuilder &f, Value x) {
  // log(a + sqrt(a^2 + 1)), with what is added to 1 + a written so that nothing
  // cancels.
  Value a = f.abs(x), one = f.real(1.0);
  Value root = f.sqrt(f.fma(a, a, one));
  Value near = expandLog1p(f, f.fma(a, f.div(a, f.add(one, root)), a));
  Value far = f.add(expandLog(f, a), f.real(kLn2));
  return f.copySign(f.select(isSquareFar(f, a), far, near), x);
}

Value nm::expandAcosh(FloatBuilder &f, Value x) {
  // log(x + sqrt(x^2 - 1)) with t = x - 1, which is exact near 1.
  Value t = f.sub(x, f.real(1.0));
  Value root = f.sqrt(f.fma(t, t, f.mul(t, f.real(2.0))));
  Value near = expandLog1p(f, f.add(t, root));
  Value far = f.add(expandLog(f, x), f.real(kLn2));
  // A number below 1 has no acosh; log1p gives one where t + root rounds to -1.
  Value isBelow = f.less(x, f.real(1.0));
  Value nan = f.real(std::numeric_limits<double>::quiet_NaN());
  return f.select(isBelow, nan, f.select(isSquareFar(f, x), far, near));
}

Value nm::expandAtanh(FloatBuilder &f, Value x) {
  // log((1 + a) / (1 - a)) / 2; 2a / (1 - a) is below -1 where a is above 1.
  Value a = f.abs(x);
  Value ratio = f.div(f.mul(a, f.real(2.0)), f.sub(f.real(1.0), a));
  return f.copySign(f.mul(f.real(0.5), expandLog1p(f, ratio)), x);
}
