//===- RowQuotients.cpp - Elements divided by a number of their row -------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowQuotients.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nm;

/// Divisors from 2^-10 to 2^26 and quotients from 2^-90 to 2^90, in magnitude,
/// or zero are right. The product of the smallest ones, 2^-100, leaves the
/// remainder of a quotient 46 bits below it, which are 2^-146 or more, and f32
/// has 2^-149.
static constexpr int32_t kLeastDivisor = -10, kMostDivisor = 26;
static constexpr int32_t kLeastQuotient = -90, kMostQuotient = 90;

/// The bits of 2^`exponent` in f32.
static constexpr int32_t getBits(int32_t exponent) {
  return (exponent + 127) << 23;
}

namespace {
/// Creates ops on bits of f32.
class Bits {
public:
  explicit Bits(ImplicitLocOpBuilder &b) : b(b) {}

  Value constant(int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value of(Value number) {
    return arith::BitcastOp::create(b, b.getI32Type(), number);
  }
  Value toNumber(Value bits) {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }
  /// Whether `bits` are from `least` to `most`, neither of which has a sign.
  Value isBetween(Value bits, int32_t least, int32_t most) {
    Value beyond = arith::SubIOp::create(b, bits, constant(least));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, beyond,
                                 constant(most - least));
  }

private:
  ImplicitLocOpBuilder &b;
};
} // namespace

SmallVector<Value> nm::createQuotients(ImplicitLocOpBuilder &b,
                                       ArrayRef<Value> dividends,
                                       Value divisor) {
  Bits bits(b);
  Type type = b.getF32Type();
  Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
  Value minus = arith::NegFOp::create(b, divisor);
  Value guess = NVVM::RcpApproxFtzF32Op::create(b, type, divisor);
  Value error = math::FmaOp::create(b, minus, guess, one);
  Value reciprocal = math::FmaOp::create(b, guess, error, guess);

  Value sign = bits.constant(INT32_MIN), magnitude = bits.constant(INT32_MAX);
  // Zero is the largest number here, and least there, and right in both.
  Value least = bits.constant(-1), most = bits.constant(0);
  SmallVector<Value> quotients;
  for (Value dividend : dividends) {
    Value near = arith::MulFOp::create(b, dividend, reciprocal);
    Value rest = math::FmaOp::create(b, minus, near, dividend);
    Value quotient = math::FmaOp::create(b, rest, reciprocal, near);
    // A zero has lost its sign in the sum.
    Value ofDividend = arith::AndIOp::create(b, bits.of(dividend), sign);
    Value all = arith::OrIOp::create(b, bits.of(quotient), ofDividend);
    quotients.push_back(bits.toNumber(all));
    Value absolute = arith::AndIOp::create(b, all, magnitude);
    Value below = arith::SubIOp::create(b, absolute, bits.constant(1));
    least = arith::MinUIOp::create(b, least, below);
    most = arith::MaxUIOp::create(b, most, absolute);
  }
  Value isRight = bits.isBetween(bits.of(divisor), getBits(kLeastDivisor),
                                 getBits(kMostDivisor));
  isRight = arith::AndIOp::create(
      b, isRight,
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, least,
                            bits.constant(getBits(kLeastQuotient) - 1)));
  isRight = arith::AndIOp::create(
      b, isRight,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, most,
                            bits.constant(getBits(kMostQuotient))));
  auto choice = scf::IfOp::create(b, SmallVector<Type>(dividends.size(), type),
                                  isRight, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, quotients);
  b.setInsertionPointToStart(choice.elseBlock());
  SmallVector<Value> divided;
  for (Value dividend : dividends)
    divided.push_back(arith::DivFOp::create(b, dividend, divisor));
  scf::YieldOp::create(b, divided);
  return llvm::to_vector_of<Value>(choice.getResults());
}
