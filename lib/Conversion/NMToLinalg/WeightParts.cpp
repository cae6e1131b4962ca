//===- WeightParts.cpp - Condensed weights as plain tensors ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"

using namespace mlir;
using namespace nm;

/// The parts of an nm.constant as arith.constants beside it.
static FailureOr<WeightParts> createConstants(ConstantOp op) {
  auto type = cast<CondensedType>(op.getType());
  auto emitError = [&] { return op.emitOpError(); };
  auto emitReason = [&](const Twine &reason) { op.emitOpError(reason); };
  if (failed(checkIndices(op.getIndices(), type, emitError)) ||
      failed(RawElements::get(op.getValues(), emitReason)) ||
      (op.getColumns() &&
       failed(RawElements::get(*op.getColumns(), emitReason))))
    return failure();
  OpBuilder builder(op);
  auto create = [&](ElementsAttr elements) -> Value {
    return arith::ConstantOp::create(builder, op.getLoc(),
                                     cast<TypedAttr>(elements));
  };
  WeightParts parts{type, create(op.getValues()), create(op.getIndices()),
                    Value()};
  if (op.getColumns())
    parts.columns = create(*op.getColumns());
  return parts;
}

FailureOr<WeightParts> WeightPartsCache::get(Value weight) {
  auto known = cache.find(weight);
  if (known != cache.end())
    return known->second;
  Operation *op = weight.getDefiningOp();
  WeightParts parts;
  if (auto constant = dyn_cast_or_null<ConstantOp>(op)) {
    FailureOr<WeightParts> created = createConstants(constant);
    if (failed(created))
      return failure();
    parts = *created;
  } else if (auto assemble = dyn_cast_or_null<AssembleOp>(op)) {
    if (!isa<RankedTensorType>(assemble.getValues().getType()))
      return assemble.emitOpError()
             << "expected tensors, got " << assemble.getValues().getType();
    parts = {cast<CondensedType>(weight.getType()), assemble.getValues(),
             assemble.getIndices(), assemble.getColumns()};
  } else if (auto condense = dyn_cast_or_null<CondenseOp>(op)) {
    OpBuilder builder(op);
    ImplicitLocOpBuilder b(op->getLoc(), builder);
    parts = createCondense(b, condense);
  } else {
    return emitError(weight.getLoc())
           << "expected a weight made by nm.constant, nm.assemble or "
              "nm.condense, got "
           << (op ? op->getName().getStringRef() : "a block argument");
  }
  cache[weight] = parts;
  return parts;
}

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// Arithmetic on non-negative index values; factors and divisors of 1 vanish.
static Value div(ImplicitLocOpBuilder &b, Value value, int64_t divisor) {
  return b.createOrFold<arith::DivUIOp>(value, constant(b, divisor));
}
static Value rem(ImplicitLocOpBuilder &b, Value value, int64_t divisor) {
  return b.createOrFold<arith::RemUIOp>(value, constant(b, divisor));
}
static Value mul(ImplicitLocOpBuilder &b, Value value, int64_t factor) {
  return b.createOrFold<arith::MulIOp>(value, constant(b, factor));
}
static Value add(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

/// `row` where it is below k and `inside` (if given) holds.
static DenseRow guard(ImplicitLocOpBuilder &b, Value row, Value inside,
                      int64_t k) {
  Value valid =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, row, constant(b, k));
  if (inside)
    valid = arith::AndIOp::create(b, valid, inside);
  return {arith::SelectOp::create(b, valid, row, constant(b, 0)), valid};
}

Value nm::createValueRows(ImplicitLocOpBuilder &b, const WeightParts &parts) {
  CondensedType type = parts.type;
  if (!type.getPacking())
    return parts.values;
  SmallVector<int64_t, 3> shape = type.getValuesShape();
  Value rows = tensor::EmptyOp::create(
      b, ArrayRef<int64_t>{shape[1], shape[0], shape[2]},
      type.getElementType());
  rows = linalg::TransposeOp::create(b, parts.values, rows,
                                     ArrayRef<int64_t>{1, 0, 2})
             ->getResult(0);
  SmallVector<ReassociationIndices> sideBySide = {{0}, {1, 2}};
  rows = tensor::CollapseShapeOp::create(b, rows, sideBySide);
  SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
      strides(2, b.getIndexAttr(1)),
      sizes = {b.getIndexAttr(shape[1]), b.getIndexAttr(type.getN())};
  return tensor::ExtractSliceOp::create(b, rows, offsets, sizes, strides);
}

/// As createDenseRow, in the layout of #nm.packing.
static DenseRow createPackedRow(ImplicitLocOpBuilder &b,
                                const WeightParts &parts, Value valueRow,
                                Value column) {
  CondensedType type = parts.type;
  PackingAttr packing = type.getPacking();
  int64_t unitK = type.getPattern().getUnitK();
  int64_t unitN = type.getPattern().getUnitN();
  int64_t rowsPerStep = type.getIndicesShape()[2] * unitK;
  int64_t steps = type.getValuesShape()[1] / rowsPerStep;
  Value step = div(b, valueRow, rowsPerStep);
  Value rowInStep = rem(b, valueRow, rowsPerStep);
  Value block = div(b, column, packing.getBlockN());
  Value tile = add(b, mul(b, block, steps), step);
  Value unitColumn = div(b, rem(b, column, packing.getBlockN()), unitN);
  Value index = tensor::ExtractOp::create(
      b, parts.indices, ValueRange{tile, unitColumn, div(b, rowInStep, unitK)});
  Value place = add(b, arith::IndexCastOp::create(b, b.getIndexType(), index),
                    rem(b, rowInStep, unitK));
  Value inside;
  if (parts.columns) {
    Value row =
        tensor::ExtractOp::create(b, parts.columns, ValueRange{tile, place});
    place = arith::IndexCastOp::create(b, b.getIndexType(), row);
    inside = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, place,
                                   constant(b, 0));
  }
  Value row = add(b, mul(b, step, packing.getStepK()), place);
  return guard(b, row, inside, type.getK());
}

DenseRow nm::createDenseRow(ImplicitLocOpBuilder &b, const WeightParts &parts,
                            Value valueRow, Value column) {
  CondensedType type = parts.type;
  if (type.getPacking())
    return createPackedRow(b, parts, valueRow, column);
  PatternAttr pattern = type.getPattern();
  int64_t k = type.getK(), unitK = pattern.getUnitK();
  int64_t windowRows = pattern.getWindowRows(k);
  Value index = tensor::ExtractOp::create(
      b, parts.indices,
      ValueRange{div(b, valueRow, unitK), div(b, column, pattern.getUnitN())});
  index = arith::IndexCastUIOp::create(b, b.getIndexType(), index);
  Value row = mul(b, div(b, valueRow, pattern.getKeep() * unitK), windowRows);
  row = add(b, row, mul(b, index, unitK));
  row = add(b, row, rem(b, valueRow, unitK));
  if (pattern.getNumWindows(k) * windowRows == k)
    return {row, Value()};
  return guard(b, row, /*inside=*/Value(), k);
}
