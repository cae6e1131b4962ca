//===- UnitTransposes.h - Transpositions of short units ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_UNITTRANSPOSES_H
#define NM_LIB_CONVERSION_LINALGTOGPU_UNITTRANSPOSES_H

#include "TransposeMatrices.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Matrices of units that are transposed: of `unit` elements each, which follow
/// each other, such as the colours of points.
struct UnitMatrices {
  Side source; // [matrices, rows, columns * unit]; one matrix is a matrix
  Side target; // [matrices, columns, rows * unit]
  mlir::OpFoldResult matrices, rows, columns; // units of the source
  int64_t unit;                               // elements
  int64_t width;                              // elements of a word

  /// Whether a dimension numbers matrices.
  bool hasSeveral() const {
    return mlir::cast<mlir::MemRefType>(source.memref.getType()).getRank() > 2;
  }
  /// Units of a tile, either way: a power of two.
  int64_t getExtent() const;
  /// Elements of a row of a tile in shared memory.
  int64_t getRowElements() const { return getExtent() * unit + width; }
  /// Elements of shared memory that a tile takes.
  int64_t countTileElements() const { return getExtent() * getRowElements(); }
};

/// What `op` transposes, if it is such matrices: nothing is created otherwise.
std::optional<UnitMatrices> getUnitMatrices(mlir::ImplicitLocOpBuilder &b,
                                            mlir::linalg::TransposeOp op);

/// A launch that transposes `of`.
mlir::gpu::LaunchOp createUnitLaunch(mlir::ImplicitLocOpBuilder &b,
                                     const UnitMatrices &of);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_UNITTRANSPOSES_H
