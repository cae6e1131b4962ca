//===- RowSum.h - What threads of a row give together -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWSUM_H
#define NM_LIB_DIALECT_NM_ROWS_ROWSUM_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Threads of a warp, on every chip.
constexpr int64_t kWarpLanes = 32;
/// Elements of a row that a thread keeps in registers where one warp has the
/// row: its threads need no barrier, which is worth more registers than others
/// take. 768 elements of 16 bits are 24 a thread (docs/performance.md, Whole
/// models).
constexpr int64_t kMostElementsOfLane = 32;

/// The threads that share a row.
struct RowThreads {
  int64_t count;
  int64_t rows;     // of the block
  mlir::Value row;  // in the block, where that has several
  mlir::Value lane; // in the warp, where several warps share a row
  mlir::Value warp; // of the block's in the row
  int64_t parts;    // blocks of a cluster that share the row
  mlir::Value part; // of the row, where that has several
};

/// Combines `values` by pairs that follow each other.
mlir::Value combineTree(mlir::ImplicitLocOpBuilder &b,
                        mlir::arith::AtomicRMWKind kind,
                        llvm::ArrayRef<mlir::Value> values);

/// Combines `value` of all threads of a row, each of which gets the result:
/// lanes by their distance, 1, 2, 4, ..., then warps, of all parts, likewise.
mlir::Value combineThreads(mlir::ImplicitLocOpBuilder &b,
                           mlir::arith::AtomicRMWKind kind, mlir::Value value,
                           const RowThreads &threads);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWSUM_H
