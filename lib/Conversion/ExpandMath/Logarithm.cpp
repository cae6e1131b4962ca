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

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;
static constexpr float kLog2E = 0x1.715476p0f, kLog10E = 0x1.bcb7b2p-2f;
/// What kLog2E leaves out.
static constexpr float kLog2ELow = 0x1.4ae0cp-26f;

namespace {
/// x = 2^exponent * (1 + fraction), with 1 + fraction between sqrt(1/2) and
/// sqrt(2); exact for every positive finite x.
struct Decomposed {
  Value exponent, fraction;
};
} // namespace

static Decomposed decompose(FloatBuilder &f, Value x) {
  constexpr int32_t kSqrtHalfBits = 0x3f3504f3;
  Value isSubnormal = f.less(x, f.real(0x1p-126f));
  Value normal = f.select(isSubnormal, f.mul(x, f.real(0x1p23f)), x);
  Value bits = f.bits(normal);
  Value exponent = f.shiftRight(f.subInt(bits, f.integer(kSqrtHalfBits)), 23);
  Value mantissa = f.fromBits(f.subInt(bits, f.shiftLeft(exponent, 23)));
  Value bias = f.select(isSubnormal, f.real(-23.0f), f.real(0.0f));
  return {f.add(f.toFloat(exponent), bias), f.sub(mantissa, f.real(1.0f))};
}

/// log(1 + r) - r for r in [-0.2929, 0.4143].
static Value log1pTail(FloatBuilder &f, Value r) {
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
  Value nan = f.real(std::numeric_limits<float>::quiet_NaN());
  return f.select(invalid, nan, result);
}

Value nm::expandLog(FloatBuilder &f, Value x) {
  auto [e, r] = decompose(f, x);
  Value low = f.fma(e, f.real(kLn2Low), log1pTail(f, r));
  Value result = f.fma(e, f.real(kLn2High), f.add(r, low));
  return handleSpecial(f, x, result);
}

Value nm::expandLog2(FloatBuilder &f, Value x) {
  auto [e, r] = decompose(f, x);
  // (r + tail) * log2(e), the product by r in two parts: near x = 1 nothing
  // else is left. A power of two gives its exponent exactly.
  Value high = f.mul(r, f.real(kLog2E));
  Value rest = f.fma(r, f.real(kLog2E), f.neg(high));
  rest = f.fma(r, f.real(kLog2ELow), rest);
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
