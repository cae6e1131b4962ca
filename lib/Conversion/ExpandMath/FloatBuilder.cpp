//===- FloatBuilder.cpp - Short names for f32 arithmetic ------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace nm;

Type FloatBuilder::withElement(Type element) const {
  if (auto vector = dyn_cast<VectorType>(floatType))
    return vector.clone(element);
  return element;
}

Value FloatBuilder::real(double value) {
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(floatType), value);
  if (auto vector = dyn_cast<VectorType>(floatType))
    attr = SplatElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value FloatBuilder::integer(int64_t value) {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(intType), value);
  if (auto vector = dyn_cast<VectorType>(intType))
    attr = SplatElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value FloatBuilder::add(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}
Value FloatBuilder::sub(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}
Value FloatBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}
Value FloatBuilder::div(Value x, Value y) {
  if (relaxed)
    return mul(x, intrinsic("llvm.nvvm.rcp.approx.ftz.f", {y}));
  return arith::DivFOp::create(b, x, y);
}
Value FloatBuilder::neg(Value x) { return arith::NegFOp::create(b, x); }
Value FloatBuilder::min(Value x, Value y) {
  return arith::MinimumFOp::create(b, x, y);
}
Value FloatBuilder::max(Value x, Value y) {
  return arith::MaximumFOp::create(b, x, y);
}

Value FloatBuilder::intrinsic(StringRef name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, operands.front().getType(),
                                       b.getStringAttr(name), operands)
      .getResult(0);
}

Value FloatBuilder::compare(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, predicate, x, y);
}
Value FloatBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, condition, x, y);
}
Value FloatBuilder::logicalAnd(Value x, Value y) {
  return arith::AndIOp::create(b, x, y);
}
Value FloatBuilder::logicalOr(Value x, Value y) {
  return arith::OrIOp::create(b, x, y);
}

Value FloatBuilder::bits(Value x) {
  return arith::BitcastOp::create(b, intType, x);
}
Value FloatBuilder::fromBits(Value x) {
  return arith::BitcastOp::create(b, floatType, x);
}
Value FloatBuilder::toFloat(Value x) {
  return arith::SIToFPOp::create(b, floatType, x);
}
Value FloatBuilder::addInt(Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
Value FloatBuilder::subInt(Value x, Value y) {
  return arith::SubIOp::create(b, x, y);
}
Value FloatBuilder::shiftLeft(Value x, int64_t count) {
  return arith::ShLIOp::create(b, x, integer(count));
}
Value FloatBuilder::shiftRight(Value x, int64_t count) {
  return arith::ShRSIOp::create(b, x, integer(count));
}
Value FloatBuilder::andInt(Value x, int64_t mask) {
  return arith::AndIOp::create(b, x, integer(mask));
}
Value FloatBuilder::divInt(Value x, int64_t divisor) {
  return arith::DivUIOp::create(b, x, integer(divisor));
}
Value FloatBuilder::equalInt(Value x, int64_t value) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, integer(value));
}

Value FloatBuilder::polynomial(Value x, ArrayRef<double> c) {
  Value sum = real(c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, real(coefficient));
  return sum;
}

std::pair<Value, Value> FloatBuilder::roundScaled(Value x, double scale) {
  double shift = isF32() ? 0x1.8p23 : 0x1.8p52;
  int64_t shiftBits = isF32() ? 0x4B400000 : 0x4338000000000000;
  Value shifted = fma(x, real(scale), real(shift));
  return {sub(shifted, real(shift)), subInt(bits(shifted), integer(shiftBits))};
}

SmallVector<double> nm::inverseFactorials(int first, int step, int count) {
  SmallVector<double> result;
  double factorial = 1; // exact up to 22!
  for (int i = 2; i <= first; ++i)
    factorial *= i;
  for (int term = 0; term < count; ++term) {
    bool isNegative = step == 2 && term % 2 != 0;
    result.push_back((isNegative ? -1 : 1) / factorial);
    for (int i = 0; i < step; ++i)
      factorial *= ++first;
  }
  return result;
}
