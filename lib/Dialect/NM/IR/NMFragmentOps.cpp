//===- NMFragmentOps.cpp - Verifiers of the ops on operand fragments ------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "nm/Support/NumberOps.h"

using namespace mlir;
using namespace nm;

void LoadPositionsOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, nullptr, effects);
}
void LoadRowsOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, nullptr, effects);
}
void LoadValuesOp::getEffects(Effects &effects) {
  addMemRefEffects(*this, nullptr, effects);
}

/// Checks that a fragment has the elements of the memref it is loaded from.
static LogicalResult verifyElements(Operation *op, Value from,
                                    FragmentType type) {
  Type element = cast<MemRefType>(from.getType()).getElementType();
  if (type.getElementType() == element)
    return success();
  return op->emitOpError() << "expected a result of " << element << ", got "
                           << type;
}

LogicalResult LoadPositionsOp::verify() {
  // load_positions_c1
  return verifyIndices(*this, getIndices(), getColumns(), getCoding());
}

LogicalResult LoadRowsOp::verify() {
  // load_rows_c1
  if (failed(verifyTileOfA(*this, getA(), getALayout())) ||
      failed(verifyElements(*this, getA(), getType())))
    return failure();
  // load_rows_c2
  if (failed(verifyRowsOfA(*this, getA(), getALayout(), getType().getM())))
    return failure();
  // load_rows_c3
  int64_t units = getPositions().getType().getM();
  if (int64_t(getUnit()) >= units)
    return emitOpError() << "expected a unit below " << units
                         << ", the positions' units, got " << getUnit();
  return success();
}

LogicalResult LoadValuesOp::verify() {
  // load_values_c1
  if (failed(verifyTileRank(*this, "values", getValues())) ||
      failed(verifyElements(*this, getValues(), getType())))
    return failure();
  // load_values_c2
  auto values = cast<MemRefType>(getValues().getType());
  int64_t columns = getType().getN() * int64_t(getLaneRows());
  if (failed(verifyWithin(*this, "columns of values", getTileColumns(values),
                          columns)))
    return failure();
  // load_values_c3
  return verifyPanels(*this, "values", getValues(), columns);
}

LogicalResult MmaOp::verify() {
  FragmentType rows = getRows().getType(), values = getValues().getType(),
               acc = getType();
  // mma_c1
  if (rows.getM() != acc.getM() || values.getN() != acc.getN() ||
      rows.getN() != values.getM())
    return emitOpError() << "expected fragments of MxK, KxN and MxN, got "
                         << rows << ", " << values << " and " << acc;
  // mma_c2
  if (getAccumulatorType(rows.getElementType(), values.getElementType()) !=
      acc.getElementType())
    return emitOpError()
           << "expected rows and values whose products are summed in "
           << acc.getElementType() << ", got " << rows.getElementType()
           << " and " << values.getElementType();
  return success();
}
