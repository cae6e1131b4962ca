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
#include "Positions.h"

using namespace mlir;
using namespace nm;

FragmentValues nm::loadFmaPositions(LoadPositionsOp op,
                                    const FmaThreadMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  FragmentValues positions;
  for (Value column : map.unitColumns)
    llvm::append_range(positions, loadPositions(b, op, op.getFirst(),
                                                op.getType().getM(), column));
  return positions;
}

FragmentValues nm::loadFmaRows(LoadRowsOp op, const FmaThreadMap &map,
                               ValueRange positions) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  int64_t units = op.getPositions().getType().getM();
  FragmentValues elements;
  for (int64_t c = 0; c < map.numUnitColumns; ++c) {
    Value row = addIndex(b, positions[c * units + op.getUnit()], op.getPlace());
    for (int64_t g = 0; g < map.groupsM; ++g) {
      Value m = map.row(b, g * map.vecM);
      elements.push_back(loadAlongM(b, op, map.pattern, row, m, map.vecM));
    }
  }
  return elements;
}

FragmentValues nm::loadFmaValues(LoadValuesOp op, const FmaThreadMap &map) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value values = op.getValues(), row = op.getFirst();
  Guard guard = getGuardOfValues(op, 1);
  FragmentValues vectors;
  for (int64_t g = 0; g < map.groupsN; ++g)
    vectors.push_back(
        loadVector(b, values, row, map.column(b, g), 1, map.vecN, guard));
  return vectors;
}
