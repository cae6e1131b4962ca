//===- TileShape.h - Tiles as matrices or in panels -------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of the values of a weight, or of a feature-major A, is a matrix, or
// several panels of columns side by side, [panels, rows, columns of a panel],
// each of which is one range of memory.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_TILESHAPE_H
#define NM_DIALECT_NM_IR_TILESHAPE_H

#include "mlir/IR/BuiltinTypes.h"

namespace nm {

/// Whether a tile of this type is in panels.
inline bool isInPanels(mlir::MemRefType tile) { return tile.getRank() == 3; }

/// The dimension of the rows of a tile.
inline int64_t getRowDim(mlir::MemRefType tile) { return tile.getRank() - 2; }

/// The columns of a tile; dynamic where an extent is that is part of them.
inline int64_t getTileColumns(mlir::MemRefType tile) {
  if (!isInPanels(tile))
    return tile.getDimSize(1);
  if (tile.isDynamicDim(0) || tile.isDynamicDim(2))
    return mlir::ShapedType::kDynamic;
  return tile.getDimSize(0) * tile.getDimSize(2);
}

/// Whether the elements of a tile follow each other without gaps.
inline bool isContiguousTile(mlir::MemRefType tile) {
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  if (!tile.hasStaticShape() ||
      failed(tile.getStridesAndOffset(strides, offset)))
    return false;
  int64_t expected = 1;
  for (int64_t dim = tile.getRank() - 1; dim >= 0; --dim) {
    if (tile.getDimSize(dim) != 1 && strides[dim] != expected)
      return false;
    expected *= tile.getDimSize(dim);
  }
  return true;
}

} // namespace nm

#endif // NM_DIALECT_NM_IR_TILESHAPE_H
