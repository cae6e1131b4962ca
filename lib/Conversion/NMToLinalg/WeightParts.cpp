//===- WeightParts.cpp - Condensed weights as plain tensors ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "nm/Dialect/NM/IR/CondenseElements.h"
#include "nm/Dialect/NM/IR/WeightGeometry.h"

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

/// How the values of a packed weight lie: the extents from the outermost on,
/// and which of these make up the rows and the columns of the condensed form.
namespace {
struct ValueOrder {
  SmallVector<int64_t> extents;
  int64_t inLast; // of the extents, those of the type's last dimension
  SmallVector<int64_t> rows, columns;
};
} // namespace

static ValueOrder getValueOrder(CondensedType type) {
  SmallVector<int64_t, 3> shape = type.getValuesShape();
  int64_t together = type.getPacking().getLaneRows();
  if (!type.getPacking().getFragments())
    return {
        {shape[0], shape[1], shape[2] / together, together}, 2, {1, 3}, {0, 2}};
  // Fragments; of one, eight columns, four times four rows, of which two pairs
  // stand for columns that are eight apart.
  return {{shape[0], shape[1], shape[2] / 256, 8, 4, 2, 2, 2},
          6,
          {1, 4, 5, 7},
          {0, 2, 6, 3}};
}

Value nm::createValueRows(ImplicitLocOpBuilder &b, const WeightParts &parts) {
  CondensedType type = parts.type;
  if (!type.getPacking())
    return parts.values;
  ValueOrder order = getValueOrder(type);
  SmallVector<ReassociationIndices> apart = {{0}, {1}, {}}, sideBySide(2);
  for (int64_t i = 0; i < order.inLast; ++i)
    apart[2].push_back(2 + i);
  Value values = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(order.extents, type.getElementType()),
      parts.values, apart);
  SmallVector<int64_t> dims = order.rows, shape;
  llvm::append_range(dims, order.columns);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bool ofRows = i < order.rows.size();
    sideBySide[ofRows ? 0 : 1].push_back(int64_t(i));
    shape.push_back(order.extents[dim]);
  }
  Value rows = tensor::EmptyOp::create(b, shape, type.getElementType());
  rows = linalg::TransposeOp::create(b, values, rows, dims)->getResult(0);
  rows = tensor::CollapseShapeOp::create(b, rows, sideBySide);
  SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
      strides(2, b.getIndexAttr(1)),
      sizes = {b.getIndexAttr(getGeometry(type).getRowsOfSteps()),
               b.getIndexAttr(type.getN())};
  return tensor::ExtractSliceOp::create(b, rows, offsets, sizes, strides);
}

/// The unit of the bit of `mask` before which `count` bits are set, the highest
/// first.
static Value findUnit(ImplicitLocOpBuilder &b, Value mask, Value count) {
  auto type = cast<IntegerType>(mask.getType());
  Value zero = constant(b, 0), one = constant(b, 1);
  Value units = constant(b, type.getWidth());
  auto loop = scf::ForOp::create(b, zero, units, one, ValueRange{count, zero});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value unit = loop.getInductionVar(), left = loop.getRegionIterArgs()[0];
  Value highest = arith::ConstantOp::create(
      b, b.getIntegerAttr(type, APInt::getSignMask(type.getWidth())));
  Value place = arith::IndexCastUIOp::create(b, type, unit);
  Value bit = arith::ShRUIOp::create(b, highest, place);
  Value masked = arith::AndIOp::create(b, mask, bit);
  Value none = arith::ConstantOp::create(b, b.getIntegerAttr(type, 0));
  Value isKept =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, masked, none);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left, zero);
  Value isFound = arith::AndIOp::create(b, isKept, isLast);
  Value found =
      arith::SelectOp::create(b, isFound, unit, loop.getRegionIterArgs()[1]);
  // Wraps around behind the unit that is found.
  Value less = arith::SubIOp::create(b, left, one);
  Value next = arith::SelectOp::create(b, isKept, less, left);
  scf::YieldOp::create(b, ValueRange{next, found});
  return loop.getResult(1);
}

