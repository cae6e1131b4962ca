//===- Remainder.cpp - arith.remf -----------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C's fmod, which is exact, as the division of integers that it is: with
// x = a * 2^p and y = b * 2^q the remainder is (a * 2^(p - q) mod b) * 2^q. The
// power of two is brought in as many bits at a time as 64 have room for beside
// b, which is one step for most arguments.
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace nm;

namespace {
/// A positive number: significand * 2^exponent, up to a bias of the exponent.
struct Parts {
  Value significand, exponent;
};

/// Arithmetic on the i64 that hold the parts.
class RemainderBuilder {
public:
  RemainderBuilder(ImplicitLocOpBuilder &b, FloatBuilder &f)
      : b(b), f(f), fractionBits(f.isF32() ? 23 : 52) {}

  Value build(Value x, Value y);

private:
  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Parts split(Value magnitude);
  Value reduce(Parts dividend, Parts divisor);

  ImplicitLocOpBuilder &b;
  FloatBuilder &f;
  int64_t fractionBits;
};
} // namespace

Parts RemainderBuilder::split(Value magnitude) {
  Value bits = f.bits(magnitude);
  if (f.isF32())
    bits = arith::ExtUIOp::create(b, b.getI64Type(), bits);
  Value field = arith::ShRUIOp::create(b, bits, constant(fractionBits));
  Value hidden = constant(int64_t(1) << fractionBits);
  Value fraction = arith::AndIOp::create(
      b, bits, constant((int64_t(1) << fractionBits) - 1));
  // A subnormal number has the exponent of the least normal ones.
  Value isNormal =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, field, constant(0));
  Value normal = arith::OrIOp::create(b, fraction, hidden);
  return {arith::SelectOp::create(b, isNormal, normal, fraction),
          arith::MaxUIOp::create(b, field, constant(1))};
}

/// The remainder of the significands, as an integer in units of the divisor's
/// exponent. The divisor's significand is not 0.
Value RemainderBuilder::reduce(Parts dividend, Parts divisor) {
  Value shift = arith::SubIOp::create(b, dividend.exponent, divisor.exponent);
  Value rest =
      arith::RemUIOp::create(b, dividend.significand, divisor.significand);
  Value step = constant(64 - (fractionBits + 1));
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getI64Type(), b.getI64Type()}, ValueRange{rest, shift},
      [&](OpBuilder &builder, Location loc, ValueRange carried) {
        Value isLeft = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::sgt, carried[1], constant(0));
        scf::ConditionOp::create(builder, loc, isLeft, carried);
      },
      [&](OpBuilder &builder, Location loc, ValueRange carried) {
        Value bits = arith::MinSIOp::create(builder, loc, carried[1], step);
        Value next = arith::ShLIOp::create(builder, loc, carried[0], bits);
        next = arith::RemUIOp::create(builder, loc, next, divisor.significand);
        Value left = arith::SubIOp::create(builder, loc, carried[1], bits);
        scf::YieldOp::create(builder, loc, ValueRange{next, left});
      });
  return loop.getResult(0);
}

Value RemainderBuilder::build(Value x, Value y) {
  Value magnitude = f.abs(x), divisor = f.abs(y);
  Value infinity = f.real(std::numeric_limits<double>::infinity());
  // NaN and infinite dividends, NaN and zero divisors.
  Value isDefined =
      f.logicalAnd(f.less(magnitude, infinity),
                   f.compare(arith::CmpFPredicate::OGT, divisor, f.real(0.0)));
  // The loop of what is known without ends at once: 1 divided by 1.
  Value isLess = f.less(magnitude, divisor);
  Value isDivided = f.logicalAnd(
      isDefined, f.compare(arith::CmpFPredicate::OGE, magnitude, divisor));
  Value one = f.real(1.0);
  magnitude = f.select(isDivided, magnitude, one);
  divisor = f.select(isDivided, divisor, one);
  Parts divisorParts = split(divisor);
  Value rest = reduce(split(magnitude), divisorParts);
  // A unit of the divisor's exponent is divisor / significand, exactly, and so
  // is every product here: the remainder is a number of the type.
  auto toFloat = [&](Value integer) -> Value {
    return arith::UIToFPOp::create(b, x.getType(), integer);
  };
  Value unit = f.div(divisor, toFloat(divisorParts.significand));
  Value result = f.mul(toFloat(rest), unit);
  result = f.select(isLess, f.abs(x), result);
  result = f.select(isDefined, result,
                    f.real(std::numeric_limits<double>::quiet_NaN()));
  return f.copySign(result, x);
}

Value nm::expandRemainder(ImplicitLocOpBuilder &b, FloatBuilder &f, Value x,
                          Value y) {
  return RemainderBuilder(b, f).build(x, y);
}
