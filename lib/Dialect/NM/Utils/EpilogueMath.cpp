//===- EpilogueMath.cpp - Activations as arith and math ops ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/EpilogueMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

/// `value` as a number of the type of `x`.
static Value constant(ImplicitLocOpBuilder &b, Value x, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(x.getType(), value));
}

/// x / 2 (1 + t).
static Value halfTimesOnePlus(ImplicitLocOpBuilder &b, Value x, Value t) {
  Value half = arith::MulFOp::create(b, x, constant(b, x, 0.5));
  return arith::MulFOp::create(
      b, half, arith::AddFOp::create(b, t, constant(b, x, 1.0)));
}

static Value createRelu(ImplicitLocOpBuilder &b, Value x) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(x.getType()));
  if (isa<FloatType>(x.getType()))
    return arith::MaximumFOp::create(b, x, zero);
  return arith::MaxSIOp::create(b, x, zero);
}

static Value createGeluErf(ImplicitLocOpBuilder &b, Value x) {
  Value scaled =
      arith::MulFOp::create(b, x, constant(b, x, 0.70710678118654752));
  return halfTimesOnePlus(b, x, math::ErfOp::create(b, scaled));
}

static Value createGeluTanh(ImplicitLocOpBuilder &b, Value x) {
  Value square = arith::MulFOp::create(b, x, x);
  Value cube = arith::MulFOp::create(b, square, x);
  Value inner = arith::AddFOp::create(
      b, x, arith::MulFOp::create(b, cube, constant(b, x, 0.044715)));
  Value scaled =
      arith::MulFOp::create(b, inner, constant(b, x, 0.79788456080286536));
  return halfTimesOnePlus(b, x, math::TanhOp::create(b, scaled));
}

/// x / (1 + exp(-x)).
static Value createSilu(ImplicitLocOpBuilder &b, Value x) {
  Value exp = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  Value sum = arith::AddFOp::create(b, exp, constant(b, x, 1.0));
  return arith::DivFOp::create(b, x, sum);
}

//===----------------------------------------------------------------------===//
// Of f32
//===----------------------------------------------------------------------===//

// A thread has up to 128 sums, of which ptxas makes one block of code, so that
// each instruction of an activation takes it a hundredth of a second. All are
// made of one power of two, whose exponent is bounded, and one reciprocal.

static constexpr double kLog2E = 1.4426950408889634;

// -log2(erfc(a / sqrt 2) / 2) up to 8, and 2^r for |r| <= 1/2: coefficients of
// tools/scripts/fit_math.py, lowest degree first.
static constexpr double kTail[] = {1.0,
                                   1.15110433,
                                   0.459222734,
                                   0.0524238721,
                                   -0.00689646089,
                                   -7.08505468e-05,
                                   0.000335484918,
                                   -0.000102867329,
                                   1.86852976e-05,
                                   -2.24511064e-06,
                                   1.75026173e-07,
                                   -8.02667799e-09,
                                   1.64266184e-10};
static constexpr double kApproximateTail[] = {
    1.00004303,     1.15060997,     0.459956825,     0.0526353903,
    -0.00794458017, 0.000807248231, -4.82032701e-05, 1.26245709e-06};
static constexpr double kExp2[] = {1.0,           0.693147182,   0.240226462,
                                   0.0555032864,  0.00961848907, 0.00133999321,
                                   0.000153458124};

namespace {
/// Activations of an f32.
class Activation {
public:
  Activation(ImplicitLocOpBuilder &b, Value x, EpilogueMath math)
      : b(b), x(x), isExact(math == EpilogueMath::Exact) {}

  Value createSilu() {
    Value y = bound(-79.0);
    return gate(y, mul(y, real(-kLog2E)));
  }

  /// (1 + tanh y) / 2 = 1 / (1 + exp(-2y)).
  Value createGeluTanh() {
    constexpr double kScale = -2 * kLog2E * 0.79788456080286536;
    Value y = bound(-9.5);
    Value factor = fma(mul(y, y), real(kScale * 0.044715), real(kScale));
    return gate(y, mul(y, factor));
  }

