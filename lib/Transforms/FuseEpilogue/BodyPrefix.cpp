//===- BodyPrefix.cpp - What a product can do of a generic's body ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPrefix.h"
#include "Activation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/ScalarForm.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace nm;

namespace {
class PrefixFinder {
public:
  PrefixFinder(linalg::GenericOp op, OpOperand &product, unsigned column,
               EpilogueStep last)
      : op(op), productMap(op.getMatchingIndexingMap(&product)),
        columnMap(
            AffineMap::get(op.getNumLoops(), 0, productMap.getResult(column))) {
    prefix.last = last;
    prefix.value = op.getMatchingBlockArgument(&product);
    // What sums of integers, or of narrower floats, become is f32.
    sums = prefix.value.getType();
    if (!isAccumulator(sums) || isa<IntegerType>(sums))
      sums = Float32Type::get(op.getContext());
  }

  BodyPrefix find() {
    do
      followCasts();
    while (takeActivation() || takeBinary());
    if (prefix.stop.empty() && !isYielded())
      prefix.stop = "what follows is none of the known activations";
    return std::move(prefix);
  }

private:
  bool isYielded() const {
    return prefix.value.hasOneUse() &&
           isa<linalg::YieldOp>(*prefix.value.user_begin());
  }
  bool isOutputType(Type type) const { return isProductResult(sums, type); }
  void followCasts();
  bool takeActivation();
  bool takeBinary();
  bool takeScale(Columns factor);
  bool takeBias(Columns term);
  bool takeResidual(Value other, Combine combine);
  Columns getColumns(Value other);
  /// The operand of the op that `value` is in the body, perhaps behind casts;
  /// null for anything else.
  OpOperand *getOperand(Value value);
  bool refuse(const Twine &reason) {
    prefix.stop = reason.str();
    return false;
  }
  bool advance(EpilogueStep step, StringRef name, Value value) {
    prefix.last = step;
    prefix.value = value;
    prefix.names.push_back(name);
    return true;
  }

  linalg::GenericOp op;
  AffineMap productMap, columnMap;
  /// The float type of the sums.
  Type sums;
  BodyPrefix prefix;
  /// The result of the op that is looked at.
  Value next;
};
} // namespace

static bool isFloatCast(Operation *cast) {
  return isa<arith::ExtFOp, arith::TruncFOp>(cast);
}

/// Rounding to a smaller type is a step; widening only matters to the steps
/// that follow, and is left in the body when there are none.
void PrefixFinder::followCasts() {
  Value value = prefix.value;
  while (value.hasOneUse() && isFloatCast(*value.user_begin())) {
    Operation *cast = *value.user_begin();
    value = cast->getResult(0);
    if (!isOutputType(value.getType()))
      return;
    bool isRounding = isa<arith::TruncFOp>(cast);
    // The residual is of C's type.
    if (isRounding && prefix.last == EpilogueStep::residual)
      return;
    if (isRounding)
      advance(prefix.last, "cast", value);
  }
}

/// The value after the casts that follow the prefix.
static Value skipCasts(Value value) {
  while (value.hasOneUse() && isFloatCast(*value.user_begin()))
    value = (*value.user_begin())->getResult(0);
  return value;
}

/// The f32 that sums of integers become next; anything else as it is.
static Value skipConversion(Value value) {
  if (value.hasOneUse() && value.getType().isInteger(32))
    if (auto conversion = dyn_cast<arith::SIToFPOp>(*value.user_begin()))
      if (conversion.getType().isF32())
        return conversion;
  return value;
}

bool PrefixFinder::takeActivation() {
  if (prefix.last >= EpilogueStep::activation)
    return false;
  std::optional<Activation> found = findActivation(skipCasts(prefix.value));
  if (!found || !isOutputType(found->result.getType()))
    return false;
  prefix.epilogue = found->kind;
  return advance(EpilogueStep::activation, stringifyEnum(found->kind),
                 found->result);
}

