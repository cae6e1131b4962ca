//===- VerifyTiles.cpp - Checks of ops on tiles --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "nm/Dialect/NM/IR/TileShape.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

void nm::addMemRefEffects(Operation *op, Value written, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (operand.get() == written)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

LogicalResult nm::verifyWithin(Operation *op, StringRef name, int64_t extent,
                               int64_t limit) {
  if (ShapedType::isDynamic(extent) || extent <= limit)
    return success();
  return op->emitOpError() << "expected " << name << " of at most " << limit
                           << ", got " << extent;
}

LogicalResult nm::verifyRank(Operation *op, StringRef name, Value value,
                             int64_t rank) {
  auto type = cast<MemRefType>(value.getType());
  if (type.getRank() == rank)
    return success();
  return op->emitOpError() << "expected " << name << " of rank " << rank
                           << ", got " << type;
}

LogicalResult nm::verifyTileRank(Operation *op, StringRef name, Value tile) {
  auto type = cast<MemRefType>(tile.getType());
  if (type.getRank() == 2 || type.getRank() == 3)
    return success();
  return op->emitOpError() << "expected " << name
                           << " of rank 2, or of rank 3 in panels, got "
                           << type;
}

LogicalResult nm::verifyTileOfA(Operation *op, Value a, Layout layout) {
  return layout == Layout::FeatureMajor ? verifyTileRank(op, "A", a)
                                        : verifyRank(op, "A", a, 2);
}

LogicalResult nm::verifyRowsOfA(Operation *op, Value a, Layout layout,
                                int64_t rows) {
  auto type = cast<MemRefType>(a.getType());
  StringRef name = "rows of m of A";
  if (layout != Layout::FeatureMajor)
    return verifyWithin(op, name, type.getDimSize(0), rows);
  if (isInPanels(type) && !type.isDynamicDim(2))
    rows = llvm::alignTo(rows, std::max<int64_t>(1, type.getDimSize(2)));
  return verifyWithin(op, name, getTileColumns(type), rows);
}

LogicalResult nm::verifyPanels(Operation *op, StringRef name, Value tile,
                               int64_t columns) {
  auto type = cast<MemRefType>(tile.getType());
  if (!isInPanels(type) || getTileColumns(type) == columns)
    return success();
  return op->emitOpError() << "expected panels of " << name << " that make up "
                           << columns << " columns, got " << type;
}

LogicalResult nm::verifyIndices(Operation *op, Value indices, Value columns,
                                IndexCoding coding) {
  if (failed(verifyRank(op, "indices", indices, 2)))
    return failure();
  auto type = cast<MemRefType>(indices.getType());
  if (!type.getElementType().isSignlessInteger())
    return op->emitOpError() << "expected indices of integers, got " << type;
  if (!columns)
    return success();
  if (coding != IndexCoding::Rows)
    return op->emitOpError() << "expected the coding rows beside columns, got "
                             << stringifyEnum(coding);
  auto list = cast<MemRefType>(columns.getType());
  if (list.getRank() != 2 || list.getDimSize(0) != 1 || list.isDynamicDim(1) ||
      !list.getElementType().isInteger(32))
    return op->emitOpError() << "expected columns of one row of i32 of static "
                                "extent, got "
                             << list;
  return success();
}