  /// max(x, 0) - |x| erfc(|x| / sqrt 2) / 2, in which nothing cancels; beyond 8
  /// that is as good as 0.
  Value createGeluErf() {
    Value magnitude = math::AbsFOp::create(b, x);
    Value a = arith::MinNumFOp::create(b, magnitude, real(8.0));
    Value power =
        neg(polynomial(a, isExact ? ArrayRef(kTail) : kApproximateTail));
    return fma(neg(a), exp2(power), createRelu(b, x));
  }

private:
  Value real(double value) { return constant(b, x, value); }
  Value neg(Value y) { return arith::NegFOp::create(b, y); }
  Value add(Value y, Value z) { return arith::AddFOp::create(b, y, z); }
  Value sub(Value y, Value z) { return arith::SubFOp::create(b, y, z); }
  Value mul(Value y, Value z) { return arith::MulFOp::create(b, y, z); }
  Value fma(Value y, Value z, Value w) {
    return math::FmaOp::create(b, y, z, w);
  }
  Value bits(Value y) { return arith::BitcastOp::create(b, b.getI32Type(), y); }
  Value fromBits(Value y) {
    return arith::BitcastOp::create(b, b.getF32Type(), y);
  }
  Value integer(int64_t value) {
    return arith::ConstantIntOp::create(b, value, 32);
  }

  Value polynomial(Value y, ArrayRef<double> coefficients) {
    Value sum = real(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, y, real(c));
    return sum;
  }

  /// x, or `least` where that is more, below which an activation vanishes in
  /// f32. Approximate powers may be infinite.
  Value bound(double least) {
    return isExact ? arith::MaximumFOp::create(b, x, real(least)).getResult()
                   : x;
  }

  /// y / (1 + 2^power) for a power below 115.
  Value gate(Value y, Value power) {
    if (!isExact)
      return mul(y, arith::DivFOp::create(b, real(1.0),
                                          add(exp2(power), real(1.0)),
                                          arith::FastMathFlags::afn));
    Value bounded = arith::MaxNumFOp::create(b, power, real(-115.0));
    return mul(y, invert(add(exp2(bounded), real(1.0))));
  }

  /// 2^power; exact for |power| < 126.
  Value exp2(Value power) {
    if (!isExact)
      return math::Exp2Op::create(b, power, arith::FastMathFlags::afn);
    // The integer n next to it is then in the low bits, and moves from there
    // to the exponent.
    Value magic = real(0x1.8p+23);
    Value shifted = add(power, magic);
    Value fraction = sub(power, sub(shifted, magic));
    Value exponent = arith::ShLIOp::create(b, bits(shifted), integer(23));
    return fromBits(
        arith::AddIOp::create(b, bits(polynomial(fraction, kExp2)), exponent));
  }

  /// 1 / y for y from 1 to 2^120, within an ulp, without a branch, as a
  /// division has one for quotients that are subnormal. Newton's steps begin
  /// with the number whose exponent is the negated one.
  Value invert(Value y) {
    Value inverse =
        fromBits(arith::SubIOp::create(b, integer(0x7EF311C7), bits(y)));
    Value negated = neg(y);
    for (int step = 0; step < 3; ++step)
      inverse = fma(inverse, fma(negated, inverse, real(1.0)), inverse);
    return inverse;
  }

  ImplicitLocOpBuilder &b;
  Value x;
  bool isExact;
};
} // namespace

//===----------------------------------------------------------------------===//
// Of all types
//===----------------------------------------------------------------------===//

EpilogueMath nm::chooseEpilogueMath(ScheduleAttr schedule, Type result) {
  // Sums of other kinds have the same bits in the emulator and on a GPU, and
  // approximate instructions have not.
  bool isAlike = !isa<MmaSyncAttr>(schedule.getKind());
  bool isCoarse =
      isa<FloatType>(result) && result.getIntOrFloatBitWidth() <= 16;
  return isAlike || !isCoarse ? EpilogueMath::Exact : EpilogueMath::Approximate;
}

Value nm::createCombine(ImplicitLocOpBuilder &b, Combine combine, Value x,
                        Value residual) {
  switch (combine) {
  case Combine::Add:
    return createAdd(b, x, residual);
  case Combine::Mul:
    return createMul(b, x, residual);
  }
  llvm_unreachable("all ways to combine are handled");
}

Value nm::createEpilogue(ImplicitLocOpBuilder &b, Epilogue epilogue, Value x,
                         EpilogueMath math) {
  Activation ofSingle(b, x, math);
  bool isSingle = x.getType().isF32();
  switch (epilogue) {
  case Epilogue::None:
    return x;
  case Epilogue::Relu:
    return createRelu(b, x);
  case Epilogue::GeluErf:
    return isSingle ? ofSingle.createGeluErf() : createGeluErf(b, x);
  case Epilogue::GeluTanh:
    return isSingle ? ofSingle.createGeluTanh() : createGeluTanh(b, x);
  case Epilogue::Silu:
    return isSingle ? ofSingle.createSilu() : createSilu(b, x);
  }
  llvm_unreachable("all epilogues are handled");
}