OpOperand *PrefixFinder::getOperand(Value value) {
  while (Operation *cast = value.getDefiningOp()) {
    if (!isFloatCast(cast))
      return nullptr;
    value = cast->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
    return nullptr;
  return op.getMatchingOpOperand(argument);
}

Columns PrefixFinder::getColumns(Value other) {
  if (std::optional<double> constant = getConstantFloat(other))
    return *constant;
  OpOperand *operand = getOperand(other);
  if (operand && op.getMatchingIndexingMap(operand) == columnMap &&
      isa<RankedTensorType>(operand->get().getType()))
    return operand->get();
  return {};
}

bool PrefixFinder::takeScale(Columns factor) {
  if (prefix.last > EpilogueStep::bias)
    return refuse("the scale follows an activation or a residual");
  if (!isNone(prefix.scale))
    return refuse("there are two scales");
  prefix.scale = factor;
  if (prefix.last == EpilogueStep::bias)
    prefix.scaleOfBias = factor;
  return advance(std::max(prefix.last, EpilogueStep::scale), "scale", next);
}

bool PrefixFinder::takeBias(Columns term) {
  if (prefix.last >= EpilogueStep::bias)
    return refuse("the bias follows another bias, an activation or a residual");
  prefix.bias = term;
  return advance(EpilogueStep::bias, "bias", next);
}

bool PrefixFinder::takeResidual(Value other, Combine combine) {
  OpOperand *operand = getOperand(other);
  if (!operand)
    return refuse("the other operand is computed in the same op");
  if (op.getMatchingIndexingMap(operand) != productMap)
    return refuse("operand #" + Twine(operand->getOperandNumber()) +
                  " lies neither as the product nor along its columns");
  if (prefix.last == EpilogueStep::residual)
    return refuse("there are two residuals");
  if (getElementTypeOrSelf(operand->get()) != next.getType())
    return refuse("the residual is not of the result's type");
  prefix.residual = operand->get();
  prefix.combine = combine;
  return advance(EpilogueStep::residual,
                 combine == Combine::Add ? "residual" : "gate", next);
}

bool PrefixFinder::takeBinary() {
  Value number = skipConversion(prefix.value), value = skipCasts(number);
  if (!value.hasOneUse())
    return value.use_empty() ? false
                             : refuse("what follows is none of the known "
                                      "activations");
  OpOperand &use = *value.use_begin();
  Operation *user = use.getOwner();
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(user))
    return false;
  next = user->getResult(0);
  if (!isOutputType(next.getType()))
    return refuse("the type " + llvm::formatv("{0}", next.getType()).str() +
                  " is none of a result");
  Value other = user->getOperand(1 - use.getOperandNumber());
  if (other == value)
    return false;
  Columns columns = getColumns(other);
  if (number != prefix.value &&
      (!isa<arith::MulFOp, arith::DivFOp>(user) || isNone(columns)))
    return refuse("only a scale, a constant or one number a column, makes "
                  "floats of sums of integers");
  if (isa<arith::AddFOp>(user))
    return isNone(columns) ? takeResidual(other, Combine::Add)
                           : takeBias(columns);
  if (isa<arith::MulFOp>(user))
    return isNone(columns) ? takeResidual(other, Combine::Mul)
                           : takeScale(columns);
  // x - c and x / c with a constant.
  auto *constant = std::get_if<double>(&columns);
  if (!constant || use.getOperandNumber() != 0)
    return false;
  if (isa<arith::SubFOp>(user))
    return takeBias(-*constant);
  double inverse = 1 / *constant;
  return std::isnormal(static_cast<float>(inverse)) && takeScale(inverse);
}

BodyPrefix nm::findPrefix(linalg::GenericOp op, OpOperand &product,
                          unsigned column, EpilogueStep last) {
  return PrefixFinder(op, product, column, last).find();
}
