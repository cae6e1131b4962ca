//===- Exponential.cpp - exp, exp2, expm1, tanh ---------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"

using namespace mlir;
using namespace nm;

static constexpr double kLog2E = 0x1.71547652b82fep+0;
static constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// exp(r) for |r| <= 0.3486, to 0.6 ulp.
static Value expReduced(FloatBuilder &f, Value r) {
  Value high = f.polynomial(r,
                            {0.49999994f, 0.166665167f, 0.0416684262f,
                             0.00836912356f, 0.00138137571f},
                            inverseFactorials(2, 1, 12));
  Value small = f.fma(f.mul(r, r), high, r);
  return f.add(f.real(1.0f), small);
}

/// y * 2^n for |n| < 300 (2200 in f64), rounded once where the result is
/// subnormal.
static Value scaleByPower(FloatBuilder &f, Value y, Value n) {
  auto powerOfTwo = [&](Value exponent) {
    int64_t bias = f.isF32() ? 127 : 1023;
    return f.fromBits(
        f.shiftLeft(f.addInt(exponent, f.integer(bias)), f.isF32() ? 23 : 52));
  };
  Value half = f.shiftRight(n, 1);
  Value scaled = f.mul(y, powerOfTwo(half));
  return f.mul(scaled, powerOfTwo(f.subInt(n, half)));
}

/// Beyond these the result is 0 or infinite. NaN stays, and is NaN whatever it
/// is multiplied by then.
static Value clamp(FloatBuilder &f, Value x, Value low, Value high) {
  return f.max(f.min(x, high), low);
}

/// exp(x) = 2^j 2^(x log2 e - j) in f32, where j is an integer whose power is a
/// normal number. Beyond those the second power is far from 1, and 0 or
/// infinite in the end. The product with log2 e has a second part, as it loses
/// |x| 2^-24 of the result otherwise.
static Value expByExp2(FloatBuilder &f, Value x) {
  Value product = f.mul(x, f.real(kLog2E));
  if (f.isRelaxed())
    return f.exp2(product);
  auto [j, jInt] =
      f.roundScaled(clamp(f, product, f.real(-126.0), f.real(127.0)), 1.0);
  Value rest = f.fma(x, f.real(0x1.715476p+0), f.neg(j));
  rest = f.fma(x, f.real(0x1.4ae0cp-26), rest);
  Value power = f.fromBits(f.shiftLeft(f.addInt(jInt, f.integer(127)), 23));
  return f.mul(f.exp2(rest), power);
}

Value nm::expandExp(FloatBuilder &f, Value x) {
  return f.hasExp2() ? expByExp2(f, x) : expandExactExp(f, x);
}

Value nm::expandExactExp(FloatBuilder &f, Value x) {
  Value clamped = clamp(f, x, f.real(-110.0f, -760.0), f.real(100.0f, 720.0));
  auto [n, nInt] = f.roundScaled(clamped, kLog2E);
  // ln 2 in two parts; n times the first is exact.
  Value r = f.fma(n, f.real(-0x1.62e4p-1f, -0x1.62e42feep-1), clamped);
  r = f.fma(n, f.real(-0x1.7f7d1cp-20f, -0x1.a39ef35793c76p-33), r);
  return scaleByPower(f, expReduced(f, r), nInt);
}

Value nm::expandExp2(FloatBuilder &f, Value x) {
  Value clamped = clamp(f, x, f.real(-160.0f, -1100.0), f.real(140.0f, 1040.0));
  auto [n, nInt] = f.roundScaled(clamped, 1.0f);
  Value r = f.mul(f.sub(clamped, n), f.real(kLn2));
  return scaleByPower(f, expReduced(f, r), nInt);
}

Value nm::expandExpM1(FloatBuilder &f, Value x) {
  Value high = f.polynomial(x,
                            {0.5f, 0.166666672f, 0.0416666642f, 0.00833325461f,
                             0.00138890592f, 0.000199259564f, 2.47946737e-05f},
                            inverseFactorials(2, 1, 14));
  // At -0 the fma would give +0.
  Value near = f.copySign(f.fma(f.mul(x, x), high, x), x);
  Value far = f.sub(expandExactExp(f, x), f.real(1.0f));
  return f.select(f.less(f.abs(x), f.real(0.4f)), near, far);
}

Value nm::expandTanh(FloatBuilder &f, Value x) {
  Value a = f.abs(x);
  if (!f.isF32()) {
    // tanh a = m / (m + 2) with m = exp(2a) - 1, which is 1 from 19.1 on.
    Value two = f.real(2.0);
    Value m = expandExpM1(f, f.mul(f.min(a, f.real(20.0)), two));
    return f.copySign(f.div(m, f.add(m, two)), x);
  }
  Value square = f.mul(x, x);
  Value series =
      f.polynomial(square, {-0.333332807f, 0.133314416f, -0.0537397116f,
                            0.0206390806f, -0.00570497895f});
  Value near = f.fma(f.mul(series, square), x, x);
  // tanh a = 1 - 2 / (exp(2a) + 1), which is 1 in f32 from 9.02 on.
  Value one = f.real(1.0f);
  Value e = expandExp(f, f.mul(a, f.real(2.0f)));
  Value far = f.sub(one, f.div(f.real(2.0f), f.add(e, one)));
  Value result = f.select(f.less(a, f.real(0.625f)), near, far);
  return f.copySign(result, x);
}
