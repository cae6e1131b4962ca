//===- ExpandSmallFloats.cpp - Floats of 8 bits and fewer in f32 ----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no float of fewer than 16 bits: such a number is an integer to it,
// and only some GPUs have instructions for one. As the bits of all of them mean
// the same, but for how many there are, APFloat's description of a type is
// enough to convert it anywhere.
//
//===----------------------------------------------------------------------===//

#include "FloatBuilder.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "nm/Conversion/ExpandMath/Passes.h"

#include <cmath>

namespace nm {
#define GEN_PASS_DEF_NMEXPANDSMALLFLOATSPASS
#include "nm/Conversion/ExpandMath/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// A sign, an exponent and a fraction, from the top. Magnitudes grow with their
/// bits; infinity, where there is one, and NaN are above all numbers.
struct Layout {
  unsigned bits;
  unsigned fraction; // bits of it
  int bias;
  int64_t largest;  // number
  int64_t overflow; // infinity or, if there is none, NaN
  int64_t nan;

  int64_t sign() const { return int64_t(1) << (bits - 1); }
};
} // namespace

constexpr int kBits = 32, kFraction = 23, kBias = 127; // of f32
constexpr int64_t kInfinity = 0x7f800000;

static FloatType getSmallFloat(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 16 ? element : FloatType();
}

/// Nothing for types without a sign or NaN, and for those whose NaN is where
/// others have negative zero.
static std::optional<Layout> getLayout(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (!APFloat::semanticsHasSignedRepr(semantics) ||
      !APFloat::semanticsHasNaN(semantics))
    return std::nullopt;
  auto getBits = [](const APFloat &value) -> int64_t {
    return value.bitcastToAPInt().getZExtValue();
  };
  Layout layout;
  layout.bits = type.getWidth();
  layout.fraction = APFloat::semanticsPrecision(semantics) - 1;
  layout.bias = 1 - APFloat::semanticsMinExponent(semantics);
  layout.nan = getBits(APFloat::getNaN(semantics));
  if (layout.nan >= layout.sign())
    return std::nullopt;
  layout.largest = getBits(APFloat::getLargest(semantics));
  layout.overflow = getBits(APFloat::getInf(semantics));
  return layout;
}

static Value compareBits(ImplicitLocOpBuilder &b, FloatBuilder &f, Value x,
                         arith::CmpIPredicate predicate, int64_t value) {
  return arith::CmpIOp::create(b, predicate, x, f.integer(value));
}

/// `type`, f32 or a vector of it, with integers of the small float's width.
static Type getCodeType(ImplicitLocOpBuilder &b, FloatBuilder &f,
                        const Layout &from) {
  return f.withElement(b.getIntegerType(from.bits));
}

/// As bits of an f32 the exponent and the fraction are the number times a power
/// of two, subnormal numbers included.
static Value widen(ImplicitLocOpBuilder &b, Value x, const Layout &from) {
  Type wide = b.getF32Type();
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    wide = vector.clone(wide);
  FloatBuilder f(b, wide);
  Value code = arith::BitcastOp::create(b, getCodeType(b, f, from), x);
  code = arith::ExtUIOp::create(b, f.withElement(b.getI32Type()), code);
  Value magnitude = f.andInt(code, from.sign() - 1);
  Value sign = f.shiftLeft(f.andInt(code, from.sign()), kBits - from.bits);
  Value bits = f.shiftLeft(magnitude, kFraction - from.fraction);
  Value scale = f.real(std::ldexp(1.0, kBias - from.bias));
  Value number = f.bits(f.mul(f.fromBits(bits), scale));
  Value other = f.logicalOr(bits, f.integer(kInfinity));
  Value isNumber =
      compareBits(b, f, magnitude, arith::CmpIPredicate::ule, from.largest);
  return f.fromBits(f.logicalOr(f.select(isNumber, number, other), sign));
}

/// An f64 as an f32 whose rounding to fewer bits is that of the f64: one that
/// is inexact is rounded towards zero and gets an odd last bit.
static Value roundToOdd(ImplicitLocOpBuilder &b, Value x, Type wide) {
  FloatBuilder d(b, x.getType()), f(b, wide);
  Value nearest = arith::TruncFOp::create(b, wide, x);
  Value back = arith::ExtFOp::create(b, x.getType(), nearest);
  auto isTrue = [&](arith::CmpFPredicate predicate, Value left, Value right) {
    return arith::ExtUIOp::create(b, f.withElement(b.getI32Type()),
                                  d.compare(predicate, left, right));
  };
  Value grew = isTrue(arith::CmpFPredicate::OGT, d.abs(back), d.abs(x));
  Value inexact = isTrue(arith::CmpFPredicate::ONE, back, x);
  return f.fromBits(f.logicalOr(f.subInt(f.bits(nearest), grew), inexact));
}

