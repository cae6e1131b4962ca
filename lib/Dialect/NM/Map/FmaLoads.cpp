//===- FmaLoads.cpp - Operand fragments of kind fma -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index of a kept unit gives the rows of A. Columns that share a unit share
// the index and A's elements, which is what vector-wise patterns gain over
// element-wise ones (NM-SpMM III-B, nmSPARSE 4.2).
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "FmaThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nm;

/// Whether places `first` .. `first` + `count` - 1 may leave dimension `dim`.
static bool mayLeave(Value memref, int64_t dim, Value first, int64_t count) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<int64_t> last = knownUpperBound(first);
  return type.isDynamicDim(dim) || !last ||
         *last + count > type.getDimSize(dim);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// The indices of the op's units in unit column `column`, as integers; those of
/// a packed weight as one access where they are aligned.
static SmallVector<Value> loadIndices(ImplicitLocOpBuilder &b,
                                      LoadPositionsOp op, Value column,
                                      int64_t unitColumns) {
  Value indices = op.getIndices(), first = op.getFirst();
  int64_t units = op.getType().getM();
  bool ofTile = op.getIndexBase() == IndexBase::Tile;
  bool guardUnits = mayLeave(indices, ofTile ? 1 : 0, first, units);
  SmallVector<Value> integers;
  if (ofTile && units == 4 && !guardUnits && knownDivisor(first) % 4 == 0 &&
      maxVectorWidth(indices) % 4 == 0) {
    Value four = loadVector(b, indices, column, first, 1, 4, Guard());
    for (int64_t u = 0; u < units; ++u)
      integers.push_back(vector::ExtractOp::create(b, four, u));
    return integers;
  }
  Guard guard{guardUnits, needsGuard(indices, 1, unitColumns)};
  if (ofTile)
    guard = {needsGuard(indices, 0, 1), guardUnits};
  for (int64_t u = 0; u < units; ++u) {
    Value unit = addIndex(b, first, u);
    Value one = loadVector(b, indices, ofTile ? column : unit,
                           ofTile ? unit : column, 1, 1, guard);
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
  return arith::IndexCastOp::create(b, b.getIndexType(), row);
}

FragmentValues nm::loadFmaPositions(LoadPositionsOp op,
                                    const FmaThreadMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  FragmentValues positions;
  for (Value column : map.unitColumns)
    for (auto [u, integer] :
         llvm::enumerate(loadIndices(b, op, column, op.getType().getN()))) {
      Value index = arith::IndexCastUIOp::create(b, b.getIndexType(), integer);
      positions.push_back(
          getFirstRow(b, op, addIndex(b, op.getFirst(), u), index));
    }
  return positions;
}

//===----------------------------------------------------------------------===//
// Rows and values
//===----------------------------------------------------------------------===//

/// Whether a row of k may lie beyond A's tile: always checked where it comes
/// from a list with -1, and where the last window may be partial.
static bool needsGuardOfK(LoadRowsOp op, PatternAttr pattern, int kDim) {
  auto type = cast<MemRefType>(op.getA().getType());
  if (op.getListed() || type.isDynamicDim(kDim))
    return true;
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return false;
  int64_t window =
      pattern.getUnitK() * (pattern.isWindowAll() ? 1 : pattern.getWindow());
  return type.getDimSize(kDim) % window != 0;
}

FragmentValues nm::loadFmaRows(LoadRowsOp op, const FmaThreadMap &map,
                               ValueRange positions) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  bool featureMajor = op.getALayout() == Layout::FeatureMajor;
  int kDim = featureMajor ? 0 : 1, mDim = 1 - kDim;
  bool guardK = needsGuardOfK(op, map.pattern, kDim);
  bool guardM = needsGuard(op.getA(), mDim, op.getType().getM());
  Guard guard{featureMajor ? guardK : guardM, featureMajor ? guardM : guardK};
  int64_t units = op.getPositions().getType().getM();
  FragmentValues elements;
  for (int64_t c = 0; c < map.numUnitColumns; ++c) {
    Value row = addIndex(b, positions[c * units + op.getUnit()], op.getPlace());
    for (int64_t g = 0; g < map.groupsM; ++g) {
      Value m = map.row(b, g * map.vecM);
      elements.push_back(loadVector(b, op.getA(), featureMajor ? row : m,
                                    featureMajor ? m : row, mDim, map.vecM,
                                    guard));
    }
  }
  return elements;
}

FragmentValues nm::loadFmaValues(LoadValuesOp op, const FmaThreadMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value values = op.getValues(), row = op.getFirst();
  Guard guard{mayLeave(values, 0, row, 1),
              needsGuard(values, 1, op.getType().getN())};
  FragmentValues vectors;
  for (int64_t g = 0; g < map.groupsN; ++g)
    vectors.push_back(
        loadVector(b, values, row, map.column(b, g), 1, map.vecN, guard));
  return vectors;
}
