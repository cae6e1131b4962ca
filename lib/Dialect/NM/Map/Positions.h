//===- Positions.h - Rows of A that indices name ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_MAP_POSITIONS_H
#define NM_LIB_DIALECT_NM_MAP_POSITIONS_H

#include "Accesses.h"

namespace nm {

/// Whether places `first` .. `first` + `count` - 1 may leave dimension `dim`.
bool mayLeave(mlir::Value memref, int64_t dim, mlir::Value first,
              int64_t count);

/// The first rows of A of the `count` units from `unit` on in unit column
/// `column` of the block; four indices of a packed weight are one access where
/// they are aligned.
llvm::SmallVector<mlir::Value> loadPositions(mlir::ImplicitLocOpBuilder &b,
                                             LoadPositionsOp op,
                                             mlir::Value unit, int64_t count,
                                             mlir::Value column);

/// How a load of `count` rows of the values may leave them; panels are whole.
Guard getGuardOfValues(LoadValuesOp op, int64_t count);

/// Whether a row of k may lie beyond A's tile: always checked where it comes
/// from a list with -1, and where the last window may be partial.
bool needsGuardOfK(LoadRowsOp op, PatternAttr pattern);

/// `width` elements of A from place `m` on, along m, of row `row` of k; what
/// lies beyond A reads as zero.
mlir::Value loadAlongM(mlir::ImplicitLocOpBuilder &b, LoadRowsOp op,
                       PatternAttr pattern, mlir::Value row, mlir::Value m,
                       int64_t width);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_MAP_POSITIONS_H
