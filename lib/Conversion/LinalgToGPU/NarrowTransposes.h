//===- NarrowTransposes.h - Transpositions of few rows or columns -*- C++ -*-=//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_NARROWTRANSPOSES_H
#define NM_LIB_CONVERSION_LINALGTOGPU_NARROWTRANSPOSES_H

#include "TransposeMatrices.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Matrices of `length` rows and few columns, such as an image's points and
/// their colours, that are transposed, or that others become so.
struct NarrowMatrices {
  Side inRows;    // the matrices, as one dimension
  Side inColumns; // the transposed ones, as one dimension
  bool fromRows;  // whether the matrices are the source
  mlir::OpFoldResult matrices, length;
  int64_t count; // of columns
  int64_t width; // elements of a word

  /// Rows of a tile: a power of two, and whole words of a column.
  int64_t getTileRows() const;
  /// Elements of a tile, without what lies between them.
  int64_t getTileElements() const { return getTileRows() * count; }
  /// Elements of shared memory that a tile takes.
  int64_t countTileElements() const;
};

/// What `op` transposes, if it is such matrices: nothing is created otherwise.
std::optional<NarrowMatrices> getNarrowMatrices(mlir::ImplicitLocOpBuilder &b,
                                                mlir::linalg::TransposeOp op);

/// A launch that transposes `of`.
mlir::gpu::LaunchOp createNarrowLaunch(mlir::ImplicitLocOpBuilder &b,
                                       const NarrowMatrices &of);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_NARROWTRANSPOSES_H
