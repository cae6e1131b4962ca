//===- Interpreter.cpp - Executes functions without folding ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace nm::folds;

bool Interpreter::stop(Status why, Operation *op, const char *text) {
  status = why;
  reason = op->getName().getStringRef().str() + ": " + text;
  return false;
}

Data Interpreter::getAll(ValueRange range) const {
  return llvm::map_to_vector<4>(range, [&](Value value) { return get(value); });
}

bool Interpreter::setResults(Operation *op, Data data) {
  if (data.size() != op->getNumResults())
    return stop(Status::Unknown, op, "another number of results");
  for (auto [result, datum] : llvm::zip_equal(op->getResults(), data)) {
    if (!checkType(op, datum, result.getType()))
      return false;
    set(result, std::move(datum));
  }
  return true;
}

bool Interpreter::getInteger(Operation *op, Value value, int64_t &number) {
  const Scalar &scalar = get(value).scalar();
  if (scalar.isPoison)
    return undefined(op, "poison");
  number = scalar.bits.getSExtValue();
  return true;
}

bool Interpreter::getIntegers(Operation *op, ValueRange range,
                              llvm::SmallVectorImpl<int64_t> &numbers) {
  for (Value value : range)
    if (!getInteger(op, value, numbers.emplace_back()))
      return false;
  return true;
}

bool Interpreter::getMixed(Operation *op, llvm::ArrayRef<OpFoldResult> range,
                           llvm::SmallVectorImpl<int64_t> &numbers) {
  for (OpFoldResult part : range) {
    if (auto attribute = dyn_cast<Attribute>(part))
      numbers.push_back(cast<IntegerAttr>(attribute).getInt());
    else if (!getInteger(op, cast<Value>(part), numbers.emplace_back()))
      return false;
  }
  return true;
}

bool Interpreter::getExtents(Operation *op, Type type, ValueRange dynamic,
                             Extents &extents) {
  llvm::SmallVector<int64_t> sizes;
  if (!getIntegers(op, dynamic, sizes))
    return false;
  auto *next = sizes.begin();
  for (int64_t extent : cast<RankedTensorType>(type).getShape()) {
    extents.push_back(ShapedType::isDynamic(extent) ? *next++ : extent);
    if (extents.back() < 0 || extents.back() > kMostElements)
      return undefined(op, "negative or vast extent");
  }
  if (countElements(extents) > kMostElements)
    return stop(Status::TooLong, op, "vast tensor");
  return true;
}

bool Interpreter::checkType(Operation *op, const Datum &datum, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return true;
  if (tensor.getRank() != static_cast<int64_t>(datum.extents.size()))
    return undefined(op, "another rank than its type's");
  for (auto [extent, size] : llvm::zip_equal(tensor.getShape(), datum.extents))
    if (!ShapedType::isDynamic(extent) && extent != size)
      return undefined(op, "another extent than its type's");
  return true;
}

bool Interpreter::checkPosition(Operation *op, llvm::ArrayRef<int64_t> position,
                                llvm::ArrayRef<int64_t> extents) {
  for (auto [coordinate, extent] : llvm::zip_equal(position, extents))
    if (coordinate < 0 || coordinate >= extent)
      return undefined(op, "out of bounds");
  return true;
}

static Scalar toScalar(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return {integer.getValue()};
  if (auto flag = dyn_cast<BoolAttr>(attribute))
    return {llvm::APInt(1, flag.getValue())};
  return {cast<FloatAttr>(attribute).getValue().bitcastToAPInt()};
}

bool Interpreter::executeConstant(Operation *op) {
  if (isa<ub::PoisonOp>(op)) {
    if (isa<ShapedType>(op->getResult(0).getType()))
      return stop(Status::Unknown, op, "a tensor");
    set(op->getResult(0),
        Datum(Scalar::poison(getWidth(op->getResult(0).getType()))));
    return true;
  }
  Attribute value = op->getAttr("value");
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense) {
    set(op->getResult(0), Datum(toScalar(value)));
    return true;
  }
  // A fold may make one that MLIR itself does not allow.
  if (!dense.getType().hasStaticShape())
    return undefined(op, "elements of a type without extents");
  Datum datum;
  datum.extents.assign(dense.getType().getShape().begin(),
                       dense.getType().getShape().end());
  for (Attribute element : dense.getValues<Attribute>())
    datum.elements.push_back(toScalar(element));
  set(op->getResult(0), std::move(datum));
  return true;
}

