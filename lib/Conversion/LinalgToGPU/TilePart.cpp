//===- TilePart.cpp - What a thread has of a tile -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePart.h"
#include "TransposeAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "nm/Dialect/NM/Utils/TileUtils.h"

using namespace mlir;
using namespace nm;

TilePart::TilePart(ImplicitLocOpBuilder &b, Value side, const Start &start,
                   Extent rows, Extent columns)
    : rowsLeft(
          countLeft(b, rows.ofMatrix, start.firstRow, start.row, rows.ofTile)),
      columnsLeft(countLeft(b, columns.ofMatrix, start.firstColumn,
                            start.column, columns.ofTile)) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, side);
  ValueRange strides = metadata.getStrides();
  auto scale = [&](Value index, Value by) {
    return arith::MulIOp::create(b, index, by).getResult();
  };
  stride = strides[strides.size() - 2];
  first = metadata.getOffset();
  if (start.matrix)
    first = addIndex(b, first, scale(start.matrix, strides.front()));
  first =
      addIndex(b, first, scale(addIndex(b, start.firstRow, start.row), stride));
  first = addIndex(b, first, addIndex(b, start.firstColumn, start.column));
  // Nothing is asked of the size.
  OpFoldResult size = scale(metadata.getSizes().front(), strides.front());
  memref = memref::ReinterpretCastOp::create(
      b, metadata.getBaseBuffer(), /*offset=*/b.getIndexAttr(0),
      ArrayRef<OpFoldResult>{size}, ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

Value TilePart::getPlace(ImplicitLocOpBuilder &b, int64_t row,
                         int64_t column) const {
  Value ofRow = addIndex(b, first, mulIndex(b, stride, row));
  return addIndex(b, ofRow, column);
}

Value TilePart::isInside(ImplicitLocOpBuilder &b, int64_t row,
                         int64_t column) const {
  return andIfSet(b, isLeft(b, rowsLeft, row), isLeft(b, columnsLeft, column));
}
