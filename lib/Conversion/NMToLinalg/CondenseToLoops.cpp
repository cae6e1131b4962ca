//===- CondenseToLoops.cpp - nm.condense of what is no constant -----------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace nm;

namespace {
/// The loops that choose the kept units.
class IndexSelector {
public:
  IndexSelector(ImplicitLocOpBuilder &b, CondenseOp op)
      : b(b), type(cast<CondensedType>(op.getType())), dense(op.getDense()) {}

  /// The indices, as the type says.
  Value create();

private:
  using Body = function_ref<SmallVector<Value>(Value, ValueRange)>;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value toIndex(Value flag) {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), flag);
  }
  Value add(Value lhs, Value rhs) { return arith::AddIOp::create(b, lhs, rhs); }
  Value times(Value value, int64_t factor) {
    return arith::MulIOp::create(b, value, index(factor));
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  }
  ValueRange loop(int64_t count, ValueRange init, Body body);
  Value isElementNonZero(Value row, Value column);
  Value isUnitNonZero(Value unit, Value unitColumn);
  Value selectWindow(Value indices, Value window, Value unitColumn);

  ImplicitLocOpBuilder &b;
  CondensedType type;
  Value dense;
};
} // namespace

/// A loop from 0 to `count`, and its results.
ValueRange IndexSelector::loop(int64_t count, ValueRange init, Body body) {
  Value lower = index(0);
  Value upper = index(count);
  Value step = index(1);
  auto forOp = scf::ForOp::create(b, lower, upper, step, init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forOp.getBody());
  SmallVector<Value> results =
      body(forOp.getInductionVar(), forOp.getRegionIterArgs());
  scf::YieldOp::create(b, results);
  return forOp.getResults();
}

/// Whether the weight has an element there that is not zero (NaN is not).
Value IndexSelector::isElementNonZero(Value row, Value column) {
  Value inside = arith::AndIOp::create(
      b, compare(arith::CmpIPredicate::ult, row, index(type.getK())),
      compare(arith::CmpIPredicate::ult, column, index(type.getN())));
  auto clamp = [&](Value value) {
    return arith::SelectOp::create(b, inside, value, index(0));
  };
  Value element = tensor::ExtractOp::create(
      b, dense, ValueRange{clamp(row), clamp(column)});
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  Value nonZero =
      isa<FloatType>(type.getElementType())
          ? arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, element, zero)
                .getResult()
          : compare(arith::CmpIPredicate::ne, element, zero);
  return arith::AndIOp::create(b, inside, nonZero);
}

Value IndexSelector::isUnitNonZero(Value unit, Value unitColumn) {
  PatternAttr pattern = type.getPattern();
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  Value firstRow = times(unit, pattern.getUnitK());
  Value firstColumn = times(unitColumn, pattern.getUnitN());
  return loop(pattern.getUnitK(), no,
              [&](Value r, ValueRange any) {
                return SmallVector<Value>(loop(
                    pattern.getUnitN(), any, [&](Value c, ValueRange inner) {
                      Value nonZero = isElementNonZero(add(firstRow, r),
                                                       add(firstColumn, c));
                      return SmallVector<Value>{
                          arith::OrIOp::create(b, inner[0], nonZero)};
                    }));
              })
      .front();
}

/// Keeps the non-zero units of a window and as many of the lowest others as are
/// missing, in ascending order.
Value IndexSelector::selectWindow(Value indices, Value window,
                                  Value unitColumn) {
  PatternAttr pattern = type.getPattern();
  int64_t units = pattern.getWindowUnits(type.getK());
  Value keep = index(pattern.getKeep());
  Value firstUnit = times(window, units);
  Value count = loop(units, index(0), [&](Value u, ValueRange sum) {
                  Value unit = add(firstUnit, u);
                  return SmallVector<Value>{
                      add(sum[0], toIndex(isUnitNonZero(unit, unitColumn)))};
                }).front();
  cf::AssertOp::create(
      b, compare(arith::CmpIPredicate::ule, count, keep),
      "nm.condense: a window keeps more units than the pattern allows");
  Value spare = arith::SubIOp::create(b, keep, count);
  Value firstSlot = times(window, pattern.getKeep());
  auto place = [&](Value u, ValueRange state) {
    Value slot = state[1], left = state[2];
    Value nonZero = isUnitNonZero(add(firstUnit, u), unitColumn);
    Value free = compare(arith::CmpIPredicate::ne, left, index(0));
    Value take = arith::OrIOp::create(b, nonZero, free);
    Value room = compare(arith::CmpIPredicate::ult, slot, keep);
    take = arith::AndIOp::create(b, take, room);
    // A unit that is not taken is overwritten by the next one.
    Value last = index(pattern.getKeep() - 1);
    Value at = arith::SelectOp::create(b, room, slot, last);
    Value to[] = {add(firstSlot, at), unitColumn};
    Value old = tensor::ExtractOp::create(b, state[0], to);
    Value position = arith::IndexCastOp::create(b, type.getIndexType(), u);
    Value entry = arith::SelectOp::create(b, take, position, old);
    Value inserted = tensor::InsertOp::create(b, entry, state[0], to);
    Value one = index(1);
    Value used = arith::SelectOp::create(b, nonZero, left,
                                         arith::SubIOp::create(b, left, one));
    return SmallVector<Value>{inserted, add(slot, toIndex(take)),
                              arith::SelectOp::create(b, take, used, left)};
  };
  return loop(units, ValueRange{indices, index(0), spare}, place).front();
}

Value IndexSelector::create() {
  PatternAttr pattern = type.getPattern();
  Value init =
      tensor::EmptyOp::create(b, type.getIndicesShape(), type.getIndexType());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type.getIndexType()));
  init = linalg::FillOp::create(b, zero, init).getResult(0);
  int64_t unitColumns = pattern.getUnitColumns(type.getN());
  int64_t windows = pattern.getNumWindows(type.getK());
  return loop(windows, init,
              [&](Value window, ValueRange outer) {
                return SmallVector<Value>(
                    loop(unitColumns, outer,
                         [&](Value unitColumn, ValueRange inner) {
                           return SmallVector<Value>{
                               selectWindow(inner[0], window, unitColumn)};
                         }));
              })
      .front();
}

WeightParts nm::createCondense(ImplicitLocOpBuilder &b, CondenseOp op) {
  auto type = cast<CondensedType>(op.getType());
  WeightParts parts{type, Value(), IndexSelector(b, op).create(), Value()};
  Value init =
      tensor::EmptyOp::create(b, type.getValuesShape(), type.getElementType());
  auto map = b.getMultiDimIdentityMap(2);
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  auto gather = [&](OpBuilder &builder, Location loc, ValueRange) {
    ImplicitLocOpBuilder body(loc, builder);
    Value valueRow = linalg::IndexOp::create(body, 0);
    Value column = linalg::IndexOp::create(body, 1);
    DenseRow place = createDenseRow(body, parts, valueRow, column);
    Value value = tensor::ExtractOp::create(body, op.getDense(),
                                            ValueRange{place.row, column});
    if (place.valid) {
      Value zero = arith::ConstantOp::create(
          body, body.getZeroAttr(type.getElementType()));
      value = arith::SelectOp::create(body, place.valid, value, zero);
    }
    linalg::YieldOp::create(body, value);
  };
  parts.values = linalg::GenericOp::create(b, init.getType(), ValueRange(),
                                           init, map, loops, gather)
                     .getResult(0);
  return parts;
}