/// The position of unit row `unitRow`, whose bits may begin in one word of
/// `tile` and end in the next.
static Value extractBits(ImplicitLocOpBuilder &b, const WeightParts &parts,
                         Value tile, Value unitColumn, Value unitRow) {
  Type wide = b.getI64Type();
  layout::Geometry geometry = getGeometry(parts.type);
  int64_t bits = geometry.getPositionBits(), words = geometry.getStepWords();
  Value first = mul(b, unitRow, bits), word = div(b, first, 32);
  Value next = arith::MinUIOp::create(b, add(b, word, constant(b, 1)),
                                      constant(b, words - 1));
  auto read = [&](Value word) -> Value {
    return arith::ExtUIOp::create(
        b, wide,
        tensor::ExtractOp::create(b, parts.indices,
                                  ValueRange{tile, word, unitColumn}));
  };
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(wide, value));
  };
  Value high = arith::ShLIOp::create(b, read(next), number(32));
  Value both = arith::OrIOp::create(b, high, read(word));
  Value shift = arith::IndexCastUIOp::create(b, wide, rem(b, first, 32));
  Value position =
      arith::AndIOp::create(b, arith::ShRUIOp::create(b, both, shift),
                            number((int64_t(1) << bits) - 1));
  return arith::IndexCastUIOp::create(b, b.getIndexType(), position);
}

/// The first row of the step's tile of unit row `unitRow`, or its place in the
/// list of columns.
static Value createTileRow(ImplicitLocOpBuilder &b, const WeightParts &parts,
                           Value tile, Value unitColumn, Value unitRow) {
  PatternAttr pattern = parts.type.getPattern();
  PackingAttr packing = parts.type.getPacking();
  int64_t unitK = pattern.getUnitK();
  int64_t windowRows = pattern.getWindowRows(parts.type.getK());
  if (packing.getCoding() == IndexCoding::Mask) {
    int64_t ofWord = pattern.getMaskUnits();
    Value word = div(b, unitRow, ofWord);
    Value mask = tensor::ExtractOp::create(b, parts.indices,
                                           ValueRange{tile, word, unitColumn});
    Value unit = findUnit(b, mask, rem(b, unitRow, ofWord));
    Value first = mul(b, word, ofWord / pattern.getKeep() * windowRows);
    return add(b, first, mul(b, unit, unitK));
  }
  Value window = mul(b, div(b, unitRow, pattern.getKeep()), windowRows);
  if (packing.getCoding() == IndexCoding::Bits) {
    Value position = extractBits(b, parts, tile, unitColumn, unitRow);
    return add(b, window, mul(b, position, unitK));
  }
  layout::Geometry geometry = getGeometry(parts.type);
  int64_t together = geometry.areIndicesTogether() ? geometry.laneRows : 1;
  Value place[] = {tile, unitColumn, unitRow};
  if (together != 1) {
    place[1] = div(b, unitRow, together);
    place[2] = add(b, mul(b, unitColumn, together), rem(b, unitRow, together));
  }
  Value index = tensor::ExtractOp::create(b, parts.indices, place);
  index = arith::IndexCastUIOp::create(b, b.getIndexType(), index);
  if (packing.getCoding() == IndexCoding::Rows)
    return index;
  PatternAttr joined = packing.joinWindows(pattern);
  Value base = mul(b, div(b, unitRow, joined.getKeep()),
                   joined.getWindowRows(parts.type.getK()));
  return add(b, base, mul(b, index, unitK));
}

/// As createDenseRow, in the layout of #nm.packing.
static DenseRow createPackedRow(ImplicitLocOpBuilder &b,
                                const WeightParts &parts, Value valueRow,
                                Value column) {
  CondensedType type = parts.type;
  PackingAttr packing = type.getPacking();
  int64_t unitK = type.getPattern().getUnitK();
  int64_t unitN = type.getPattern().getUnitN();
  layout::Geometry geometry = getGeometry(type);
  int64_t rowsPerStep = geometry.getStepRows(), steps = geometry.steps;
  Value step = div(b, valueRow, rowsPerStep);
  Value rowInStep = rem(b, valueRow, rowsPerStep);
  Value block = div(b, column, packing.getBlockN());
  Value tile = add(b, mul(b, block, steps), step);
  Value unitColumn = div(b, rem(b, column, packing.getBlockN()), unitN);
  Value first =
      createTileRow(b, parts, tile, unitColumn, div(b, rowInStep, unitK));
  Value place = add(b, first, rem(b, rowInStep, unitK));
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
