//===- StoreEpilogue.cpp - From sums to elements of C ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreEpilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

StoreEpilogue::StoreEpilogue(TileStoreOp op)
    : op(op), b(op.getLoc(), op),
      featureMajor(op.getCLayout() == Layout::FeatureMajor),
      element(cast<MemRefType>(op.getDestination().getType()).getElementType()),
      epilogueType(getEpilogueType(op.getValue().getType().getElementType(),
                                   bool(op.getScale()))),
      math(chooseEpilogueMath(getSchedule(op->getParentOfType<gpu::LaunchOp>()),
                              element)) {
  FragmentType type = op.getValue().getType();
  Value c = op.getDestination();
  guardM = needsGuard(c, featureMajor ? 1 : 0, type.getM());
  guardN = needsGuard(c, featureMajor ? 0 : 1, type.getN());
}

StoreEpilogue::Column StoreEpilogue::loadColumn(Value n) {
  Value scale = loadElement(op.getScale(), n);
  Value bias = loadElement(op.getBias(), n);
  return {scale, bias};
}

/// Element `n` of `vector`, zero beyond its extent; null where `vector` is.
Value StoreEpilogue::loadElement(Value vector, Value n) {
  if (!vector)
    return vector;
  Type type = cast<MemRefType>(vector.getType()).getElementType();
  Value inside;
  if (needsGuard(vector, 0, op.getValue().getType().getN()))
    inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, n,
                                   dimOf(b, vector, 0));
  Value value = selectOrZero(b, inside, type, [&]() -> Value {
    return memref::LoadOp::create(b, vector, ValueRange{n});
  });
  return convertNumber(b, value, epilogueType);
}

Value StoreEpilogue::finish(Value sum, const Column &column) {
  Value value = convertNumber(b, sum, epilogueType);
  if (column.scale)
    value = createMul(b, value, column.scale);
  if (column.bias)
    value = createAdd(b, value, column.bias);
  return createEpilogue(b, op.getEpilogue(), value, math);
}

Guard StoreEpilogue::getGuard() const {
  return {featureMajor ? guardN : guardM, featureMajor ? guardM : guardN};
}

bool StoreEpilogue::isOneAccess(int64_t width) {
  return nm::isOneAccess(op.getDestination(), width, getGuard());
}

Value StoreEpilogue::round(ArrayRef<Value> values) {
  auto type = VectorType::get({int64_t(values.size())}, epilogueType);
  Value vector = vector::FromElementsOp::create(b, type, values);
  return convertNumber(b, vector, element);
}

void StoreEpilogue::store(ArrayRef<Value> values, Value m, Value n) {
  Value i = featureMajor ? n : m, j = featureMajor ? m : n;
  int64_t width = values.size();
  Value vector = vector::FromElementsOp::create(
      b, VectorType::get({width}, epilogueType), values);
  if (op.getResidual()) {
    Value residual =
        loadVector(b, op.getResidual(), i, j, 1, width, getGuard());
    vector = createCombine(b, op.getCombine(), vector,
                           convertNumber(b, residual, epilogueType));
  }
  storeElements(convertNumber(b, vector, element), m, n);
}

void StoreEpilogue::storeBits(ArrayRef<Value> words, Value m, Value n) {
  int64_t count = words.size();
  Value bits = vector::FromElementsOp::create(
      b, VectorType::get({count}, b.getI32Type()), words);
  auto type = VectorType::get({32 * count / getElementBits()}, element);
  storeElements(vector::BitCastOp::create(b, type, bits), m, n);
}

void StoreEpilogue::storeElements(Value vector, Value m, Value n) {
  storeVector(b, vector, op.getDestination(), featureMajor ? n : m,
              featureMajor ? m : n, getGuard());
}