/// Rounds the f32 `x` to nearest even.
static Value narrow(ImplicitLocOpBuilder &b, Value x, Type small,
                    const Layout &to) {
  FloatBuilder f(b, x.getType());
  Value bits = f.bits(x);
  Value magnitude = f.andInt(bits, INT32_MAX);
  Value sign = f.andInt(f.shiftRight(bits, kBits - to.bits), to.sign());
  // Half of the last bit that stays, less than that if it is even.
  int dropped = kFraction - to.fraction;
  int64_t bias = int64_t(kBias - to.bias) << kFraction;
  Value odd = f.andInt(f.shiftRight(magnitude, dropped), 1);
  Value half = f.integer((int64_t(1) << (dropped - 1)) - 1 - bias);
  Value normal =
      f.shiftRight(f.addInt(f.addInt(magnitude, half), odd), dropped);
  // The last bit of `one` is the smallest number, to which the sum is rounded.
  Value one =
      f.real(std::ldexp(1.0, 1 - to.bias - int(to.fraction) + kFraction));
  Value subnormal =
      f.subInt(f.bits(f.add(f.fromBits(magnitude), one)), f.bits(one));
  Value isSubnormal = compareBits(b, f, magnitude, arith::CmpIPredicate::ult,
                                  bias + (int64_t(1) << kFraction));
  Value code = f.select(isSubnormal, subnormal, normal);
  code = arith::MinSIOp::create(b, code, f.integer(to.overflow));
  Value isNaN =
      compareBits(b, f, magnitude, arith::CmpIPredicate::ugt, kInfinity);
  code = f.logicalOr(f.select(isNaN, f.integer(to.nan), code), sign);
  code = arith::TruncIOp::create(b, getCodeType(b, f, to), code);
  return arith::BitcastOp::create(b, small, code);
}

static LogicalResult convert(arith::ExtFOp op, const Layout &from) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value value = widen(b, op.getIn(), from);
  unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
  if (width > kBits)
    value = arith::ExtFOp::create(b, op.getType(), value);
  else if (width < kBits)
    value = arith::TruncFOp::create(b, op.getType(), value);
  op.replaceAllUsesWith(value);
  op.erase();
  return success();
}

static LogicalResult convert(arith::TruncFOp op, const Layout &to) {
  if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
      arith::RoundingMode::to_nearest_even)
    return op.emitOpError("unsupported: rounding to ")
           << getElementTypeOrSelf(op.getType())
           << " in another way than to nearest even";
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value value = op.getIn();
  Type wide = b.getF32Type();
  if (auto vector = dyn_cast<VectorType>(op.getType()))
    wide = vector.clone(wide);
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (width > kBits)
    value = roundToOdd(b, value, wide);
  else if (width < kBits)
    value = arith::ExtFOp::create(b, wide, value);
  op.replaceAllUsesWith(narrow(b, value, op.getType(), to));
  op.erase();
  return success();
}

/// Expands `op` if `small`, which it converts from or to, is a small float.
template <typename Op>
static LogicalResult expandConversion(Op op, Type small) {
  FloatType type = getSmallFloat(small);
  if (!type)
    return success();
  std::optional<Layout> layout = getLayout(type);
  if (!layout)
    return op.emitOpError("unsupported: conversion of ") << type;
  return convert(op, *layout);
}

/// Brings other arithmetic to f32 by conversions before and after it.
static LogicalResult emulate(Operation *root, ArrayRef<Type> types) {
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, types, Float32Type::get(root->getContext()));
  RewritePatternSet patterns(root->getContext());
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*root->getContext());
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  return applyPartialConversion(root, target, std::move(patterns));
}

namespace {
struct ExpandSmallFloats
    : nm::impl::NMExpandSmallFloatsPassBase<ExpandSmallFloats> {
  void runOnOperation() override {
    llvm::SmallSetVector<Type, 2> types;
    getOperation()->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (FloatType type = getSmallFloat(operand.getType()))
          types.insert(type);
      for (Type result : op->getResultTypes())
        if (FloatType type = getSmallFloat(result))
          types.insert(type);
    });
    if (types.empty())
      return;
    if (failed(emulate(getOperation(), types.getArrayRef())))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([](Operation *op) {
      LogicalResult expanded = success();
      if (auto extend = dyn_cast<arith::ExtFOp>(op))
        expanded = expandConversion(extend, extend.getIn().getType());
      else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
        expanded = expandConversion(truncate, truncate.getType());
      return failed(expanded) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
