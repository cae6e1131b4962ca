//===- RowShift.h - Vectors that begin between others -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_DIALECT_NM_ROWS_ROWSHIFT_H
#define NM_LIB_DIALECT_NM_ROWS_ROWSHIFT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace nm {

/// Whether `loadShifted` reads `count` elements of `memref`: 16 bytes of
/// elements of 2 or 4 bytes.
bool canLoadShifted(mlir::Value memref, int64_t count);

/// `count` elements of `memref`, of one dimension, from `place` on, which is
/// `shift` behind a multiple of `count`, by two accesses of whole vectors, of
/// which the elements are taken: one by one they would be `count` accesses.
/// Where the second vector would be beyond the end, they are.
llvm::SmallVector<mlir::Value> loadShifted(mlir::ImplicitLocOpBuilder &b,
                                           mlir::Value memref,
                                           mlir::Value place, int64_t count,
                                           mlir::Value shift);

} // namespace nm

#endif // NM_LIB_DIALECT_NM_ROWS_ROWSHIFT_H