bool Interpreter::executeElementwise(Operation *op) {
  const Datum *shaped = nullptr;
  for (Value operand : op->getOperands())
    if (isa<ShapedType>(operand.getType())) {
      if (shaped && shaped->extents != get(operand).extents)
        return undefined(op, "other extents");
      shaped = &get(operand);
    }
  size_t count = shaped ? shaped->elements.size() : 1;
  Data results(op->getNumResults());
  for (Datum &result : results)
    if (shaped)
      result.extents = shaped->extents;
  Scalars operands, computed;
  for (size_t place = 0; place < count; ++place) {
    operands.clear();
    for (Value operand : op->getOperands())
      operands.push_back(
          get(operand)
              .elements[isa<ShapedType>(operand.getType()) ? place : 0]);
    if (Status end = evaluateScalarOp(op, operands, computed);
        end != Status::Defined)
      return stop(end, op, "no value");
    for (auto [result, scalar] : llvm::zip_equal(results, computed))
      result.elements.push_back(scalar);
  }
  return setResults(op, std::move(results));
}

static std::optional<int64_t> evaluate(AffineExpr expression,
                                       llvm::ArrayRef<int64_t> operands,
                                       unsigned dimensions) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto dimension = dyn_cast<AffineDimExpr>(expression))
    return operands[dimension.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[dimensions + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  auto left = evaluate(binary.getLHS(), operands, dimensions);
  auto right = evaluate(binary.getRHS(), operands, dimensions);
  if (!left || !right)
    return std::nullopt;
  llvm::APInt a(64, *left, true), b(64, *right, true);
  if (expression.getKind() == AffineExprKind::Add)
    return (a + b).getSExtValue();
  if (expression.getKind() == AffineExprKind::Mul)
    return (a * b).getSExtValue();
  if (*right <= 0)
    return std::nullopt;
  int64_t rest = *left % *right;
  if (expression.getKind() == AffineExprKind::Mod)
    return rest < 0 ? rest + *right : rest;
  if (expression.getKind() == AffineExprKind::FloorDiv)
    return *left / *right - (rest < 0);
  return *left / *right + (rest > 0);
}

bool Interpreter::executeAffine(Operation *op, bool &isKnown) {
  AffineMap map;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getMap();
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getMap();
  isKnown = static_cast<bool>(map);
  llvm::SmallVector<int64_t> operands;
  if (!isKnown || !getIntegers(op, op->getOperands(), operands))
    return false;
  std::optional<int64_t> result;
  for (AffineExpr expression : map.getResults()) {
    auto value = evaluate(expression, operands, map.getNumDims());
    if (!value)
      return undefined(op, "division by no positive number");
    if (!result)
      result = value;
    else
      result = isa<affine::AffineMinOp>(op) ? std::min(*result, *value)
                                            : std::max(*result, *value);
  }
  set(op->getResult(0), Datum({llvm::APInt(64, *result, true)}));
  return true;
}

bool Interpreter::execute(Operation *op) {
  if (opsLeft-- == 0)
    return stop(Status::TooLong, op, "too many ops");
  if (op->hasTrait<OpTrait::ConstantLike>())
    return executeConstant(op);
  if (isScalarOp(op))
    return executeElementwise(op);
  // The loop of the op around sets it.
  if (isa<linalg::IndexOp>(op))
    return true;
  for (auto method : {&Interpreter::executeControl, &Interpreter::executeTensor,
                      &Interpreter::executeAffine}) {
    bool isKnown = false;
    bool succeeded = (this->*method)(op, isKnown);
    if (isKnown)
      return succeeded;
  }
  return stop(Status::Unknown, op, "unknown op");
}
