//===- FloatOps.cpp - Ops on floats, and casts ----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nm::folds;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;

static APFloat toFloat(const Scalar &scalar, Type type) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  return APFloat(element.getFloatSemantics(), scalar.bits);
}

/// The four of maximum and minimum. Those with `num` in their names prefer a
/// number to a NaN, and may return either of two zeros.
static Scalar evaluateExtremum(Operation *op, const APFloat &a,
                               const APFloat &b) {
  bool isMaximum = isa<arith::MaximumFOp, arith::MaxNumFOp>(op);
  bool prefersNumbers = isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
  if (a.isNaN() || b.isNaN()) {
    bool takesA = a.isNaN() != prefersNumbers;
    if (a.isNaN() && b.isNaN())
      takesA = true;
    return {(takesA ? a : b).bitcastToAPInt()};
  }
  Scalar result{a.bitcastToAPInt()};
  if (a.isZero() && b.isZero()) {
    result.isPoison = prefersNumbers && a.isNegative() != b.isNegative();
    bool takesA = a.isNegative() != isMaximum;
    result.bits = (takesA ? a : b).bitcastToAPInt();
    return result;
  }
  bool isALess = a.compare(b) == APFloat::cmpLessThan;
  result.bits = (isALess != isMaximum ? a : b).bitcastToAPInt();
  return result;
}

static bool compare(arith::CmpFPredicate predicate, const APFloat &a,
                    const APFloat &b) {
  // The bits of a predicate: equal, greater, less, unordered.
  llvm::StringRef name = arith::stringifyCmpFPredicate(predicate);
  APFloat::cmpResult order = a.compare(b);
  if (name == "true" || name == "false")
    return name == "true";
  if (name == "ord" || name == "uno")
    return (order == APFloat::cmpUnordered) == (name == "uno");
  if (order == APFloat::cmpUnordered)
    return name.front() == 'u';
  llvm::StringRef relation = name.drop_front();
  if (relation == "eq" || relation == "ne")
    return (order == APFloat::cmpEqual) == (relation == "eq");
  if (order == APFloat::cmpEqual)
    return relation.ends_with("e");
  return (order == APFloat::cmpLessThan) == (relation.front() == 'l');
}

static bool evaluateArithmetic(Operation *op, APFloat &a, const APFloat &b) {
  if (isa<arith::AddFOp>(op))
    a.add(b, APFloat::rmNearestTiesToEven);
  else if (isa<arith::SubFOp>(op))
    a.subtract(b, APFloat::rmNearestTiesToEven);
  else if (isa<arith::MulFOp>(op))
    a.multiply(b, APFloat::rmNearestTiesToEven);
  else if (isa<arith::DivFOp>(op))
    a.divide(b, APFloat::rmNearestTiesToEven);
  else if (isa<arith::RemFOp>(op))
    a.mod(b);
  else
    return false;
  return true;
}

bool nm::folds::evaluateFloatOp(Operation *op, llvm::ArrayRef<Scalar> operands,
                                Scalars &results) {
  Type type = op->getOperand(0).getType();
  if (!isa<FloatType>(getElementTypeOrSelf(type)))
    return false;
  APFloat a = toFloat(operands[0], type);
  if (isa<arith::NegFOp>(op)) {
    a.changeSign();
    results.push_back({a.bitcastToAPInt()});
    return true;
  }
  if (operands.size() != 2)
    return false;
  APFloat b = toFloat(operands[1], type);
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    results.push_back({APInt(1, compare(cmp.getPredicate(), a, b))});
  } else if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                 arith::MinNumFOp>(op)) {
    results.push_back(evaluateExtremum(op, a, b));
  } else {
    if (!evaluateArithmetic(op, a, b))
      return false;
    results.push_back({a.bitcastToAPInt()});
  }
  return true;
}

/// A float as an integer, rounded to zero; poison out of its range.
static Scalar toInteger(const APFloat &value, unsigned width, bool isUnsigned) {
  APSInt integer(width, isUnsigned);
  bool isExact;
  APFloat::opStatus status =
      value.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  return {integer, status == APFloat::opInvalidOp};
}

static bool castFromFloat(Operation *op, const APFloat &value, Scalar &result) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    result = toInteger(value, getWidth(element), isa<arith::FPToUIOp>(op));
    return true;
  }
  if (isa<arith::BitcastOp>(op)) {
    // Nothing is said of which NaN an op returns.
    result = {value.bitcastToAPInt(),
              value.isNaN() && !isa<FloatType>(element)};
    return true;
  }
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return false;
  APFloat converted = value;
  bool isInexact;
  converted.convert(cast<FloatType>(element).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &isInexact);
  result = {converted.bitcastToAPInt()};
  return true;
}

static Scalar truncate(Operation *op, const APInt &value, unsigned width) {
  Scalar result{value.trunc(width)};
  if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    result.isPoison = (flagged.hasNoSignedWrap() &&
                       result.bits.sext(value.getBitWidth()) != value) ||
                      (flagged.hasNoUnsignedWrap() &&
                       result.bits.zext(value.getBitWidth()) != value);
  return result;
}

bool nm::folds::evaluateCast(Operation *op, const Scalar &operand,
                             Scalar &result) {
  Type from = op->getOperand(0).getType();
  if (isa<FloatType>(getElementTypeOrSelf(from)))
    return castFromFloat(op, toFloat(operand, from), result);
  const APInt &value = operand.bits;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  unsigned width = getWidth(element);
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    APFloat converted(cast<FloatType>(element).getFloatSemantics());
    converted.convertFromAPInt(value, isa<arith::SIToFPOp>(op),
                               APFloat::rmNearestTiesToEven);
    result = {converted.bitcastToAPInt()};
  } else if (isa<arith::BitcastOp>(op)) {
    result = {value};
  } else if (isa<arith::TruncIOp>(op)) {
    result = truncate(op, value, width);
  } else if (isa<arith::ExtSIOp, arith::IndexCastOp, index::CastSOp>(op)) {
    result = {value.sextOrTrunc(width)};
  } else if (isa<arith::ExtUIOp, arith::IndexCastUIOp, index::CastUOp>(op)) {
    result = {value.zextOrTrunc(width)};
  } else {
    return false;
  }
  return true;
}
