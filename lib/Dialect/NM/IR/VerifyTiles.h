//===- VerifyTiles.h - Checks of ops on tiles -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_IR_VERIFYTILES_H
#define NM_LIB_DIALECT_NM_IR_VERIFYTILES_H

#include "nm/Dialect/NM/IR/NMOps.h"

namespace nm {

using Effects = llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance>;

/// Adds a read of every memref operand of `op`, or a write for `written`.
void addMemRefEffects(mlir::Operation *op, mlir::Value written,
                      Effects &effects);

/// Checks that a tile's extent does not exceed that of the block.
mlir::LogicalResult verifyWithin(mlir::Operation *op, llvm::StringRef name,
                                 int64_t extent, int64_t limit);

/// Checks the rank of a memref operand.
mlir::LogicalResult verifyRank(mlir::Operation *op, llvm::StringRef name,
                               mlir::Value value, int64_t rank);

/// Checks the rank of a tile that is a matrix or in panels.
mlir::LogicalResult verifyTileRank(mlir::Operation *op, llvm::StringRef name,
                                   mlir::Value tile);

/// Checks that a tile of A has rank 2, or is feature-major in panels.
mlir::LogicalResult verifyTileOfA(mlir::Operation *op, mlir::Value a,
                                  Layout layout);

/// Checks that a tile of A has no more than `rows` rows of m. Its last panel
/// may have columns beyond them.
mlir::LogicalResult verifyRowsOfA(mlir::Operation *op, mlir::Value a,
                                  Layout layout, int64_t rows);

/// Checks that the panels of `tile`, if it is in panels, have `columns` columns
/// together.
mlir::LogicalResult verifyPanels(mlir::Operation *op, llvm::StringRef name,
                                 mlir::Value tile, int64_t columns);

/// Checks indices of units and, where it is not null, the list of columns that
/// they name.
mlir::LogicalResult verifyIndices(mlir::Operation *op, mlir::Value indices,
                                  mlir::Value columns, IndexCoding coding);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_IR_VERIFYTILES_H
