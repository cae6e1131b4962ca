//===- Positions.cpp - Rows of A that indices name ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Positions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"

using namespace mlir;
using namespace nm;

bool nm::mayLeave(Value memref, int64_t dim, Value first, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<int64_t> last = knownUpperBound(first);
  return type.isDynamicDim(dim) || !last ||
         *last + count > type.getDimSize(dim);
}

/// The indices of `count` units from `unit` on, as integers.
static SmallVector<Value> loadIndices(ImplicitLocOpBuilder &b,
                                      LoadPositionsOp op, Value unit,
                                      int64_t count, Value column) {
  Value indices = op.getIndices();
  bool ofTile = op.getIndexBase() == IndexBase::Tile;
  bool guardUnits =
      mayLeave(indices, ofTile ? 1 : 0, op.getFirst(), op.getType().getM());
  SmallVector<Value> integers;
  if (ofTile && count == 4 && !guardUnits && knownDivisor(unit) % 4 == 0 &&
      maxVectorWidth(indices) % 4 == 0) {
    Value four = loadVector(b, indices, column, unit, 1, 4, Guard());
    for (int64_t u = 0; u < count; ++u)
      integers.push_back(vector::ExtractOp::create(b, four, u));
    return integers;
  }
  Guard guard{guardUnits, needsGuard(indices, 1, op.getType().getN())};
  if (ofTile)
    guard = {needsGuard(indices, 0, 1), guardUnits};
  for (int64_t u = 0; u < count; ++u) {
    Value place = addIndex(b, unit, u);
    Value one = loadVector(b, indices, ofTile ? column : place,
                           ofTile ? place : column, 1, 1, guard);
    integers.push_back(vector::ExtractOp::create(b, one, 0));
  }
  return integers;
}

/// The first row of A of unit `unit` of the step, whose index is `index`.
static Value getFirstRow(ImplicitLocOpBuilder &b, LoadPositionsOp op,
                         Value unit, Value index) {
  PatternAttr pattern = op.getPattern();
  if (op.getIndexBase() == IndexBase::Window) {
    // The window's first row, then the unit's place in the window.
    Value window = divIndex(b, unit, pattern.getKeep());
    int64_t windowRows =
        pattern.isWindowAll() ? 0 : pattern.getWindow() * pattern.getUnitK();
    return addIndex(b, mulIndex(b, window, windowRows),
                    mulIndex(b, index, pattern.getUnitK()));
  }
  if (!op.getColumns())
    return index;
  Value row = memref::LoadOp::create(b, op.getColumns(),
                                     ValueRange{indexConstant(b, 0), index});
  // An entry of -1 names no row: with any place in the unit added, too.
  return arith::IndexCastUIOp::create(b, b.getIndexType(), row);
}

SmallVector<Value> nm::loadPositions(ImplicitLocOpBuilder &b,
                                     LoadPositionsOp op, Value unit,
                                     int64_t count, Value column) {
  SmallVector<Value> positions;
  for (auto [u, integer] :
       llvm::enumerate(loadIndices(b, op, unit, count, column))) {
    Value index = arith::IndexCastUIOp::create(b, b.getIndexType(), integer);
    positions.push_back(getFirstRow(b, op, addIndex(b, unit, u), index));
  }
  return positions;
}

Guard nm::getGuardOfValues(LoadValuesOp op, int64_t count) {
  Value values = op.getValues();
  auto type = cast<MemRefType>(values.getType());
  bool rows = mayLeave(values, getRowDim(type), op.getFirst(), count);
  return {rows,
          !isInPanels(type) && needsGuard(values, 1, op.getType().getN())};
}

bool nm::needsGuardOfK(LoadRowsOp op, PatternAttr pattern) {
  auto type = cast<MemRefType>(op.getA().getType());
  int64_t kDim = op.getALayout() == Layout::FeatureMajor ? getRowDim(type) : 1;
  if (op.getListed() || type.isDynamicDim(kDim))
    return true;
  if (isWorkgroup(op.getA()))
    return false;
  int64_t window =
      pattern.getUnitK() * (pattern.isWindowAll() ? 1 : pattern.getWindow());
  return type.getDimSize(kDim) % window != 0;
}

Value nm::loadAlongM(ImplicitLocOpBuilder &b, LoadRowsOp op,
                     PatternAttr pattern, Value row, Value m, int64_t width) {
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  int mDim = featureMajor ? 1 : 0;
  bool guardK = needsGuardOfK(op, pattern);
  bool guardM = needsGuard(op.getA(), mDim, op.getType().getM());
  Guard guard{featureMajor ? guardK : guardM, featureMajor ? guardM : guardK};
  return loadVector(b, op.getA(), featureMajor ? row : m,
                    featureMajor ? m : row, mDim, width, guard);
}
