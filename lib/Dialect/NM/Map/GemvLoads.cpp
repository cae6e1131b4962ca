//===- GemvLoads.cpp - Operand fragments of kind gemv ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "GemvThreadMap.h"
#include "Positions.h"
#include "SharedK.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include <numeric>

using namespace mlir;
using namespace nm;

GemvThreadMap::GemvThreadMap(ImplicitLocOpBuilder &b, GemvAttr kind,
                             PatternAttr pattern, Value thread)
    : kind(kind), pattern(pattern), tm(kind.getThread()[0]),
      tn(kind.getThread()[1]), tk(kind.getThread()[2]) {
  int64_t lanesK = kind.getLanes()[1];
  Value lane = remIndex(b, thread, 32), warp = divIndex(b, thread, 32);
  laneN = remIndex(b, lane, getLanesN());
  laneK = divIndex(b, lane, getLanesN());
  warpN = remIndex(b, warp, getWarpsN());
  warpK = divIndex(b, warp, getWarpsN());
  Value ofWarp = mulIndex(b, warpN, getLanesN() * tn);
  n0 = addIndex(b, ofWarp, mulIndex(b, laneN, tn));
  k0 = mulIndex(b, addIndex(b, mulIndex(b, warpK, lanesK), laneK), tk);
  unitColumn = pattern.getUnitN() % kind.getBlockN() == 0
                   ? indexConstant(b, 0)
                   : divIndex(b, n0, pattern.getUnitN());
}

FragmentValues nm::loadGemvPositions(LoadPositionsOp op,
                                     const GemvThreadMap &map) {
  return loadThreadPositions(op, map.k0, map.tk, map.kind.getSliceRows(),
                             map.unitColumn);
}

FragmentValues nm::loadGemvRows(LoadRowsOp op, const GemvThreadMap &map,
                                ValueRange positions) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto a = cast<MemRefType>(op.getA().getType());
  int64_t width =
      isInPanels(a) ? a.getDimSize(2) : std::gcd(map.tm, int64_t(4));
  int64_t slice =
      op.getUnit() / getSliceUnits(map.kind.getSliceRows(), map.pattern);
  FragmentValues elements;
  for (Value position : positions.slice(slice * map.tk, map.tk)) {
    Value row = addIndex(b, position, op.getPlace());
    for (int64_t i = 0; i < map.tm; i += width)
      elements.push_back(loadAlongM(b, op, map.pattern, row,
                                    indexConstant(b, i),
                                    std::min(width, map.tm - i)));
  }
  return elements;
}

/// As loadGemvValues, where rows of a column follow each other.
static FragmentValues loadLaneRows(ImplicitLocOpBuilder &b, LoadValuesOp op,
                                   const GemvThreadMap &map) {
  int64_t together = op.getLaneRows();
  Value first = addIndex(b, op.getFirst(), map.k0);
  Type element = op.getType().getElementType();
  FragmentValues vectors;
  for (int64_t u = 0; u < map.tk; u += together) {
    Value group = divIndex(b, addIndex(b, first, u), together);
    SmallVector<Value> columns;
    for (int64_t e = 0; e < map.tn; ++e) {
      Value place = mulIndex(b, addIndex(b, map.n0, e), together);
      columns.push_back(
          loadVector(b, op.getValues(), group, place, 1, together, Guard()));
    }
    for (int64_t row = 0; row < together; ++row) {
      SmallVector<Value> elements;
      for (Value column : columns)
        elements.push_back(vector::ExtractOp::create(b, column, row));
      vectors.push_back(vector::FromElementsOp::create(
          b, VectorType::get({map.tn}, element), elements));
    }
  }
  return vectors;
}

FragmentValues nm::loadGemvValues(LoadValuesOp op, const GemvThreadMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  if (op.getLaneRows() != 1)
    return loadLaneRows(b, op, map);
  Guard guard = getGuardOfValues(op, map.kind.getSliceRows());
  Value first = addIndex(b, op.getFirst(), map.k0);
  FragmentValues vectors;
  for (int64_t u = 0; u < map.tk; ++u)
    vectors.push_back(loadVector(b, op.getValues(), addIndex(b, first, u),
                                 map.n0, 1, map.tn, guard));
  return vectors;
}
