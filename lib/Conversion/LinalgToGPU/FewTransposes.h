//===- FewTransposes.h - Transpositions of few columns in a call -*- C++ -*-==//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_LINALGTOGPU_FEWTRANSPOSES_H
#define NM_LIB_CONVERSION_LINALGTOGPU_FEWTRANSPOSES_H

#include "TransposeMatrices.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace nm {

/// Matrices of any number of rows, and of columns that are few where `areFew`
/// holds, which the call says. They are transposed, or others become so.
struct FewMatrices {
  Side inRows;    // the matrices, as one dimension
  Side inColumns; // the transposed ones, as one dimension
  bool fromRows;  // whether the matrices are the source
  mlir::OpFoldResult matrices;
  mlir::Value length, count; // of rows and of columns
  mlir::Value areFew;
  int64_t width; // elements of a word

  /// Rows of a tile.
  int64_t getTileRows() const;
  /// Elements of shared memory that a tile takes.
  int64_t countTileElements() const;
};

/// What `of` is where its columns are few in a call, and where its rows are:
/// nothing where rows or columns are known, which are then no fewer than a
/// warp's lanes, or for elements of which a tile would take too much memory.
llvm::SmallVector<FewMatrices> getFewMatrices(mlir::ImplicitLocOpBuilder &b,
                                              const Matrices &of);

/// A launch that transposes `of`, where columns are few.
mlir::gpu::LaunchOp createFewLaunch(mlir::ImplicitLocOpBuilder &b,
                                    const FewMatrices &of);

} // namespace nm

#endif // NM_LIB_CONVERSION_LINALGTOGPU_FEWTRANSPOSES_H
